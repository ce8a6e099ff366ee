"""Calling p2ptruco as the shell does, in this process: the same entry, its status, what it wrote.

The command modules are imported afresh each time, because they make their help in the language
that was chosen before.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

P2PTRUCO = str(Path(sys.executable).with_name("p2ptruco"))


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def run(*words: str, text: str = "") -> Done:
    """Run a command line; `text` is its standard input."""
    out, err = io.StringIO(), io.StringIO()
    stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(text.encode()))
    try:
        with (
            imported_afresh("p2ptruco.cli."),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            status = import_module("p2ptruco.cli.entry").run(words)
    finally:
        sys.stdin = stdin
    return Done(status, out.getvalue(), err.getvalue())


@contextlib.contextmanager
def imported_afresh(prefix: str) -> Iterator[None]:
    """Import modules anew for the time of a block. Those of before are back after it: what a test
    has imported at its top is what the program uses."""
    before = _taken_out(prefix)
    try:
        yield
    finally:
        _taken_out(prefix)
        sys.modules.update(before)
        for name, module in before.items():
            package, _, attribute = name.rpartition(".")
            setattr(sys.modules[package], attribute, module)


def _taken_out(prefix: str) -> dict[str, ModuleType]:
    """The modules of a prefix, of which the interpreter knows none any more."""
    taken = {name: module for name, module in sys.modules.items() if name.startswith(prefix)}
    for name in taken:
        package, _, attribute = name.rpartition(".")
        vars(sys.modules.get(package, taken.get(package))).pop(attribute, None)
    for name in taken:
        del sys.modules[name]
    return taken
