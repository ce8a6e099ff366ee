"""The benchmark plays whole matches by the rules and says how many."""

from __future__ import annotations

import random

from p2ptruco.bench.rules import play_match, run
from p2ptruco.rules.presets import MINEIRO, PAULISTA


def test_figures() -> None:
    """Matches and moves a second, and a match takes several moves."""
    figures = run(seconds=0.2)
    assert set(figures) == {"matches_per_s", "moves_per_s"}
    assert figures["moves_per_s"] > 5 * figures["matches_per_s"] > 0


def test_a_seed_plays_the_same_match() -> None:
    """The source of chance is an argument; folds end many hands early, but not the match."""
    for variant, players in ((MINEIRO, 2), (PAULISTA, 6)):
        first, again = (play_match(variant, players, random.Random(9)) for _ in range(2))
        assert first == again
        assert first >= variant.target // variant.scale.steps[-1]
