"""A seat's keys draw the offline part of a shuffle once, however many threads ask for it."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from p2ptruco.mental import shuffle
from p2ptruco.table.steps.dealing import Shuffling
from tests.kit.party import Party
from tests.kit.tables_over_links import SHORT


def test_whoever_shuffles_uses_what_is_being_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads in one moment draw one part; before its turn, and only then, it is prepared."""
    drawn: list[int] = []
    honest = shuffle.prepare

    def slow(joint: Any, seat: int, cards: int, source: Any) -> Any:
        drawn.append(seat)
        time.sleep(0.1)
        return honest(joint, seat, cards, source)

    party = Party(SHORT, 2, seed=3)
    table = party.peers[0].table
    party.play(until=lambda: isinstance(table.open.phase, Shuffling))
    monkeypatch.setattr(shuffle, "prepare", slow)
    first, second = (peer.keeper for peer in party.peers)
    first.prepare(table.open.phase)
    assert drawn == []
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(second.prepare, [table.open.phase] * 2))
    assert drawn == [1]
    party.play(until=lambda: not isinstance(table.open.phase, Shuffling))
    assert drawn == [1, 0]
