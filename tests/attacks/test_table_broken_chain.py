"""A chain of shuffles that breaks off, at tables: who is named (table.md §6)."""

from __future__ import annotations

import pytest

from p2ptruco.table.violation import Violation
from tests.kit.liars import (
    Liars,
    Lie,
    falsely_proved,
    with_no_point,
    with_no_scalar,
    without_a_deck,
)
from tests.kit.pieces import SMALL

BREAKS = {
    without_a_deck: "bad_proof",
    with_no_point: "not_in_group",
    with_no_scalar: "not_in_group",
}


def found(players: int, lies: dict[int, Lie]) -> Violation:
    """The one violation, as all peers and the record have it."""
    party = Liars(SMALL, players, lies).play()
    (violation,) = party.peers[0].table.violations
    assert all(peer.table.violations == [violation] for peer in party.peers)
    assert party.audit().violation == violation
    return violation


@pytest.mark.parametrize("breaking", BREAKS)
@pytest.mark.parametrize(("false", "breaker", "players"), [(0, 1, 2), (0, 3, 4), (1, 2, 4)])
def test_false_shuffle_before_one_that_is_none(
    breaking: Lie, false: int, breaker: int, players: int
) -> None:
    """Gain: whoever shuffled falsely has a seat behind it send garbage, which alone is named; the
    match goes to the cheat's own team if that seat is an opponent that fell for it."""
    named = found(players, {false: falsely_proved, breaker: breaking})
    assert named == Violation("bad_proof", 0, 2 + false, false)


@pytest.mark.parametrize(("breaking", "word"), BREAKS.items())
@pytest.mark.parametrize(("breaker", "players"), [(0, 2), (2, 4), (3, 4)])
def test_shuffle_that_is_none_after_good_ones(
    breaking: Lie, word: str, breaker: int, players: int
) -> None:
    """Gain: garbage would have an honest shuffler before it named."""
    assert found(players, {breaker: breaking}) == Violation(word, 0, 2 + breaker, breaker)
