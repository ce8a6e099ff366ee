"""A check that raises anything, at random, at each place: no lobby ends by it (wire.md §6, §7)."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.net.lobby import GuestLobby, HostLobby, claims, guest, sitting
from p2ptruco.net.lobby.claims import Claims
from p2ptruco.net.lobby.signing import Signing
from p2ptruco.net.lobby.sitting import NotSeated, Seated
from p2ptruco.net.mesh import link
from p2ptruco.net.mesh.door import Door
from p2ptruco.net.mesh.mesh import Mesh
from p2ptruco.net.transport import channel, hello
from p2ptruco.net.transport.fault import Fault
from p2ptruco.net.transport.frames import Reader
from p2ptruco.net.transport.ticket import Ticket, new_ticket
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.table.agreement import Times
from p2ptruco.table.identity import Identity
from tests.kit.raising import Place, Raising
from tests.net.kit import meshes, seeded

NAMES = ["Ana", "Bia", "Caio", "Davi"]
PLACES: dict[str, tuple[Place, ...]] = {
    "host": ((HostLobby, "hear"), (HostLobby, "_enter"), (HostLobby, "_fault")),
    "guest": ((GuestLobby, "_see"), (GuestLobby, "_hear"), (guest, "off_the_wire")),
    "sitting": (
        (Claims, "_take"),
        (Claims, "_fault"),
        (claims, "reachable"),
        (Signing, "_take"),
        (sitting, "read_agreement"),
        (sitting, "_as_wished"),
    ),
    "handshake": (
        (channel, "channel_key"),
        (hello, "acceptable"),
        (hello, "verify"),
        (Door, "judge"),
        (Door, "_in_time"),
    ),
    "link": ((Reader, "next"), (link.Link, "_take"), (link.Link, "_await_farewell")),
}
PLACES["everywhere"] = tuple(place for places in PLACES.values() for place in places)


async def host(mesh: Mesh, me: Identity, ticket: Ticket, seated: list[Seated]) -> None:
    """Lobbies, until all guests of one have signed."""
    while not seated:
        lobby = HostLobby(mesh, me, NAMES[0], MINEIRO, len(NAMES), Times(move=30))
        mesh.door.open_to(ticket, {"seat": len(NAMES) - 1}, lobby.asks)
        async with trio.open_nursery() as tasks:
            tasks.start_soon(start, lobby)
            try:
                seated.append(await lobby.run())
            except NotSeated:
                await trio.sleep(1)
            tasks.cancel_scope.cancel()


async def start(lobby: HostLobby) -> None:
    while not lobby.start():  # noqa: ASYNC110
        await trio.sleep(1)


async def come(number: int, mesh: Mesh, me: Identity, ticket: Ticket, table: list[Seated]) -> None:
    """Come by the ticket as often as it needs, until signed."""
    host = None
    while not table:
        try:
            if host not in mesh.linked:
                host = await mesh.join(ticket)
            assert host is not None
            lobby = GuestLobby(mesh, me, host, NAMES[number], bot=True)
            table.append(await lobby.run())
        except (Fault, OSError, NotSeated):
            await trio.sleep(2)


@pytest.mark.unforeseen
@pytest.mark.parametrize("where", PLACES)
async def test_no_check_ends_a_lobby(where: str, autojump_clock: MockClock) -> None:
    """Gain: a guest, or anybody who finds the port, ends the host's program, or a host its guests'
    with a message that nobody thought of. Here links close, guests come again and all sign."""
    raising = Raising(7, 5, most=20)
    tables: list[list[Seated]] = [[] for _ in NAMES]
    with raising.at(*PLACES[where]), trio.fail_after(3000):
        async with meshes(len(NAMES)) as (people, all_meshes), trio.open_nursery() as tasks:
            ticket = new_ticket(all_meshes[0].addresses, people[0].public, seeded())
            tasks.start_soon(host, all_meshes[0], people[0], ticket, tables[0])
            for number in range(1, len(NAMES)):
                here = all_meshes[number], people[number], ticket, tables[number]
                tasks.start_soon(come, number, *here)
    assert raising.count > 3
    assert len({seated.agreement.id for (seated,) in tables}) == 1
