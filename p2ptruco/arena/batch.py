"""A batch of fixtures as one job for any executor: a thread here, a process, a machine elsewhere.

Whoever runs the job keeps pits of the plan and lends them to one batch at a time, so that bots are
loaded once, not for every batch. What a job gives back depends on the plan and the fixtures only.
"""

from __future__ import annotations

import atexit
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter

from p2ptruco.arena.errors import Closed, PitDied, Unplayable
from p2ptruco.arena.guard import Pit
from p2ptruco.arena.plan import Fixture, Plan
from p2ptruco.arena.records import LONGEST_DETAIL, Batch, Fault, Game, Times, lost, summed

TRIES = 3
"""How often a match is begun that ends its pit while nobody decides."""


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
    pits, deaths = pits_of(plan), Counter[Fixture]()
    games: dict[Fixture, Game] = {}
    times: list[Times] = []
    while left := [fixture for fixture in fixtures if fixture not in games]:
        try:
            with pits.borrowed() as pit:
                for batch in pit.play(left):
                    games.update((game.fixture, game) for game in batch.games)
                    times.append(batch.times)
        except PitDied as death:
            if pits.closed:
                raise Closed from None
            fixture = left[min(death.place, len(left) - 1)]
            deaths[fixture] += 1
            fault = _blame(death, fixture, deaths[fixture])
            if fault is not None:
                games[fixture] = lost(fixture, fault)
    in_order = tuple(games[fixture] for fixture in fixtures)
    return Batch(in_order, summed(times), perf_counter() - began)


def _blame(death: PitDied, fixture: Fixture, tries: int) -> Fault | None:
    """Whose fault the end of a pit is; None: perhaps nobody's, so the match is begun again."""
    culprit = death.last if death.culprit is None and tries >= TRIES else death.culprit
    if culprit in (fixture.a, fixture.b):
        return Fault(culprit, death.kind, 1, death.words[:LONGEST_DETAIL])
    if tries >= TRIES:
        raise Unplayable("no_pit", "", death.words)
    return None
