"""What crosses to a bot's process and back is the same value on the other side."""

from __future__ import annotations

import gc
import json
import random
import types
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2ptruco.players.sandbox.plain import move_from, plain_move, plain_view, view_from
from p2ptruco.rules.hand import How
from p2ptruco.rules.moves import Play, Word
from p2ptruco.rules.play import lose
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.seating import TEAMS, Slot
from p2ptruco.rules.variant import Variant
from p2ptruco.rules.view import View

from ..kit.variants import PRESETS, tables
from .kit import first_view, walk


def across(view: View) -> View:
    return view_from(json.loads(json.dumps(plain_view(view))))


@given(table=tables(), seed=st.integers(0, 1 << 32))
@settings(max_examples=12, deadline=None)
def test_a_view_arrives_as_it_left(table: tuple[Variant, int], seed: int) -> None:
    """Equal in every field but the source of chance, in every state of every kind of hand."""
    for view in walk(*table, random.Random(seed)):
        there = across(view)
        assert there == view
        assert there.legal == view.legal
        assert hash(there.hand) == hash(view.hand)


@pytest.mark.parametrize("how", [How.ABSENT, How.ILLEGAL])
@pytest.mark.parametrize("team", TEAMS)
def test_a_hand_that_was_taken_away_arrives_too(how: How, team: int) -> None:
    """Its end is in no move of its history."""
    view = first_view()
    lost = View(lose(view.hand, TEAMS[team], how), view.seat, view.own, view.mates)
    assert across(lost) == lost


@pytest.mark.parametrize("move", [*Word, Play(Slot(4)), Play(Slot(0), face_down=True)], ids=str)
def test_a_move_arrives_as_it_left(move: Play | Word) -> None:
    """Words and cards."""
    assert move_from(json.loads(json.dumps(plain_move(move)))) == move


@pytest.mark.parametrize(
    "told", [None, 1, "shout", [], [1], ["1", False], [1, 0], [1, True, 2], {"a": 1}, [[1], True]]
)
def test_what_is_no_move_is_none(told: object) -> None:
    """A stranger's process may say anything."""
    assert move_from(told) is None


PLAIN = (int, str, float, bool, type(None), tuple, dict, frozenset, list, types.MappingProxyType)
OURS = {
    *("View", "Hand", "Terms", "Match", "Laid", "Trick", "Said", "Shown", "Pending", "Result"),
    *("Variant", "Scale", "Call", "Card", "Play", "Word", "Phase", "Kind", "How"),
    *("AllTied", "PartnersTie", "CallInSpecial", "Iron", "Random"),
}


def reached(start: object) -> set[str]:
    """The types of everything that can be reached from a value through its own references.

    Classes, functions and modules are code, the same for everybody, and are not entered.
    """
    seen: dict[int, object] = {}
    todo = [start]
    while todo:
        thing = todo.pop()
        if id(thing) in seen or isinstance(thing, type | types.ModuleType | types.FunctionType):
            continue
        seen[id(thing)] = thing
        todo += gc.get_referents(thing)
        if hasattr(type(thing), "__dataclass_fields__"):
            todo += [getattr(thing, field.name) for field in fields(thing)]  # type: ignore[arg-type]
    return {type(thing).__name__ for thing in seen.values() if type(thing) not in PLAIN}


@pytest.mark.parametrize(("variant", "players"), PRESETS)
def test_a_view_leads_to_no_table_and_no_key(variant: Variant, players: int) -> None:
    """Whatever a bot follows from its view: the rules' own values, plain values, and its chance."""
    for view in walk(variant, players, random.Random(1)):
        assert reached(view) <= OURS


def test_the_walk_over_objects_finds_what_is_hidden() -> None:
    """The test above is no empty one."""

    class Table:
        pass

    chance = random.Random(1)
    chance.table = Table()  # type: ignore[attr-defined]
    view = next(walk(MINEIRO, 2, random.Random(1)))
    assert "Table" in reached(View(view.hand, view.seat, view.own, view.mates, None, 1, chance))
