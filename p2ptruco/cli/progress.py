"""How far an arena is, and how long it will take: on standard error."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import click

from p2ptruco.cli.output import tell
from p2ptruco.ui.words import _

if TYPE_CHECKING:
    from p2ptruco.arena.contest import Arena

EVERY = {True: 0.2, False: 10.0}
"""Seconds between two looks, by whether somebody is watching."""


class Progress:
    """On a terminal one line that changes; elsewhere a line now and then."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._last = time.monotonic()
        self._width = 0

    def show(self, arena: Arena) -> None:
        """Tell how far it is, if it is time to."""
        now = time.monotonic()
        if now - self._last < EVERY[self._live]:
            return
        self._last = now
        text = line(2 * len(arena.pairs), 2 * arena.total, arena.left)
        if self._live:
            click.echo("\r" + text.ljust(self._width), err=True, nl=False)
            self._width = len(text)
        else:
            tell(text)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._width:
            click.echo("\r" + " " * self._width + "\r", err=True, nl=False)


def line(done: int, total: int, left: float | None) -> str:
    """Matches played, and the time that the others will take, in seconds, if that is known."""
    told = _("{done} of {total} matches").format(done=done, total=total)
    return told if left is None else told + _(", {time} left").format(time=clock(left))


def clock(seconds: float) -> str:
    """A time as 0:07 or 1:02:07."""
    minutes, rest = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
