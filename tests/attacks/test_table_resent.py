"""What a seat has said it says again byte for byte, and never otherwise.

Gain: whoever has an honest seat sign twice in one place holds a proof of equivocation against it:
by cutting its links at the right moment, or by having it asked once more.
"""

from __future__ import annotations

import random
from collections import defaultdict

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.net.transport import frames
from p2ptruco.players.local import LocalSeat
from p2ptruco.table.entries import Entry, Key, read_parsed
from p2ptruco.table.steps.playing import Choosing
from tests.kit.minds import SHORT, Mind, first_card
from tests.kit.party import Party
from tests.kit.tables_over_links import Evening
from tests.kit.threads import on_the_loop


@pytest.mark.parametrize("size", [2, 4])
async def test_message_resent_is_byte_for_byte_the_first(
    size: int, autojump_clock: MockClock
) -> None:
    """With the real deck, in which every proof that is made again is another one: links are cut
    and everything is asked for, again and again. Of each place one body and one signature of a seat
    is all that is ever heard."""
    evening = Evening(size, variant=SHORT, seed=3, pause=(0.5, 1.5))

    async def cutter() -> None:
        for _ in range(6):
            await trio.sleep(2)
            for peer in evening.peers:
                peer.mesh.flood(frames.Ask(0, 0, 0, 0))
            await trio.sleep(0.7)
            await evening.village.cut()

    evening.offload = on_the_loop(random.Random(1), 0.01)
    async with trio.open_nursery() as tasks:
        tasks.start_soon(cutter)
        await evening.play()
        tasks.cancel_scope.cancel()
    said: dict[Key, list[Entry]] = defaultdict(list)
    for peer in evening.peers:
        for _, event in peer.session.heard:
            if isinstance(event, frames.EntryFrame):
                entry = Entry(event.body, event.signature)
                said[read_parsed(entry).key].append(entry)
    assert evening.ending == "played"
    assert sum(map(len, said.values())) > (size - 1) * len(said), "some were sent more than once"
    assert all(len(set(entries)) == 1 for entries in said.values())


async def test_a_seat_that_is_asked_twice_signs_once(autojump_clock: MockClock) -> None:
    """Two tasks at one time, and once more later: in one place there is one word."""
    party = Party(SHORT, 2, 5)
    one = party.peers[0]
    party.play(until=lambda: isinstance(one.table.open.phase, Choosing) and one.due)
    rng = random.Random(1)
    mind = Mind(first_card, rng, (0.1, 0.2))
    local = LocalSeat(one.table, one.seat, one.identity, mind, rng, offload=on_the_loop())
    local.keeper = one.keeper
    entries: list[Entry | None] = []

    async def speak() -> None:
        entries.append(await local.speak(one.table.open))

    async with trio.open_nursery() as tasks:
        tasks.start_soon(speak)
        tasks.start_soon(speak)
    await speak()
    assert sum(entry is not None for entry in entries) == 1
    assert not local.due
