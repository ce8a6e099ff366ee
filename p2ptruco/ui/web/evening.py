"""What is played here now, and the browser tab that shows it.

Laws:
1. Nothing that a tab does by going ends anything: it is shown again to whichever comes next, from a
   snapshot.
2. One tab at a time: a second one takes over, and the first is told so.
3. At its end an evening says one object more, as `--front jsonl` does: the matches that were
   played, or why there are none. Whoever comes later is told that alone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import trio

from p2ptruco.app.match import Played
from p2ptruco.app.stage import Stage
from p2ptruco.ui.front.lines import Outbox
from p2ptruco.ui.front.objects import Objects

End = Mapping[str, Any]
"""`{"matches": […]}` or `{"error": {"code", "message"}}`."""
Explain = Callable[[BaseException], Mapping[str, str]]
"""Code and message of what ended an evening."""
Sit = Callable[[], Awaitable[list[Played]]]


class Evening:
    """One table, match after match. `command`: what runs here; `version`: of the program."""

    def __init__(self, stage: Stage, command: str, version: str) -> None:
        self.stage, self._command, self._version = stage, command, version
        self._tab: tuple[Objects, Outbox] | None = None
        self._end: End | None = None
        self._left = trio.Event()

    @property
    def is_over(self) -> bool:
        return self._end is not None

    def show(self, out: Outbox) -> Objects:
        """Show everything to one tab, and nothing more to the one before."""
        if self._tab is not None:
            face, before = self._tab
            self._detach()
            face.say(taken_over=True)
            before.close()
        face = Objects(self.stage, out, version=self._version, command=self._command)
        self._tab, self._left = (face, out), trio.Event()
        if self._end is not None:
            self._last(self._end)
        return face

    def gone(self, face: Objects) -> None:
        """A tab is closed."""
        if self._tab is not None and self._tab[0] is face:
            self._detach()

    async def play(self, sit: Sit, explain: Explain) -> list[Played]:
        """Play to the end, whatever that is, and tell it."""
        end: End = {}
        try:
            played = await sit()
            end = {"matches": [dict(match.told) for match in played]}
            return played
        except BaseException as error:
            end = {"error": explain(error)}
            raise
        finally:
            self.over(end)

    def over(self, end: End) -> None:
        """Nothing is played any more."""
        if self._end is None:
            self._end = end
            self._last(end)

    def _last(self, end: End) -> None:
        if self._tab is not None:
            self._tab[0].say(**end)
            self._tab[1].close()

    def _detach(self) -> None:
        if self._tab is not None:
            self.stage.detach(self._tab[0])
            self._tab = None
            self._left.set()

    async def unseen(self) -> None:
        """Until no tab shows it."""
        while self._tab is not None:
            await self._left.wait()
