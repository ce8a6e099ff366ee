"""Who is not asked, and who comes too late: rows of table.md that end before a card is dealt."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.net.lobby.sitting import Seated, Wish, host_table, join_table
from p2ptruco.net.mesh.mesh import Mesh
from p2ptruco.net.transport.fault import Fault
from p2ptruco.net.transport.ticket import Ticket, new_ticket
from tests.attacks.test_table_cheats import rows, words
from tests.kit.tables_over_links import SHORT
from tests.net.kit import meshes, seeded


async def sit(people, all_meshes, size: int, stranger) -> tuple[list[Seated], str]:
    """`size` honest people sit down; one more comes with `stranger(ticket)`: the word it gets."""
    ticket = new_ticket(all_meshes[0].addresses, people[0].public, seeded())
    all_meshes[0].door.open_to(ticket, {"seat": size - 1})
    seated: list[Seated] = []
    guests_in = trio.Event()

    async def guest(number: int) -> None:
        host = await all_meshes[number].join(ticket)
        wish = Wish(f"p{number}")
        joined = len(all_meshes[0].linked)
        if joined == size - 1:
            guests_in.set()
            await refused.wait()  # the last claim, so that nothing is signed before
        seated.append(
            await join_table(all_meshes[number], people[number], host, wish, lambda _: True)
        )

    async def host() -> None:
        seated.append(await host_table(all_meshes[0], people[0], Wish("p0"), SHORT, size))

    refused = trio.Event()
    async with trio.open_nursery() as tasks:
        tasks.start_soon(host)
        for number in range(1, size):
            tasks.start_soon(guest, number)
        await guests_in.wait()
        with pytest.raises(Fault) as fault:
            await stranger(all_meshes[size], ticket)
        refused.set()
    return seated, fault.value.reason


async def with_a_guess(mesh: Mesh, ticket: Ticket) -> None:
    """Gain: a seat, and a look at everybody's name and address, without having been asked."""
    await mesh.join(Ticket(ticket.addresses, ticket.fingerprint, bytes(10)))


async def too_late(mesh: Mesh, ticket: Ticket) -> None:
    """Gain: a seat more than the table has, or the place of somebody who sits."""
    await mesh.join(ticket)


@pytest.mark.parametrize("size", [2, 4])
@pytest.mark.parametrize(
    ("row", "stranger"), [("wrong ticket", with_a_guess), ("full table", too_late)]
)
async def test_at_the_door(row: str, stranger, size: int, autojump_clock: MockClock) -> None:
    """The stranger gets its word, and the others sit down as if nobody had knocked."""
    async with meshes(size + 1) as (people, all_meshes):
        seated, word = await sit(people, all_meshes, size, stranger)
    assert {f"closed {word}", "played"} in words(rows()[row][size // 4])
    assert len({one.agreement.id for one in seated}) == 1
    assert len(seated) == size
    assert people[size].public not in seated[0].agreement.identities
