"""Children that hear signals, whoever started the tests.

A child inherits which signals are ignored and which are blocked: under `nohup`, or by a parent that
ignores Ctrl-C, a test of a signal would wait for what never comes.
"""

from __future__ import annotations

import signal
from contextlib import suppress


def restored() -> None:
    """For `preexec_fn`: every signal does what it does by default, and none is blocked."""
    for number in signal.valid_signals():
        with suppress(OSError, ValueError):  # some cannot be changed
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
