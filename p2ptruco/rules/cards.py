"""The cards, and nothing about what they are worth."""

from __future__ import annotations

from typing import Final, NamedTuple

from p2ptruco.rules.spelling import small

RANKS: Final = "4567QJKA23"
"""All ranks, weakest first where no manilha is involved."""

SUITS: Final = "chsd"
"""Clubs, hearts, spades, diamonds; of manilhas named by a vira, clubs are the strongest."""

PICTURES: Final = dict(zip("♣♥♠♦", SUITS, strict=True))


class Card(NamedTuple):
    """One card, written as rank and suit: `4c` is the four of clubs."""

    rank: str
    suit: str

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read `4c`, `4C` or `4♣`; ValueError for anything else."""
        if len(text) != 2:
            raise ValueError(f"not a card: {text!r}")
        rank, suit = small(text[0]).upper(), PICTURES.get(text[1], small(text[1]))
        if rank not in RANKS or suit not in SUITS:
            raise ValueError(f"not a card: {text!r}")
        return cls(rank, suit)

    def __str__(self) -> str:
        return self.rank + self.suit


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by spaces or commas, in order: `4c 7h As`."""
    return tuple(Card.parse(word) for word in text.replace(",", " ").split())
