"""Who stays at a table that is over, and how long (table.md §6)."""

from __future__ import annotations

import random
from typing import cast

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock

from p2ptruco.net.mesh.events import Dropped, Linked
from p2ptruco.net.mesh.mesh import Mesh
from p2ptruco.net.session import Session
from p2ptruco.net.session.healing import ASK_AGAIN, Healing
from p2ptruco.net.session.session import LEAST, LINGER
from p2ptruco.players.local import LocalSeat
from p2ptruco.rules.seating import Seat
from p2ptruco.table.table import Table
from tests.attacks.test_found_ends import over, tell
from tests.attacks.test_found_halves import Closing
from tests.kit.opendeck import open_deck
from tests.kit.tables_over_links import Evening
from tests.kit.threads import on_the_loop


class Ending:
    """The session of seat 0 at a table that the seats of `seals` have sealed, or that is not over
    (None), with a mesh that only says who is linked."""

    def __init__(self, *seals: int | None) -> None:
        with open_deck():
            party, self.table, self.proof = over(*(seat for seat in seals if seat is not None))
        if None in seals:
            self.table = Table(party.agreement, party.source)
        self.peers = party.agreement.identities
        self.wire = Closing()
        self.wire.linked = set()  # type: ignore[misc, assignment]
        me, rng = party.peers[0].identity, random.Random(1)
        local = LocalSeat(self.table, Seat(0), me, None, rng, offload=on_the_loop())  # type: ignore[arg-type]
        self.session = Session(cast(Mesh, self.wire), self.table, local)

    @property
    def healing(self) -> Healing:
        return self.session._healing

    def link(self, *seats: int) -> None:
        for seat in seats:
            self.wire.linked.add(self.peers[seat])  # type: ignore[attr-defined]
            self.session._hear(self.peers[seat], Linked("roster"))

    def drop(self, seat: int, reason: str, *, theirs: bool) -> None:
        self.wire.linked.discard(self.peers[seat])  # type: ignore[attr-defined]
        self.session._hear(self.peers[seat], Dropped(reason, theirs=theirs))  # type: ignore[arg-type]

    def beat(self, *seats: int, **other: object) -> None:
        """Heartbeats that show what we know, or something else."""
        for seat in seats:
            self.session._hear(self.peers[seat], replace(self.healing.pulse(), **other))


async def test_everybody_linked_knows_the_same() -> None:
    """Who is linked and has not said so, or has said otherwise, is waited for."""
    end = Ending(0, 2, 3)
    end.link(1, 2, 3)
    end.beat(1, 2)
    assert not end.healing.agreed()
    end.beat(3, known=bytes(32))
    assert not end.healing.agreed()
    end.beat(3)
    assert end.healing.agreed()


async def test_a_link_that_is_down_is_no_leave() -> None:
    """Gain: a cable pulled in time makes a peer leave before another has heard of its seal."""
    end = Ending(0, 2, 3)
    end.link(1, 2, 3)
    end.beat(1, 2)
    end.beat(3, known=bytes(32))
    end.drop(3, "lost", theirs=True)
    assert not end.healing.agreed()
    end.drop(3, "leaving", theirs=False)
    assert not end.healing.agreed()


@pytest.mark.parametrize("seen", ["linked", "dropped"])
async def test_a_link_that_drops_before_its_first_heartbeat_is_no_leave(seen: str) -> None:
    """A link that was up before the match is seen here only when it drops.

    Gain: cut off in the moment between link and heartbeat, a peer is never told of a late seal.
    """
    end = Ending(0, 2, 3)
    end.link(1, 2, *([3] if seen == "linked" else []))
    end.beat(1, 2)
    end.drop(3, "lost", theirs=True)
    assert not end.healing.agreed()
    end.beat(3)
    assert end.healing.agreed()


async def test_who_has_left_is_not_waited_for() -> None:
    """It said so, or speaks of the next match; a pair that never had a link is no matter either."""
    end = Ending(0, 2, 3)
    end.link(1, 2)
    end.drop(1, "leaving", theirs=True)
    end.session._goes_on(end.peers[2])
    assert end.healing.agreed()


async def test_what_is_said_of_the_next_match_before_the_end_is_no_leave() -> None:
    """Gain: a frame of a lobby that came late, and nobody waits for its speaker at the end."""
    end = Ending(None)
    end.link(2)
    end.session._goes_on(end.peers[2])
    assert not end.healing.agreed()


async def test_who_knows_something_else_for_a_while_is_asked(autojump_clock: MockClock) -> None:
    """Not at once: heartbeats cross seals that are on their way."""
    end = Ending(0, 2, 3)
    end.wire.linked.update(end.peers[1:])  # type: ignore[attr-defined]
    asked = len(end.wire.sent)
    end.beat(2, known=bytes(32))
    await trio.sleep(ASK_AGAIN / 2)
    end.beat(2, known=bytes(32))
    assert len(end.wire.sent) == asked
    await trio.sleep(ASK_AGAIN)
    end.beat(2, known=bytes(32))
    assert end.wire.sent[asked:] == [end.peers[2]]
    end.beat(2)
    await trio.sleep(2 * ASK_AGAIN)
    end.beat(2, known=bytes(32))
    assert len(end.wire.sent) == asked + 1


@pytest.mark.parametrize("size", [2, 4])
async def test_links_that_are_back_in_time_leave_one_record(
    size: int, autojump_clock: MockClock
) -> None:
    """The last seat is apart from all others as it seals, for less than their time.

    Gain, for whoever can pull a cable: a match that some have a whole record of, and one has none.
    """
    evening = Evening(size, seed=3)
    last = size - 1

    async def tear() -> None:
        while evening.peers[0].table.outcome is None:
            await trio.lowlevel.checkpoint()
        evening.part({(seat, last) for seat in range(last)})
        await trio.sleep(LEAST - 2)
        evening.part()

    with open_deck():
        async with evening.linked(), trio.open_nursery() as tasks:
            tasks.start_soon(tear)
            for peer in evening.peers:
                tasks.start_soon(peer.play)
        for peer in evening.honest:
            assert peer.session.closed
            peer.session.closed.clear()
        evening.check_honest()
        assert evening.ending == "played"


async def test_a_cheat_that_seals_nothing_hurries_nobody(autojump_clock: MockClock) -> None:
    """The culprit's seal is not waited for longer than LINGER; that the others know what we know
    is, as long as the time goes.

    Gain: the cheat lets its seal be missing, and peers leave before a second proof has come round.
    """
    end = Ending(0, 2, 3)
    tell(end.table, *end.proof)
    end.link(2, 3)
    end.beat(2)
    end.beat(3, known=bytes(32))
    left: list[float] = []

    async def leave() -> None:
        await end.session._end()
        left.append(trio.current_time())

    async with trio.open_nursery() as tasks:
        tasks.start_soon(leave)
        await trio.sleep(LINGER + 2)
        assert left == []
        end.beat(3)
        await trio.sleep(1)
        assert len(left) == 1
