"""A cheat of every kind of outcome over TCP on loopback: real sockets, threads, clock and deck.

What becomes of it is what table.md says of it, as over memory streams.
"""

from __future__ import annotations

import pytest

from tests.attacks.test_table_cheats import CHEATS, rows, words
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


@pytest.mark.parametrize(
    ("title", "size"), [(title, size) for title, sizes in TABLES for size in sizes]
)
async def test_what_becomes_of_a_cheat_over_tcp(title: str, size: int) -> None:
    """What each would gain stands with the cheat itself."""
    evening = await over_tcp(CHEATS[title], size)
    assert evening.words in words(rows()[title][size // 4])
