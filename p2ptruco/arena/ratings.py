"""Ratings of all bots on one scale (openskill's Plackett-Luce), from pairs of matches.

A pair is what is rated: won, lost, or, split 1–1, a draw; so the luck of the cards is in no rating.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from p2ptruco.arena.records import Game


class Rating(NamedTuple):
    """A bot is about as strong as `mu`, give or take `sigma`; all begin as 25 ± 8.3."""

    mu: float
    sigma: float


def ratings(entrants: int, pairs: Iterable[tuple[Game, Game]]) -> list[Rating]:
    """The rating of each entrant after these pairs, in their order."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    rated = [model.rating() for _ in range(entrants)]
    for pair in pairs:
        a, b = pair[0].fixture[:2]
        won = sum(game.winner == a for game in pair)
        [[rated[a]], [rated[b]]] = model.rate([[rated[a]], [rated[b]]], scores=[won, 2 - won])
    return [Rating(one.mu, one.sigma) for one in rated]
