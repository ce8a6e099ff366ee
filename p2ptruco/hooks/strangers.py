"""Running a stranger's code in this process: a plugin's import and its hooks, a bot's file.

1. Whatever it raises is `Broken`, with a line that says what it was: no `Exception` either.
2. A signal that arrives meanwhile does here what it does elsewhere, whatever the code makes of the
   exception that it raises: a Ctrl-C is the person's, a `raise KeyboardInterrupt` the stranger's.
3. What the code prints goes to standard error, since standard output is the command's.

Code that ends the process (`os._exit`), crashes it, or never returns cannot be survived here.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from types import FrameType
from typing import Any, TextIO, TypeVar

from p2ptruco.hooks.offers import described

log = logging.getLogger(__name__)

Result = TypeVar("Result")


class Broken(Exception):
    """A stranger's code has raised something; `detail` is fit to be shown."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


def attempted(code: Callable[[], Result]) -> Result:
    """What a stranger's code returns. Raises Broken, or what a signal raises."""
    failed: BaseException | None = None
    with _signals_kept() as raised, redirect_stdout(_aside()):
        try:
            result = code()
        except BaseException as error:
            failed = error
    if raised:
        raise raised[0]
    if failed is not None:
        log.info("a stranger's code failed", exc_info=failed)
        raise Broken(described(failed)) from failed
    return result


_streams: list[TextIO] = []


def _aside() -> TextIO:
    """Standard error as a stream that a stranger may keep, or close: ours stays open."""
    if not _streams or not _is_open(_streams[-1]):
        try:
            handle = os.dup(2)
        except OSError:
            return sys.stderr
        _streams.append(open(handle, "w", buffering=1, errors="backslashreplace"))  # noqa: SIM115
    return _streams[-1]


def _is_open(stream: TextIO) -> bool:
    try:
        return not stream.closed
    except ValueError:  # it has been detached
        return False


@contextmanager
def _signals_kept() -> Iterator[list[BaseException]]:
    """What the handlers of signals raise in the block; afterwards they are as they were."""
    raised: list[BaseException] = []
    before = _handlers()

    def heard(handler: Callable[[int, FrameType | None], Any]) -> Callable[..., Any]:
        def hear(number: int, frame: FrameType | None) -> Any:
            try:
                return handler(number, frame)
            except BaseException as error:
                raised.append(error)
                raise

        return hear

    try:
        for number, handler in before.items():
            signal.signal(number, heard(handler))
        yield raised
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _handlers() -> dict[int, Callable[[int, FrameType | None], Any]]:
    """The handlers that are Python's; none outside the main thread, where no signal is handled."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    found = ((number, signal.getsignal(number)) for number in signal.valid_signals())
    return {number: handler for number, handler in found if callable(handler)}
