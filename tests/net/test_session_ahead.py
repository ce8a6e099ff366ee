"""The deal of the next hand behind the play (table.md §1): nothing but waiting goes."""

from __future__ import annotations

import pytest
from trio.testing import MockClock

from p2ptruco.table.steps.playing import Tokening
from tests.kit.opendeck import open_deck
from tests.kit.tables_over_links import Evening, Peer


class Watching(Peer):
    """Notes every step in which its table stood."""

    def __init__(self, evening: Evening, seat: int) -> None:
        super().__init__(evening, seat)
        self.stood: list[tuple[int, type]] = []
        note = self.local.note

        def noting() -> None:
            here = self.table.open
            self.stood.append((here.position.hand, type(here.phase)))
            note()

        self.local.note = noting  # type: ignore[method-assign]


@pytest.mark.parametrize("players", [2, 4, 6, 8])
async def test_the_next_cards_are_there_after_one_message(
    players: int, autojump_clock: MockClock
) -> None:
    """Where a hand takes its time, the next begins with the tokens."""
    with open_deck():
        evening = Evening(players, dict.fromkeys(range(players), Watching), ahead=True)
        evening.pause = (2.0, 2.0)
        await evening.play()
        evening.check_honest()
    assert evening.ending == "played"
    for peer in evening.peers:
        steps = zip(peer.stood, peer.stood[1:], strict=False)
        begun = [now[1] for before, now in steps if before[0] == now[0] - 1]
        assert begun
        assert set(begun) == {Tokening}
