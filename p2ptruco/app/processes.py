"""Seats of bots as processes: started, listened to, and never left behind.

1. Each seat is a process of its own (`app/seat.py`) and gets what it must know through its
   standard input, never through arguments that others can read.
2. `end_all` returns when every process has ended: asked by closing its standard input, killed if
   it does not listen.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from typing import Any

import trio

from .seat import Plan

COMMAND = (sys.executable, "-P", "-m")
PROGRAM = "p2ptruco.app.seat"
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


async def start(plan: Plan, running: list[Running], program: str = PROGRAM) -> Running:
    """Start a seat; it is in `running` before anything can fail."""
    async with await trio.open_file(plan.log or os.devnull, "ab") as errors:
        process = await trio.lowlevel.open_process(
            [*COMMAND, program],
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


async def end_all(running: Iterable[Running]) -> None:
    """Every process has ended when this returns."""
    async with trio.open_nursery() as tasks:
        for seat in running:
            tasks.start_soon(seat.end)
