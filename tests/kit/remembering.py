"""Pure functions that remember their answers, for tests that audit thousands of like records.

Agreements and signatures are the same in nearly all of them; nothing is answered otherwise than
by the real function.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from unittest import mock

from p2ptruco.table import agreement, entries
from p2ptruco.table.record import audit

REMEMBERED = (
    (agreement, "read_agreement"),
    (agreement, "verify"),
    (audit, "read_agreement"),
    (audit, "verify"),
    (entries, "verify"),
)


@contextmanager
def remembering() -> Iterator[None]:
    """Inside, reading agreements and verifying signatures is done once for the same bytes."""
    patches = [
        mock.patch.object(module, name, lru_cache(maxsize=4096)(getattr(module, name)))
        for module, name in REMEMBERED
    ]
    for patch in patches:
        patch.start()
    try:
        yield
    finally:
        for patch in patches:
            patch.stop()
