"""A match dictated by a test: one table, and what each seat says where the test tells it.

All honest peers hold the same table, so where only the log matters one of them is enough. Seats
that are told nothing play honestly.
"""

from __future__ import annotations

import io
from collections.abc import Callable

from p2ptruco.mental.context import Context
from p2ptruco.mental.keys import KeyPair
from p2ptruco.players import keeper
from p2ptruco.players.keeper import Held
from p2ptruco.rules.seating import Seat
from p2ptruco.rules.variant import Variant
from p2ptruco.table.entries import Commit, Content, Entry, Parsed, Position, read_parsed, write
from p2ptruco.table.record.audit import Audit, audit
from p2ptruco.table.record.file import write_record
from p2ptruco.table.steps.phases import Phase
from p2ptruco.table.table import Table
from tests.kit.court import cards_only
from tests.kit.party import Choose, Party


class Dictated(Party):
    """One table for all seats."""

    def __init__(
        self, variant: Variant, players: int = 2, seed: int = 0, choose: Choose = cards_only
    ) -> None:
        super().__init__(variant, players, seed, choose)
        self.table: Table = self.peers[0].table
        for peer in self.peers:
            peer.table = self.table

    @property
    def here(self) -> Position:
        return self.table.open.position

    def entry(self, seat: int, content: Content | None = None) -> Entry:
        """What a seat says now: this, or what it owes."""
        peer = self.peers[seat]
        if content is None:
            return self.word_of(peer)
        position, head, _ = self.table.open
        return write(self.agreement, position, seat, head, content, peer.identity)

    def content(self, seat: int) -> Content:
        """What an honest seat would say."""
        return read_parsed(self.entry(seat)).body.content

    def say(self, seat: int, content: Content | None = None) -> Parsed:
        checked = self.table.check(self.entry(seat, content))
        assert self.table.submit(checked)
        return checked.parsed

    def close(self, said: dict[int, Content] | None = None) -> Dictated:
        """Everybody who owes in the open step says what is told, or else what it owes."""
        for seat in self.table.owed:
            self.say(seat, (said or {}).get(seat))
        return self

    def until(self, met: Callable[[Phase], bool] | type[Phase], hand: int = 0) -> Dictated:
        """Everybody is honest until the open step is such a one, of this hand or a later one."""
        there = (lambda phase: isinstance(phase, met)) if isinstance(met, type) else met
        while self.here.hand < hand or not there(self.table.open.phase):
            assert self.table.outcome is None, "the match ended before"
            self.close()
        return self

    def twin(self, seat: int, of: int) -> Commit:
        """A commitment to the key of another seat, which has committed to it and shares it."""
        held = self.peers[of].keeper._held
        assert held is not None
        return self.commit(seat, held.context, held.keys)

    def commit(self, seat: int, context: Context, pair: KeyPair) -> Commit:
        """A commitment to a key that was not drawn."""
        self.peers[seat].keeper._held = Held(context, pair)
        return Commit(keeper.keys.commit(context, seat, pair))

    def finish(self) -> Dictated:
        """Honest from here to the last seal."""
        while not self.table.finished:
            self.close()
        return self

    def record(self, seat: int = 0) -> bytes:
        identity = self.peers[seat].identity
        return b"".join(write_record(self.table, self.signatures, Seat(seat), identity))

    def audit(self, seat: int = 0) -> Audit:
        return audit(io.BytesIO(self.record(seat)), self.source)
