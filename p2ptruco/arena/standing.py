"""What an arena has found: the same, whatever the order in which its matches came in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from p2ptruco.arena.interval import interval, per_hand
from p2ptruco.arena.plan import Fixture, Plan
from p2ptruco.arena.ratings import Outcomes, Rating, ratings
from p2ptruco.arena.records import KINDS, Fault, Game, Times
from p2ptruco.arena.sequential import Sequential
from p2ptruco.arena.times import quantile

SHOWN_FAULTS = 3
"""How many faults of a kind and bot are kept with their detail."""

Pair = tuple[Game, Game]


@dataclass(frozen=True, slots=True)
class Duel:
    """Two entrants against each other; rates are None where no pair has been played."""

    a: int
    b: int
    pairs: int
    wins_a: int
    wins_b: int
    interval: tuple[float, float]
    """Of the true rate of a, with 95 % confidence."""
    points_per_hand: float | None
    """What a scores more than b, over the hands of matches that were played to their end."""
    points_interval: tuple[float, float] | None
    """Of the true points a hand, with 95 % confidence; None for fewer than two pairs of hands."""
    sprt: Sequential | None
    """The plan's sequential test; None if there is none."""

    @property
    def rate(self) -> float | None:
        """The share of matches that a has won."""
        return self.wins_a / (2 * self.pairs) if self.pairs else None


@dataclass(frozen=True, slots=True)
class Entrant:
    """One bot over all its matches."""

    name: str
    rating: Rating
    games: int
    wins: int
    faults: Mapping[str, int]
    """By kind, zeros included."""
    median_ms: float | None
    p95_ms: float | None


@dataclass(frozen=True, slots=True)
class Standing:
    """How an arena stands, finished or not."""

    plan: Plan
    entrants: tuple[Entrant, ...]
    duels: tuple[Duel, ...]
    games: int
    games_per_s: float | None
    faults: tuple[tuple[Fixture, Fault], ...]
    """Some of the faults, with their details, and the matches that they were made in."""

    @property
    def stopped(self) -> bool:
        """Whether matches of the plan are missing."""
        return any(
            duel.pairs < self.plan.pairs and (duel.sprt is None or duel.sprt.taken is None)
            for duel in self.duels
        )

    def as_object(self) -> dict[str, Any]:
        """The standing as `arena --json` prints it."""
        names = [entrant.name for entrant in self.entrants]
        return {
            "variant": self.plan.variant.name,
            "seats": self.plan.seats,
            "pairs": self.plan.pairs,
            "games": self.games,
            "seed": self.plan.seed,
            "budget_ms": self.plan.budget_ms,
            "results": [_duel_object(duel, names) for duel in self.duels],
            "ratings": {e.name: _rating_object(e.rating) for e in self.entrants},
            "faults": {e.name: dict(e.faults) for e in self.entrants},
            "decision_ms": {
                e.name: {"median": e.median_ms, "p95": e.p95_ms} for e in self.entrants
            },
            "games_per_s": self.games_per_s,
            "stopped": self.stopped,
            "fault_details": [
                {
                    "bot": names[fault.entrant],
                    "kind": fault.kind,
                    "pair": fixture.pair + 1,
                    "leg": fixture.leg + 1,
                    "against": names[fixture.other(fault.entrant)],
                    "detail": fault.detail,
                }
                for fixture, fault in self.faults
            ],
        }


def _rating_object(rating: Rating) -> dict[str, Any]:
    mu, sigma, low, high = rating
    return {"rating": mu, "ci95": [low, high], "mu": mu, "sigma": sigma}


def _duel_object(duel: Duel, names: Sequence[str]) -> dict[str, Any]:
    return {
        "a": names[duel.a],
        "b": names[duel.b],
        "pairs": duel.pairs,
        "wins_a": duel.wins_a,
        "wins_b": duel.wins_b,
        "rate_a": duel.rate,
        "ci95": list(duel.interval),
        "points_per_hand": duel.points_per_hand,
        "points_ci95": duel.points_interval and list(duel.points_interval),
        "sprt": duel.sprt
        and {
            "low": duel.sprt.low,
            "high": duel.sprt.high,
            "log_ratio": duel.sprt.log_ratio,
            "taken": duel.sprt.taken,
        },
    }


def standing(
    plan: Plan,
    names: Sequence[str],
    pairs: Iterable[Pair],
    times: Times,
    games_per_s: float | None = None,
) -> Standing:
    """The standing after these pairs of matches, whose decisions took so long."""
    met: dict[tuple[int, int], list[Pair]] = {ab: [] for ab in plan.matchups}
    for pair in sorted(pairs, key=lambda pair: (pair[0].fixture.pair, pair[0].fixture[:2])):
        met[pair[0].fixture[:2]].append(pair)
    games = [game for played in met.values() for pair in played for game in pair]
    outcomes = [_outcomes(*ab, played) for ab, played in met.items()]
    rated = ratings(len(names), outcomes)
    return Standing(
        plan,
        tuple(_entrant(e, name, rated[e], games, times) for e, name in enumerate(names)),
        tuple(_duel(plan, *row) for row in zip(met.values(), outcomes, strict=True)),
        len(games),
        games_per_s,
        tuple(_some_faults(games)),
    )


def _outcomes(a: int, b: int, met: Sequence[Pair]) -> Outcomes:
    score = Counter(won_of(pair) for pair in met)
    return Outcomes(a, b, score[0], score[1], score[2])


def won_of(pair: Pair) -> int:
    """How many of its two matches the first bot of a pair has won."""
    return sum(game.winner == game.fixture.a for game in pair)


def _sprt(plan: Plan, met: Sequence[Pair]) -> Sequential | None:
    """The plan's test over the pairs of one match-up, as far as their numbers follow."""
    if plan.sprt is None:
        return None
    test = Sequential(*plan.sprt)
    for number, pair in enumerate(met):
        if pair[0].fixture.pair == number:
            test.take(won_of(pair))
    return test


def _duel(plan: Plan, met: Sequence[Pair], outcomes: Outcomes) -> Duel:
    a, b, *score = outcomes
    won = outcomes.split + 2 * outcomes.won
    points, limits = per_hand([_points_and_hands(pair) for pair in met])
    return Duel(
        a,
        b,
        len(met),
        won,
        2 * len(met) - won,
        interval(*score) if met else (0.0, 1.0),
        points,
        limits,
        _sprt(plan, met),
    )


def _points_and_hands(pair: Pair) -> tuple[int, int]:
    """What a scored more than b in both legs, and in how many hands."""
    return sum(game.points[0] - game.points[1] for game in pair), sum(game.hands for game in pair)


def _entrant(
    entrant: int, name: str, rating: Rating, games: Sequence[Game], times: Times
) -> Entrant:
    ours = [game for game in games if entrant in game.fixture[:2]]
    faults = Counter(dict.fromkeys(KINDS, 0))
    for game in ours:
        for fault in game.faults:
            faults[fault.kind] += fault.times * (fault.entrant == entrant)
    wins = sum(game.winner == entrant for game in ours)
    decisions = times.get(entrant, Counter())
    median, p95 = (quantile(decisions, share) for share in (0.5, 0.95))
    return Entrant(name, rating, len(ours), wins, faults, median, p95)


def _some_faults(games: Iterable[Game]) -> Iterator[tuple[Fixture, Fault]]:
    """The first few of each bot and kind."""
    seen: Counter[tuple[int, str]] = Counter()
    for game in games:
        for fault in game.faults:
            seen[fault[:2]] += 1
            if seen[fault[:2]] <= SHOWN_FAULTS:
                yield game.fixture, fault
