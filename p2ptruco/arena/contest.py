"""Playing a plan through an executor, whichever: threads here, processes, a cluster.

1. Jobs are batches of whole pairs. Their size follows the pace, a second's play or so, and shrinks
   towards the end so that nobody waits for the last; no result depends on it.
2. What is done is done: every finished batch is kept, in the journal if there is one, and stopping
   loses only the batches under way.
3. A match-up that the plan's sequential test has decided is played no further. What was played
   beyond that pair is no part of the result, however many jobs there were.
4. A job that its executor loses (a machine has gone) is given to it again, a few times.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from time import perf_counter

from p2ptruco.arena.batch import close_pits, pits_of, play_batch
from p2ptruco.arena.errors import Closed, Unplayable
from p2ptruco.arena.journal import Journal, paired
from p2ptruco.arena.plan import Fixture, Plan, labels
from p2ptruco.arena.records import Batch, summed
from p2ptruco.arena.sequential import Sequential
from p2ptruco.arena.standing import Pair, Standing, standing, won_of

BATCH_SECONDS = 1.0
LONGEST_BATCH = 200
TRIES = 3
"""How often a job is given to an executor that loses it."""

Heard = Callable[["Arena"], None]
Fixtures = tuple[Fixture, Fixture]


class Arena:
    """A plan being played, and what has been played so far."""

    def __init__(self, plan: Plan, names: tuple[str, ...], journal: Journal | None = None) -> None:
        self.plan, self.names, self.journal = plan, labels(names), journal
        self._pairs: dict[Fixture, Pair] = {}
        self._tests = {ab: Sequential(*plan.sprt) for ab in plan.matchups} if plan.sprt else {}
        self._todo: deque[Fixtures] = deque()
        self.times: dict[int, Counter[int]] = {}
        for batch in journal.batches if journal else ():
            self._keep(batch)
        missing = (legs for legs in plan.fixtures() if legs[0] not in self._pairs)
        self._todo.extend(legs for legs in missing if self._counts(legs[0]))
        self.resumed = len(self._pairs)
        self._pace: float | None = None
        self._began: float | None = None
        self._seconds = 0.0

    @property
    def pairs(self) -> list[Pair]:
        """The pairs of the plan that have been played."""
        return [pair for pair in self._pairs.values() if self._counts(pair[0].fixture)]

    @property
    def total(self) -> int:
        """How many pairs there are to play, as far as is known by now."""
        return sum(self._most(ab) for ab in self.plan.matchups)

    def _most(self, matchup: tuple[int, int]) -> int:
        """How many pairs of a match-up count: those of the plan, or up to where its test ended."""
        test = self._tests.get(matchup)
        ended = test is not None and test.taken is not None
        return min(test.pairs, self.plan.pairs) if test and ended else self.plan.pairs

    def _counts(self, fixture: Fixture) -> bool:
        return fixture.pair < self._most((fixture.a, fixture.b))

    @property
    def seconds(self) -> float:
        """How long this run has been playing."""
        return self._seconds if self._began is None else perf_counter() - self._began

    @property
    def left(self) -> float | None:
        """How many seconds the rest will take at the pace of this run, if that is known."""
        played = len(self._pairs) - self.resumed
        return self.seconds * (self.total - len(self.pairs)) / played if played else None

    def standing(self) -> Standing:
        """How it stands."""
        played = 2 * (len(self._pairs) - self.resumed)
        speed = played / self.seconds if played and self.seconds else None
        return standing(self.plan, self.names, self.pairs, self.times, speed)

    def run(self, executor: Executor, slots: int, heard: Heard | None = None) -> None:
        """Play what is left, as many jobs at a time as there are slots. Raises Unplayable.

        Whatever ends it early, the matches played stay.
        """
        running: dict[Future[Batch], tuple[list[Fixtures], int]] = {}
        self._began = perf_counter()
        try:
            while self._todo or running:
                while self._todo and len(running) < 2 * slots:
                    job = [self._todo.popleft() for _ in range(self._size(slots))]
                    running[self._submit(executor, job)] = job, 1
                for future in wait(running, timeout=0.2, return_when=FIRST_COMPLETED).done:
                    job, tries = running.pop(future)
                    if not self._took(future, tries):
                        running[self._submit(executor, job)] = job, tries + 1
                if heard is not None:
                    heard(self)
        finally:
            self._seconds, self._began = self.seconds, None
            for future in running:
                future.cancel()

    def _submit(self, executor: Executor, job: Iterable[Fixtures]) -> Future[Batch]:
        return executor.submit(play_batch, self.plan, [leg for legs in job for leg in legs])

    def _size(self, slots: int) -> int:
        """How many pairs the next job has."""
        by_pace = 1 if self._pace is None else max(1, int(BATCH_SECONDS / self._pace))
        share = -(-len(self._todo) // (2 * slots))
        return min(by_pace, share, LONGEST_BATCH)

    def _took(self, future: Future[Batch], tries: int) -> bool:
        """Keep what a job has brought; False if it is to be tried again."""
        try:
            batch = future.result()
        except (Unplayable, Closed):
            raise
        except Exception:
            if tries >= TRIES:
                raise
            return False
        self._keep(batch)
        if self.journal is not None:
            self.journal.add(batch)
        pace = 2 * batch.seconds / len(batch.games)
        self._pace = pace if self._pace is None else (self._pace + pace) / 2
        return True

    def _keep(self, batch: Batch) -> None:
        self._pairs.update({pair[0].fixture: pair for pair in paired(batch.games)})
        undecided = {ab: test for ab, test in self._tests.items() if test.taken is None}
        for matchup, test in undecided.items():
            while test.taken is None and (pair := self._next_of(matchup, test)):
                test.take(won_of(pair))
        if any(test.taken is not None for test in undecided.values()):
            self._todo = deque(legs for legs in self._todo if self._counts(legs[0]))
        self.times = summed([self.times, batch.times])

    def _next_of(self, matchup: tuple[int, int], test: Sequential) -> Pair | None:
        """The pair that a test takes next, if it has been played."""
        return self._pairs.get(Fixture(*matchup, test.pairs, 0))

    def batch(self) -> Batch:
        """All that has been played, as one batch."""
        return Batch(tuple(game for pair in self.pairs for game in pair), self.times)


def introduce(plan: Plan, jobs: int = 1) -> tuple[str, ...]:
    """The bots' names: they are loaded in pits of this process, ready for so many jobs.

    Raises Unplayable.
    """
    return pits_of(plan).warm(jobs)


@contextmanager
def local(plan: Plan, jobs: int) -> Iterator[Executor]:
    """So many threads of this process, each of which guards a pit; at the end nothing runs on."""
    executor = ThreadPoolExecutor(jobs)
    try:
        yield executor
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        close_pits(plan)
        executor.shutdown()


def compete(plan: Plan, jobs: int = 1) -> Standing:
    """Play a plan on this machine and say how it stands. Raises Unplayable."""
    with local(plan, jobs) as executor:
        arena = Arena(plan, introduce(plan, jobs))
        arena.run(executor, jobs)
    return arena.standing()


def cores() -> int:
    """How many cores this process may use."""
    with suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
