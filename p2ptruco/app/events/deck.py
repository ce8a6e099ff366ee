"""How the deck of a hand came about, who may see which card, and what this machine has verified."""

from __future__ import annotations

from dataclasses import dataclass

from ...rules.cards import Card
from ...rules.seating import Seat, Slot
from .kinds import Event, Lasts, Nth


@dataclass(frozen=True, slots=True)
class Sight:
    """A card that was dealt. `seat`: whose it is, None for the vira; `by`: the seats that may see
    its face by the rules, at this moment."""

    slot: Slot
    seat: Seat | None
    by: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Checks:
    """What held on this machine since the match began. Each is a signature or a proof that was
    verified here: of keys, of shuffles, of tokens, which open cards."""

    signatures: int
    keys: int
    shuffles: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Deck(Event):
    """The deck of a hand, as far as it is made. The seats, in seat order: that have opened the key
    that they had committed to, that have shuffled, whose shuffles are proved, that have said that
    they verified the deck, that have given the tokens of the others' cards."""

    name = "deck"
    lasts = Lasts.LATEST
    number: Nth
    cards: int
    opened: tuple[Seat, ...]
    shuffled: tuple[Seat, ...]
    proved: tuple[Seat, ...]
    ready: tuple[Seat, ...]
    released: tuple[Seat, ...]
    sights: tuple[Sight, ...]
    """The cards that were dealt; none before they are."""
    stock: int
    """The cards that nobody is dealt, and nobody sees."""
    held: Checks


@dataclass(frozen=True, slots=True)
class Ranking(Event):
    """Which card beats which in a hand, strongest first; the cards of one group tie. The manilhas
    are groups of one. With a vira it comes once that is out."""

    name = "ranking"
    lasts = Lasts.HAND
    number: Nth
    groups: tuple[tuple[Card, ...], ...]
    manilhas: tuple[Card, ...]
