"""Well-signed entries that are of no use: what they cost whoever gets them, and everybody else."""

from __future__ import annotations

import random

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.net.session import Session
from p2ptruco.net.transport.frames import EntryFrame
from p2ptruco.rules.seating import Seat
from p2ptruco.table.entries import Ready, write
from p2ptruco.table.table import KEPT_EACH
from tests.attacks.test_found_ends import CROOK, over
from tests.attacks.test_found_halves import Closing
from tests.kit.opendeck import open_deck
from tests.kit.quiet import Quiet
from tests.kit.threads import on_the_loop

MANY = 2 * KEPT_EACH


@pytest.mark.parametrize("seals", [(), (2, 3)])
async def test_what_changes_nothing_is_told_to_nobody(
    seals: tuple[int, ...], autojump_clock: MockClock
) -> None:
    """Gain, for two cheats that each keep to the rate of a link: an honest peer that tells the
    others where it stands at each word of theirs is too fast for these, and loses their links."""
    with open_deck():
        party, table, _ = over(*seals)
        me, rng = party.peers[0].identity, random.Random(1)
        local = Quiet(table, Seat(0), me, None, rng, offload=on_the_loop())  # type: ignore[arg-type]
        session = Session(wire := Closing(), table, local)  # type: ignore[arg-type]
        crook, place = party.peers[CROOK].identity, table.open.position
        async with trio.open_nursery() as session._tasks:
            for number in range(MANY):
                head = number.to_bytes(32, "big")
                entry = write(party.agreement, place, CROOK, head, Ready(), crook)
                session._hear(crook.public, EntryFrame(entry.body, entry.signature))
            await trio.sleep(10)
            session._tasks.cancel_scope.cancel()
        assert len(table.unsupported) == KEPT_EACH
        assert wire.flooded == []
        assert wire.closed == []
        assert wire.sent == [crook.public]
