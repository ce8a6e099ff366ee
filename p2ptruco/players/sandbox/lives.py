"""Keeping a bot's process up: started, greeted, blamed, started again, left alone.

1. A process that ended is started again at once; what the bot remembered is lost. After `LIVES` in
   a row without a decision it is left alone.
2. Each end is blamed once: by whoever ended it, or else as a crash, with what it printed last.
3. The first start decides whether there is a bot at all; later ones that fail are faults.
"""

from __future__ import annotations

from typing import Protocol

import trio

from p2ptruco.hooks import NoBot, shown
from p2ptruco.players.sandbox.limits import Limits
from p2ptruco.players.sandbox.process import Answer, Process, Told
from p2ptruco.players.sandbox.starting import crashed, first_line, missing, too_slow
from p2ptruco.process import ended

LIVES = 3
"""Starts in a row that lead to no decision."""
FAREWELL = 1.0
"""Seconds that a process has to end once it knows that nothing more will come."""


class Owner(Protocol):
    """Who is told about the processes of a bot."""

    def up(self, process: Process, restarts: int) -> None:
        """A process is loaded and waits for lines."""

    def heard(self, name: str, told: Answer) -> None:
        """An answer to a line of this name."""

    def note(self, kind: str, detail: str) -> None:
        """A fault."""


class Lives:
    """One process after another, for one bot."""

    def __init__(self, bot: str, limits: Limits, owner: Owner) -> None:
        self.name = bot
        self.process: Process | None = None
        self._bot, self._limits, self._owner = bot, limits, owner
        self._missing: NoBot | None = None
        self._blamed: Process | None = None
        self._restarts = self._barren = 0
        self._loaded = self._alone = False
        self._news, self._over = trio.Event(), trio.Event()

    async def run(self) -> None:
        """Until nothing more is wanted, or the bot is left alone."""
        while self._barren < LIVES and not self._over.is_set():
            await self._live()
        self._alone = True
        self._stir()

    async def settled(self) -> NoBot | None:
        """Wait until the bot is loaded; why it is not."""
        while not self._loaded and self._missing is None:
            await self._news.wait()
        return self._missing

    async def ready(self) -> Process | None:
        """Wait until a process is up; None if the bot is left alone."""
        while self.process is None and not self._alone:
            await self._news.wait()
        return self.process

    async def farewell(self) -> None:
        """Nothing more will come: let the process end by itself, for a moment."""
        if self.process is None:
            return
        self.process.close()
        with trio.move_on_after(FAREWELL):
            await self._over.wait()

    def fruitful(self, restarts: int | None = None) -> None:
        """The bot has done something of its own; perhaps count its restarts from here."""
        self._barren = 0
        self._restarts = self._restarts if restarts is None else restarts

    def too_slow(self) -> None:
        """End the process, unless it has not come up yet."""
        process, self.process = self.process, None
        doing = process.open[0][1] if process and process.open else "start"
        lost = "; its process was ended, its memory is lost" if process else ""
        self._owner.note("timeout", f"{doing}: more than {self._limits.budget:g} s{lost}")
        if process is not None:
            self._blamed = process
            process.kill()

    def died(self, process: Process) -> None:
        """It ended: by itself, unless somebody has been blamed."""
        if self.process is process:
            self.process = None
        if self._blamed is not process:
            self._blamed = process
            self._owner.note("crash", ending(process))

    async def _live(self) -> None:
        """One process, from its start to its end."""
        process = Process(self._owner.heard)
        self._barren += 1
        async with trio.open_nursery() as tasks:
            tasks.start_soon(process.run)
            if await self._greet(process):
                self.process, self._loaded = process, True
                self._owner.up(process, self._restarts)
                self._stir()
                await process.ended.wait()
            tasks.cancel_scope.cancel()
        self._restarts += 1
        if process.closing or self._missing is not None:
            self._over.set()
            self._stir()
        else:
            self.died(process)

    async def _greet(self, process: Process) -> bool:
        """Load the bot; whether there is one."""
        process.send(first_line(self._bot, self._limits))
        hello: Told | None = None
        with trio.move_on_after(self._limits.start) as waited:
            hello = await process.greeted()
        if waited.cancelled_caught:
            fault: NoBot | None = too_slow(self._bot, self._limits)
        elif hello is None:
            fault = crashed(self._bot, process.status or 0, process.words)
        else:
            fault = missing(self._bot, hello)
        if fault is None and hello is not None:
            self.name = shown(hello.get("bot"))
            return True
        if not self._loaded:
            self._missing = fault
        return False

    def _stir(self) -> None:
        self._news.set()
        self._news = trio.Event()


def ending(process: Process) -> str:
    """How a process ended, and what it printed last."""
    how = (
        "what it told its starter is no answer" if process.nonsense else ended(process.status or 0)
    )
    return f"its process ended ({how}), its memory is lost\n{process.words}".rstrip()
