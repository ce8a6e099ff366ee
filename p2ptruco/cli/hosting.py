"""A table of our own: ticket, lobby, bots that we run, match after match.

1. Guests stay linked between two matches and find their seats again; bots are started anew.
2. A ticket is good for one lobby. Bots of ours come by the loopback, whatever becomes of the
   network meanwhile.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import trio

from p2ptruco.cli.announced import announced, reach
from p2ptruco.cli.failure import FAILED, Failure, within
from p2ptruco.cli.lobbies import Desk, Left, seated_or_raised
from p2ptruco.cli.own_bots import own_bots
from p2ptruco.cli.sitting_in import Match, Played, Player, add
from p2ptruco.net.discovery import interfaces
from p2ptruco.net.home import Self
from p2ptruco.net.lobby import HostLobby
from p2ptruco.net.mesh import Mesh
from p2ptruco.net.network import Tcp
from p2ptruco.net.port import remember, remembered
from p2ptruco.net.sitting import NotSeated, Seated
from p2ptruco.net.ticket import Address, Ticket, new_ticket
from p2ptruco.rules.variant import Variant
from p2ptruco.table.agreement import Times
from p2ptruco.ui.reasons import not_seated
from p2ptruco.ui.terminal.console import Console
from p2ptruco.ui.words import _

LOOPBACK = "127.0.0.1"
YES = ("y", "yes", "s", "sim")
NO = ("n", "no", "não", "nao", "q", "leave", "sair")


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


async def host(table: Table, player: Player) -> list[Played]:
    """Host matches until nobody wants another one; those played. Failure: no port, no bot."""
    played: list[Played] = []
    async with trio.open_nursery() as tasks:
        mesh = await _opened(table, player, tasks)
        tasks.start_soon(player.console.run)
        while await _match(table, player, mesh, played):
            pass
        tasks.cancel_scope.cancel()
    return played


async def _opened(table: Table, player: Player, tasks: trio.Nursery) -> Mesh:
    """Our mesh, listening: where it was told to, else where it did before if that is free."""
    if table.alone:
        return await listen(player.me, tasks, host=LOOPBACK)
    try:
        mesh = await listen(player.me, tasks, table.port or remembered())
    except Failure:
        if table.port:
            raise
        mesh = await listen(player.me, tasks)
    with suppress(OSError):  # then it is another one next time
        remember(port_of(mesh.addresses))
    return mesh


async def listen(me: Self, tasks: trio.Nursery, port: int = 0, host: str = "") -> Mesh:
    """A running mesh of ours; Failure if its port is not to be had."""
    mesh = Mesh(me.identity, Tcp(host, port))
    try:
        await tasks.start(mesh.run)
    except (OSError, ExceptionGroup) as failed:
        error = within(failed, OSError)
        if error is None:
            raise
        reason = os.strerror(error.errno) if error.errno else str(error)
        sentence = _("Port {port} cannot be used ({reason}): choose another with --port.")
        message = sentence.format(port=port, reason=reason)
        raise Failure("port_in_use", message, FAILED) from failed
    return mesh


async def _match(table: Table, player: Player, mesh: Mesh, played: list[Played]) -> bool:
    """One lobby and one match; whether to go on."""
    console, me = player.console, player.me.identity
    port = port_of(mesh.addresses)
    hosts = [LOOPBACK] if table.alone else interfaces()
    ticket = new_ticket(reach(hosts, port), me.public, secrets.token_bytes)
    nearby = replace(ticket, addresses=reach([LOOPBACK], port))
    before = played[-1] if played else Played(0)
    lobby = HostLobby(
        mesh,
        me,
        table.name,
        table.variant,
        table.seats,
        table.times,
        seat=before.seat,
        former=before.others,
        early=before.after,
    )
    mesh.door.open_to(ticket, {"seat": table.seats - 1}, lobby.asks)
    desk = Desk(console, lobby, me.public, alone=table.alone)
    async with own_bots(table, str(nearby), console):
        try:
            seated = await _lobby(table, me.public, ticket, lobby, desk, console)
        except Left:
            return False
        except NotSeated as refused:
            console.say(not_seated(refused.code, refused.late))
            return True
        add(played, await Match(player, mesh, seated).play())
    return await again(console)


async def _lobby(
    table: Table, me: bytes, ticket: Ticket, lobby: HostLobby, desk: Desk, console: Console
) -> Seated:
    if table.alone:
        return await desk.sit()
    console.say(*invitation(ticket, private=table.private))

    def moved(now: Ticket) -> None:
        console.say(_("The network has changed: this table is found by another ticket now."))
        console.say(*invitation(now, private=table.private))

    async with announced(me, ticket, lobby, private=table.private, moved=moved):
        end = await desk.end()
    return seated_or_raised(end)


async def again(console: Console) -> bool:
    """Whether another match is wanted; with no more input, none is."""
    while True:
        answer = await console.ask(_("Another match? (y/n)"))
        if answer is None or answer.casefold() in (*YES, *NO):
            return answer is not None and answer.casefold() in YES


def invitation(ticket: Ticket, *, private: bool) -> Iterator[str]:
    """The ticket, at a terminal also as a picture for a telephone's camera, and what to do."""
    if sys.stdout.isatty():
        yield from _picture(str(ticket)).splitlines()
    yield _("Ticket: {ticket}").format(ticket=ticket)
    if ticket.addresses[0].host == LOOPBACK:
        yield _("There is no network: only this machine can reach the table.")
    elif private:
        yield _("The others type: p2ptruco join TICKET")
    else:
        yield _("The others type: p2ptruco join (on this network), or p2ptruco join TICKET")


def _picture(text: str) -> str:
    import io

    import segno

    picture = io.StringIO()
    segno.make(text, error="m").terminal(picture, compact=True, border=1)
    return picture.getvalue().rstrip("\n")


def port_of(listens: Sequence[Address]) -> int:
    """The port for those who come by IPv4, as tickets say; by IPv6 it may be another one, and
    either may be named first."""
    return min(listens, key=lambda address: ":" in address.host).port
