"""The seats of a demo as processes.

When the match ends, fails or is cancelled, every process has ended before `play` returns.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace

import trio

from p2ptruco.app.processes import Running, Told, end_all, start
from p2ptruco.app.seat import Plan
from p2ptruco.cli.failure import FAILED, Failure
from p2ptruco.ui.reasons import broke
from p2ptruco.ui.words import _

PROGRAM = "p2ptruco.cli.seat"


async def play(plans: Sequence[Plan], heard: Callable[[list[str]], None]) -> list[Told]:
    """Play the match that the plans describe; what each seat says at the end, by seat.

    `heard` gets the story line by line. Raises Failure if a seat does not reach the end.
    """
    running: list[Running] = []
    done: dict[int, Told] = {}
    try:
        host = await start(plans[0], running, PROGRAM)
        lines = host.lines()
        ticket = await _ticket(lines)
        async with trio.open_nursery() as tasks:
            tasks.start_soon(_listen, host, lines, done, heard)
            for plan in plans[1:]:
                guest = await start(replace(plan, ticket=ticket), running, PROGRAM)
                tasks.start_soon(_listen, guest, guest.lines(), done, heard)
    finally:
        await end_all(running)
    return [done[plan.seat] for plan in plans]


async def _ticket(lines: AsyncIterator[Told]) -> str:
    async for line in lines:
        if "ticket" in line:
            return str(line["ticket"])
        break
    raise _failed(0)


async def _listen(
    seat: Running,
    lines: AsyncIterator[Told],
    done: dict[int, Told],
    heard: Callable[[list[str]], None],
) -> None:
    """Hear one seat out."""
    async for line in lines:
        if "story" in line:
            heard(line["story"])
        if "failed" in line:
            raise _failed(seat.plan.seat, line["failed"], line["errno"])
        if "done" in line:
            done[seat.plan.seat] = line["done"]
            return
    raise _failed(seat.plan.seat)


def _failed(seat: int, reason: str = "", errno: int | None = None) -> Failure:
    sentence = _("Seat {seat} did not reach the end of the match ({reason}).")
    message = sentence.format(seat=seat + 1, reason=broke(reason, errno))
    return Failure("seat_failed", message, FAILED)
