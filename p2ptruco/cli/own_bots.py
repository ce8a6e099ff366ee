"""Bots of our own at a table of ours.

Each is a seat of its own in a process of its own (`cli/seat.py`), with its own identity; the room
and the record say that we run it.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import trio

from p2ptruco.cli.failure import FAILED, Failure
from p2ptruco.cli.faults import by_bot
from p2ptruco.cli.faults import lines as fault_lines
from p2ptruco.cli.seat import Plan
from p2ptruco.cli.seats import Running, end_all, start
from p2ptruco.rules.variant import toggles
from p2ptruco.ui.terminal.console import Console
from p2ptruco.ui.words import _, spoken

if TYPE_CHECKING:
    from p2ptruco.cli.hosting import Table


@asynccontextmanager
async def own_bots(table: Table, ticket: str, console: Console) -> AsyncIterator[None]:
    """Our bots' processes, for the time of a match."""
    running: list[Running] = []
    faults: list[tuple[str, dict[str, str]]] = []
    chance = table.seed or secrets.token_hex(8)
    try:
        async with trio.open_nursery() as tasks:
            for number, bot in enumerate(table.bots):
                seat = table.seats - len(table.bots) + number
                plan = Plan(
                    seat=seat,
                    seats=table.seats,
                    variant=table.variant.name,
                    toggles=toggles(table.variant),
                    bot=bot,
                    seed=chance,
                    language=spoken(),
                    ticket=ticket,
                    log=table.log,
                    lobby=True,
                )
                tasks.start_soon(_watch, table, await start(plan, running), console, faults)
            yield
            tasks.cancel_scope.cancel()
    finally:
        console.say(*fault_lines(by_bot(faults)))
        await end_all(running)


async def _watch(
    table: Table, bot: Running, console: Console, faults: list[tuple[str, dict[str, str]]]
) -> None:
    """Hear a bot's seat out, and say so if it fails. Failure: nobody else can take its seat."""
    failed: str | None = _("its process ended")
    async for line in bot.lines():
        if "fault" in line:
            faults.append((line["bot"], line["fault"]))
        if "failed" in line:
            failed = line["failed"]
        if "done" in line:
            failed = None
    if failed is not None:
        sentence = _("The bot at seat {seat} has failed ({reason}).")
        message = sentence.format(seat=bot.plan.seat + 1, reason=failed)
        if table.alone:
            raise Failure("seat_failed", message, FAILED)
        console.say(message)
