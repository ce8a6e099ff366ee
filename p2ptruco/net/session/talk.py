"""Talk: what people say at the table. It is cleaned, has a rate, and never enters the log."""

from __future__ import annotations

from collections.abc import Callable

import trio

from ...rules.seating import Seat
from ...table.agreement import Agreement
from ...table.private import Signal, write_private
from ...table.text import CHAT_BYTES, CHAT_GRAPHEMES, clean
from .. import frames
from ..limits import Bucket
from ..mesh import Mesh

TALK_RATE, TALK_BURST = 1.0, 8.0
"""Lines a second that one peer may say, and at once; the rest is not heard."""
SIGNAL_BYTES = 80

Said = Callable[[Seat, str, bool], None]
"""Who said which clean line, and whether to partners only."""


class Talk:
    """To everybody, or in private frames to partners."""

    def __init__(self, mesh: Mesh, agreement: Agreement, seat: Seat, said: Said) -> None:
        self._mesh, self._agreement, self._seat, self._said = mesh, agreement, seat, said
        self._buckets: dict[bytes, Bucket] = {}

    def say(self, text: str) -> None:
        """Say something to everybody."""
        if line := clean(text, CHAT_BYTES, CHAT_GRAPHEMES):
            self._mesh.flood(frames.Talk(line))

    def signal(self, text: str) -> None:
        """Say something to partners only."""
        if not (line := clean(text, SIGNAL_BYTES, SIGNAL_BYTES)):
            return
        message = write_private(Signal(self._agreement.id, self._agreement.terms.epoch, line))
        for seat, identity in enumerate(self._agreement.identities):
            if seat != self._seat and seat % 2 == self._seat % 2:
                self._mesh.send(identity, frames.pad(message))

    def hear(self, peer: bytes, text: str, *, private: bool) -> None:
        """What a peer said."""
        now = trio.current_time()
        bucket = self._buckets.setdefault(peer, Bucket(TALK_RATE, TALK_BURST, now))
        if not bucket.take(1, now):  # before anything that takes time
            return
        if line := clean(text, CHAT_BYTES, CHAT_GRAPHEMES):
            self._said(Seat(self._agreement.identities.index(peer)), line, private)
