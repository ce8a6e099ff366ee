"""What is computed from matches: intervals, times, ratings, standings."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from statistics import mean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import p2ptruco
from p2ptruco.arena.interval import interval, per_hand
from p2ptruco.arena.plan import Fixture, Plan, labels
from p2ptruco.arena.ratings import Outcomes, ratings
from p2ptruco.arena.records import Fault, Game
from p2ptruco.arena.rows import as_csv
from p2ptruco.arena.sequential import Sequential
from p2ptruco.arena.standing import Pair, standing
from p2ptruco.arena.times import bucket, counted, middle, quantile

limits = cache(interval)


# The interval.


def strength(rate: float, together: float) -> tuple[float, float, float]:
    """How often a pair is lost, split and won by a bot of this rate, its legs correlated so."""
    shared = together * rate * (1 - rate)
    lost, won = (1 - rate) ** 2 + shared, rate**2 + shared
    return lost, 1 - lost - won, won


STRENGTHS = [
    strength(rate, together)
    for rate in (0.5, 0.6, 0.8, 0.91, 0.97, 0.99, 1.0)
    for together in (-0.5, 0.0, 0.5)
    if min(strength(rate, together)) >= 0
] + [(0.0, 1.0, 0.0), (0.02, 0.96, 0.02), (0.5, 0.0, 0.5)]


def chance_of(counts: tuple[int, int, int], strength: tuple[float, float, float]) -> float:
    """The probability of so many pairs lost, split and won."""
    chance = float(math.factorial(sum(counts)))
    for count, share in zip(counts, strength, strict=True):
        chance *= share**count / math.factorial(count)
    return chance


@pytest.mark.parametrize("pairs", [1, 2, 3, 6])
def test_the_interval_holds_the_truth_in_few_pairs(pairs: int) -> None:
    """For every strength, rates near 1 too, the probability that the interval covers the true rate,
    summed over everything that can happen, is 95 % at least: no simulation."""
    for known in STRENGTHS:
        truth = known[1] / 2 + known[2]
        covered = 0.0
        for lost in range(pairs + 1):
            for split in range(pairs + 1 - lost):
                counts = lost, split, pairs - lost - split
                low, high = limits(*counts)
                covered += chance_of(counts, known) * (low <= truth <= high)
        assert covered >= 0.95, known


@pytest.mark.parametrize(
    ("pairs", "rate", "together"),
    [(8, 0.5, 0.3), (20, 0.9, 0.0), (60, 0.99, 0.0), (100, 0.91, 0.1)],
)
def test_the_interval_holds_the_truth_in_simulated_arenas(
    pairs: int, rate: float, together: float
) -> None:
    """Of 100 arenas of known strength at least 90, by a seeded simulation."""
    chance = random.Random(5)
    held = 0
    for _ in range(100):
        drawn = Counter(chance.choices((0, 1, 2), strength(rate, together), k=pairs))
        low, high = limits(drawn[0], drawn[1], drawn[2])
        held += low <= rate <= high
    assert held >= 90


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        ((0, 0, 1), 0.025, 1.0),
        ((0, 0, 30), 0.8843, 1.0),
        ((30, 0, 0), 0.0, 0.1157),
        ((3, 0, 7), 0.3475, 0.9333),
        ((2, 0, 1), 0.0084, 0.9057),
    ],
)
def test_pairs_never_split_have_the_interval_of_clopper_and_pearson(
    counts: tuple[int, int, int], low: float, high: float
) -> None:
    """The published limits for so many successes of so many."""
    assert interval(*counts) == pytest.approx((low, high), abs=0.012)


def test_pairing_pays() -> None:
    """Split pairs say more than as many matches without pairs would; many pairs say more than
    few; and no number of alike pairs makes a point of it."""
    low, high = interval(5, 90, 5)
    assert high - low < 0.75 * 2 * 1.96 * math.sqrt(0.25 / 200)
    assert (low + high) / 2 == pytest.approx(0.5, abs=0.01)
    low, high = interval(0, 500, 0)
    assert 0.49 < low < 0.5 < high < 0.51
    assert limits(0, 10, 40)[0] < limits(0, 100, 400)[0] < 0.9


# The sequential test.


def outcomes_of(rate: float, together: float, chance: random.Random) -> Iterator[int]:
    lost, split, won = strength(rate, together)
    while True:
        yield chance.choices((0, 1, 2), (lost, split, won))[0]


@pytest.mark.parametrize(("low", "high"), [(0.5, 0.6), (0.45, 0.55)])
@pytest.mark.parametrize("together", [-0.5, 0.3])
def test_a_sequential_test_seldom_errs(low: float, high: float, together: float) -> None:
    """At either rate, whatever the legs of a pair share, it takes the other in few of 60 tries; and
    it ends long before a plan for as sure an answer would."""
    chance, wrong, pairs = random.Random(11), 0, 0
    for true in (low, high) * 30:
        test = Sequential(low, high)
        for won in outcomes_of(true, together, chance):
            test.take(won)
            if test.taken is not None:
                break
        wrong += test.taken != true
        pairs += test.pairs
    assert wrong <= 5
    assert pairs / 60 < 200


def test_a_sequential_test_stays_where_it_ended() -> None:
    """What is played beyond its end, by jobs under way, changes nothing."""
    test = Sequential(0.5, 0.55)
    for _ in range(200):
        test.take(2)
    assert test.taken == 0.55
    assert test.pairs < 100


# Times.


@given(st.integers(0, 2**50), st.integers(0, 2**50))
def test_buckets_keep_the_order_and_the_size(one: int, two: int) -> None:
    """A longer time is never in an earlier bucket; the middle is off by 3.2 % at most."""
    assert (bucket(one) <= bucket(two)) or one > two
    assert abs(middle(bucket(one)) - one) <= 0.032 * one


@given(st.lists(st.integers(1, 10**10), min_size=1, max_size=200))
def test_quantiles_are_those_of_the_times(times: list[int]) -> None:
    """Median and 95th percentile, by nearest rank, to 3.2 %."""
    for share in (0.5, 0.95, 1.0):
        exact = sorted(times)[math.ceil(share * len(times)) - 1]
        found = quantile(counted(times), share)
        assert found is not None
        assert found * 1e6 == pytest.approx(exact, rel=0.032)


def test_no_times_have_no_quantile() -> None:
    """A bot that never came to decide has none."""
    assert quantile(Counter(), 0.5) is None


# Standings.


def pair(a: int, b: int, number: int, *winners: int, faults: tuple[Fault, ...] = ()) -> Pair:
    legs = [
        Game(
            Fixture(a, b, number, leg), winner, (12, 4) if winner == a else (6, 12), 10, "", faults
        )
        for leg, winner in enumerate(winners)
    ]
    return legs[0], legs[1]


PLAN = Plan(bots=("x", "y", "z"), pairs=2, seed=3)
FAULT = Fault(1, "illegal", 2, "None\nvariant mineiro\n")
PAIRS = [
    pair(0, 1, 0, 0, 0, faults=(FAULT,)),
    pair(0, 2, 0, 0, 2),
    pair(1, 2, 0, 2, 2),
    pair(0, 1, 1, 0, 1),
    pair(0, 2, 1, 0, 0),
]


def test_a_standing_counts_what_was_played() -> None:
    """Wins, rates, points, faults, and that one pair of the plan is missing."""
    found = standing(PLAN, ("x", "y", "z"), PAIRS, {0: counted([10**6, 10**6, 10**9])}, 5.0)
    x_y, x_z, y_z = found.duels
    assert (x_y.wins_a, x_y.wins_b, x_y.rate) == (3, 1, 0.75)
    assert x_y.points_per_hand == (3 * 8 - 6) / 40
    assert (x_z.pairs, x_z.rate) == (2, 0.75)
    assert (y_z.pairs, y_z.wins_a, y_z.wins_b, y_z.rate) == (1, 0, 2, 0.0)
    assert [(e.games, e.wins) for e in found.entrants] == [(8, 6), (6, 1), (6, 3)]
    assert found.entrants[1].faults == {"timeout": 0, "crash": 0, "illegal": 4}
    assert found.entrants[0].median_ms == pytest.approx(1, rel=0.03)
    assert found.entrants[0].p95_ms == pytest.approx(1000, rel=0.03)
    assert found.entrants[1].median_ms is None
    assert found.games == 10
    assert found.stopped


def test_a_standing_does_not_depend_on_the_order_of_arrival() -> None:
    """Batches come back as they please; what is found is the same to the last digit."""
    shuffled = PAIRS[:]
    random.Random(1).shuffle(shuffled)
    names = ("x", "y", "z")
    assert standing(PLAN, names, shuffled, {}) == standing(PLAN, names, PAIRS, {})
    assert as_csv(names, shuffled) == as_csv(names, PAIRS)


def test_a_match_up_that_its_test_decided_is_not_missing() -> None:
    """The pairs of a plan are its most; where the test has ended there are none to come."""
    plan = replace(PLAN, bots=("x", "y"), pairs=500, sprt=(0.4, 0.6))
    played = [pair(0, 1, number, 0, 0) for number in range(30)]
    undecided = standing(plan, ("x", "y"), played[:2], {})
    assert undecided.stopped
    decided = standing(plan, ("x", "y"), played, {})
    assert not decided.stopped
    assert decided.as_object()["results"][0]["sprt"]["taken"] == 0.6


def test_nothing_played_is_a_standing_too() -> None:
    """An arena that was stopped at once: no rate, an interval that says nothing."""
    empty = standing(PLAN, ("x", "y", "z"), [], {}).as_object()
    assert [result["rate_a"] for result in empty["results"]] == [None] * 3
    assert empty["results"][0]["ci95"] == [0.0, 1.0]
    assert empty["games"] == 0


def field(strengths: Sequence[float], pairs: int, chance: random.Random) -> list[Outcomes]:
    """What bots of these strengths, in natural units, do to each other."""
    outcomes = []
    for a, b in combinations(range(len(strengths)), 2):
        odds = 1 / (1 + math.exp(strengths[b] - strengths[a]))
        score = Counter((chance.random() < odds) + (chance.random() < odds) for _ in range(pairs))
        outcomes.append(Outcomes(a, b, score[0], score[1], score[2]))
    return outcomes


def test_ratings_are_the_odds_of_the_model() -> None:
    """Of two bots the rating says how many matches one wins; 400 points are ten to one."""
    strong, weak = ratings(2, [Outcomes(0, 1, 0, 2000, 9000)])
    assert strong.mu == -weak.mu
    assert 1 / (1 + 10 ** ((weak.mu - strong.mu) / 400)) == pytest.approx(10 / 11, abs=0.001)


def test_more_wins_are_a_higher_rating() -> None:
    """52 % and 67 % of the matches are two ratings; who wins 65 % of one that wins 59 % of a third
    stands above it."""
    close, clear = (ratings(2, [Outcomes(0, 1, *score)]) for score in ((23, 50, 27), (8, 50, 42)))
    assert clear[0].mu > close[0].mu + 50
    first, second, third = ratings(
        3, [Outcomes(0, 1, 10, 50, 40), Outcomes(1, 2, 16, 50, 34), Outcomes(0, 2, 18, 50, 32)]
    )
    assert first.mu > second.mu > third.mu


def test_ratings_without_enough_to_go_by_say_so() -> None:
    """Nothing played, or all won: the rating is finite and its interval wide. Of a star, where
    all met one only, everybody is rated."""
    fresh = ratings(2, [])
    assert fresh[0].mu == fresh[1].mu == 0
    assert fresh[0].high - fresh[0].low > 1000
    winner = ratings(2, [Outcomes(0, 1, 0, 0, 30)])[0]
    assert winner.mu < math.inf
    assert winner.high - winner.low > 200
    met = [Outcomes(0, 1, 5, 20, 25), Outcomes(0, 2, 25, 20, 5), Outcomes(0, 3, 0, 0, 0)]
    beaten, better, unmet = (ratings(4, met)[one] for one in (1, 2, 3))
    assert better.low > beaten.high
    assert unmet.high - unmet.low > 3 * (better.high - better.low)


def test_ratings_put_bots_of_known_strength_in_order() -> None:
    """Twelve bots, each a little stronger than the one before: they come out in order, and their
    intervals hold the truth 19 times in 20 or nearly so."""
    chance, strengths = random.Random(7), [0.2 * place for place in range(12)]
    true = [400 / math.log(10) * (one - mean(strengths)) for one in strengths]
    held, ordered = 0, 0
    for _ in range(10):
        found = ratings(12, field(strengths, 150, chance))
        ordered += sorted(found) == found
        held += sum(one.low <= mu <= one.high for one, mu in zip(found, true, strict=True))
    assert ordered >= 9
    assert held >= 0.88 * 120


def test_points_a_hand_have_limits_that_hold_the_truth() -> None:
    """Of pairs whose points a hand are 0.3 on the average, about 19 limits of 20 hold that."""
    chance, held = random.Random(3), 0
    for _ in range(200):
        pairs = []
        for _ in range(60):
            hands = chance.randrange(10, 30)
            pairs.append((sum(chance.choice((-1, 0, 1, 1.2)) for _ in range(hands)), hands))
        found, limits = per_hand(pairs)
        assert found is not None
        assert limits is not None
        held += limits[0] <= 0.3 <= limits[1]
    assert 180 <= held <= 199
    assert per_hand([]) == (None, None)
    assert per_hand([(3, 10)]) == (0.3, None)
    assert per_hand([(0, 0), (0, 0)]) == (None, None)


def test_a_row_a_match() -> None:
    """As a spreadsheet reads it: teams as they sat, everything counted from 1."""
    lines = as_csv(("x", "y", "z"), PAIRS).splitlines()
    assert lines[0].startswith("pair,leg,team_a,team_b,winner,points_a,points_b,hands,forfeit,")
    assert lines[1] == "1,1,x,y,A,12,4,10,,0,0,0,0,0,2"
    assert lines[2] == "1,2,y,x,B,4,12,10,,0,0,2,0,0,0"
    assert len(lines) == 11


def test_the_same_bot_twice_has_two_names() -> None:
    """So that results, ratings and its own chance are told apart."""
    assert labels(("zap", "random", "zap", "zap")) == ("zap", "random", "zap#2", "zap#3")


def test_a_plan_survives_json() -> None:
    """Variants of plugins by value; and a plan that cannot be played is refused at birth."""
    mine = replace(p2ptruco.PAULISTA, name="mine", target=15)
    plan = Plan(bots=("zap", "./x.py"), pairs=3, seats=4, variant=mine, seed=-1, budget_ms=5)
    assert Plan.from_object(plan.as_object()) == plan
    tested = replace(plan, gauntlet=True, sprt=(0.5, 0.55))
    assert Plan.from_object(tested.as_object()) == tested
    told = plan.as_object()
    del told["gauntlet"], told["sprt"]  # as files begun before have it
    assert Plan.from_object(told) == plan
    wrongs: tuple[dict[str, Any], ...] = (
        {"bots": ("zap",)},
        {"seats": 3},
        {"pairs": 0},
        {"sprt": (0.6, 0.5)},
    )
    for wrong in wrongs:
        with pytest.raises(ValueError, match=r"\w"):
            Plan(**{"bots": ("zap", "zap"), **wrong})


def test_in_a_gauntlet_the_first_meets_all_others() -> None:
    """And these do not meet each other."""
    assert replace(PLAN, gauntlet=True).matchups == ((0, 1), (0, 2))


def test_everybody_meets_everybody_in_every_pair() -> None:
    """Both legs in turn; the first pair of all before the second of any."""
    fixtures = list(PLAN.fixtures())
    assert len(fixtures) == 6
    assert [legs[0].pair for legs in fixtures] == [0, 0, 0, 1, 1, 1]
    assert {tuple(legs[0][:2]) for legs in fixtures} == {(0, 1), (0, 2), (1, 2)}
    assert all(second == first._replace(leg=1) for first, second in fixtures)
