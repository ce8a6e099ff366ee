"""What happens in a hand: each event carries the public state behind it."""

from __future__ import annotations

from dataclasses import dataclass

from ...rules.cards import Card
from ...rules.hand import Hand, How
from ...rules.seating import Seat, Slot, Team
from .kinds import Event, Lasts, Nth


@dataclass(frozen=True, slots=True)
class OfHand(Event):
    """Something that happened in a hand. `number` counts the hands of the match from 0; `hand` is
    the public state behind it: score, value, next call, trick, whose turn."""

    lasts = Lasts.HAND
    number: Nth
    hand: Hand


@dataclass(frozen=True, slots=True)
class HandBegun(OfHand):
    """A hand is dealt; the vira, where there is one, follows."""

    name = "hand_begun"
    won: tuple[int, int]
    """Matches of the set won by each team."""


@dataclass(frozen=True, slots=True)
class Vira(OfHand):
    """The card that names the manilhas is open."""

    name = "vira"
    card: Card
    manilhas: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """A card in hand at its place as dealt, from 0. `card` None: nobody may see it."""

    place: Nth
    slot: Slot
    card: Card | None
    manilha: bool


@dataclass(frozen=True, slots=True)
class Cards(OfHand):
    """One's own cards."""

    name = "cards"
    cards: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class PartnerCards(OfHand):
    """A partner's cards, where the rules show them."""

    name = "partner_cards"
    seat: Seat
    cards: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class Laid(OfHand):
    """A card on the table. `card` None: face down. `takes`: whose the trick is as it stands; None
    for a tie."""

    name = "card"
    seat: Seat
    slot: Slot
    card: Card | None
    manilha: bool
    trick: Nth
    takes: Team | None


@dataclass(frozen=True, slots=True)
class Called(OfHand):
    """A call, and what the hand is worth once it is accepted."""

    name = "call"
    seat: Seat
    word: str
    points: int


@dataclass(frozen=True, slots=True)
class Said(OfHand):
    """An answer to a call, the decision of a special hand, or a fold: `accept` `run` `play`
    `refuse` `fold`."""

    name = "answer"
    seat: Seat
    word: str


@dataclass(frozen=True, slots=True)
class OnTable:
    """A card of a finished trick."""

    seat: Seat
    card: Card | None
    best: bool


@dataclass(frozen=True, slots=True)
class TrickTaken(OfHand):
    """A finished trick, whole. `winner` None: a tie. `lead`: who leads next, or would."""

    name = "trick"
    trick: Nth
    cards: tuple[OnTable, ...]
    winner: Team | None
    lead: Seat


@dataclass(frozen=True, slots=True)
class HandOver(OfHand):
    """How a hand ended and the score behind it. `winner` None: nobody scores."""

    name = "hand_over"
    winner: Team | None
    points: int
    how: How
    score: tuple[int, int]
    won: tuple[int, int]
