"""The command line. Nothing is imported here that `--help` does not need."""

from __future__ import annotations

import signal
import sys

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
    sys.exit(status)
