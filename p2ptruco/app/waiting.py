"""While a table waits: whom it waits for, who is missing, and when whoever leaves just goes.

A table that waits is not lost: whoever returns completes it (table.md §5). Whoever leaves goes
with the next thing that their seat owes; if the table waits for somebody who does not come, they
just go, and the match has no winner.
"""

from __future__ import annotations

import trio

from ..net.session import Session
from ..net.session.situation import Situation
from . import events
from .stage import Stage

EVERY = 0.5
"""Seconds between two looks."""
SEALED = 3.0
"""Seconds in which seals come without a word."""


async def attended(session: Session, stage: Stage) -> Situation | None:
    """Run a session, and tell what it waits for. The situation that we left it in, if it waited
    for others; else None: the match is over."""
    left: list[Situation] = []

    async def look() -> None:
        if situation := await watch(session, stage):
            left.append(situation)
            tasks.cancel_scope.cancel()

    async with trio.open_nursery() as tasks:
        tasks.start_soon(look)
        await session.run()
        tasks.cancel_scope.cancel()
    return left[0] if left else None


async def watch(session: Session, stage: Stage) -> Situation | None:
    """Tell what is new about who is missing, until the match is over and its seals are waited for;
    or until we may just go: the situation then."""
    told: Situation | None = None
    linked: events.Links | None = None
    while session.table.outcome is None:
        await trio.sleep(EVERY)
        if (links := linked_by(session)) != linked:
            linked = links
            stage.tell(links)
        now = session.situation()
        if now != told:
            told = now
            stage.tell(events.Standing(now))
        if session.local.leaving and now.parting:
            return now
    await trio.sleep(SEALED)
    if missing := tuple(one.seat for one in session.situation().owing):
        stage.tell(events.SealsAwaited(missing))
    return None


def linked_by(session: Session) -> events.Links:
    """Who is linked to whom."""
    heard = sorted(session.links().items())
    return events.Links(tuple(events.Hearing(seat, tuple(sorted(by))) for seat, by in heard))
