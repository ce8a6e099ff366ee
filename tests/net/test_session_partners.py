"""Partners' cards at a session: several come at once, each is used once."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import trio

from p2ptruco.net.session import partners
from p2ptruco.players.offload import in_thread
from p2ptruco.rules.seating import Seat
from p2ptruco.table.private import Cards


async def test_partners_cards_that_come_at_once_are_each_used_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At eight seats three partners send theirs together: two tasks met at the same cards, and
    the seat of the second ended in the middle of a match."""
    taken: list[int] = []

    def take(game: object, partner: Seat, tokens: bytes) -> bool:
        taken.append(partner)
        return True

    nothing: Any = SimpleNamespace()
    table: Any = SimpleNamespace(agreement=SimpleNamespace(identities=tuple(range(8))))
    local: Any = SimpleNamespace(
        keeper=SimpleNamespace(from_partner=take), stir=lambda: None, offload=in_thread
    )
    ours = partners.Partners(nothing, table, local)
    game = SimpleNamespace(joint=SimpleNamespace(context=SimpleNamespace(hand=3, attempt=0)))
    monkeypatch.setattr(partners, "game_of", lambda table: game)
    async with trio.open_nursery() as tasks:
        for seat in (1, 5, 7):
            cards = Cards(bytes(32), 0, 3, 0, bytes([seat]))
            ours._waiting[Seat(seat)] = cards
        for _ in range(3):
            tasks.start_soon(ours.look)
    assert sorted(taken) == [1, 5, 7]
    assert ours._waiting == {}
