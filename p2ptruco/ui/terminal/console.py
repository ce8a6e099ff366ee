"""A plain terminal: lines out, lines in, and nothing that a pipe or a screen reader cannot follow.

1. Reading never blocks the program: one thread waits for input, `run` hands every line, in order,
   to whoever `hears` at that moment. Lines typed when nobody does are kept for the next who does.
2. The end of input is `None`, once for each who hears it; whoever plays then leaves politely.
3. Nothing is drawn over: what is said is said once, as a line.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
import trio

LONGEST = 1000
"""Bytes of a typed line that are looked at."""
MOST_KEPT = 100
"""Lines kept while nobody listens."""

Hears = Callable[[str | None], None]


class Console:
    """Standard input and output of a person."""

    def __init__(self) -> None:
        self._hears: Hears | None = None
        self._kept: deque[str] = deque(maxlen=MOST_KEPT)
        self._over = False

    def say(self, *lines: str) -> None:
        """Say some lines."""
        for line in lines:
            click.echo(line)

    @contextmanager
    def heard_by(self, hears: Hears) -> Iterator[None]:
        """Hand the lines to `hears` for the time of a block."""
        before, self._hears = self._hears, hears
        while self._kept:
            hears(self._kept.popleft())
        if self._over:
            hears(None)
        try:
            yield
        finally:
            self._hears = before

    async def run(self) -> None:
        """Read lines until there are no more."""
        rest = b""
        while chunk := await trio.to_thread.run_sync(_read, abandon_on_cancel=True):
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                self._hand(_text(line))
            rest = rest[:LONGEST]
        if rest:
            self._hand(_text(rest))
        self._over = True
        if self._hears is not None:
            self._hears(None)

    def _hand(self, line: str) -> None:
        if self._hears is not None:
            self._hears(line)
        else:
            self._kept.append(line)

    async def ask(self, question: str) -> str | None:
        """The next line; None if there is no more input."""
        answers: list[str | None] = []
        answered = trio.Event()

        def take(line: str | None) -> None:
            answers.append(line)
            answered.set()

        self.say(question)
        with self.heard_by(take):
            await answered.wait()
        self._kept.extendleft(line for line in reversed(answers[1:]) if line is not None)
        return answers[0]


def _read() -> bytes:
    """Past Python's buffers: a thread that holds one of their locks cannot be left behind."""
    try:
        return os.read(sys.stdin.fileno(), 4096)
    except (OSError, ValueError):
        return b""


def _text(line: bytes) -> str:
    return line[:LONGEST].decode("utf-8", "replace").strip()
