"""The command line. Nothing is imported here that `--help` does not need."""

from __future__ import annotations

import sys


def main() -> None:
    """The console script: run one command and leave with its exit status."""
    from p2ptruco.cli.entry import run

    sys.exit(run(sys.argv[1:]))
