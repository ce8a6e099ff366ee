"""What a command prints: the answer on standard output, everything else on standard error.

With `--json` standard output carries one object and nothing else.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence

import click

from p2ptruco.cli.streams import answers


def say(text: str) -> None:
    """A line of the answer."""
    click.echo(text)


def tell(text: str) -> None:
    """A line about the answer: progress, a message, a reason."""
    click.echo(text, err=True)


def emit(answer: Mapping[str, object]) -> None:
    """The answer as one JSON object."""
    out = answers()
    plain = (out.encoding or "").lower().replace("-", "") != "utf8"
    click.echo(json.dumps(answer, ensure_ascii=plain), file=out)


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows as columns of text, two blanks between them."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


class Meter:
    """How far something is, on standard error, where that is a terminal."""

    def __init__(self, name: str) -> None:
        self.name, self.shown, self.live = name, -1, sys.stderr.isatty()

    def __enter__(self) -> Meter:
        return self

    def show(self, share: float) -> None:
        """A share from 0 to 1."""
        percent = int(share * 100)
        if self.live and percent != self.shown:
            self.shown = percent
            click.echo(f"\r{self.name} {percent:3} %", err=True, nl=False)

    def __exit__(self, *_: object) -> None:
        if self.shown >= 0:
            click.echo("\r" + " " * (len(self.name) + 7) + "\r", err=True, nl=False)
