"""One process of one identity at a table at a time.

A lock that the system lets go of when its process ends, however it ends: two processes of one
identity could sign two bodies in one place without meaning to.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from .home import home


class InUse(Exception):
    """Another process sits at a table with this identity."""


@contextmanager
def identity_locked() -> Iterator[None]:
    """Hold the identity of this data folder. Raises InUse at once if it is held elsewhere."""
    handle = os.open(home() / "identity.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _lock(handle)
        yield
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            raise InUse from None

else:
    import fcntl

    def _lock(handle: int) -> None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:  # any other refusal is the system's to explain
            raise InUse from None
