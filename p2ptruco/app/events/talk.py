"""What people say, and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass

from ...rules.seating import Seat
from .kinds import Event


@dataclass(frozen=True, slots=True)
class Talk(Event):
    """A clean line that somebody said. `seat` is None in a lobby."""

    name = "talk"
    seat: Seat | None
    player: str
    text: str


@dataclass(frozen=True, slots=True)
class Wink(Event):
    """A clean line of a partner, that nobody else got. `sinal`: the one of the eight agreed words
    that it is; None: it is other text."""

    name = "wink"
    seat: Seat
    player: str
    text: str
    sinal: str | None = None


@dataclass(frozen=True, slots=True)
class Sent(Event):
    """What became of a line of ours: the seats that it is on its way to, those that no link leads
    to, and why it was sent to nobody at all (`empty`, `too_fast`)."""

    name = "sent"
    private: bool
    """To partners only."""
    to: tuple[Seat, ...]
    missed: tuple[Seat, ...]
    fault: str
