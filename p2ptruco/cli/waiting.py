"""While a table waits: whom it waits for, who is missing, and when whoever leaves just goes.

A table that waits is not lost: whoever returns completes it (table.md §5). Whoever leaves goes
with the next thing that their seat owes; if the table waits for somebody who does not come, they
just go, and the match has no winner.
"""

from __future__ import annotations

import trio

from p2ptruco.net.session import Session
from p2ptruco.ui.terminal.console import Console
from p2ptruco.ui.terminal.waits import Waits
from p2ptruco.ui.words import _

EVERY = 0.5
"""Seconds between two looks."""
SEALED = 3.0
"""Seconds in which seals come without a word."""


async def attended(session: Session, console: Console, waits: Waits) -> str | None:
    """Run a session, and say what it waits for. What to say if we left while it waited for others;
    else None: the match is over."""
    left: list[str] = []

    async def look() -> None:
        if last_words := await watch(session, console, waits):
            left.append(last_words)
            tasks.cancel_scope.cancel()

    async with trio.open_nursery() as tasks:
        tasks.start_soon(look)
        await session.run()
        tasks.cancel_scope.cancel()
    return left[0] if left else None


async def watch(session: Session, console: Console, waits: Waits) -> str | None:
    """Say what is new about who is missing, until the match is over and its seals are waited for;
    or until we may just go: how it ends for us then."""
    while session.table.outcome is None:
        await trio.sleep(EVERY)
        now = session.situation()
        console.say(*waits.news(now))
        if session.local.leaving and now.parting:
            return waits.left(now)
    await trio.sleep(SEALED)
    if missing := [one.seat for one in session.situation().owing]:
        sentence = _("The match is over; waiting a moment for the seal of {who}.")
        console.say(sentence.format(who=waits.who(missing)))
    return None
