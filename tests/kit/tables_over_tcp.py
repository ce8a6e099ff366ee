"""The same tables over TCP on loopback: real time, real threads, the real deck."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from p2ptruco.net.session import session
from p2ptruco.table.agreement import Times
from tests.kit.cheats.base import Dishonest
from tests.kit.tables_over_links import Evening

HURRIED = {"tcp": True, "times": Times(grace=1), "patience": 8.0, "pause": (0.1, 0.1)}


@contextmanager
def in_a_hurry() -> Iterator[None]:
    """No long goodbye at the end of a match."""
    with mock.patch.multiple(session, LEAST=1.0, LINGER=0.5):
        yield


async def over_tcp(kind: type[Dishonest], size: int, seed: int = 0) -> Evening:
    """A whole evening with this cheat, played and checked."""
    with in_a_hurry():
        evening = await kind.evening(size, seed=seed, **HURRIED).play()
    evening.check_honest()
    return evening
