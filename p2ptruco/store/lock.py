"""One process of one identity at a table at a time.

A lock that the system lets go of when its process ends, however it ends: two processes of one
identity could sign two bodies in one place without meaning to.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from filelock import FileLock, Timeout

from ..disk import OWNER
from .home import home


class InUse(Exception):
    """Another process sits at a table with this identity."""


@contextmanager
def identity_locked() -> Iterator[None]:
    """Hold the identity of this data folder. Raises InUse at once if it is held elsewhere, OSError
    on a disk that knows no locks."""
    path = home() / "identity.lock"
    lock = FileLock(path, timeout=0, mode=OWNER, fallback_to_soft=False, preserve_lock_file=True)
    try:
        lock.acquire()
    except Timeout:
        raise InUse from None
    try:
        yield
    finally:
        lock.release()
