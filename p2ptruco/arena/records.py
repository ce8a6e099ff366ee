"""How matches went, as values that travel between processes and into a journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from p2ptruco.arena.plan import Fixture

TIMEOUT, CRASH, ILLEGAL = KINDS = ("timeout", "crash", "illegal")
LONGEST_DETAIL = 4000

Counts = Counter[int]


class Fault(NamedTuple):
    """What an entrant did wrong in one match, and how often."""

    entrant: int
    kind: str
    times: int
    detail: str
    """Of the first time: the traceback or the move, and the hand in the notation."""


class Game(NamedTuple):
    """How a match went. The points and hands of a forfeited one are not counted."""

    fixture: Fixture
    winner: int
    """An entrant."""
    points: tuple[int, int]
    """Scored by entrant a and by entrant b."""
    hands: int
    forfeit: str
    """The kind of fault that lost the match, or nothing."""
    faults: tuple[Fault, ...]
    decisions: tuple[Counts, Counts]
    """How many decisions of a, and of b, fell into which bucket (`times`)."""


def lost(fixture: Fixture, fault: Fault) -> Game:
    """A match that an entrant lost by a fault which left nobody to tell of it."""
    winner = fixture.other(fault.entrant)
    return Game(fixture, winner, (0, 0), 0, fault.kind, (fault,), (Counter(), Counter()))


def as_list(game: Game) -> list[Any]:
    """A match as JSON has it."""
    times = [sorted(counts.items()) for counts in game.decisions]
    return [*game[:-1], times]


def from_list(told: Sequence[Any]) -> Game:
    """The match that `as_list` made; ValueError or TypeError for what is none."""
    fixture, winner, points, hands, forfeit, faults, times = told
    a, b = (Counter({int(place): int(count) for place, count in counts}) for counts in times)
    scored = int(points[0]), int(points[1])
    wrong = tuple(Fault(int(e), str(kind), int(n), str(text)) for e, kind, n, text in faults)
    met = Fixture(*map(int, fixture))
    if winner not in met[:2] or not {fault.kind for fault in wrong} <= set(KINDS):
        raise ValueError("no match of an arena")
    return Game(met, int(winner), scored, int(hands), str(forfeit), wrong, (a, b))
