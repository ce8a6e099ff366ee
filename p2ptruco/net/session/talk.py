"""Talk: what people say at the table. It is cleaned, has a rate, and never enters the log."""

from __future__ import annotations

from collections.abc import Callable

import trio

from ...rules.seating import Seat
from ...table.agreement import Agreement
from ...table.private import Signal, write_private
from ...table.text import CHAT_BYTES, CHAT_GRAPHEMES, clean
from .. import frames
from ..limits import TALK_BURST, TALK_RATE, Meter
from ..mesh import Mesh

SIGNAL_BYTES = 80

Said = Callable[[Seat, str, bool], None]
"""Who said which clean line, and whether to partners only."""


class Talk:
    """To everybody, or in private frames to partners."""

    def __init__(self, mesh: Mesh, agreement: Agreement, seat: Seat, said: Said) -> None:
        self._mesh, self._agreement, self._seat, self._said = mesh, agreement, seat, said
        self._lines = Meter(TALK_RATE, TALK_BURST)

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
        if not self._lines.take(peer, trio.current_time()):  # before anything that takes time
            return
        if line := clean(text, CHAT_BYTES, CHAT_GRAPHEMES):
            self._said(Seat(self._agreement.identities.index(peer)), line, private)
