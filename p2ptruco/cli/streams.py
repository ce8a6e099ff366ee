"""The standard streams of a command.

1. There are three; one that was closed reads and keeps nothing, and has its number, which no file
   of ours is to have. What a terminal cannot show is a question mark.
2. Standard output is for our answer alone. What else writes to its number (a plugin's code, what it
   has started) reaches standard error; so does what writes to `sys.stdout` while a command with
   `--json` runs, and after the end of any command.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from typing import TextIO

_answers: TextIO | None = None


def forgiving() -> None:
    """See that there are three standard streams, which show what they can (law 1)."""
    while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(handle, True)
    os.close(handle)
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


@contextmanager
def ours_alone() -> Iterator[None]:
    """Keep standard output for our answer (law 2), in a process that ends after the block."""
    forgiving()
    encoding = sys.stdout.encoding
    sys.stdout = open(os.dup(1), "w", encoding=encoding, errors="replace")  # noqa: SIM115
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout = sys.stderr


@contextmanager
def answers_only() -> Iterator[None]:
    """Let nothing but `answers` reach standard output in the block."""
    global _answers
    before = _answers
    _answers = before or sys.stdout
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _answers = before


def answers() -> TextIO:
    """Where answers for programs go."""
    return _answers or sys.stdout


def nobody_reads() -> None:
    """The reader of standard output has gone: nothing more is said, what is left goes nowhere."""
    gone, sys.stdout = sys.stdout, open(os.devnull, "w")  # noqa: SIM115
    with suppress(OSError, ValueError):
        if gone.fileno() > 2:
            os.dup2(sys.stdout.fileno(), gone.fileno())
