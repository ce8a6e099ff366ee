"""How a process of a bot ended, in words: by what `process.ended` and the sandbox say of it."""

from __future__ import annotations

import re
from typing import Final

from p2ptruco.ui.words import N_, _

SIGNALS: Final = {
    "SIGKILL": N_("it was killed by somebody, or by the system when memory ran out"),
    "SIGSEGV": N_("it touched memory that is not its own"),
    "SIGABRT": N_("it broke itself off"),
    "SIGTERM": N_("it was told to end"),
}
"""By the name of the signal that ended it."""
LOST: Final = re.compile(r"its process ended \((?P<how>[^()]+)\), its memory is lost")
"""What the sandbox says of a bot whose process ended between two moves."""


def how_ended(detail: str) -> str:
    """`SIGKILL`, `signal 40` or `exit 3`, with whatever last words behind it, as a part of a
    sentence; anything else as it is."""
    how, colon, words = detail.partition(": ")
    kind, _space, number = how.partition(" ")
    if kind == "exit" and number.isdigit():
        told = _("it ended by itself with status {status}").format(status=number)
    elif how in SIGNALS:
        told = _(SIGNALS[how])
    elif how.startswith("SIG") or kind == "signal":
        told = _("the signal {name} ended it").format(name=number or how)
    else:
        return detail
    return told + colon + words


def of_a_bot(line: str) -> str:
    """A line of a bot's fault; if it says that its process ended, in words."""
    found = LOST.fullmatch(line.strip())
    if found is None:
        return line
    sentence = _("its process ended and what it remembered is lost: {how}")
    return sentence.format(how=how_ended(found["how"]))
