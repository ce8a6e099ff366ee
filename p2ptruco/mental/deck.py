"""The deck: as it starts, masked, and verified (deal.md §2, §4).

Laws
* A masked card is (A, B) = (ρG, M + ρPK). The starting deck is (0, M_i), public, recomputed by
  everyone from the notation of its cards, never taken from a peer.
* `Start` is public, `Masked` is points and nothing proved, `Deck` has its whole chain proved.
  Only `shuffle.verify_chain` makes a Deck; only a Deck opens cards or releases tokens.
* Seats, slots, cards: from 0. Slots 3i, 3i+1, 3i+2 are seat i's, slot 3n is the vira's place,
  all others are nobody's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from p2ptruco.mental.group import IDENTITY, Point, hash_to_point
from p2ptruco.mental.keys import Joint

MIN_CARDS, MAX_CARDS = 6, 128


@dataclass(frozen=True, slots=True)
class Masked:
    """Masked cards, in order: points of the group, about which nothing is proved."""

    a: tuple[Point, ...]
    b: tuple[Point, ...]

    def __len__(self) -> int:
        return len(self.a)

    def encode(self) -> bytes:
        """A_0 B_0 A_1 B_1 ..., 64 bytes a card."""
        return b"".join(part for pair in zip(self.a, self.b, strict=True) for part in pair)


@dataclass(frozen=True, slots=True)
class Start:
    """The public starting deck: the cards' notation and their points, all unmasked."""

    cards: tuple[str, ...]
    masked: Masked

    def __len__(self) -> int:
        return len(self.cards)


def card_point(card: str) -> Point:
    """The point of a card, from its notation (`4c`)."""
    return hash_to_point(b"p2ptruco/1/card/" + card.encode("ascii"))


def start_deck(cards: Sequence[str]) -> Start:
    """The deck before any shuffle; ValueError unless 6 to 128 distinct short ASCII notations."""
    if not MIN_CARDS <= len(cards) <= MAX_CARDS or len(set(cards)) != len(cards):
        raise ValueError("6 to 128 distinct cards")
    if any(not card.isascii() or not card.isalnum() or len(card) > 4 for card in cards):
        raise ValueError("a card is 1 to 4 ASCII letters or digits")
    points = tuple(card_point(card) for card in cards)
    return Start(tuple(cards), Masked((IDENTITY,) * len(points), points))


@dataclass(frozen=True, slots=True)
class Deck:
    """The deck that the hand is played with: every shuffle that made it has been verified."""

    joint: Joint
    start: Start
    masked: Masked
    _index: Mapping[Point, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        index = {point: i for i, point in enumerate(self.start.masked.b)}
        object.__setattr__(self, "_index", index)

    def __len__(self) -> int:
        return len(self.masked)

    def card_at(self, point: Point) -> int | None:
        """Index of the card that this point is, None for none."""
        return self._index.get(point)
