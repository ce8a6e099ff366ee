"""Who is heard at a table of real links and sessions (table.md §5)."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import trio
from msgspec.structs import replace
from trio.testing import MockClock

from p2ptruco.net.session.situation import LATE, UNHURRIED, Leaving, Situation
from p2ptruco.table.agreement import Times
from p2ptruco.table.steps.playing import Choosing
from tests.kit.opendeck import open_deck
from tests.kit.tables_over_links import Evening, Peer
from tests.kit.threads import on_the_loop


@asynccontextmanager
async def waiting(size: int = 4) -> AsyncIterator[tuple[Evening, Peer]]:
    """A table without a clock in its first hand, and who thinks there."""
    evening = Evening(size, pause=(900, 1000), times=Times(move=0))
    evening.offload = on_the_loop(random.Random(1), 0.01)
    with open_deck():
        async with evening.linked(), trio.open_nursery() as tasks:
            for peer in evening.peers:
                tasks.start_soon(peer.play)
            first = evening.peers[0].table
            await until(lambda: isinstance(first.open.phase, Choosing))
            phase = first.open.phase
            assert isinstance(phase, Choosing)
            yield evening, evening.peers[phase.speaker]
            tasks.cancel_scope.cancel()


async def until(condition: Callable[[], bool], seconds: float = 120) -> None:
    with trio.fail_after(seconds):
        while not condition():  # noqa: ASYNC110
            await trio.sleep(0.1)


def others(evening: Evening, *but: Peer) -> list[Situation]:
    return [peer.session.situation() for peer in evening.peers if peer not in but]


async def test_a_pair_without_a_link_hears_each_other_through_the_rest(
    autojump_clock: MockClock,
) -> None:
    """Each of the two told the other as missing, and that the table waits, for ever."""
    async with waiting() as (evening, _):
        await trio.sleep(10)
        assert all(now.missing == () for now in others(evening))
        evening.part(apart={(0, 3)})
        await trio.sleep(10)
        assert evening.peers[0].session.links() == {0: {1, 2}, 1: {0, 2, 3}, 2: {0, 1, 3}}
        assert evening.peers[1].session.links()[3] == {1, 2}
        for peer in (evening.peers[0], evening.peers[3]):
            there = evening.peers[3 - peer.seat]
            contact = peer.session._hearing.contacts()[there.seat]
            assert (contact.linked, contact.heard) == (False, True)
        assert all(now.missing == () for now in others(evening))
        assert all(now.leaving is Leaving.LOSES for now in others(evening))


async def test_who_is_heard_by_nobody_is_missing_for_all(autojump_clock: MockClock) -> None:
    """Also for whoever had no link of their own; and since when somebody last heard them."""
    async with waiting() as (evening, _):
        evening.part(apart={(0, 3)})
        await trio.sleep(10)
        begun = trio.current_time()
        evening.part(apart={(0, 3), (1, 3), (2, 3)})
        await trio.sleep(10)
        for now in others(evening, evening.peers[3]):
            ((seat, since, goodbye),) = now.missing
            assert (seat, goodbye) == (3, False)
            assert abs(since - begun) < 3
        alone = evening.peers[3].session.situation()
        assert alone.cut_off
        assert len(alone.missing) == 3


async def test_a_program_that_ends_is_told_as_one_that_said_goodbye(
    autojump_clock: MockClock,
) -> None:
    """Ctrl-C or SIGTERM cancels it, and its links say Bye: it was told as out of reach."""
    async with waiting(2) as (evening, speaker):
        (other,) = (peer for peer in evening.peers if peer is not speaker)
        evening.village.unreachable |= set(evening.village.listeners)
        speaker.mesh.close(other.identity.public, "leaving")
        await trio.sleep(1)
        now = other.session.situation()
        assert [(one.seat, one.goodbye) for one in now.missing] == [(speaker.seat, True)]
        assert [one.seat for one in now.stuck] == [speaker.seat]
        assert now.leaving is Leaving.NOBODY


async def test_the_match_goes_on_while_nobody_owes_who_is_missing(
    autojump_clock: MockClock,
) -> None:
    """The table waits for whoever owes: for us here, whoever else is gone."""
    async with waiting() as (evening, speaker):
        gone = evening.peers[(speaker.seat + 1) % 4]
        everybody = {(min(gone.seat, seat), max(gone.seat, seat)) for seat in range(4)}
        evening.part(apart=everybody)
        await trio.sleep(10)
        now = speaker.session.situation()
        assert [one.seat for one in now.missing] == [gone.seat]
        assert (now.owing, now.due, now.leaving) == ((), True, Leaving.LOSES)


async def test_a_peer_that_lies_about_whom_it_hears_changes_nothing_but_what_is_said(
    autojump_clock: MockClock,
) -> None:
    """Gain: the others would wait for somebody who is gone, and never be told for whom."""
    async with waiting() as (evening, speaker):
        liar, *rest = (peer for peer in evening.peers if peer is not speaker)
        everybody = {(min(speaker.seat, seat), max(speaker.seat, seat)) for seat in range(4)}
        before = [peer.table.open[:2] for peer in rest]
        evening.part(apart=everybody)
        honest = liar.session._healing.pulse
        lie = replace(honest(), hears=255)
        liar.session._healing.pulse = lambda: lie  # type: ignore[method-assign]
        liar.mesh.beat(lie)
        await trio.sleep(UNHURRIED + 10)
        for peer in rest:
            now = peer.session.situation()
            assert now.missing == ()
            assert [(one.seat, one.late) for one in now.stuck] == [(speaker.seat, True)]
            assert now.leaving is Leaving.NOBODY
        assert [peer.table.open[:2] for peer in rest] == before


async def test_a_signed_leave_counts_when_the_missing_part_comes(autojump_clock: MockClock) -> None:
    """Nobody has won while it does not; it was told that nobody has, for good."""
    evening = Evening(2, times=Times(move=0))
    evening.offload = on_the_loop(random.Random(1), 0.01)
    with open_deck():
        async with evening.linked(), trio.open_nursery() as tasks:
            goes, late = evening.peers
            tasks.start_soon(goes.play)
            goes.session.leave()
            await trio.sleep(1)
            assert goes.session.situation().leaving is Leaving.LOSES
            await trio.sleep(LATE)
            now = goes.session.situation()
            assert (now.leaving, now.parting) == (Leaving.HANGS, True)
            assert goes.table.outcome is None
            tasks.start_soon(late.play)
            await until(lambda: late.ended)
            assert late.table.outcome is not None
            assert late.table.outcome.winner == late.seat % 2
            tasks.cancel_scope.cancel()
