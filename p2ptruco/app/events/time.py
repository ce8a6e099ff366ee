"""Whose turn, how much time is left, and who is missing."""

from __future__ import annotations

from dataclasses import dataclass

from ...net.session.situation import Situation
from ...rules.seating import Seat
from .kinds import Event, Lasts


@dataclass(frozen=True, slots=True)
class Turn(Event):
    """Whom the table waits for, and since when. `what`: move, answer, decision, deal, token or
    seal."""

    name = "turn"
    lasts = Lasts.LATEST
    seats: tuple[Seat, ...]
    speaker: Seat | None
    """Who speaks for a team that is asked."""
    what: str
    since: float
    """On trio's clock; written as seconds ago."""
    deadline: float | None
    """When the time to move is over; None: no clock."""
    mine: bool


@dataclass(frozen=True, slots=True)
class Standing(Event):
    """Who is missing, whether the table waits for them, and what leaving would do now."""

    name = "standing"
    lasts = Lasts.LATEST
    situation: Situation


@dataclass(frozen=True, slots=True)
class Hearing:
    """The seats that a seat hears by links of its own, as far as we know."""

    seat: Seat
    hears: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Links(Event):
    """Who is linked to whom at the table, by what those say whom we hear."""

    name = "links"
    lasts = Lasts.LATEST
    links: tuple[Hearing, ...]


@dataclass(frozen=True, slots=True)
class SealsAwaited(Event):
    """The match is over; the seals of these seats are waited for."""

    name = "seals_awaited"
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Ahead(Event):
    """The card that is chosen ahead of one's turn. `why`: chosen, taken_back, used (it was played,
    or another one) or over (the hand is)."""

    name = "ahead"
    lasts = Lasts.LATEST
    choice: str | None
    """As in the choices of a move; None: none is chosen."""
    why: str


@dataclass(frozen=True, slots=True)
class Clock(Event):
    """The time to move runs out: so many seconds are left."""

    name = "clock"
    seconds: int


@dataclass(frozen=True, slots=True)
class TimeUp(Event):
    """Our time was over. `chosen`: the card chosen ahead is played; else the rules decide."""

    name = "time_up"
    choice: str
    """What is played, as in the choices of a move."""
    chosen: bool
