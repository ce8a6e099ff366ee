"""Tells a mind what has happened at the table, in order and before it is next asked.

match_started once; hand_started when a hand's tokens are in, trick_done after each trick,
hand_done when the hand has a result, match_done at the end.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Mapping

import trio

from ..rules.cards import Card
from ..rules.hand import Hand
from ..rules.match import Match
from ..rules.play import audience
from ..rules.seating import Seat, Slot, slots_of
from ..rules.view import view_of
from ..table.table import Table
from .mind import Mind


class Herald:
    """Compares the table with what was told and catches up; a broken mind loses only news."""

    def __init__(self, table: Table, seat: Seat, mind: Mind, rng: random.Random) -> None:
        self._table, self._seat, self._mind, self._rng = table, seat, mind, rng
        self._queue: deque[
            tuple[str, Hand, Mapping[Slot, Card], Match | None, tuple[Hand, ...]]
        ] = deque()
        self._lock = trio.Lock()
        self._hands = self._tricks = 0
        self._started = self._over = False
        self._seen: dict[Slot, Card] = {}

    def look(self, seen: Mapping[Slot, Card]) -> None:
        """Note what is new at the table; `seen`: the faces this seat knows of the open hand."""
        table = self._table
        for hand in table.hands[self._hands :]:
            self._note(hand)
            self._put("hand_done", hand)
            self._hands, self._tricks, self._started = self._hands + 1, 0, False
        self._seen = dict(seen)
        under_way = table.hand
        if under_way is not None and (seen or self._blind(under_way)):
            self._note(under_way)
        if table.outcome and table.hands and not self._over:
            self._over = True
            self._put("match_done", table.hands[-1])

    def _blind(self, hand: Hand) -> bool:
        """Whether some own card may not be seen, so that there is nothing to wait for."""
        return any(not audience(hand, slot) for slot in slots_of(self._seat))

    def _note(self, hand: Hand) -> None:
        if not self._started:
            if self._hands == 0:
                self._put("match_started", hand)
            self._put("hand_started", hand)
            self._started = True
        for _ in hand.tricks[self._tricks :]:
            self._put("trick_done", hand)
        self._tricks = len(hand.tricks)

    def _put(self, event: str, hand: Hand) -> None:
        table = self._table
        past = table.hands[: self._hands + (event == "hand_done")]
        self._queue.append((event, hand, self._seen, table.match, past))

    async def catch_up(self) -> None:
        """Tell everything noted so far."""
        async with self._lock:
            while self._queue:
                event, hand, seen, match, past = self._queue.popleft()
                view = view_of(
                    hand,
                    self._seat,
                    seen,
                    rng=self._rng,
                    match=match,
                    past=past,
                    names=self._table.agreement.names,
                )
                await self._mind.tell(event, view)
