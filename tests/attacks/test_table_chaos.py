"""Honest matches over bad links: nothing that the network does looks like a cheat.

A slice of `tests/soak/honest_chaos.py`, which plays hundreds.
"""

from __future__ import annotations

import pytest

from tests.kit.chaos import play, table_of


@pytest.mark.parametrize("seed", range(1, 5))
def test_delay_reordering_and_fragments_look_like_no_cheat(seed: int) -> None:
    """Gain, for whoever owns the network: honest players who accuse, leave or fork."""
    figures = play(seed)
    assert figures.hands
    assert figures.size == table_of(seed).size
