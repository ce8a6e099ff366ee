"""How matches went, as values that travel between processes and into a journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from p2ptruco.arena.plan import Fixture

TIMEOUT, CRASH, ILLEGAL = KINDS = ("timeout", "crash", "illegal")
LONGEST_DETAIL = 4000

Times = Mapping[int, Counter[int]]
"""How many decisions of an entrant fell into which bucket (`times`)."""


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


class Batch(NamedTuple):
    """Some matches, how long decisions took meanwhile, and the seconds that all of it took."""

    games: tuple[Game, ...]
    times: Times
    seconds: float = 0.0


def lost(fixture: Fixture, fault: Fault) -> Game:
    """A match that an entrant lost by a fault which left nobody to tell of it."""
    return Game(fixture, fixture.other(fault.entrant), (0, 0), 0, fault.kind, (fault,))


def summed(all_times: Iterable[Times]) -> dict[int, Counter[int]]:
    """The counts of several batches in one."""
    sums: dict[int, Counter[int]] = {}
    for times in all_times:
        for entrant, counts in times.items():
            sums.setdefault(entrant, Counter()).update(counts)
    return sums


def as_object(batch: Batch) -> dict[str, Any]:
    """A batch as JSON has it, its seconds apart."""
    return {
        "games": batch.games,
        "times": [[entrant, *map(list, counts.items())] for entrant, counts in batch.times.items()],
    }


def from_object(told: Mapping[str, Any]) -> Batch:
    """The batch that `as_object` made; ValueError, TypeError or KeyError for what is none."""
    games = tuple(map(_game, told["games"]))
    times = {int(entrant): Counter(dict(counts)) for entrant, *counts in told["times"]}
    if not all(type(n) is int for counts in times.values() for n in [*counts, *counts.values()]):
        raise ValueError("no counts of times")
    return Batch(games, times)


def _game(told: Sequence[Any]) -> Game:
    fixture, winner, points, hands, forfeit, faults = told
    scored = int(points[0]), int(points[1])
    wrong = tuple(Fault(int(e), str(kind), int(n), str(text)) for e, kind, n, text in faults)
    met = Fixture(*map(int, fixture))
    if winner not in met[:2] or not {fault.kind for fault in wrong} <= set(KINDS):
        raise ValueError("no match of an arena")
    return Game(met, int(winner), scored, int(hands), str(forfeit), wrong)
