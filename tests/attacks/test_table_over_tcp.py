"""Every cheat over TCP on loopback: what becomes of it is what table.md says, as over memory.

All of them over real sockets with a clock that jumps whenever nothing has moved for a moment; one
of every kind of outcome with real threads, the real clock and the real deck as well.
"""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from trio.testing import MockClock

from tests.attacks.test_table_cheats import CHEATS, GAMES, rows, words
from tests.kit.cheats.base import Dishonest, cheated
from tests.kit.opendeck import open_deck
from tests.kit.tables_over_tcp import over_tcp

TABLES = (
    ("illegal move", (2, 4)),
    ("bad shuffle proof", (2,)),
    ("two bodies, a choice", (2, 4)),
    ("forged signature", (2,)),
    ("oversized", (2,)),
    ("closing and coming back", (2, 4)),
    ("second link of one identity", (2,)),
    ("silence in the deal", (4,)),
    ("no seal", (2,)),
)
UNNOTICED = 0.01
"""Seconds in which the system hands on what lies in a socket of loopback."""
PATIENCE = {"slow reader": 400.0}
"""Seconds until the system's own buffers are full as well; 40 for all others."""


@pytest.fixture
def jumping_clock() -> MockClock:
    """Whatever is under way in a socket arrives before the time moves."""
    return MockClock(autojump_threshold=UNNOTICED)


@pytest.mark.parametrize(("kind", "size"), GAMES)
async def test_what_becomes_of_every_cheat_over_tcp(
    kind: type[Dishonest], size: int, jumping_clock: MockClock
) -> None:
    """What each would gain stands with the cheat itself."""
    patience = PATIENCE.get(kind.title, 40.0)
    with nullcontext() if kind.real else open_deck():
        evening = await kind.evening(size, tcp=True, patience=patience).play()
        evening.check_honest()
    assert cheated(evening)
    assert evening.words in words(rows()[kind.title][size // 4])


@pytest.mark.parametrize(
    ("title", "size"), [(title, size) for title, sizes in TABLES for size in sizes]
)
async def test_what_becomes_of_a_cheat_in_real_time(title: str, size: int) -> None:
    """What each would gain stands with the cheat itself."""
    evening = await over_tcp(CHEATS[title], size)
    assert cheated(evening)
    assert evening.words in words(rows()[title][size // 4])
