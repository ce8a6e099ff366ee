"""A seat at somebody else's table: finding it, the lobby, match after match."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import trio

from p2ptruco.cli.failure import FAILED, WRONG_USE, Failure
from p2ptruco.cli.hosting import again, listen
from p2ptruco.cli.lobbies import Desk, Left
from p2ptruco.cli.sitting_in import Match
from p2ptruco.net.discovery import Announcement, Sight, browsing
from p2ptruco.net.fault import Fault
from p2ptruco.net.home import Self
from p2ptruco.net.lobby import GuestLobby
from p2ptruco.net.mesh import Mesh
from p2ptruco.net.network import Tcp
from p2ptruco.net.sitting import NotSeated
from p2ptruco.net.ticket import BadTicket, Ticket, parse
from p2ptruco.players.mind import Mind
from p2ptruco.ui.reasons import not_seated
from p2ptruco.ui.terminal.console import Console
from p2ptruco.ui.words import _, ngettext


@dataclass(frozen=True, slots=True)
class Guest:
    """Who joins, and as what."""

    name: str
    bot: bool = False


async def join(
    ticket: str | None,
    guest: Guest,
    me: Self,
    mind: Mind,
    console: Console,
    place: Path | None,
) -> None:
    """Join a table, by ticket or from those on the network; play until we go home."""
    mesh = Mesh(me.identity, Tcp())
    async with trio.open_nursery() as tasks:
        await listen(mesh, tasks)
        tasks.start_soon(console.run)
        chosen = await choose(console) if ticket is None else read_ticket(ticket)
        host = await _linked(mesh, chosen)
        while await _match(host, guest, me, mind, console, place, mesh):
            pass
        tasks.cancel_scope.cancel()


def read_ticket(text: str) -> Ticket:
    """A ticket as somebody typed it."""
    try:
        return parse(text)
    except BadTicket as error:
        message = _("This is no ticket of p2ptruco: copy it whole, from TRUCO: on.")
        raise Failure("bad_ticket", message, WRONG_USE) from error


async def _linked(mesh: Mesh, ticket: Ticket) -> bytes:
    try:
        return await mesh.join(ticket)
    except Fault as fault:
        raise Failure(fault.reason, not_seated(fault.reason), FAILED) from fault
    except OSError as error:
        where = ", ".join(f"{address.host}:{address.port}" for address in ticket.addresses)
        sentence = _("Nobody answers at {where}: is the host there, on the same network?")
        raise Failure("no_answer", sentence.format(where=where), FAILED) from error


async def _match(
    host: bytes,
    guest: Guest,
    me: Self,
    mind: Mind,
    console: Console,
    place: Path | None,
    mesh: Mesh,
) -> bool:
    """One lobby and one match; whether to go on."""
    lobby = GuestLobby(mesh, me.identity, host, guest.name, bot=guest.bot)
    try:
        seated = await Desk(console, lobby, me.identity.public).sit()
    except Left:
        return False
    except NotSeated as refused:
        raise Failure(refused.code, not_seated(refused.code), FAILED) from refused
    await Match(console, mesh, me.identity, seated, mind, place).play()
    return not guest.bot and await again(console)


# Tables on the network.


async def choose(console: Console) -> Ticket:
    """Let the person choose one of the tables in sight, and type the ticket of a private one."""
    try:
        async with browsing() as sight:
            return await _chosen(console, sight)
    except OSError as error:
        message = _("There is no network to look for tables on; join with a ticket.")
        raise Failure("no_network", message, FAILED) from error


async def _chosen(console: Console, sight: Sight) -> Ticket:
    console.say(_("Looking for tables on this network ..."))
    async with trio.open_nursery() as tasks:
        tasks.start_soon(_list, console, sight)
        while True:
            answer = await console.ask(_("Type the number of a table, or a ticket."))
            if answer is None:
                raise Failure("no_table", _("No table was chosen."), FAILED)
            found = _meant(answer, sight.tables)
            if isinstance(found, Announcement):
                console.say(_("This table is private: type its ticket."))
            elif found is not None:
                tasks.cancel_scope.cancel()
                return found
            else:
                console.say(_("There is no such table."))


def _meant(answer: str, tables: tuple[Announcement, ...]) -> Ticket | Announcement | None:
    if answer.isascii() and answer.isdigit() and 1 <= int(answer[:3]) <= len(tables):
        table = tables[int(answer[:3]) - 1]
        return table if table.ticket is None else parse(table.ticket)
    try:
        return parse(answer)
    except BadTicket:
        return None


async def _list(console: Console, sight: Sight) -> None:
    """Say what is in sight, whenever it changes."""
    while True:
        console.say(*listed(sight.tables))
        await sight.changed()


def listed(tables: tuple[Announcement, ...]) -> list[str]:
    """The tables in sight, a line each."""
    lines = []
    for number, table in enumerate(tables, 1):
        sentence = ngettext(
            "{number}: {name}, {variant} ({scale}), {free} of {seats} seat free{private}",
            "{number}: {name}, {variant} ({scale}), {free} of {seats} seats free{private}",
            table.free,
        )
        lines.append(
            sentence.format(
                number=number,
                name=table.name,
                variant=table.variant,
                scale=table.scale,
                free=table.free,
                seats=table.seats,
                private=_(", private") if table.private else "",
            )
        )
    return lines
