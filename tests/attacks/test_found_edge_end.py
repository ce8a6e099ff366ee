"""After the last card: nobody keeps an honest peer from its record and its evening."""

from __future__ import annotations

import random

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.net.mesh.mesh import Mesh
from p2ptruco.net.session.session import LINGER, MOST, Session
from p2ptruco.players.local import LocalSeat
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.seating import Seat
from p2ptruco.table.agreement import Place, Times, propose
from p2ptruco.table.entries import Commit, Leave, write
from p2ptruco.table.table import Table
from tests.kit.minds import Mind, first_card
from tests.net.kit import Village, identities


class Unread(Mesh):
    """A mesh with a link whose other end never reads the last of what it is sent."""

    async def drained(self) -> None:
        await trio.sleep_forever()


@pytest.mark.parametrize("mesh", [Mesh, Unread])
async def test_a_finished_match_ends_though_a_peer_neither_seals_nor_reads(
    mesh: type[Mesh], autojump_clock: MockClock
):
    """A host would grant eighteen hours of grace and keep its seal, or a loser ask for the whole
    log and read none of it: the others' programs hang, and their records are not written."""
    people = identities(2)
    roster = [Place(who.public, f"p{n}", n, bytes(32)) for n, who in enumerate(people)]
    agreement = propose(MINEIRO, roster, times=Times(grace=65535))
    rng = random.Random(1)
    table = Table(agreement, rng.randbytes)
    position, head, _ = table.open
    for seat, content in enumerate((Commit(bytes(32)), Leave())):
        table.submit(table.check(write(agreement, position, seat, head, content, people[seat])))
    assert table.outcome is not None
    local = LocalSeat(table, Seat(0), people[0], Mind(first_card, rng, (0.0, 0.0)), rng)
    session = Session(mesh(people[0], Village().house(0)), table, local)
    with trio.fail_after(MOST + 2 * LINGER):
        await session._end()
