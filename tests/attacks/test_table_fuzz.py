"""A peer that says anything at all: whatever it hits, honest peers stay of one mind."""

from __future__ import annotations

import random

import pytest
from trio.testing import MockClock

from tests.kit.cheats.fuzz import Fuzzer
from tests.kit.opendeck import open_deck
from tests.kit.tables_over_links import uniform
from tests.kit.threads import on_the_loop


@pytest.mark.parametrize("seed", range(6))
async def test_a_peer_that_says_anything(seed: int, autojump_clock: MockClock) -> None:
    """Gain: an exception in an honest process, a fork, an honest peer accused or shut out."""
    size = (2, 4)[seed % 2]
    with open_deck():
        evening = await Fuzzer.evening(
            size,
            seed=seed,
            policy=uniform,
            patience=30.0,
            offload=on_the_loop(random.Random(seed), 0.01),
        ).play()
        evening.check_honest()
        evening.check_memory()
