"""The second wall: what nobody foresaw is `malformed`, and changes nothing (table.md §6)."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any

import pytest
import trio

from p2ptruco.table.course import Course
from p2ptruco.table.table import Checked, Table
from p2ptruco.table.unforeseen import unforeseen
from p2ptruco.table.violation import LinkFault
from tests.kit.court import TO_IRON, Cheat, Court, cards_only
from tests.kit.crooks import CHEATS
from tests.kit.opendeck import open_deck
from tests.kit.party import Peer
from tests.kit.raising import ANYTHING, SECRET
from tests.kit.unforeseen import held

pytestmark = pytest.mark.unforeseen


@pytest.mark.parametrize("error", ANYTHING, ids=lambda error: type(error()).__name__)
def test_whatever_is_raised_is_malformed_and_logged_without_its_message(
    error: Callable[[], BaseException],
) -> None:
    """An error's message may hold a key's bytes; its type and where it was raised do not."""
    thing = "a thing"
    with held() as found, pytest.raises(LinkFault, match=thing) as raised, unforeseen(thing):
        raise error()
    assert raised.value.word == "malformed"
    assert raised.value.__cause__ is None
    (line,) = found
    assert type(error()).__name__ in line
    assert __file__ in line
    assert SECRET not in line + str(raised.value)


def test_what_was_foreseen_passes() -> None:
    """A fault of the link keeps its word, and so does what the caller waits for."""
    with held() as found:
        for expected in (LinkFault("not_due"), KeyError("k"), OSError("disk")):
            with (
                pytest.raises(type(expected)) as raised,
                unforeseen("a thing", LookupError, OSError),
            ):
                raise expected
            assert raised.value is expected
    assert found == []


@pytest.mark.parametrize("ending", [KeyboardInterrupt, SystemExit, GeneratorExit, BaseException])
def test_what_ends_a_program_passes(ending: type[BaseException]) -> None:
    """Ctrl-C in the middle of a check is not a peer's fault."""
    with pytest.raises(ending), unforeseen("a thing"):
        raise ending


async def test_cancellation_passes() -> None:
    """A task that is given up is given up behind the wall too."""
    with trio.CancelScope() as scope:
        scope.cancel()
        with unforeseen("a thing"):
            await trio.sleep_forever()
    assert scope.cancelled_caught


STEPS = ("close", "_enter", "_end", "_played", "_convict", "_forfeit", "_leave", "cut")
"""What a course does with the last entry of a step, from beginning to end."""


class Stumbling(Court):
    """Each change of a table raises once, on its way, before it is let through."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *args: Any) -> None:
        super().__init__(*args)
        self.stumbled: set[tuple[object, ...]] = set()
        for name in STEPS:
            monkeypatch.setattr(Course, name, self._stumbling(name, getattr(Course, name)))

    def _stumbling(self, name: str, real: Callable[..., Course]) -> Callable[..., Course]:
        def once(course: Course, *args: Any) -> Course:
            made = real(course, *args)
            key = (name, course.open.position, len(course.steps), len(course.hands))
            if key not in self.stumbled:
                self.stumbled.add(key)
                raise KeyError(name)
            return made

        return once

    def submit(self, peer: Peer, checked: Checked) -> None:
        for _ in STEPS:
            before = standing(peer.table)
            try:
                super().submit(peer, checked)
            except LinkFault:
                assert standing(peer.table) == before
            else:
                return
        raise AssertionError("stumbled again and again")


def standing(table: Table) -> dict[str, object]:
    """All that a table is, as it is now."""
    holders = (list, dict, set)
    return {n: copy(v) if isinstance(v, holders) else v for n, v in vars(table).items()}


HONEST = Cheat(lambda court, peer: {}, lambda peer: False, "")


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(
    "cheat",
    [
        replace(HONEST, variant=TO_IRON, choose=cards_only),
        CHEATS["two moves, one of them late"],
        CHEATS["sends no tokens"],
        CHEATS["accepts a call that nobody made"],
    ],
)
def test_an_entry_that_raises_leaves_the_table_as_it_was(
    cheat: Cheat, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Gain: an entry half logged makes one honest peer's log another than all others'."""
    with open_deck():
        with monkeypatch.context() as stumbles:
            court = Stumbling(stumbles, cheat, players, 3)
            court.play()
        assert all(peer.table.finished for peer in court.honest)
        assert court.closed == []
        assert court.audit().status == "complete"
    found = {violation.word for violation in court.honest[0].table.violations}
    assert found == ({cheat.verdict.removeprefix("caught ")} if cheat.verdict else set())
    used = {name for name, *_ in court.stumbled}
    assert used >= {"close", "_enter", "_end"}
    assert "cut" in used or "equivocation" not in found
