"""Talk: what people say at the table. It is cleaned, has a rate, and never enters the log.

Nobody passes it on: it reaches whoever is linked, and whoever says it learns whom it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

import trio

from ...rules.seating import Seat
from ...table.agreement import Agreement
from ...table.private import Signal, write_private
from ...text import CHAT_BYTES, CHAT_GRAPHEMES, clean
from ..mesh.mesh import Mesh
from ..transport import frames
from ..transport.limits import TALK_BURST, TALK_RATE, Bucket, Meter

SIGNAL_BYTES = 80

Said = Callable[[Seat, str, bool], None]
"""Who said which clean line, and whether to partners only."""


class Sent(NamedTuple):
    """What became of a line of ours: the seats that it is on its way to, those that no link leads
    to, and why it was sent to nobody at all."""

    to: tuple[Seat, ...] = ()
    missed: tuple[Seat, ...] = ()
    fault: Literal["", "empty", "too_fast"] = ""


class Talk:
    """To everybody, or in private frames to partners."""

    def __init__(self, mesh: Mesh, agreement: Agreement, seat: Seat, said: Said) -> None:
        self._mesh, self._agreement, self._seat, self._said = mesh, agreement, seat, said
        self._lines = Meter(TALK_RATE, TALK_BURST)
        self._ours = Bucket(TALK_RATE, TALK_BURST, trio.current_time())
        """What the others would not hear is not sent."""

    def say(self, text: str) -> Sent:
        """Say something to everybody."""
        line = clean(text, CHAT_BYTES, CHAT_GRAPHEMES)
        return self._send(line, lambda: frames.Talk(line), self._others(1))

    def signal(self, text: str) -> Sent:
        """Say something to partners only."""
        line = clean(text, SIGNAL_BYTES, SIGNAL_BYTES)
        terms = self._agreement.id, self._agreement.terms.epoch
        padded = lambda: frames.pad(write_private(Signal(*terms, line)))  # noqa: E731
        return self._send(line, padded, self._others(2))

    def _others(self, step: int) -> Iterable[int]:
        """The other seats (1), or our partners (2)."""
        seats = range(self._seat % step, len(self._agreement.identities), step)
        return (seat for seat in seats if seat != self._seat)

    def _send(self, line: str, frame: Callable[[], frames.Message], seats: Iterable[int]) -> Sent:
        if not line:
            return Sent(fault="empty")
        if not self._ours.take(1, trio.current_time()):
            return Sent(fault="too_fast")
        message, to, missed = frame(), list[Seat](), list[Seat]()
        for seat in map(Seat, seats):
            sent = self._mesh.send(self._agreement.identities[seat], message)
            (to if sent else missed).append(seat)
        return Sent(tuple(to), tuple(missed))

    def hear(self, peer: bytes, text: str, *, private: bool) -> None:
        """What a peer said."""
        if not self._lines.take(peer, trio.current_time()):  # before anything that takes time
            return
        if line := clean(text, CHAT_BYTES, CHAT_GRAPHEMES):
            self._said(Seat(self._agreement.identities.index(peer)), line, private)
