"""Every cheat at real tables of 2 and of 4 seats, and what becomes of it (table.md, last section).

One dishonest peer, the others honest: real sessions, meshes and channels over memory streams, a
mock clock. Whatever it does, all honest peers end with the same log, accuse nobody honest, keep
their links to each other, play their own minds, and none of their sessions raises.
"""

from __future__ import annotations

import re
from contextlib import nullcontext
from pathlib import Path

import pytest
from trio.testing import MockClock

from tests.kit.cheats import every_cheat
from tests.kit.cheats.base import Dishonest, cheated
from tests.kit.opendeck import open_deck
from tests.kit.tables_over_links import Evening

PAGE = Path(__file__).parents[2] / "protocol" / "table.md"
HEADING = "Cheats and what becomes of them"
DOOR = frozenset({"wrong ticket", "full table"})
"""Rows that test_table_door.py plays: they never sit down."""


def rows() -> dict[str, tuple[str, ...]]:
    """The table of the page: cheat → what becomes of it at 2 and at 4 seats."""
    section = PAGE.read_text().partition(HEADING)[2]
    cells = [line.strip("| \n").split(" | ") for line in section.splitlines() if "|" in line]
    return {title: tuple(cell) for title, *cell in cells[2:]}


def words(cell: str) -> list[set[str]]:
    """`closed `not_due`, played` as the set of its words; where `or` stands, a set for each."""
    ways = re.sub("`", "", cell).split(" or ")
    return [{word.strip() for word in way.split(",")} for way in ways]


CHEATS = {kind.title: kind for kind in every_cheat()}
GAMES = [
    pytest.param(kind, size, id=f"{kind.title}, {size} seats")
    for kind in CHEATS.values()
    for size in kind.sizes
]


async def played(kind: type[Dishonest], size: int) -> Evening:
    with nullcontext() if kind.real else open_deck():
        evening = await kind.evening(size).play()
        evening.check_honest()
    assert cheated(evening), "the cheat never came to it"
    return evening


@pytest.mark.parametrize(("kind", "size"), GAMES)
async def test_what_becomes_of_a_cheat(
    kind: type[Dishonest], size: int, autojump_clock: MockClock
) -> None:
    """What each would gain stands with the cheat itself."""
    cells = dict(zip((2, 4), rows()[kind.title], strict=True))
    evening = await played(kind, size)
    assert evening.words in words(cells[size])
    assert {violation.seat for violation in evening.violations} <= {kind.chair}
    evening.check_memory()


def test_the_page_and_the_kit_name_the_same_cheats() -> None:
    """A row without a cheat promises what nobody tried; a cheat without a row promises nothing."""
    assert rows().keys() - DOOR == CHEATS.keys()
    for title, cells in rows().items():
        sizes = CHEATS[title].sizes if title in CHEATS else (2, 4)
        assert [cell != "–" for cell in cells] == [size in sizes for size in (2, 4)], title
    assert all(kind.__doc__ for kind in CHEATS.values())
