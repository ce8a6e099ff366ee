"""Calling p2ptruco as the shell does, in this process: the same entry, its status, what it wrote.

The command modules are imported afresh each time, because they make their help in the language
that was chosen before.
"""

from __future__ import annotations

import contextlib
import io
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

P2PTRUCO = str(Path(sys.executable).with_name("p2ptruco"))


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def run(*words: str, text: str = "") -> Done:
    """Run a command line; `text` is its standard input."""
    for name in [name for name in sys.modules if name.startswith("p2ptruco.cli.")]:
        del sys.modules[name]
    entry = import_module("p2ptruco.cli.entry")
    out, err = io.StringIO(), io.StringIO()
    stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(text.encode()))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = entry.run(words)
    finally:
        sys.stdin = stdin
    return Done(status, out.getvalue(), err.getvalue())
