"""A check that raises anything, at random, at each place: no table ends by it (table.md §6).

More seeds and sizes: tests/soak/raising_checks.py.
"""

from __future__ import annotations

import pytest
from trio.testing import MockClock

from p2ptruco.players.keeper import Keeper
from p2ptruco.players.local import LocalSeat
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.table import rulings
from p2ptruco.table.course import Course
from p2ptruco.table.entries import Content
from p2ptruco.table.steps.phases import Phase
from p2ptruco.table.steps.playing import Choosing
from p2ptruco.table.table import Open, Table
from p2ptruco.table.violation import BrokenTable, LinkFault
from tests.kit.cheats.base import Dishonest, cheated
from tests.kit.opendeck import open_deck
from tests.kit.party import Party
from tests.kit.raising import SECRET, Place, Raising, for_others
from tests.kit.tables_over_links import Evening
from tests.kit.wall import PLACES, play


@pytest.mark.unforeseen
@pytest.mark.parametrize(("where", "size"), [*((where, 2) for where in PLACES), ("everywhere", 4)])
async def test_no_check_ends_a_table(where: str, size: int, autojump_clock: MockClock) -> None:
    """Gain: one entry, frame or token that nobody thought of ends every honest program, and the
    seat that was losing has not lost. Here each link is closed some times in a match and comes
    back, what was lost is asked for, and all come to one end."""
    raising = await play(where, size, seed=size)
    assert raising.count > 0


class Stone(Dishonest):
    """Lays a card over which every other program stumbles, each time."""

    def content(self, here: Open, content: Content) -> Content:
        self.acted |= isinstance(here.phase, Choosing)
        return content


@pytest.mark.unforeseen
@pytest.mark.parametrize("size", [2, 4])
async def test_an_entry_over_which_all_stumble_is_logged_by_none(
    size: int, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Gain: some log it and some do not, and honest peers come to two ends. The table waits for
    its author instead, and the links among the others stay."""
    real = rulings.rule

    def stumbling(phase: Phase, seat: int, content: Content) -> object:
        if for_others.get() and seat == Stone.chair and isinstance(phase, Choosing):
            raise KeyError(content)
        return real(phase, seat, content)  # type: ignore[arg-type]

    monkeypatch.setattr(rulings, "rule", stumbling)
    with open_deck(), Raising(0, 1).at():
        evening = await Stone.evening(size).play()
        evening.check_honest()
    assert cheated(evening)
    assert evening.words == {"closed malformed", "suspended"}


@pytest.mark.unforeseen
@pytest.mark.parametrize("place", [(Keeper, "pay"), (Table, "check"), (LocalSeat, "speak")])
async def test_an_error_of_our_own_seat_stops_our_table(
    place: Place, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What fails here is said here: a seat that silently owes would be waited for all evening."""
    real = getattr(*place)

    def failing(mine: object, *args: object) -> object:
        if for_others.get():
            return real(mine, *args)
        raise KeyError(SECRET)

    evening = Evening(2, patience=5.0)
    with open_deck(), Raising(0, 1).at():
        monkeypatch.setattr(*place, failing)
        with pytest.raises(ExceptionGroup) as raised:
            await evening.play()
    assert raised.value.subgroup((BrokenTable, KeyError))


@pytest.mark.unforeseen
@pytest.mark.parametrize("raised", [StopIteration, KeyError])
def test_what_closing_a_step_raises_leaves_nothing_half(
    raised: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Gain: an entry is in, its step stays open for ever, and nobody is asked for anything."""
    with open_deck():
        party = Party(MINEIRO, 2, 1).play()
        table = Table(party.agreement, party.source)
        first, last = (parsed.entry for parsed in party.peers[0].table.steps[0].entries)
        table.submit(table.check(first))
        close = Course.close

        def fail(course: Course, paid: object) -> Course:
            raise raised

        monkeypatch.setattr(Course, "close", fail)
        with pytest.raises(LinkFault):
            table.submit(table.check(last))
        assert len(table.owed) == 1
        monkeypatch.setattr(Course, "close", close)
        assert table.submit(table.check(last))
        assert table.open.position.step == 1
