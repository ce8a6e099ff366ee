"""Tables in sight on this network, for as long as a page asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

import trio

from p2ptruco.app.join import read_ticket
from p2ptruco.app.sight import Board
from p2ptruco.app.stopped import Stopped
from p2ptruco.net.discovery import Announcement, Sight, browsing

PATIENCE: Final = 15.0
"""Seconds without a question after which nobody looks any more."""
FIRST: Final = 1.5
"""Seconds in which the first answers come."""


class Looking:
    """Looks at the network while somebody asks. `run` it once."""

    def __init__(self) -> None:
        self._board = Board()
        self._sight: Sight | None = None
        self._network = True
        self._asked = float("-inf")
        self._wanted = trio.Event()

    async def run(self) -> None:
        while True:
            await self._wanted.wait()
            try:
                async with browsing() as self._sight:
                    self._network = True
                    await self._unasked()
            except OSError:
                self._network = False
                await trio.sleep(FIRST)
            finally:
                self._sight = None
            self._wanted = trio.Event()

    async def _unasked(self) -> None:
        """Until nobody has asked for a while."""
        while (until := self._asked + PATIENCE) > trio.current_time():  # noqa: ASYNC110
            await trio.sleep_until(until)

    async def tables(self) -> Mapping[str, Any]:
        """The tables in sight, each with the number that it keeps; `network`: whether there is one
        to look at."""
        begun = self._sight is None
        self._asked = trio.current_time()
        self._wanted.set()
        if begun:
            await trio.sleep(FIRST)
        self._board.wipe()
        found = self._board.see(() if self._sight is None else self._sight.tables)
        told = [asdict(table) for table in found.tables]
        for table in told:
            table["name"] = table["host"]
        return {"tables": told, "network": self._network}

    def ticket(self, number: int) -> str:
        """The ticket of a table in sight. Stopped: there is none, or it has to be typed."""
        found = self._board.meant(str(number))
        if found is None:
            raise Stopped("no_table")
        if isinstance(found, Announcement):
            raise Stopped("private_table")
        read_ticket(str(found))
        return str(found)
