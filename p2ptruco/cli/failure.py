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
from typing import TypeVar

Sort = TypeVar("Sort", bound=BaseException)

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


def within(error: BaseException, sort: type[Sort]) -> Sort | None:
    """The first of this sort: an exception, or one in a group of groups."""
    if isinstance(error, sort):
        return error
    members = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    found = (within(member, sort) for member in members)
    return next((one for one in found if one is not None), None)


def alone(error: BaseException) -> BaseException:
    """The one exception in a group of groups; a group of several as it is."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error
