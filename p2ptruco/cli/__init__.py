"""The command line. Nothing is imported here that `--help` does not need."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from contextlib import suppress
from typing import NoReturn

from p2ptruco.process import close_memory


def main() -> None:
    """The console script: run one command and leave with its exit status."""
    close_memory()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback, until `run` hears it
    from p2ptruco.cli.entry import run
    from p2ptruco.cli.streams import ours_alone

    with ours_alone():
        status = run(sys.argv[1:])
    _leave(status)


def _leave(status: int) -> NoReturn:
    """End, whatever threads a plugin has left running: Python would wait for them."""
    if any(not one.daemon for one in threading.enumerate() if one is not threading.main_thread()):
        atexit._run_exitfuncs()
        with suppress(OSError, ValueError):
            sys.stderr.flush()
        os._exit(status)
    sys.exit(status)
