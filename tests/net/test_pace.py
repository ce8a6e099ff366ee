"""How fast a peer is read (wire.md §5): counted over all its links, whatever keys it makes."""

from __future__ import annotations

import trio
from trio.testing import MockClock

from p2ptruco.net.mesh.mesh import Mesh
from p2ptruco.net.transport.certificate import fresh_leaf
from p2ptruco.net.transport.frames import Ask, write
from p2ptruco.net.transport.hello import Errand, dial
from p2ptruco.net.transport.ticket import derive, new_ticket
from p2ptruco.table.identity import Identity

from .kit import House, Village, identities, meshes, quick, seeded

TABLE = b"t" * 32
BURST, RATE = 100, 10
LIMITED = quick(frames_burst=BURST, frames_per_second=RATE)
ROSTER = Errand("roster", derive(TABLE, "roster"), lambda who: True)
FLOOD = write(Ask(0, 0, 0, 0)) * 500


async def flood(home: House, mesh: Mesh, me: Identity, errand: Errand = ROSTER) -> None:
    """Come in, send 500 frames at once, and stay for a second."""
    stream = await home.dial(mesh.addresses[0])
    who = await dial(stream, fresh_leaf(), me, errand)
    await who.channel.send_all(FLOOD)
    await trio.sleep(1)
    await stream.aclose()


class Counted:
    """How many questions a mesh has taken from whom."""

    def __init__(self, mesh: Mesh) -> None:
        self.mesh = mesh
        self.asked: dict[bytes, int] = {}

    async def count(self) -> None:
        async for peer, event in self.mesh.events:
            self.asked[peer] = self.asked.get(peer, 0) + isinstance(event, Ask)


async def test_a_new_link_begins_with_what_is_left(autojump_clock: MockClock) -> None:
    """Gain: a peer that hangs up and comes back would be read as fast as it can link."""
    village, (crook, other) = Village(), identities(2, 5)
    async with meshes(1, village=village, limits=LIMITED) as (people, (mesh,)):
        keys = (people[0].public, crook.public, other.public)
        mesh.set_roster(TABLE, dict.fromkeys(keys, ()))
        counted = Counted(mesh)
        async with trio.open_nursery() as tasks:
            tasks.start_soon(counted.count)
            for _ in range(10):
                await flood(village.house(90), mesh, crook)
            assert BURST <= counted.asked[crook.public] <= BURST + 10 * RATE + 10
            await flood(village.house(90), mesh, other)
            assert counted.asked[other.public] >= BURST, "a neighbour of the crook is read at once"
            tasks.cancel_scope.cancel()


async def test_a_fresh_key_begins_with_what_is_left_to_its_address(
    autojump_clock: MockClock,
) -> None:
    """Gain: whoever has the ticket makes keys at will, each with a burst of its own."""
    village = Village()
    async with meshes(1, village=village, limits=LIMITED) as (people, (mesh,)):
        ticket = new_ticket(mesh.addresses, people[0].public, seeded())
        mesh.door.open_to(ticket, {"seat": 3})
        errand = Errand("seat", ticket.key("seat"), ticket.names)
        counted = Counted(mesh)
        async with trio.open_nursery() as tasks:
            tasks.start_soon(counted.count)
            for number in range(10):
                await flood(village.house(90), mesh, identities(1, 20 + number)[0], errand)
            assert BURST <= sum(counted.asked.values()) <= BURST + 10 * RATE + 10
            await flood(village.house(91), mesh, identities(1, 30)[0], errand)
            assert counted.asked[identities(1, 30)[0].public] >= BURST
            tasks.cancel_scope.cancel()


async def test_who_sits_down_has_a_pace_of_its_own(autojump_clock: MockClock) -> None:
    """Friends behind one address share a pace in the lobby; at the table nobody loses by it."""
    village = Village()
    async with meshes(2, village=village, limits=LIMITED) as (people, (mesh, guest)):
        mesh.door.open_to(
            ticket := new_ticket(mesh.addresses, people[0].public, seeded()), {"seat": 2}
        )
        errand = Errand("seat", ticket.key("seat"), ticket.names)
        await guest.join(ticket)
        counted = Counted(mesh)
        async with trio.open_nursery() as tasks:
            tasks.start_soon(counted.count)
            await flood(village.house(1), mesh, identities(1, 9)[0], errand)
            mesh.set_roster(TABLE, {person.public: () for person in people})
            for _ in range(BURST):
                guest.send(people[0].public, Ask(0, 0, 0, 0))
            await trio.sleep(1)
            assert counted.asked[people[1].public] == BURST
            tasks.cancel_scope.cancel()
