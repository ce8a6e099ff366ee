"""The benchmark plays whole matches by the rules and says how many."""

from __future__ import annotations

import random

from p2ptruco.bench.rules import play_fast_match, play_match, run
from p2ptruco.rules.fast import FastRules
from p2ptruco.rules.presets import MINEIRO, PAULISTA


def test_figures() -> None:
    """Matches and moves a second, and a match takes several moves."""
    figures = run(seconds=0.3)
    assert set(figures) == {"matches_per_s", "moves_per_s", "fast", "openspiel_moves_per_s"}
    assert set(figures["fast"]) == {"matches_per_s", "moves_per_s"}
    for rates in (figures, figures["fast"]):
        assert rates["moves_per_s"] > 5 * rates["matches_per_s"] > 0
    assert figures["fast"]["moves_per_s"] > figures["moves_per_s"]


def test_a_seed_plays_the_same_match() -> None:
    """The source of chance is an argument; folds end many hands early, but not the match."""
    for variant, players in ((MINEIRO, 2), (PAULISTA, 6)):
        rules = FastRules(variant, players)
        fast, same = (play_fast_match(rules, random.Random(9)) for _ in range(2))
        assert fast == same
        first, again = (play_match(variant, players, random.Random(9)) for _ in range(2))
        assert first == again
        assert first >= variant.target // variant.scale.steps[-1]
