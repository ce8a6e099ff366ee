"""How the score came about, hand by hand."""

from __future__ import annotations

from dataclasses import dataclass

from ...rules.hand import How
from ...rules.seating import Seat, Team
from .kinds import Event, Lasts, Nth


@dataclass(frozen=True, slots=True)
class Shout:
    """A call that was made, and what the hand was worth once it was accepted."""

    seat: Seat
    word: str
    points: int


@dataclass(frozen=True, slots=True)
class HandScored:
    """A finished hand, and the score behind it."""

    number: Nth
    winner: Team | None
    points: int
    how: How
    score: tuple[int, int]
    won: tuple[int, int]
    shouts: tuple[Shout, ...]


@dataclass(frozen=True, slots=True)
class Course(Event):
    """The finished hands of the match, whole, again whenever one more is."""

    name = "course"
    lasts = Lasts.RESULT
    hands: tuple[HandScored, ...]
