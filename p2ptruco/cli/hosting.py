"""A table of our own: ticket, lobby, bots that we run, match after match.

Each bot is a seat of its own in a process of its own (`cli/seat.py`), with its own identity; the
room and the record say that we run it.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import trio

from p2ptruco.cli.failure import FAILED, Failure
from p2ptruco.cli.faults import by_bot
from p2ptruco.cli.faults import lines as fault_lines
from p2ptruco.cli.lobbies import Desk, Left
from p2ptruco.cli.seat import Plan
from p2ptruco.cli.seats import Running, end_all, start
from p2ptruco.cli.sitting_in import Match
from p2ptruco.net.discovery import Announcement, announcing, interfaces
from p2ptruco.net.home import Self
from p2ptruco.net.lobby import HostLobby
from p2ptruco.net.mesh import Mesh
from p2ptruco.net.network import Tcp
from p2ptruco.net.port import remember, remembered
from p2ptruco.net.sitting import NotSeated
from p2ptruco.net.ticket import Address, Ticket, new_ticket
from p2ptruco.players.mind import Mind
from p2ptruco.rules.variant import Variant, toggles
from p2ptruco.table.agreement import Times
from p2ptruco.table.identity import fingerprint
from p2ptruco.ui.reasons import not_seated
from p2ptruco.ui.terminal.console import Console
from p2ptruco.ui.words import _, spoken

LOOPBACK = "127.0.0.1"
log = logging.getLogger(__name__)
YES = ("y", "yes", "s", "sim")


@dataclass(frozen=True, slots=True)
class Table:
    """What the host decides before anybody comes; `bots`: what those of our own are called."""

    variant: Variant
    seats: int
    bots: Sequence[str]
    times: Times
    name: str
    port: int = 0
    alone: bool = False
    """Only our own bots sit down: no other machine can reach the table."""
    private: bool = False
    seed: str | None = None
    log: str | None = None


async def host(table: Table, me: Self, mind: Mind, console: Console, place: Path | None) -> None:
    """Host matches until nobody wants another one. Failure: no port, a bot that cannot play."""
    port = table.port or (0 if table.alone else remembered())
    mesh = Mesh(me.identity, Tcp(LOOPBACK if table.alone else "", port))
    async with trio.open_nursery() as tasks:
        await listen(mesh, tasks, table.port)
        if not table.alone:
            remember(mesh.addresses[0].port)
        tasks.start_soon(console.run)
        while await _match(table, me, mind, console, place, mesh):
            pass
        tasks.cancel_scope.cancel()


async def listen(mesh: Mesh, tasks: trio.Nursery, wanted: int = 0) -> None:
    """Run a mesh; Failure if its port is not to be had."""
    try:
        await tasks.start(mesh.run)
    except OSError as error:
        sentence = _("Port {port} cannot be used: {reason}. Choose another with --port.")
        message = sentence.format(port=wanted or "?", reason=error.strerror or error)
        raise Failure("port_in_use", message, FAILED) from error


async def _match(
    table: Table, me: Self, mind: Mind, console: Console, place: Path | None, mesh: Mesh
) -> bool:
    """One lobby and one match; whether to go on."""
    ticket = new_ticket(_reach(table, mesh), me.identity.public, secrets.token_bytes)
    mesh.door.open_to(ticket, {"seat": table.seats - 1})
    if not table.alone:
        console.say(*invitation(ticket))
    lobby = HostLobby(mesh, me.identity, table.name, table.variant, table.seats, table.times)
    desk = Desk(console, lobby, me.identity.public, alone=table.alone)
    async with _bots(table, str(ticket), console), _announced(table, me, ticket, lobby):
        try:
            seated = await desk.sit()
        except Left:
            return False
        except NotSeated as refused:
            console.say(not_seated(refused.code))
            return True
        await Match(console, mesh, me.identity, seated, mind, place).play()
    return await again(console)


async def again(console: Console) -> bool:
    """Whether another match is wanted; with no more input, none is."""
    answer = await console.ask(_("Another match? (y/n)"))
    return answer is not None and answer.casefold() in YES


def invitation(ticket: Ticket) -> list[str]:
    """The ticket, and as a picture for a telephone's camera."""
    import io

    import segno

    picture = io.StringIO()
    segno.make(str(ticket), error="m").terminal(picture, compact=True, border=1)
    return [
        _("Ticket: {ticket}").format(ticket=ticket),
        picture.getvalue().rstrip("\n"),
        _("The others type: p2ptruco join, on this network; or p2ptruco join and the ticket."),
    ]


def _reach(table: Table, mesh: Mesh) -> tuple[Address, ...]:
    """Where guests find us."""
    port = mesh.addresses[0].port
    hosts = [LOOPBACK] if table.alone else interfaces()
    return tuple(Address(host, port) for host in hosts[:3])


@asynccontextmanager
async def _announced(
    table: Table, me: Self, ticket: Ticket, lobby: HostLobby
) -> AsyncIterator[None]:
    """Tell the network about the table; without a network the ticket will do."""
    if table.alone:
        yield
        return
    async with trio.open_nursery() as tasks:
        tasks.start_soon(_announce, table, me, ticket, lobby)
        yield
        tasks.cancel_scope.cancel()


async def _announce(table: Table, me: Self, ticket: Ticket, lobby: HostLobby) -> None:
    label = f"{fingerprint(me.identity.public)}-{ticket.addresses[0].port}"
    try:
        async with announcing(label) as announcer:
            said = -1
            while not lobby.room.started:
                free = len(lobby.room.free)
                if free != said:
                    said = free
                    await announcer.say(
                        Announcement(
                            table.name,
                            table.variant.name,
                            str(table.variant.scale),
                            table.seats,
                            free,
                            fingerprint(me.identity.public),
                            None if table.private else str(ticket),
                            ticket.addresses,
                        )
                    )
                await trio.sleep(0.5)
    except OSError:
        log.info("no network to announce on")


@asynccontextmanager
async def _bots(table: Table, ticket: str, console: Console) -> AsyncIterator[None]:
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
                tasks.start_soon(_watch, await start(plan, running), console, faults)
            yield
            tasks.cancel_scope.cancel()
    finally:
        console.say(*fault_lines(by_bot(faults)))
        await end_all(running)


async def _watch(bot: Running, console: Console, faults: list[tuple[str, dict[str, str]]]) -> None:
    """Hear a bot's seat out, and say so if it fails."""
    async for line in bot.lines():
        if "fault" in line:
            faults.append((line["bot"], line["fault"]))
        if "failed" in line:
            sentence = _("The bot at seat {seat} has failed ({reason}).")
            console.say(sentence.format(seat=bot.plan.seat + 1, reason=line["failed"]))
