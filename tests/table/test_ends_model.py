"""Where a peer stands at the end of a match: table.md's rule parts no honest peers, others do.

Gain, for one cheat of four: honest peers that hold two results of one match, each for good.
"""

from __future__ import annotations

import random

import pytest

from tests.kit.ends import (
    FAILING,
    OLD_AND_LAST,
    ONE_PROOF,
    TWO_LAST_WORDS,
    Rule,
    World,
    agreed_or_earliest,
    meeting,
    one_by_one,
    own_seal_is_final,
    unless_all_sealed,
    unless_the_others_sealed,
)
from tests.kit.schedules import Leaving, Play, by_chance, every_schedule, some_world, told


@pytest.mark.parametrize("leaving", ["in time", "never"])
@pytest.mark.parametrize("world", [ONE_PROOF, TWO_LAST_WORDS], ids=["one proof", "two last words"])
def test_the_rule_parts_nobody_in_any_schedule(world: World, leaving: Leaving) -> None:
    found = every_schedule(Play(world, meeting, leaving, cheats_seal=False))
    assert found.states > 2000
    assert found.schedule is None


@pytest.mark.parametrize("leaving", ["in time", "never"])
def test_the_rule_parts_nobody_by_chance(leaving: Leaving) -> None:
    for seed in range(150):
        rng = random.Random(seed)
        play = Play(some_world(rng), meeting, leaving)
        assert (found := by_chance(play, rng)) is None, told(play, found)


PARTS: dict[Rule, tuple[World, Leaving]] = {
    one_by_one: (TWO_LAST_WORDS, "in time"),
    unless_all_sealed: (ONE_PROOF, "in time"),
    unless_the_others_sealed: (ONE_PROOF, "never"),
    own_seal_is_final: (ONE_PROOF, "in time"),
}


@pytest.mark.parametrize("rule", PARTS, ids=lambda rule: rule.__name__)
def test_another_rule_parts_honest_peers(rule: Rule) -> None:
    """The shortest schedule is printed: `pytest -s`."""
    play = Play(PARTS[rule][0], rule, PARTS[rule][1], cheats_seal=False)
    schedule = every_schedule(play).schedule
    assert schedule is not None
    print(f"\n{rule.__name__}: {told(play, schedule)}")


def test_the_earliest_proof_does_not_settle_what_the_seals_disagree_on() -> None:
    """It may be shown to one peer when the others have left."""
    play = Play(OLD_AND_LAST, agreed_or_earliest, cheats_seal=False)
    tried = (by_chance(play, random.Random(seed)) for seed in range(300))
    schedule = next(found for found in tried if found)
    print(f"\n{told(play, schedule)}")
    assert {*PARTS, agreed_or_earliest} == set(FAILING)
