"""The guard of one process that plays (`pit`): starts it, hears it, ends it, knows who killed it.

A bot that loops, sleeps, crashes the interpreter or eats all memory takes down its pit and nothing
else. The page of the mark names whoever was deciding: that entrant has lost the match.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

from p2ptruco.arena.errors import PitDied, Unplayable
from p2ptruco.arena.mark import NOBODY, SIZE, Mark
from p2ptruco.arena.plan import Fixture, Plan
from p2ptruco.arena.records import CRASH, TIMEOUT, Batch, from_object
from p2ptruco.hooks.files import NO_BOT
from p2ptruco.hooks.offers import valid_name
from p2ptruco.process import ended, environment

COMMAND = (sys.executable, "-P", "-m", "p2ptruco.arena.pit")
POLL = 0.05
GRACE = 0.25
"""Seconds that a decision may outlast the budget before the pit is killed; one that returns in
that time has lost the match as well."""
LOADING = 30.0
"""Seconds that a bot has to be imported."""
LONGEST_LINE = 1 << 24
NUL = b"\0"
CALM = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""A core for each pit, unless the environment says otherwise."""


class Pit:
    """One process that plays matches of a plan, under guard."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self._file.truncate(SIZE)
        self._mark = Mark(self._file.fileno())
        self._mark.clear()
        self._process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._file,
            env=CALM | environment(),
            start_new_session=True,
        )
        self._limit = LOADING
        self._late: int | None = None
        self._closed, self._ending = threading.Event(), threading.Lock()
        threading.Thread(target=self._watch, daemon=True).start()
        with suppress(OSError):
            self._ask(plan.as_object())

    def greet(self) -> tuple[str, ...]:
        """The bots' names, once they are loaded. Raises Unplayable."""
        for answer in self._answers():
            match answer:
                case {"missing": [code, str(name), str(detail)]} if code in tuple(NO_BOT):
                    raise Unplayable(code, name, detail)
                case {"names": [*names]} if len(names) == len(self._plan.bots):
                    if all(map(valid_name, names)):
                        self._limit = self._plan.budget_ms / 1000 + GRACE
                        return tuple(names)
        raise self._not_loaded()

    def play(self, fixtures: Sequence[Fixture]) -> Iterator[Batch]:
        """The matches, in order, some at a time.

        Raises PitDied in the place of those that the pit cannot tell of any more.
        """
        with suppress(OSError):
            self._ask(fixtures)
        told = 0
        while told < len(fixtures):
            batch = self._batch(fixtures[told:])
            if batch is None:
                self.kill()
                raise self._died()
            told += len(batch.games)
            yield batch

    def kill(self) -> None:
        """End the process and whatever it has started."""
        self._closed.set()
        with self._ending:
            if self._process.returncode is None:
                with suppress(OSError):
                    _kill(self._process)
                self._process.wait()

    def close(self) -> None:
        """Kill the process and give back what it held."""
        self.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()
        self._file.close()

    # Asking and listening.

    def _ask(self, request: Any) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        pipe.write(json.dumps(request).encode() + b"\n")
        pipe.flush()

    def _answers(self) -> Iterator[Any]:
        """What the pit tells, until it ends; a line that is nonsense, or was cut, is skipped."""
        pipe = self._process.stdout
        assert pipe is not None
        while line := pipe.readline(LONGEST_LINE):
            with suppress(ValueError, RecursionError):
                yield json.loads(line)

    def _batch(self, due: Sequence[Fixture]) -> Batch | None:
        """The next of the matches that are due, or None if the pit has ended without them."""
        for answer in self._answers():
            with suppress(ValueError, TypeError, LookupError, AttributeError):
                batch = from_object(answer)
                if [game.fixture for game in batch.games] == list(due[: len(batch.games)]):
                    return batch
        return None

    # Watching.

    def _watch(self) -> None:
        """Kill the process when a bot thinks for too long."""
        begun, since = -1, monotonic()
        while not self._closed.wait(POLL):
            marked, now = self._mark.read(), monotonic()
            if marked.begun != begun or marked.inside == NOBODY:
                begun, since = marked.begun, now
            elif now - since > self._limit:
                self._late = marked.inside
                self._ask_where()
                self.kill()

    def _ask_where(self) -> None:
        """Have the interpreter write down where it is, if it still can."""
        if sys.platform != "win32":
            with self._ending, suppress(OSError):
                if self._process.returncode is None:
                    os.kill(self._process.pid, signal.SIGUSR1)
                    self._closed.wait(POLL)

    def _died(self) -> PitDied:
        """Why the process has ended, read off the mark that it left."""
        marked, words = self._mark.read(), self._last_words()
        inside, last = (None if e == NOBODY else e for e in (marked.inside, marked.last))
        if self._late is not None:
            return PitDied(marked.place, self._late, TIMEOUT, last, words)
        return PitDied(marked.place, inside, CRASH, last, words)

    def _not_loaded(self) -> Unplayable:
        self.kill()
        death = self._died()
        if death.culprit is None:
            return Unplayable("no_pit", "", self._last_words())
        code = "slow_load" if death.kind == TIMEOUT else "load_crashed"
        how = ended(self._process.returncode or 0)
        return Unplayable(code, self._plan.bots[death.culprit], how)

    def _last_words(self) -> str:
        """What the interpreter said at its end: behind the page, or over it where it never came
        so far as to make it a mark."""
        self._file.seek(0)
        page, behind = self._file.read(SIZE), self._file.read()
        words = behind if self._mark.read().begun else page
        how = ended(self._process.returncode or 0)
        return f"{how}\n{words.strip(NUL).decode(errors='replace')}".strip()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that nobody has waited for yet, and its group, which bears its number."""
    if sys.platform == "win32":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)
