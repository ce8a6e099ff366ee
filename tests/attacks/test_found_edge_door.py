"""Before anybody is known: what strangers at the door take from whoever was asked (wire.md §3)."""

from __future__ import annotations

import trio
from trio.testing import MockClock, memory_stream_pair

from p2ptruco.net.transport.ticket import new_ticket
from tests.net.kit import Village, meshes, seeded


async def test_half_open_handshakes_keep_no_guest_out(autojump_clock: MockClock):
    """Two addresses that connect, say nothing and connect again would hold all sixteen places:
    five of six guests found nobody there, for as long as it went on."""
    village = Village()
    async with meshes(2, village=village) as (people, (host, guest)), trio.open_nursery() as crowd:
        ticket = new_ticket(host.addresses, people[0].public, seeded())
        host.door.open_to(ticket, {"seat": 1})
        silent = []
        for number in range(40):
            near, far = memory_stream_pair()
            silent.append(near)
            arrival = village.listeners[host.addresses[0]]
            crowd.start_soon(arrival, far, f"10.9.0.{number % 4}")
        await trio.sleep(1)
        assert await guest.join(ticket) == people[0].public
        crowd.cancel_scope.cancel()
