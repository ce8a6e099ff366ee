"""A plain terminal: lines out, lines in, and nothing that a pipe or a screen reader cannot follow.

1. Reading never blocks the program: one thread waits for input, `run` hands every line, in order,
   to whoever `hears` at that moment. Lines typed when nobody does are kept for the next who does.
2. The end of input is `None`, once for each who hears it; whoever plays then leaves politely.
3. Nothing is drawn over: what is said is said once, as a line of 80 columns at most, tickets and
   paths apart.
"""

from __future__ import annotations

import os
import sys
import textwrap
from collections import deque
from collections.abc import Callable
from io import UnsupportedOperation

import click
import trio

LONGEST = 1000
"""Bytes of a typed line that are looked at."""
MOST_KEPT = 100
"""Lines kept while nobody listens."""
WIDTH = 79
"""Columns of a line of prose."""

Hears = Callable[[str | None], None]


class Console:
    """Standard input and output of a person; `aside`: what is said goes to standard error."""

    def __init__(self, *, aside: bool = False) -> None:
        self._aside = aside
        self._hears: Hears | None = None
        self._lines: deque[str] = deque(maxlen=MOST_KEPT)
        self._over = self._told_over = False
        self._listened = trio.Event()

    def say(self, *lines: str) -> None:
        """Say some lines."""
        for line in lines:
            for part in folded(line):
                click.echo(part, err=self._aside)

    def listen(self, hears: Hears | None) -> None:
        """Hand the lines to `hears` from now on, those kept first; None: keep them."""
        self._hears, self._told_over = hears, False
        self._listened.set()

    async def run(self) -> None:
        """Read lines, and hand them over, until cancelled."""
        async with trio.open_nursery() as tasks:
            tasks.start_soon(self._read)
            while True:
                self._listened = trio.Event()
                self._hand_over()
                await self._listened.wait()

    async def _read(self) -> None:
        rest = b""
        while chunk := await trio.to_thread.run_sync(read_some, abandon_on_cancel=True):
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                self._take(line)
            rest = rest[:LONGEST]
        if rest:
            self._take(rest)
        self._over = True
        self._hand_over()

    def _take(self, line: bytes) -> None:
        self._lines.append(_text(line))
        self._hand_over()

    def _hand_over(self) -> None:
        """What was typed to whoever hears; at last that there will be no more."""
        while self._hears is not None and self._lines:
            self._hears(self._lines.popleft())
        if self._hears is not None and self._over and not self._told_over:
            self._told_over = True
            self._hears(None)


def folded(line: str) -> list[str]:
    """A line as it fits a terminal: long ones go on, set in, between words; a name and what it
    names stay together."""
    if len(line) <= WIDTH or len(line.split()) < 3:
        return [line]
    return textwrap.wrap(
        line,
        WIDTH,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def typed_line() -> str:
    """One line of standard input and not a byte more, so that the rest is there to be read."""
    line = b""
    while (byte := read_some(1)) not in (b"", b"\n"):
        line += byte if len(line) < LONGEST else b""
    return _text(line)


def read_some(most: int = 4096) -> bytes:
    """Past Python's buffers: a thread that holds one of their locks cannot be left behind."""
    try:
        return os.read(sys.stdin.fileno(), most)
    except UnsupportedOperation:  # no file of the system's, such as a test's
        return sys.stdin.buffer.read(most)
    except (OSError, ValueError):
        return b""


def _text(line: bytes) -> str:
    return line[:LONGEST].decode("utf-8", "replace").strip()
