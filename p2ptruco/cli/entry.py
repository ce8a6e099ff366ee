"""One place where everything that a command can do wrong becomes a sentence and a status.

1. No traceback ever reaches a person, of a library's or a thread's neither; with `--verbose` one
   goes to the log.
2. With `--json` a failure is one object on standard output: `{"error": {"code", "message"}}`.
3. Ctrl-C, SIGTERM and SIGHUP end a command cleanly, with 130, 143 and 143; one that is ignored,
   as after `nohup`, stays so.
4. Every command has three standard streams (`streams`).
"""

from __future__ import annotations

import logging
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

import click

from p2ptruco.cli.failure import (
    DONE,
    ENDINGS,
    FAILED,
    INTERRUPTED,
    TERMINATED,
    WRONG_USE,
    Failure,
    Terminated,
)
from p2ptruco.cli.output import emit, tell
from p2ptruco.cli.streams import forgiving, nobody_reads
from p2ptruco.cli.wanted import Wanted
from p2ptruco.errors import alone, within
from p2ptruco.ui.reasons import refusal
from p2ptruco.ui.words import _, speak

log = logging.getLogger(__name__)


def run(argv: Sequence[str]) -> int:
    """Run one command line; its exit status."""
    wanted = Wanted.read(argv)
    try:
        forgiving()
        speak(wanted.language)
        with _interruptible(), _logged(wanted.verbose):
            return _invoke(argv, wanted)
    except BaseException as error:
        if within(error, BrokenPipeError) or isinstance(error, SystemExit):  # click's, for EPIPE
            nobody_reads()
            return FAILED
        failure = explain(error)
        if failure.status not in (INTERRUPTED, TERMINATED) or wanted.json:
            try:
                _report(failure, wanted)
            except OSError:
                nobody_reads()
                return FAILED
        return failure.status


def _invoke(argv: Sequence[str], wanted: Wanted) -> int:
    from p2ptruco.cli.root import root

    try:
        status = root.main(list(argv), "p2ptruco", standalone_mode=False, obj=wanted)
        sys.stdout.flush()
    except Exception:
        log.exception("the command ended with an error")
        raise
    return status if isinstance(status, int) else DONE


def explain(error: BaseException) -> Failure:
    """The failure that an exception stands for."""
    for sort, failure in (
        (Terminated, Failure("terminated", _("Ended by the system."), TERMINATED)),
        (KeyboardInterrupt, Failure("interrupted", _("Stopped."), INTERRUPTED)),
        (click.Abort, Failure("interrupted", _("Stopped."), INTERRUPTED)),
    ):
        if within(error, sort):
            return failure
    match alone(error):
        case Failure() as failure:
            return failure
        case click.FileError() as wrong:
            return Failure("unreadable", wrong.format_message(), WRONG_USE)
        case click.ClickException() as wrong:
            return Failure("usage", wrong.format_message(), WRONG_USE)
        case OSError() as wrong:
            return Failure("system", refusal(wrong), FAILED)
    sentence = _("Something went wrong inside p2ptruco ({name}); --verbose writes a log of it.")
    return Failure("internal", sentence.format(name=type(error).__name__), FAILED)


def _report(failure: Failure, wanted: Wanted) -> None:
    tell(_("Error: {message}").format(message=failure.message))
    if failure.status == WRONG_USE and failure.code == "usage":
        tell(_("Try 'p2ptruco --help' for help."))
    if wanted.json:
        emit({"error": {"code": failure.code, "message": failure.message}})


@contextmanager
def _interruptible() -> Iterator[None]:
    """SIGTERM and SIGHUP raise Terminated here, and Ctrl-C KeyboardInterrupt."""

    def terminate(_number: int, _frame: FrameType | None) -> None:
        raise Terminated

    if hasattr(signal, "SIGCHLD") and signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # else nobody learns how a child ended
    ours = [number for number in ENDINGS if signal.getsignal(number) == signal.SIG_DFL]
    try:
        for number in ours:  # trio knows Python's own handler of Ctrl-C
            handler = signal.default_int_handler if number == signal.SIGINT else terminate
            signal.signal(number, handler)
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def _logged(verbose: bool) -> Iterator[None]:
    """With `--verbose`, what p2ptruco's loggers say, the warnings of others' and what ends a thread
    go to a file in the data folder; else nowhere, for Python would print them."""
    handler = _log_file() if verbose else logging.NullHandler()
    everybody, before = logging.getLogger(), threading.excepthook
    everybody.addHandler(handler)
    threading.excepthook = _thread_ended
    logging.raiseExceptions = False  # a log that cannot be written stops nobody
    try:
        yield
    finally:
        logging.raiseExceptions = True
        threading.excepthook = before
        everybody.removeHandler(handler)
        with suppress(OSError):
            handler.close()


def _log_file() -> logging.Handler:
    from p2ptruco.cli.home import faults_told
    from p2ptruco.store.home import log_file

    with faults_told():
        path = log_file()
    handler = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger("p2ptruco").setLevel(logging.DEBUG)
    tell(_("The log is in {path}").format(path=path))
    return handler


def _thread_ended(ended: threading.ExceptHookArgs) -> None:
    log.error("a thread ended with %s", ended.exc_type.__name__, exc_info=ended.exc_value)
