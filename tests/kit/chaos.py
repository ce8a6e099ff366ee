"""Honest matches over bad links: delay, reordering across links, fragments, slow threads."""

from __future__ import annotations

import random
from dataclasses import dataclass

import trio
from trio.testing import MockClock, memory_stream_pair

from p2ptruco.rules.presets import CORE
from p2ptruco.rules.variant import Variant
from p2ptruco.table.agreement import Times
from tests.kit.opendeck import open_deck
from tests.kit.tables_over_links import BLIND, SHORT, Evening, first_card, uniform
from tests.kit.threads import on_the_loop
from tests.net.kit import Chaos

SIZES = (2, 4, 4, 6)


@dataclass(frozen=True)
class Figures:
    """One match: what it was, and how much happened."""

    variant: str
    size: int
    hands: int
    entries: int
    frames: int
    """Messages that came over all links."""
    seconds: float
    """Of the mock clock."""


class Links:
    """Makes the two ends of each stream, each with its own delay and fragments."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def __call__(self) -> tuple[trio.abc.Stream, trio.abc.Stream]:
        near, far = memory_stream_pair()
        return self._bad(near), self._bad(far)

    def _bad(self, end: trio.abc.Stream) -> Chaos:
        chance = self._chance
        slowest = chance.choice([0.0, 0.02, 0.1, 0.4])
        return Chaos(end, chance.getrandbits(32), delay=(0.0, slowest), split=chance.random() / 2)


def table_of(seed: int) -> Evening:
    """The table of a seed: variant, size, how it is played, links."""
    chance = random.Random(f"chaos/{seed}")
    variant: Variant = chance.choice([SHORT, SHORT, BLIND, *CORE.values()])
    size = chance.choice([size for size in SIZES if size in variant.players])
    return Evening(
        size,
        variant=variant,
        seed=seed,
        policy=chance.choice([uniform, uniform, first_card]),
        pause=(0.0, chance.choice([0.0, 0.05, 0.5])),
        times=Times(grace=60),
        patience=600.0,
        pair=Links(chance),
    )


def play(seed: int) -> Figures:
    """One match in a run of its own; AssertionError if it is not as honest matches are."""
    evening = table_of(seed)
    chance = random.Random(f"threads/{seed}")
    slow = chance.choice([0.0, 0.005, 0.05])

    async def whole() -> float:
        evening.offload = on_the_loop(chance, slow)
        await evening.play()
        evening.check_honest()
        return trio.current_time()

    with open_deck():
        seconds = trio.run(whole, clock=MockClock(autojump_threshold=0))
    assert evening.words == {"played"}, (seed, evening.words)
    assert evening.closed == [], (seed, evening.closed)
    assert all(len(peer.table.sealed_by) == evening.size for peer in evening.peers)
    heard = sum(len(peer.session.heard) for peer in evening.peers)
    table = evening.peers[0].table
    entries = sum(len(step.entries) for step in table.steps)
    name, size = evening.variant.name, evening.size
    return Figures(name, size, len(table.hands), entries, heard, seconds)
