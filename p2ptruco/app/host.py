"""A table of our own: ticket, lobby, bots that we run, match after match.

1. Guests stay linked between two matches and find their seats again; bots are started anew.
2. A ticket is good for one lobby. Bots of ours come by the loopback, whatever becomes of the
   network meanwhile.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import trio

from ..net.discovery import interfaces
from ..net.lobby import HostLobby
from ..net.lobby.sitting import NotSeated, Seated
from ..net.mesh.mesh import Mesh
from ..net.transport.ticket import Ticket, new_ticket
from ..rules.variant import Variant
from ..store.port import remember, remembered
from ..table.agreement import Times
from . import events
from .announced import announced, reach
from .asking import another
from .listening import LOOPBACK, listen, port_of
from .lobby import Desk, GoneHome, seated_or_raised
from .match import Match, Played, Player
from .own_bots import OwnBots
from .stopped import Stopped, told


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
    """Host matches until nobody wants another one; those played. Stopped: no port, no bot."""
    played: list[Played] = []
    with told(player.stage):
        async with trio.open_nursery() as tasks:
            mesh = await _opened(table, player, tasks)
            hosting = _Hosting(table, player, mesh)
            while await hosting.match(played):
                pass
            tasks.cancel_scope.cancel()
    return played


async def _opened(table: Table, player: Player, tasks: trio.Nursery) -> Mesh:
    """Our mesh, listening: where it was told to, else where it did before if that is free."""
    if table.alone:
        return await listen(player.me, tasks, host=LOOPBACK)
    try:
        mesh = await listen(player.me, tasks, table.port or remembered())
    except Stopped:
        if table.port:
            raise
        mesh = await listen(player.me, tasks)
    with suppress(OSError):  # then it is another one next time
        remember(port_of(mesh.addresses))
    return mesh


class _Hosting:
    """One table of ours, from lobby to lobby."""

    def __init__(self, table: Table, player: Player, mesh: Mesh) -> None:
        self._table, self._player, self._mesh = table, player, mesh
        self._stage, self._me = player.stage, player.me.identity
        self._bots = OwnBots(
            player.stage,
            table.variant,
            table.seats,
            table.bots,
            seed=table.seed,
            log=table.log,
            alone=table.alone,
        )

    async def match(self, played: list[Played]) -> bool:
        """One lobby and one match; whether to go on."""
        table = self._table
        port = port_of(self._mesh.addresses)
        hosts = [LOOPBACK] if table.alone else interfaces()
        ticket = new_ticket(reach(hosts, port), self._me.public, secrets.token_bytes)
        nearby = replace(ticket, addresses=reach([LOOPBACK], port))
        lobby = self._lobby(played[-1] if played else Played(0))
        self._mesh.door.open_to(ticket, {"seat": table.seats - 1}, lobby.asks)
        try:
            async with self._bots.seated(str(nearby)):
                try:
                    seated = await self._seated(ticket, lobby)
                except GoneHome:
                    return False
                except NotSeated as refused:
                    self._stage.tell(not_seated(refused))
                    return True
                played.append(await Match(self._player, self._mesh, seated).play())
                self._bots.keep_seats(seated.agreement.terms.roster)
        finally:
            self._stage.tell(events.Scene(events.Place.BETWEEN))
        return await another(self._stage)

    def _lobby(self, before: Played) -> HostLobby:
        table = self._table
        return HostLobby(
            self._mesh,
            self._me,
            table.name,
            table.variant,
            table.seats,
            table.times,
            seat=before.seat,
            former=before.others,
            runs=self._bots.runs,
        )

    async def _seated(self, ticket: Ticket, lobby: HostLobby) -> Seated:
        table, stage, me = self._table, self._stage, self._me.public
        desk = Desk(stage, lobby, me, bots=self._bots, alone=table.alone)
        if table.alone:
            return await desk.sit()

        def moved(now: Ticket) -> None:
            stage.tell(invitation(now, private=table.private, moved=True))

        async with announced(me, ticket, lobby, private=table.private, moved=moved):
            end = await desk.end(invitation(ticket, private=table.private))
        return seated_or_raised(end)


def invitation(ticket: Ticket, *, private: bool, moved: bool = False) -> events.Invitation:
    """The ticket, and who can come by it."""
    here = ticket.addresses[0].host == LOOPBACK
    return events.Invitation(str(ticket), private, "machine" if here else "network", moved)


def not_seated(refused: NotSeated) -> events.Notice:
    """Why a lobby came to nothing."""
    return events.Notice(refused.code, {"who": ", ".join(refused.late)} if refused.late else {})
