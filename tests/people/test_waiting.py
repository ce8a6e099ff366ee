"""A table that waits says for whom, for what and since when, once; and lets whoever leaves go."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.cli.failure import Failure
from p2ptruco.cli.waiting import LATE, LOST, Waiting, owed
from p2ptruco.table.phases import Choice, Duty, Need

KEYS = (b"a", b"b", b"c")


@dataclass
class Sitting:
    """As much of a session as is looked at; seat 1 is ours, and nothing happens."""

    owed: dict[int, Need] = field(default_factory=dict)
    away: dict[bytes, float] = field(default_factory=dict)
    since: float = 0.0
    local: Any = field(default_factory=lambda: SimpleNamespace(seat=0, leaving=False, due=False))

    @property
    def table(self) -> Any:
        roster = [SimpleNamespace(name=name) for name in ("Ana", "Bia", "Caio")]
        terms = SimpleNamespace(roster=roster, times=SimpleNamespace(move=30))
        agreement = SimpleNamespace(identities=KEYS, terms=terms)
        return SimpleNamespace(agreement=agreement, open=self.since, outcome=None)

    @property
    def mesh(self) -> Any:
        linked = frozenset(KEYS) - self.away.keys()
        return SimpleNamespace(missing=lambda: self.away, linked=linked)


class Paper:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def say(self, *lines: str) -> None:
        self.lines += lines


def watched(sitting: Sitting) -> tuple[Paper, Waiting]:
    paper = Paper()
    return paper, Waiting(sitting, paper)  # type: ignore[arg-type]


async def test_nobody_is_late_while_there_is_time(autojump_clock: MockClock) -> None:
    """Then each who owes is named with what they owe, once for each step."""
    sitting = Sitting({1: Choice(1), 0: Duty("tokens"), 2: Duty("reveal")}, since=0.0)  # type: ignore[arg-type,dict-item]
    sitting.since = trio.current_time()
    paper, waiting = watched(sitting)
    with trio.move_on_after(30 + LATE - 1):
        await waiting.run()
    assert paper.lines == []
    with trio.move_on_after(60):
        await waiting.run()
    assert [line.partition(": ")[2] for line in paper.lines] == [
        "Bia (2) owes a move. Wait, or leave.",
        "Caio (3) owes the key of a card. Wait, or leave.",
    ]


async def test_who_cannot_be_reached_is_named_and_greeted(autojump_clock: MockClock) -> None:
    """Not for a moment's loss; and once each."""
    sitting = Sitting()
    paper, waiting = watched(sitting)
    sitting.away[b"b"] = trio.current_time()
    with trio.move_on_after(LOST - 1):
        await waiting.run()
    assert paper.lines == []
    with trio.move_on_after(10):
        await waiting.run()
    (line,) = paper.lines
    assert line.startswith("Bia (2) cannot be reached since ")
    sitting.away.clear()
    with trio.move_on_after(5):
        await waiting.run()
    assert paper.lines[1:] == ["Bia (2) is back."]


@pytest.mark.parametrize(("away", "seconds"), [(True, 2.0), (False, 30 + LATE + 2)])
async def test_who_leaves_does_not_wait_for_ever(
    away: bool, seconds: float, autojump_clock: MockClock
) -> None:
    """For somebody who is not there not at all, for somebody who is as long as they may take."""
    sitting = Sitting({1: Choice(1)}, since=trio.current_time())  # type: ignore[arg-type,dict-item]
    sitting.away |= {b"b": trio.current_time()} if away else {}
    sitting.local.leaving = True
    _, waiting = watched(sitting)
    begun = trio.current_time()
    with pytest.raises(Failure, match="You left while the table waited"):
        await waiting.run()
    assert seconds - 3 < trio.current_time() - begun < seconds


async def test_who_leaves_pays_first_what_they_owe(autojump_clock: MockClock) -> None:
    """The polite way is an entry of our own."""
    sitting = Sitting({0: Choice(0), 1: Duty("ready")})  # type: ignore[arg-type,dict-item]
    sitting.local.leaving = sitting.local.due = True
    _, waiting = watched(sitting)
    with trio.move_on_after(600) as clock:
        await waiting.run()
    assert clock.cancelled_caught


def test_every_debt_has_a_name() -> None:
    kinds = {"reveal": "the key of a card", "seal": "the seal", "shuffle": "a part of the deal"}
    assert {kind: owed(Duty(kind)) for kind in kinds} == kinds
    assert owed(Choice(0)) == "a move"  # type: ignore[arg-type]
