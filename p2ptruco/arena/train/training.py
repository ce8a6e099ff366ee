"""Training one family: learn, fit the match equity to how hands end, learn on, pack the table.

The same family, setting and seed give the same file, byte for byte, with the same compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from p2ptruco.arena.train.equity import equities
from p2ptruco.arena.train.families import TARGET, Family
from p2ptruco.arena.train.solver import Solver
from p2ptruco.arena.train.tables import pack, rounded

CHUNKS = 50
"""How often progress is told."""

MEAN_WEIGHT = 11.0
"""Of a hand of training: later ones count more."""

Progress = Callable[[str, int, int], None]
"""What is being done, and how far: done and in all."""


@dataclass(frozen=True, slots=True)
class Trained:
    """A table and what is known about it; the best response meets it as the bot plays it."""

    packed: bytes
    situations: int
    exploited: float | None
    """Points a hand that the best response found takes; None where none was sought."""
    error: float | None


def train(family: Family, seed: int, hands: int, response: int, told: Progress) -> Trained:
    """Train a family with so many hands, then seek a best response with so many (0: do not)."""
    solver = Solver(family, seed, slots_for(hands))
    solver.equity(equities(family.values, TARGET))
    first = hands // 10
    _learn(solver, 0, first, hands, told)
    matrix = equities(family.values, TARGET, solver.shares(20_000)[:-1])
    solver.equity(matrix)
    _learn(solver, first, hands - first, hands, told)
    keys, average, _ = solver.dump()
    specials = solver.specials(max(20_000, min(400_000, hands)))
    least = MEAN_WEIGHT * hands / family.keep
    outcomes = solver.outcomes(hands)
    packed = pack(keys, average, outcomes, specials, matrix, least, scores=family.scores)
    exploited = error = None
    if response:
        kept, steps = rounded(keys, average, least)
        played = Solver(family, seed, slots_for(hands))
        played.restore(kept, steps, bytes(len(steps)))
        exploited, error = exploit(played, seed + 1, response, told)
    return Trained(packed, len(solver), exploited, error)


def exploit(fixed: Solver, seed: int, hands: int, told: Progress) -> tuple[float, float]:
    """What a response trained against a fixed strategy takes from it, in points a hand.

    It is a lower bound of what the best response takes, with its standard error.
    """
    answer = Solver(fixed.family, seed, slots_for(hands))
    answer.against(fixed)
    for start, count in _chunks(hands):
        answer.run(start, count, hands, points=True)
        told("response", start + count, hands)
    return answer.match_up(fixed, max(100_000, hands))


def slots_for(hands: int) -> int:
    """Room for the situations that so many hands can meet, as a power of two."""
    return min(24, max(16, (64 * hands).bit_length()))


def _learn(solver: Solver, start: int, hands: int, total: int, told: Progress) -> None:
    for place, count in _chunks(hands):
        solver.run(start + place, count, total)
        told("train", start + place + count, total)


def _chunks(hands: int) -> list[tuple[int, int]]:
    bounds = [hands * place // CHUNKS for place in range(CHUNKS + 1)]
    return [(low, high - low) for low, high in pairwise(bounds)]
