"""How a command says no.

| status | when |
| --- | --- |
| 0 | done, and the answer is yes |
| 1 | it failed, or the answer is no |
| 2 | wrong use, or a file that cannot be read |
| 130, 143 | ended by Ctrl-C, by SIGTERM or SIGHUP |
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from p2ptruco.app.stopped import Stopped

DONE, FAILED, WRONG_USE, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143


class Failure(Exception):
    """Ends a command with one sentence for people and a code for programs."""

    def __init__(self, code: str, message: str, status: int = FAILED) -> None:
        super().__init__(message)
        self.code, self.message, self.status = code, message, status


class Terminated(BaseException):
    """SIGTERM or SIGHUP arrived. Like KeyboardInterrupt, it passes what catches Exception."""


ENDINGS: dict[int, type[BaseException]] = {
    signal.SIGINT: KeyboardInterrupt,
    signal.SIGTERM: Terminated,
}
"""What each signal that ends a command raises in it."""
if hasattr(signal, "SIGHUP"):
    ENDINGS[signal.SIGHUP] = Terminated


CODES = {"no_ticket": ("bad_ticket", WRONG_USE)}
"""What a program reads where it is not the code and the status of a failure."""


def said(stopped: Stopped) -> Failure:
    """What stopped a person, in words."""
    from p2ptruco.ui.reasons import stopped as sentence

    code, status = CODES.get(stopped.code, (stopped.code, FAILED))
    return Failure(code, sentence(stopped.code, stopped.about), status)


@contextmanager
def in_words() -> Iterator[None]:
    """A block that a person was stopped in, as a Failure."""
    from p2ptruco.app.stopped import Stopped

    try:
        yield
    except Stopped as stopped:
        raise said(stopped) from stopped
