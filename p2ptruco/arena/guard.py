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

from p2ptruco.arena.mark import NOBODY, SIZE, Mark
from p2ptruco.arena.plan import Fixture, Plan
from p2ptruco.arena.records import CRASH, TIMEOUT, Game, from_list

COMMAND = (sys.executable, "-P", "-m", "p2ptruco.arena.pit")
POLL = 0.05
GRACE = 0.25
"""Seconds that a decision may outlast the budget before the pit is killed; one that returns in
that time has lost the match as well."""
LOADING = 30.0
"""Seconds that a bot has to be imported."""
LONGEST_LINE = 1 << 20
CALM = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""The same order of sets in every pit, and a core for each."""


class Unplayable(Exception):
    """A bot cannot be had: a code of `hooks.NoBot`, or `slow_load`, `load_crashed`, `no_pit`."""

    def __init__(self, code: str, name: str, detail: str = "") -> None:
        super().__init__(code, name, detail)
        self.code, self.name, self.detail = code, name, detail


class PitDied(Exception):
    """The process has ended. `culprit` was deciding, or nobody was; `last` decided last."""

    def __init__(self, culprit: int | None, kind: str, last: int | None) -> None:
        super().__init__(culprit, kind, last)
        self.culprit, self.kind, self.last = culprit, kind, last


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
            env={**CALM, **os.environ},
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
        answer = self._answer()
        if answer is None:
            raise self._not_loaded()
        if "missing" in answer:
            raise Unplayable(*answer["missing"])
        self._limit = self._plan.budget_ms / 1000 + GRACE
        return tuple(answer["names"])

    def play(self, fixtures: Sequence[Fixture]) -> Iterator[Game]:
        """The matches, each when it is over. Raises PitDied in place of the first that is not."""
        with suppress(OSError):
            self._ask(fixtures)
        for fixture in fixtures:
            game = self._game()
            if game is None or game.fixture != fixture:
                self.kill()
                raise self._died()
            yield game

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

    def _answer(self) -> Any:
        """The next line that the pit tells; None if it has ended, or talks nonsense."""
        pipe = self._process.stdout
        assert pipe is not None
        line = pipe.readline(LONGEST_LINE)
        try:
            return json.loads(line) if line.endswith(b"\n") else None
        except ValueError:
            return None

    def _game(self) -> Game | None:
        try:
            return from_list(self._answer())
        except (ValueError, TypeError, IndexError, AttributeError):
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
                self.kill()

    def _died(self) -> PitDied:
        """Why the process has ended, read off the mark that it left."""
        marked = self._mark.read()
        last = None if marked.last == NOBODY else marked.last
        if self._late is not None:
            return PitDied(self._late, TIMEOUT, last)
        return PitDied(None if marked.inside == NOBODY else marked.inside, CRASH, last)

    def _not_loaded(self) -> Unplayable:
        self.kill()
        death = self._died()
        if death.culprit is None:
            return Unplayable("no_pit", "", self._last_words())
        code = "slow_load" if death.kind == TIMEOUT else "load_crashed"
        return Unplayable(code, self._plan.bots[death.culprit])

    def _last_words(self) -> str:
        """What the interpreter said if it ended before the page was a mark."""
        self._file.seek(0)
        return self._file.read().replace(b"\0", b"").decode(errors="replace").strip()[-1000:]


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that nobody has waited for yet, and its group, which bears its number."""
    if sys.platform == "win32":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)
