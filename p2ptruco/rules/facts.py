"""The nouns of a hand: what it waits for, what happened in it, how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import NamedTuple

from p2ptruco.rules.cards import Card
from p2ptruco.rules.moves import Move
from p2ptruco.rules.seating import Seat, Slot, Team
from p2ptruco.rules.variant import Variant


class Phase(Enum):
    """What the hand waits for."""

    SHOWING = "showing"
    """A slot that everybody must see: the vira, or a card just laid open."""
    DECIDING = "deciding"
    """Whether the special team plays."""
    PLAYING = "playing"
    ANSWERING = "answering"
    """An answer to a call."""
    OVER = "over"

    __hash__ = object.__hash__  # members are singletons, also after a pickle


class Kind(StrEnum):
    """By the score: one team, or both, or neither one base away from the target."""

    NORMAL = "normal"
    SPECIAL = "special"
    IRON = "iron"


class How(StrEnum):
    """What ended a hand."""

    TRICKS = "tricks"
    TIE = "tie"
    RUN = "run"
    FOLD = "fold"
    REFUSED = "refused"
    FORFEIT = "forfeit"
    ABSENT = "absent"
    ILLEGAL = "illegal"


class Result(NamedTuple):
    """How a hand ended: nobody scores when the winner is None. Points are uncapped."""

    winner: Team | None
    points: int
    how: How


class Said(NamedTuple):
    """A move that was made."""

    seat: Seat
    move: Move


class Shown(NamedTuple):
    """A face that the whole table saw."""

    slot: Slot
    card: Card


class Pending(NamedTuple):
    """A call that awaits an answer, and what the hand is worth once it is accepted."""

    word: str
    by: Seat
    points: int


@dataclass(frozen=True, slots=True)
class Terms:
    """What is fixed before the first card."""

    variant: Variant
    players: int
    dealer: Seat
    score: tuple[int, int]
    kind: Kind
    special: Team | None
    """The team that is alone one base away from the target."""
