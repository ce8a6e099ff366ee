"""`protocol/front.md` says what is written and read, name by name and key by key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.app import plain
from p2ptruco.app.commands import Command
from p2ptruco.app.questions import AskMove
from p2ptruco.rules.moves import CALL
from p2ptruco.rules.play import act
from p2ptruco.ui.front.sentences import REFUSED
from tests.app.kit import every
from tests.app.test_plain import EVENTS, asked
from tests.people.test_person import hand, view

PAGE = (Path(__file__).parents[2] / "protocol" / "front.md").read_text(encoding="utf-8")
FREE = {"about", "toggles", "differs"}
"""Objects whose keys are data."""


def rows(heading: str) -> dict[str, set[str]]:
    """First column → the keys in the second, of the table under a heading."""
    table = PAGE.split(f"{heading}\n")[1].split("\n#")[0]
    cells = [line.split("|")[1:3] for line in table.splitlines() if line.startswith("| ")]
    return {name.strip(" `"): set(re.findall(r"`(\w+)`", keys)) for name, keys in cells[2:]}


async def written(autojump: MockClock) -> list[dict[str, Any]]:
    """Every event and every question, as an object."""
    await trio.sleep(10)
    views = (view(act(hand(), 1, CALL), 0), view(hand((10, 0), players=4), 0))
    moves = [AskMove(9, (), None, None, False, seen) for seen in views]
    questions = [plain.question(one) for one in (*asked(), *moves)]
    return [plain.event(one) for one in EVENTS] + questions


def inside(value: Any) -> Iterator[set[str]]:
    """The keys of every object in an object."""
    for name, one in value.items() if isinstance(value, dict) else ():
        for item in one if isinstance(one, list) else [one]:
            if isinstance(item, dict) and name not in FREE:
                yield set(item)
                yield from inside(item)


@pytest.mark.parametrize(
    ("kind", "heading"), [("event", "## 3. Events"), ("question", "## 4. Questions")]
)
async def test_every_event_and_question_is_in_the_page(
    kind: str, heading: str, autojump_clock: MockClock
) -> None:
    """And nothing else is: whoever writes a face by the page knows every key."""
    objects = [one for one in await written(autojump_clock) if kind in one]
    assert rows(heading) == {one[kind]: set(one) - {kind} for one in objects}


async def test_every_object_in_them_is_in_the_page(autojump_clock: MockClock) -> None:
    told = [keys for one in await written(autojump_clock) for keys in inside(one)]
    page = list(rows("### Objects in events and questions").values())
    assert [keys for keys in told if keys not in page] == []
    assert [keys for keys in page if keys not in told] == []


def test_every_command_is_in_the_page() -> None:
    known = {
        str(sort.__struct_config__.tag): set(sort.__struct_fields__)  # type: ignore[attr-defined]
        for sort in every(Command)
    }
    assert rows("## 5. Commands") == known


def test_every_code_of_a_refusal_is_in_the_page() -> None:
    line = next(line for line in PAGE.splitlines() if line.startswith("`refused` codes: "))
    assert set(re.findall(r"`(\w+)`", line)) - {"refused"} == set(REFUSED)
