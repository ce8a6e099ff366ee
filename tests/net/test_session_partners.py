"""Partners' cards at a session: several come at once, each is used once."""

from __future__ import annotations

from types import SimpleNamespace

import trio

from p2ptruco.net.session import Session
from p2ptruco.rules.seating import Seat
from p2ptruco.table.private import Cards


class Waiting(Session):
    """Just what `_look_at_partners` works with."""

    def __init__(self, partners: list[int]) -> None:
        self.taken: list[int] = []
        cards = [Cards(bytes(32), 0, 3, 0, bytes([partner])) for partner in partners]
        self._waiting_cards = {Seat(p): c for p, c in zip(partners, cards, strict=True)}
        keeper = SimpleNamespace(from_partner=self._take)
        self.local = SimpleNamespace(keeper=keeper, stir=lambda: None)  # type: ignore[assignment]

    def _take(self, game: object, partner: Seat, tokens: bytes) -> bool:
        self.taken.append(partner)
        return True

    def _game(self):  # type: ignore[no-untyped-def]
        return SimpleNamespace(joint=SimpleNamespace(context=SimpleNamespace(hand=3, attempt=0)))


async def test_partners_cards_that_come_at_once_are_each_used_once() -> None:
    """At eight seats three partners send theirs together: two tasks met at the same cards, and
    the seat of the second ended in the middle of a match."""
    session = Waiting([1, 5, 7])
    async with trio.open_nursery() as tasks:
        for _ in range(3):
            tasks.start_soon(session._look_at_partners)
    assert sorted(session.taken) == [1, 5, 7]
    assert session._waiting_cards == {}
