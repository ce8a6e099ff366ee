"""A long evening: what stays in memory of the matches that are over."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from types import ModuleType

from p2ptruco.app.match import played
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.table.entries import Entry
from p2ptruco.table.table import Table
from tests.kit.party import Party


def held_by(one: object) -> Iterator[object]:
    """Everything that cannot be forgotten while this is remembered, code apart."""
    seen, todo = {id(one)}, [one]
    while todo:
        yield (here := todo.pop())
        for other in gc.get_referents(here):
            if id(other) not in seen and not isinstance(other, type | ModuleType):
                seen.add(id(other))
                todo.append(other)


def test_a_match_that_is_over_leaves_a_line_and_who_sat_there() -> None:
    """Each left its whole table, half a megabyte."""
    party = Party(MINEIRO, 2).play()
    table = party.peers[0].table
    assert any(isinstance(one, Entry) for one in held_by(table))
    left = played(table, 0, "match.trec")
    assert not any(isinstance(one, Table | Entry) for one in held_by(left))
    assert left.told["hands"] == len(table.hands)
    assert [place.name for place in left.others.values()] == [
        place.name for place in table.agreement.terms.roster[1:]
    ]
