"""While a table waits: who cannot be reached, who owes what, and since when.

1. Each thing is said once, and once more when it is over.
2. A table that waits is suspended, not lost: whoever returns completes it (table.md §5).
3. Whoever leaves goes with the next thing that their seat owes; if the table waits for somebody
   who does not come, they just go, and the match has no winner.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import trio

from p2ptruco.cli.failure import FAILED, Failure
from p2ptruco.net.session import Session
from p2ptruco.table.phases import Choice, Need
from p2ptruco.ui.terminal.console import Console
from p2ptruco.ui.words import N_, _

LATE = 10.0
"""Seconds, after the time to move, for which nobody is said to be late."""
UNHURRIED = 50.0
"""Seconds that a move may take where there is no clock, before whoever leaves just goes."""
LOST = 4.0
"""Seconds without a link before it is said."""
EVERY = 0.5

DEALING = N_("a part of the deal")
OWED = {"reveal": N_("the key of a card"), "seal": N_("the seal")}


async def attended(session: Session, console: Console) -> None:
    """Run a session, and say what it waits for. Failure: we left while it waited for others."""
    async with trio.open_nursery() as tasks:
        tasks.start_soon(Waiting(session, console).run)
        await session.run()
        tasks.cancel_scope.cancel()


class Waiting:
    """Looks at a session again and again, and says what is new about who is missing."""

    def __init__(self, session: Session, console: Console) -> None:
        self._session, self._console = session, console
        self._lost: set[int] = set()
        self._late: tuple[object, tuple[int, ...]] = (None, ())

    async def run(self) -> None:
        while self._session.table.outcome is None:
            await trio.sleep(EVERY)
            self._console.say(*self._news())
            if self._session.local.leaving and self._stuck():
                message = _("You left while the table waited for somebody else: nobody has won.")
                raise Failure("left", message, FAILED)

    def _news(self) -> Iterator[str]:
        now, table = trio.current_time(), self._session.table
        identities = table.agreement.identities
        since = {identities.index(p): t for p, t in self._session.mesh.missing().items()}
        lost = {seat for seat, moment in since.items() if now - moment > LOST}
        for seat in sorted(lost - self._lost):
            sentence = _("{who} cannot be reached since {time}; the table waits.")
            yield sentence.format(who=self._who(seat), time=clock(now - since[seat]))
        for seat in sorted(self._lost - since.keys()):
            yield _("{who} is back.").format(who=self._who(seat))
        self._lost = (self._lost & since.keys()) | lost
        yield from self._owing(now)

    def _owing(self, now: float) -> Iterator[str]:
        """Who owes what for longer than anybody may need."""
        session = self._session
        owing = tuple(seat for seat in session.owed if seat != session.local.seat)
        allowed = session.table.agreement.terms.times.move + LATE
        told = (session.table.open, owing)
        if not owing or now - session.since < allowed or told == self._late:
            return
        self._late = told
        for seat in owing:
            sentence = _("Suspended since {time}: {who} owes {what}. Wait, or leave.")
            what = owed(session.owed[seat])
            yield sentence.format(time=clock(now - session.since), who=self._who(seat), what=what)

    def _stuck(self) -> bool:
        """Whether the table waits for somebody else who is not there, or late."""
        session, identities = self._session, self._session.table.agreement.identities
        others = [seat for seat in session.owed if seat != session.local.seat]
        if not others or session.local.due:
            return False
        gone = any(identities[seat] not in session.mesh.linked for seat in others)
        allowed = (session.table.agreement.terms.times.move or UNHURRIED) + LATE
        return gone or trio.current_time() - session.since > allowed

    def _who(self, seat: int) -> str:
        return f"{self._session.table.agreement.terms.roster[seat].name} ({seat + 1})"


def owed(need: Need) -> str:
    """What a seat has to give, in words."""
    if isinstance(need, Choice):
        return _("a move")
    return _(OWED.get(need.kind, DEALING))


def clock(ago: float) -> str:
    """The time of the day, so many seconds ago."""
    return time.strftime("%H:%M:%S", time.localtime(time.time() - ago))
