"""Anything that a check may raise, at random, wherever a program judges what others sent.

Only what is done for others raises (`for_others`): an error of one's own seat may stop it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import Any
from unittest import mock

import trio

from p2ptruco.mental.group import NotInGroup
from p2ptruco.mental.refused import Refused
from p2ptruco.net import wall
from p2ptruco.net.lobby import sitting
from p2ptruco.net.session.turns import Turns
from p2ptruco.rules.play import IllegalMove
from p2ptruco.table.codec import Malformed
from p2ptruco.table.steps.phases import NotDue
from p2ptruco.table.unforeseen import unforeseen
from p2ptruco.table.violation import BrokenTable

SECRET = "the secret of seat 3"
PANIC = type("PanicException", (BaseException,), {"__module__": "pyo3_runtime"})
"""How a Rust library gives up: no `Exception`."""
ANYTHING: tuple[Callable[[], BaseException], ...] = (
    lambda: ValueError(SECRET),
    lambda: KeyError(SECRET),
    lambda: IndexError(SECRET),
    lambda: RuntimeError(SECRET),
    lambda: AssertionError(SECRET),
    lambda: ArithmeticError(SECRET),
    lambda: RecursionError(SECRET),
    lambda: MemoryError(SECRET),
    lambda: StopIteration(SECRET),
    lambda: UnicodeDecodeError("utf-8", b"\xff", 0, 1, SECRET),
    lambda: ExceptionGroup(SECRET, [ValueError(SECRET)]),
    lambda: trio.TooSlowError(SECRET),
    lambda: NotInGroup(SECRET),
    lambda: Refused("bad_proof", 1),
    lambda: Malformed(SECRET),
    lambda: IllegalMove(SECRET),
    lambda: NotDue(SECRET),
    lambda: BrokenTable(SECRET),
    lambda: PANIC(SECRET),
)

WALLS = (wall, sitting)
"""Where a peer's bytes are judged in a trio task."""

for_others: ContextVar[bool] = ContextVar("for_others", default=False)
Place = tuple[Any, str]
"""What has the function, and its name there."""


class Raising:
    """Raises at one of so many calls, whichever of ANYTHING, `most` times at most; `count`: how
    often it has."""

    def __init__(self, seed: int, one_of: int, most: float = math.inf) -> None:
        self._rng, self._one_of, self._most = random.Random(seed), one_of, most
        self.count = 0

    def maybe(self) -> None:
        if self.count < self._most and self._rng.randrange(self._one_of) == 0:
            self.count += 1
            raise self._rng.choice(ANYTHING)()

    @contextmanager
    def at(self, *places: Place, others: bool = True) -> Iterator[None]:
        """These functions raise now and then; with `others` only for what others sent."""
        marks = [(module, "unforeseen", _marking(unforeseen)) for module in WALLS]
        bad = [(*place, self._bad(*place, others)) for place in places]
        ours = (Turns, "move", _marking_ours(Turns.move))
        with ExitStack() as patches:
            for patch in (*marks, ours, *bad):
                patches.enter_context(mock.patch.object(*patch))
            yield

    def _bad(self, owner: Any, name: str, others: bool) -> Callable[..., Any]:
        real = getattr(owner, name)

        def bad(*args: Any, **kwargs: Any) -> Any:
            if for_others.get() or not others:
                self.maybe()
            return real(*args, **kwargs)

        return bad


def _marking_ours(real: Callable[..., None]) -> Callable[..., None]:
    """What is begun for our own seat, whoever's entry opened the step."""

    def begun(*args: Any) -> None:
        token = for_others.set(False)
        try:
            real(*args)
        finally:
            for_others.reset(token)

    return begun


def _marking(real: Callable[..., Any]) -> Callable[..., Any]:
    """The wall, behind which whatever is done is done for others."""

    @contextmanager
    def marked(*args: Any) -> Iterator[None]:
        with real(*args):
            token = for_others.set(True)
            try:
                yield
            finally:
                for_others.reset(token)

    return marked
