"""The port this machine listens on: any free one at first, then the same again."""

from __future__ import annotations

from p2ptruco.disk import write_whole

from .home import home, read_plain

LONGEST = 16
"""Bytes of the file that are looked at."""


def remembered() -> int:
    """The port used last, 0 if there was none."""
    try:
        text = read_plain(home() / "port", LONGEST).decode("ascii").strip()
    except (OSError, ValueError):
        return 0
    return int(text) if text.isdigit() and len(text) < 6 and int(text) < 65536 else 0


def remember(port: int) -> None:
    """Use this one next time. OSError if the folder cannot be written."""
    write_whole(home() / "port", b"%d\n" % port)
