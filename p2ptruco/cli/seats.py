"""The seats of a demo as processes: started, listened to, and never left behind.

1. Each seat is a process of its own (`p2ptruco.cli.seat`) and gets what it must know through its
   standard input, never through arguments that others can read.
2. When the match ends, fails or is cancelled, every process has ended before `play` returns:
   asked by closing its standard input, killed if it does not listen.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import trio

from p2ptruco.cli.failure import FAILED, Failure
from p2ptruco.cli.seat import Plan
from p2ptruco.ui.words import _

COMMAND = (sys.executable, "-P", "-m", "p2ptruco.cli.seat")
PATIENCE = 3.0
"""Seconds that a seat has to leave when asked to."""
LONGEST_LINE = 1 << 20

Told = dict[str, Any]


@dataclass(slots=True)
class Running:
    """A seat's process and the lines that it tells."""

    plan: Plan
    process: trio.Process

    async def lines(self) -> AsyncIterator[Told]:
        """What the seat tells, until it closes its standard output."""
        assert self.process.stdout is not None
        rest = b""
        async for chunk in self.process.stdout:
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                yield json.loads(line)
            if len(rest) > LONGEST_LINE:
                return

    async def end(self) -> None:
        """Ask the seat to leave, insist if it does not, wait for its process."""
        with trio.CancelScope(shield=True):
            if self.process.stdin is not None:
                await self.process.stdin.aclose()
            with trio.move_on_after(PATIENCE):
                await self.process.wait()
                return
            self.process.kill()
            await self.process.wait()


async def play(plans: Sequence[Plan], heard: Callable[[list[str]], None]) -> list[Told]:
    """Play the match that the plans describe; what each seat says at the end, by seat.

    `heard` gets the story line by line. Raises Failure if a seat does not reach the end.
    """
    running: list[Running] = []
    done: dict[int, Told] = {}
    try:
        host = await start(plans[0], running)
        lines = host.lines()
        ticket = await _ticket(lines)
        async with trio.open_nursery() as tasks:
            tasks.start_soon(_listen, host, lines, done, heard)
            for plan in plans[1:]:
                guest = await start(replace(plan, ticket=ticket), running)
                tasks.start_soon(_listen, guest, guest.lines(), done, heard)
    finally:
        await end_all(running)
    return [done[plan.seat] for plan in plans]


async def start(plan: Plan, running: list[Running]) -> Running:
    """Start a seat; it is in `running` before anything can fail."""
    async with await trio.open_file(plan.log or os.devnull, "ab") as errors:
        process = await trio.lowlevel.open_process(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors.fileno(),
            start_new_session=True,
        )
    seat = Running(plan, process)
    running.append(seat)
    assert process.stdin is not None
    await process.stdin.send_all(plan.line())
    return seat


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
            raise _failed(seat.plan.seat, line["failed"])
        if "done" in line:
            done[seat.plan.seat] = line["done"]
            return
    raise _failed(seat.plan.seat)


async def end_all(running: Iterable[Running]) -> None:
    """Every process has ended when this returns."""
    async with trio.open_nursery() as tasks:
        for seat in running:
            tasks.start_soon(seat.end)


def _failed(seat: int, reason: str = "") -> Failure:
    sentence = _("Seat {seat} did not reach the end of the match ({reason}).")
    message = sentence.format(seat=seat + 1, reason=reason or _("its process ended"))
    return Failure("seat_failed", message, FAILED)
