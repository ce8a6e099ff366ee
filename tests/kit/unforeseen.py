"""What the second wall holds (p2ptruco/table/unforeseen.py).

No program ends by what nobody foresaw, so no test would notice it either: here it fails them.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from p2ptruco.table import unforeseen


class _Handler(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(record.getMessage())


@contextmanager
def held() -> Iterator[list[str]]:
    """All that the wall holds while the block runs, as it is logged."""
    handler = _Handler()
    unforeseen.log.addHandler(handler)
    try:
        yield handler.found
    finally:
        unforeseen.log.removeHandler(handler)


@contextmanager
def nothing_unforeseen() -> Iterator[None]:
    """Fail if the wall holds anything while the block runs."""
    with held() as found:
        yield
    assert not found, found[0]
