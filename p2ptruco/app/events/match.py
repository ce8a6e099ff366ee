"""Who plays, how the match ended, and what is left of it."""

from __future__ import annotations

from dataclasses import dataclass

from ...net.session.situation import Situation
from ...rules.seating import Seat, Team
from ...rules.variant import Variant
from .kinds import Event, Lasts, Nth


@dataclass(frozen=True, slots=True)
class Player:
    """Who has a seat of the match."""

    seat: Seat
    team: Team
    player: str
    fingerprint: str
    operator: Seat | None
    """The seat whose machine runs this one; None: it runs itself."""
    me: bool


@dataclass(frozen=True, slots=True)
class Seated(Event):
    """The agreement is signed by all; the match begins."""

    name = "seated"
    lasts = Lasts.MATCH
    seat: Seat
    players: tuple[Player, ...]
    variant: Variant
    move_seconds: int
    fingerprint: str
    """Of what was signed: the same for everybody at this table."""


@dataclass(frozen=True, slots=True)
class Leaving(Event):
    """We go home with the next thing that our seat owes; what that does, at this moment."""

    name = "leaving"
    situation: Situation


@dataclass(frozen=True, slots=True)
class Left(Event):
    """We have gone from a table that waits for others."""

    name = "left"
    lasts = Lasts.MATCH
    situation: Situation


@dataclass(frozen=True, slots=True)
class Violation(Event):
    """A seat broke the protocol; the record shows it."""

    name = "violation"
    lasts = Lasts.MATCH
    seat: Seat
    word: str
    hand: Nth
    step: Nth


@dataclass(frozen=True, slots=True)
class Interrupted(Event):
    """The match is broken off here and has no winner; unless we had said that we leave, which
    counts if the others go on."""

    name = "interrupted"
    lasts = Lasts.MATCH
    leave_signed: bool


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The match (or set) is over. `winner` None: both teams left at once."""

    name = "ended"
    lasts = Lasts.MATCH
    winner: Team | None
    score: tuple[int, int]
    won: tuple[int, int]
    hands: int
    went: tuple[Seat, ...]
    """Seats that left."""
    mine: bool
    """Whether our team won."""


@dataclass(frozen=True, slots=True)
class Sealed(Event):
    """What became of the seals under the result of a match."""

    name = "sealed"
    lasts = Lasts.MATCH
    missing: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Kept(Event):
    """The record is written. `path` None: it is not, because the system refused (`errno`)."""

    name = "record"
    lasts = Lasts.MATCH
    path: str | None
    complete: bool
    """Whether it holds a match to its end."""
    errno: int | None = None


@dataclass(frozen=True, slots=True)
class BotFault(Event):
    """A bot of ours failed to decide; the rules decided for it. `kind`: timeout, crash, illegal."""

    name = "bot_fault"
    bot: str
    kind: str
    detail: str


@dataclass(frozen=True, slots=True)
class BotFailed(Event):
    """A bot of ours can play no longer. `reason`: the name of what went wrong in its process, and
    `errno` where the system refused; empty: it has ended."""

    name = "bot_failed"
    seat: Seat
    reason: str
    errno: int | None = None
