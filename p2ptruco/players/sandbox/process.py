"""The table's end of the pipe: one process, lines to it, lines from it, and what it printed.

1. What comes back is a stranger's: lines have a limit, and what is no answer ends the process.
2. Nothing here waits for the bot but `answer`, and that ends when the process does.
3. The environment is what `p2ptruco.process` passes on; the arguments are constant. The process
   leads its own group, so that what it started is ended with it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import trio

from p2ptruco.players.sandbox.starting import COMMAND
from p2ptruco.process import environment

LONGEST_LINE = 1 << 16
KEPT = 8000
"""Bytes of standard error that are kept, the last ones."""
DRAINING = 0.2
"""Seconds to wait for the last of what an ending process prints."""
FAULTS = ("crash", "illegal")
"""What a bot's process can say of itself."""

Told = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot's process says to one line."""

    ms: float
    move: object = None
    fault: str | None = None
    detail: str = ""
    hears: tuple[str, ...] | None = None

    @classmethod
    def read(cls, told: Told) -> Answer:
        """ValueError for what is no answer."""
        ms, fault, hears = told.get("ms"), told.get("fault"), told.get("hears")
        if not isinstance(ms, int | float) or not 0 <= ms < float("inf"):
            raise ValueError("no time")
        if fault is not None and fault not in FAULTS:
            raise ValueError("no fault")
        detail = str(told.get("detail", ""))[:KEPT]
        heard = tuple(map(str, hears)) if isinstance(hears, list) else None
        return cls(ms, told.get("move"), fault, detail, heard)


class Process:
    """A bot's process: `run` it in a nursery, `send` lines, await the `answer` to each."""

    def __init__(self, heard: Callable[[str, Answer], None]) -> None:
        self.hello: Told | None = None
        self.ended = trio.Event()
        self.closing = False
        self.status: int | None = None
        """How the process ended, as the system tells it; negative: by that signal."""
        self.printed = b""
        self.nonsense = False
        """Whether it was ended because it told what is no answer."""
        self.open: deque[tuple[int, str]] = deque()
        """Number and name of every call that has no answer yet; the first is under way."""
        self._heard = heard
        self._answers: dict[int, Answer] = {}
        self._drained = trio.Event()
        self._outbox: deque[bytes] = deque()
        self._news = trio.Event()
        self._process: trio.Process | None = None

    async def run(self) -> None:
        """Live and die with the process; cancelled, kill it."""
        try:
            with trio.CancelScope(shield=True):
                self._process = await trio.lowlevel.open_process(
                    COMMAND,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env=environment(),
                    start_new_session=True,
                )
            async with trio.open_nursery() as tasks:
                tasks.start_soon(self._write)
                tasks.start_soon(self._keep_printed)
                await self._read()
                if self.nonsense:
                    self.kill()
                await self._drain()  # by then it has ended with a status of its own
                self.kill()
                await self._drain()
                tasks.cancel_scope.cancel()
        finally:
            with trio.CancelScope(shield=True):
                await self._reap()

    async def _reap(self) -> None:
        if self._process is not None:
            self.kill()
            self.status = await self._process.wait()
        self.ended.set()
        self._stir()

    @property
    def words(self) -> str:
        """What it printed, as text."""
        return self.printed.decode(errors="replace")

    def kill(self) -> None:
        """End the process and its group at once."""
        if self._process is None or self.ended.is_set():
            return
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def close(self) -> None:
        """Say that there will be no more lines."""
        self.closing = True
        self._stir()

    def send(self, line: Told, number: int | None = None, name: str = "") -> None:
        """Queue a line; with a number, an answer to it is expected."""
        if number is not None:
            self.open.append((number, name))
            line = line | {"n": number}
        self._outbox.append(json.dumps(line).encode() + b"\n")
        self._stir()

    async def greeted(self) -> Told | None:
        """The first line; None if the process ended before it."""
        while self.hello is None and not self.ended.is_set():
            await self._news.wait()
        return self.hello

    async def answer(self, number: int) -> Answer | None:
        """The answer to a numbered line; None if the process ended before it."""
        while number not in self._answers and not self.ended.is_set():
            await self._news.wait()
        return self._answers.get(number)

    async def quiet(self) -> None:
        """Wait until every line has its answer, or the process has ended."""
        while self.open and not self.ended.is_set():
            await self._news.wait()

    # The three pipes.

    async def _write(self) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            while self._outbox or not self.closing:
                while self._outbox:
                    await self._process.stdin.send_all(self._outbox.popleft())
                if not self.closing:
                    await self._news.wait()
            await self._process.stdin.aclose()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return

    async def _read(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        rest = b""
        try:
            async for chunk in self._process.stdout:
                *whole, rest = (rest + chunk).split(b"\n")
                for line in whole:
                    self._take(json.loads(line))
                if len(rest) > LONGEST_LINE:
                    raise ValueError("too long")
        except (ValueError, TypeError, RecursionError):
            self.nonsense = True
        except trio.BrokenResourceError:
            return

    def _take(self, told: Any) -> None:
        """One line of the bot's process; ValueError for one that nobody waits for."""
        if not isinstance(told, dict):
            raise ValueError("no object")
        if self.hello is None:
            self.hello = told
        elif not self.open or told.get("n") != self.open[0][0]:
            raise ValueError("an answer to nothing")
        else:
            answer = Answer.read(told)
            number, name = self.open.popleft()
            self._answers = {number: answer}
            self._heard(name, answer)
        self._stir()

    async def _drain(self) -> None:
        """Let the last of what it prints come, for a moment: that ends when the process does."""
        with trio.move_on_after(DRAINING):
            await self._drained.wait()

    async def _keep_printed(self) -> None:
        assert self._process is not None
        assert self._process.stderr is not None
        with suppress(trio.BrokenResourceError):
            async for chunk in self._process.stderr:
                self.printed = (self.printed + chunk)[-KEPT:]
        self._drained.set()

    def _stir(self) -> None:
        self._news.set()
        self._news = trio.Event()
