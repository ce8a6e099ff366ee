"""A batch of fixtures as one job for any executor: a thread here, a process, a machine elsewhere.

Whoever runs the job keeps pits of the plan and lends them to one batch at a time, so that bots are
loaded once, not for every batch. What a job gives back depends on the plan and the fixtures only.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import NamedTuple

from p2ptruco.arena.guard import Pit, PitDied, Unplayable
from p2ptruco.arena.plan import Fixture, Plan
from p2ptruco.arena.records import LONGEST_DETAIL, Fault, Game, lost

TRIES = 3
"""How often a match is begun that ends its pit while nobody decides."""


class Batch(NamedTuple):
    """The matches of one job, and the seconds it took to play them."""

    games: tuple[Game, ...]
    seconds: float


class Closed(Exception):
    """The pits of this plan have been closed."""


class Pits:
    """The pits of a plan in this process."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._lock = threading.Lock()
        self._idle: list[Pit] = []
        self._all: set[Pit] = set()
        self._closed = False

    def start(self) -> Pit:
        """A new pit, its bots loading."""
        with self._lock:
            if self._closed:
                raise Closed
            pit = Pit(self.plan)
            self._all.add(pit)
        return pit

    def warm(self, count: int) -> tuple[str, ...]:
        """Have so many pits ready; the bots' names. Raises Unplayable."""
        starting = [self.start() for _ in range(count)]
        names = [pit.greet() for pit in starting]
        self._idle += starting
        return names[0]

    @contextmanager
    def borrowed(self) -> Iterator[Pit]:
        """A pit for one batch; after an exception it is not used again."""
        pit = self._take()
        try:
            yield pit
        except BaseException:
            self._drop(pit)
            raise
        self._idle.append(pit)

    def _take(self) -> Pit:
        try:
            return self._idle.pop()
        except IndexError:
            pit = self.start()
        try:
            pit.greet()
        except Unplayable:
            self._drop(pit)
            if self._closed:
                raise Closed from None
            raise
        return pit

    def _drop(self, pit: Pit) -> None:
        with self._lock:
            self._all.discard(pit)
        pit.close()

    def close(self) -> None:
        """Kill them all; whoever still listens to one raises Closed."""
        with self._lock:
            self._closed = True
            for pit in self._all:
                pit.kill()

    @property
    def closed(self) -> bool:
        return self._closed


_pits: dict[Plan, Pits] = {}
_lock = threading.Lock()


def pits_of(plan: Plan) -> Pits:
    """This process's pits of a plan."""
    with _lock:
        return _pits.setdefault(plan, Pits(plan))


def close_pits(plan: Plan) -> None:
    """End this process's pits of a plan."""
    with _lock:
        pits = _pits.pop(plan, None)
    if pits is not None:
        pits.close()


@atexit.register
def _close_all() -> None:
    for plan in list(_pits):
        close_pits(plan)


def play_batch(plan: Plan, fixtures: Sequence[Fixture]) -> Batch:
    """The job: every match of a batch, played or lost. Raises Unplayable, or Closed."""
    began = perf_counter()
    pits, games, tries = pits_of(plan), list[Game](), 0
    while len(games) < len(fixtures):
        before = len(games)
        try:
            with pits.borrowed() as pit:
                for game in pit.play(fixtures[before:]):
                    games.append(game)
        except PitDied as death:
            if pits.closed:
                raise Closed from None
            tries = tries + 1 if len(games) == before else 1
            fault = _blame(death, fixtures[len(games)], tries)
            if fault is not None:
                games.append(lost(fixtures[len(games)], fault))
    return Batch(tuple(games), perf_counter() - began)


def _blame(death: PitDied, fixture: Fixture, tries: int) -> Fault | None:
    """Whose fault the end of a pit is; None: perhaps nobody's, so the match is begun again."""
    culprit = death.culprit
    if culprit is None and tries >= TRIES:
        culprit = death.last
    if culprit not in (fixture.a, fixture.b):
        if tries >= TRIES:
            raise Unplayable("no_pit", "")
        return None
    return Fault(culprit, death.kind, 1, death.words[:LONGEST_DETAIL])
