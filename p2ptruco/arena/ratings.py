"""Ratings of all bots on one scale (Bradley and Terry's model), with what they may be off by.

1. The most likely strengths, given who won how many matches of whom. So the order in which matches
   were played is nothing to them, and a bot that beats another by more stands further above it.
2. 400 points are odds of ten to one; 0 is the mean of all that have played. One more match of each
   bot, half won, against a bot of strength 0 keeps strengths finite where one has won all.
3. Pairs are independent, the two legs of one are not: the interval is that of a bootstrap over
   pairs, with random weights (Rubin 1981). The one more match is weighted, too: so nobody's
   rating is a single point.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from operator import mul
from statistics import fmean, pstdev
from typing import NamedTuple

SCALE = 400 / math.log(10)
DRAWS = 200
CONFIDENCE = 0.95
CLOSE = 1e-5
"""In natural units, 0.002 points: where the search ends."""
STEPS = 100
BOLDEST = 2.0
"""How far one step of the search may go, in natural units."""

Vector = list[float]
Field = Sequence[tuple[int, int, float]]
"""Entrants a and b, and how many matches they played."""


class Found(NamedTuple):
    """What strengths are to explain: matches won by a, match-up by match-up; and, of each entrant,
    matches won and lost against a bot of strength 0."""

    wins: Sequence[float]
    besides: Sequence[tuple[float, float]]


Solve = Callable[[Vector], Vector]
"""The step that a slope calls for."""


class Outcomes(NamedTuple):
    """Pairs of two entrants: a lost 0–2, split 1–1 and won 2–0."""

    a: int
    b: int
    lost: int
    split: int
    won: int


class Rating(NamedTuple):
    """`mu` and `sigma` are the rating and its standard error; `low` and `high` its 95 % limits."""

    mu: float
    sigma: float
    low: float
    high: float


def ratings(entrants: int, outcomes: Iterable[Outcomes]) -> list[Rating]:
    """The rating of each entrant, in their order."""
    met = [one for one in outcomes if one.lost + one.split + one.won]
    field = [(one.a, one.b, 2.0 * (one.lost + one.split + one.won)) for one in met]
    found = Found([one.split + 2.0 * one.won for one in met], [(0.5, 0.5)] * entrants)
    likely = _fit(field, found, [0.0] * entrants, lambda at: _solver(_curvature(at, field)))
    near = _solver(_curvature(likely, field))
    played = sorted({entrant for a, b, _ in field for entrant in (a, b)}) or range(entrants)
    chance, drawn = random.Random(0), []
    for _ in range(DRAWS):
        wins = [_share(chance, one) * row[2] for one, row in zip(met, field, strict=True)]
        besides = [(chance.gammavariate(0.5, 1), chance.gammavariate(0.5, 1)) for _ in likely]
        drawn.append(_points(_fit(field, Found(wins, besides), likely, lambda at: near), played))
    columns = zip(*drawn, strict=True)
    return [
        _rating(mu, column) for mu, column in zip(_points(likely, played), columns, strict=True)
    ]


def _rating(mu: float, drawn: Sequence[float]) -> Rating:
    cut = int((1 - CONFIDENCE) / 2 * len(drawn))
    ordered = sorted(drawn)
    return Rating(mu, pstdev(drawn), ordered[cut], ordered[-1 - cut])


def _share(chance: random.Random, pairs: Outcomes) -> float:
    """The share of matches won by a, its pairs weighted at random."""
    lost, split, won = (chance.gammavariate(n, 1) if n else 0.0 for n in pairs[2:])
    return (split / 2 + won) / (lost + split + won)


def _points(strengths: Vector, played: Sequence[int]) -> Vector:
    """Strengths in natural units on the scale of the ratings."""
    mean = fmean(strengths[one] for one in played)
    return [SCALE * (strength - mean) for strength in strengths]


def _fit(field: Field, found: Found, start: Vector, solver_at: Callable[[Vector], Solve]) -> Vector:
    """The most likely strengths, by Newton's method."""
    at = start
    for _ in range(STEPS):
        step = solver_at(at)(_slope(at, field, found))
        farthest = max(map(abs, step))
        reach = min(1.0, BOLDEST / max(farthest, CLOSE))
        at = [one + reach * by for one, by in zip(at, step, strict=True)]
        if farthest < CLOSE:
            break
    return at


def _odds(difference: float) -> float:
    """The chance to win with so much more strength."""
    return 1 / (1 + math.exp(-difference))


def _slope(at: Vector, field: Field, found: Found) -> Vector:
    """How the log likelihood grows with each strength."""
    besides = zip(at, found.besides, strict=True)
    slope = [won - (won + lost) * _odds(one) for one, (won, lost) in besides]
    for (a, b, played), won in zip(field, found.wins, strict=True):
        more = won - played * _odds(at[a] - at[b])
        slope[a] += more
        slope[b] -= more
    return slope


def _curvature(at: Vector, field: Field) -> list[Vector]:
    """How its slope falls with each strength: a positive definite matrix."""
    matrix = [[0.0] * len(at) for _ in at]
    for own, one in enumerate(at):
        matrix[own][own] = _odds(one) * _odds(-one)
    for a, b, played in field:
        weight = played * _odds(at[a] - at[b]) * _odds(at[b] - at[a])
        matrix[a][a] += weight
        matrix[b][b] += weight
        matrix[a][b] -= weight
        matrix[b][a] -= weight
    return matrix


def _solver(matrix: list[Vector]) -> Solve:
    """What solves the equations of a positive definite matrix, by Cholesky's decomposition."""
    lower: list[Vector] = []
    for i, row in enumerate(matrix):
        lower.append([])
        for j in range(i):
            lower[i].append((row[j] - sum(map(mul, lower[i], lower[j]))) / lower[j][j])
        lower[i].append(math.sqrt(row[i] - sum(map(mul, lower[i], lower[i]))))
    upper = [[lower[j][i] for j in range(i, len(matrix))] for i in range(len(matrix))]

    def solve(right: Vector) -> Vector:
        ahead: Vector = []
        for row, value in zip(lower, right, strict=True):
            ahead.append((value - sum(map(mul, row, ahead))) / row[-1])
        found: Vector = []  # from the last to the first
        for row, value in zip(reversed(upper), reversed(ahead), strict=True):
            found.insert(0, (value - sum(map(mul, row[1:], found))) / row[0])
        return found

    return solve
