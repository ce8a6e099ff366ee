"""A seat at somebody else's table: finding it, the lobby, match after match."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

import trio

from ..net.discovery import Sight, browsing, interfaces
from ..net.lobby import GuestLobby
from ..net.lobby.sitting import NotSeated
from ..net.mesh.mesh import Mesh
from ..net.transport.fault import Fault
from ..net.transport.ticket import BadTicket, Ticket, parse
from ..players.fault import BotFault
from ..players.sandbox.limits import limits
from ..players.sandbox.mind import sandboxed
from ..text import clean
from . import events
from .announced import EVERY, Look
from .asking import another, answered
from .host import not_seated
from .listening import listen
from .lobby import Desk, GoneHome
from .match import Match, Played, Player
from .questions import Rename
from .sight import Board, chosen_from
from .stage import Stage
from .stopped import Stopped, told

DIAL_SECONDS = 5.0
"""For one of a ticket's addresses to answer."""


@dataclass(frozen=True, slots=True)
class Guest:
    """Who joins, and as what."""

    name: str
    bot: bool = False


async def join(ticket: str | None, guest: Guest, player: Player) -> list[Played]:
    """Join a table, by ticket or from those on the network; the matches played there. Stopped."""
    played: list[Played] = []
    with told(player.stage):
        async with trio.open_nursery() as tasks:
            mesh = await listen(player.me, tasks)
            if ticket is None:
                host, way = await _looked_for(mesh, player.stage)
            else:
                way = read_ticket(ticket)
                host = await _linked(mesh, way)
            more = True
            while more:
                try:
                    more = await one_match(host, guest, player, mesh, played)
                except Stopped as stopped:
                    guest = await _renamed(stopped, guest, player.stage)
                    host = await _linked(mesh, way)
            tasks.cancel_scope.cancel()
    return played


async def as_a_bot(bot: str, ticket: str | None, guest: Guest, player: Player) -> list[Played]:
    """Join, and let a bot play for us. Stopped; NoBot."""

    def failed(name: str, fault: BotFault) -> None:
        player.stage.tell(events.BotFault(name, fault.kind, fault.detail))

    async with sandboxed(bot, secrets.token_hex(8), limits(), failed) as mind:
        return await join(ticket, guest, replace(player, mind=mind))


async def _renamed(stopped: Stopped, guest: Guest, stage: Stage) -> Guest:
    """The guest under another name, where that is all that was wrong."""
    if stopped.code != "name_taken" or guest.bot:
        raise stopped
    answer = await answered(stage, Rename(stage.new_id(), (), None, None, guest.name))
    name = clean(answer or "")
    if not name:
        raise stopped
    return replace(guest, name=name)


def read_ticket(text: str) -> Ticket:
    """A ticket as somebody typed it. Stopped: it is none, or of another version."""
    try:
        return parse(text)
    except BadTicket as error:
        wrong = error.code == "wrong_version"
        raise Stopped("wrong_version" if wrong else "no_ticket") from error


async def _linked(mesh: Mesh, ticket: Ticket) -> bytes:
    """The host's key, once one of its addresses has let us in."""
    for address in ticket.addresses:
        try:
            with trio.fail_after(DIAL_SECONDS):
                return await mesh.join(replace(ticket, addresses=(address,)))
        except Fault as fault:
            raise Stopped(fault.reason) from fault
        except (OSError, trio.TooSlowError):
            continue
    where = ", ".join(str(address) for address in ticket.addresses)
    raise Stopped("no_answer", where=where)


async def _looked_for(mesh: Mesh, stage: Stage, look: Look = interfaces) -> tuple[bytes, Ticket]:
    """The host of a table on the network, of the person's choice, and its ticket; another one if
    that fails. Where this machine's addresses change, it looks again from those of now."""
    board = Board()
    stage.tell(events.Scene(events.Place.LOOKING))
    try:
        while True:
            hosts = look()
            async with browsing(hosts) as sight:
                while (ticket := await _chosen(stage, sight, board, hosts, look)) is not None:
                    try:
                        return await _linked(mesh, ticket), ticket
                    except Stopped as stopped:
                        stage.tell(events.Notice(stopped.code, stopped.about))
            stage.tell(events.Notice("network_changed"))
    except OSError as error:
        raise Stopped("no_network") from error


async def _chosen(
    stage: Stage, sight: Sight, board: Board, hosts: Sequence[str], look: Look
) -> Ticket | None:
    """The ticket that the person chooses; None if this machine has other addresses before."""
    ticket: Ticket | None = None
    async with trio.open_nursery() as tasks:

        async def moved() -> None:
            while set(look()) == set(hosts):  # noqa: ASYNC110
                await trio.sleep(EVERY)
            tasks.cancel_scope.cancel()

        tasks.start_soon(moved)
        ticket = await chosen_from(stage, sight, board)
        tasks.cancel_scope.cancel()
    return ticket


async def one_match(
    host: bytes, guest: Guest, player: Player, mesh: Mesh, played: list[Played]
) -> bool:
    """One lobby and one match; whether to go on."""
    me, before = player.me.identity, played[-1] if played else None
    seat, agreed = (before.seat, before.rules) if before else (None, None)
    lobby = GuestLobby(mesh, me, host, guest.name, seat=seat, bot=guest.bot)
    try:
        seated = await Desk(player.stage, lobby, me.public, agreed=agreed).sit()
        played.append(await Match(player, mesh, seated).play())
    except GoneHome:
        return False
    except NotSeated as refused:
        if refused.code == "not_signed" and host in mesh.linked:
            player.stage.tell(not_seated(refused))
            return True
        if played and refused.code in ("leaving", "lost"):
            player.stage.tell(not_seated(refused))
            return False
        raise Stopped(refused.code) from refused
    finally:
        player.stage.tell(events.Scene(events.Place.BETWEEN))
    return guest.bot or await another(player.stage)
