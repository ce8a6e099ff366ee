"""A seat at somebody else's table: finding it, the lobby, match after match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import trio

from p2ptruco.cli.announced import EVERY, Look
from p2ptruco.cli.choosing import Board, chosen_from
from p2ptruco.cli.failure import FAILED, WRONG_USE, Failure
from p2ptruco.cli.hosting import again, listen
from p2ptruco.cli.lobbies import Desk, Left
from p2ptruco.cli.sitting_in import Match, Played, Player, add
from p2ptruco.net.discovery import Sight, browsing, interfaces
from p2ptruco.net.fault import Fault
from p2ptruco.net.lobby import GuestLobby
from p2ptruco.net.mesh import Mesh
from p2ptruco.net.sitting import NotSeated
from p2ptruco.net.ticket import BadTicket, Ticket, parse
from p2ptruco.table.text import clean
from p2ptruco.ui.reasons import not_seated
from p2ptruco.ui.terminal.console import Console
from p2ptruco.ui.words import _

DIAL_SECONDS = 5.0
"""For one of a ticket's addresses to answer."""


@dataclass(frozen=True, slots=True)
class Guest:
    """Who joins, and as what."""

    name: str
    bot: bool = False


async def join(ticket: str | None, guest: Guest, player: Player) -> list[Played]:
    """Join a table, by ticket or from those on the network; the matches played there."""
    played: list[Played] = []
    async with trio.open_nursery() as tasks:
        mesh = await listen(player.me, tasks)
        tasks.start_soon(player.console.run)
        if ticket is None:
            host, way = await _looked_for(mesh, player.console)
        else:
            way = read_ticket(ticket)
            host = await _linked(mesh, way)
        more = True
        while more:
            try:
                more = await _match(host, guest, player, mesh, played)
            except Failure as failure:
                guest = await _renamed(failure, guest, player.console)
                host = await _linked(mesh, way)
        tasks.cancel_scope.cancel()
    return played


async def _renamed(failure: Failure, guest: Guest, console: Console) -> Guest:
    """The guest under another name, where that is all that was wrong."""
    if failure.code != "name_taken" or guest.bot:
        raise failure
    answer = await console.ask(_("Somebody at the table has your name already. Another name:"))
    name = clean(answer or "")
    if not name:
        raise failure
    return replace(guest, name=name)


def read_ticket(text: str) -> Ticket:
    """A ticket as somebody typed it."""
    try:
        return parse(text)
    except BadTicket as error:
        if error.code == "wrong_version":
            raise Failure("wrong_version", not_seated("wrong_version"), FAILED) from error
        message = _("This is no ticket of p2ptruco: copy it whole, from TRUCO: on.")
        raise Failure("bad_ticket", message, WRONG_USE) from error


async def _linked(mesh: Mesh, ticket: Ticket) -> bytes:
    """The host's key, once one of its addresses has let us in."""
    for address in ticket.addresses:
        try:
            with trio.fail_after(DIAL_SECONDS):
                return await mesh.join(replace(ticket, addresses=(address,)))
        except Fault as fault:
            raise Failure(fault.reason, not_seated(fault.reason), FAILED) from fault
        except (OSError, trio.TooSlowError):
            continue
    where = ", ".join(f"{address.host}:{address.port}" for address in ticket.addresses)
    sentence = _("Nobody answers at {where}: is the host there, on the same network?")
    raise Failure("no_answer", sentence.format(where=where), FAILED)


async def _looked_for(
    mesh: Mesh, console: Console, look: Look = interfaces
) -> tuple[bytes, Ticket]:
    """The host of a table on the network, of the person's choice, and its ticket; another one if
    that fails. Where this machine's addresses change, it looks again from those of now."""
    board = Board()
    try:
        while True:
            hosts = look()
            async with browsing(hosts) as sight:
                while (ticket := await _chosen(console, sight, board, hosts, look)) is not None:
                    try:
                        return await _linked(mesh, ticket), ticket
                    except Failure as failure:
                        console.say(failure.message)
            console.say(_("Your network has changed: looking again."))
    except OSError as error:
        message = _("There is no network to look for tables on; join with a ticket.")
        raise Failure("no_network", message, FAILED) from error


async def _chosen(
    console: Console, sight: Sight, board: Board, hosts: Sequence[str], look: Look
) -> Ticket | None:
    """The ticket that the person chooses; None if this machine has other addresses before."""
    ticket: Ticket | None = None
    async with trio.open_nursery() as tasks:

        async def moved() -> None:
            while set(look()) == set(hosts):  # noqa: ASYNC110
                await trio.sleep(EVERY)
            tasks.cancel_scope.cancel()

        tasks.start_soon(moved)
        ticket = await chosen_from(console, sight, board)
        tasks.cancel_scope.cancel()
    return ticket


async def _match(
    host: bytes, guest: Guest, player: Player, mesh: Mesh, played: list[Played]
) -> bool:
    """One lobby and one match; whether to go on."""
    me, seat = player.me.identity, played[-1].seat if played else None
    lobby = GuestLobby(mesh, me, host, guest.name, seat=seat, bot=guest.bot)
    try:
        seated = await Desk(player.console, lobby, me.public, typing=not guest.bot).sit()
    except Left:
        return False
    except NotSeated as refused:
        if refused.code == "not_signed" and host in mesh.linked:
            player.console.say(not_seated(refused.code))
            return True
        if played and refused.code in ("leaving", "lost"):
            player.console.say(not_seated(refused.code))
            return False
        raise Failure(refused.code, not_seated(refused.code), FAILED) from refused
    add(played, await Match(player, mesh, seated).play())
    return guest.bot or await again(player.console)
