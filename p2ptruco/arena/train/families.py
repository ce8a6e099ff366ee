"""The families of rules that have a table each, and how long each one is trained.

A family is a deck (with a vira, or with fixed manilhas), a scale and a size. What else a variant
may toggle changes little in how a hand is best played, and is left to the bot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

TARGET: Final = 12
VIRA: Final = (0, *[4] * 9, *[1] * 4)
FIXED: Final = (0, 3, 4, 4, 3, 4, 4, 4, 3, 4, 4, *[1] * 4)
"""How many cards each strength class has, from class 1; the manilhas are the last four."""


@dataclass(frozen=True, slots=True)
class Family:
    """What a table is trained for."""

    deck: str
    values: tuple[int, ...]
    seats: int
    hands: int
    """Hands of training in the full setting, in thousands."""
    keep: float = 4e5
    """Situations reached less often than once in so many hands are left out of the table."""
    scores: bool = False
    """Whether strategies differ by how close the teams are to the target."""

    @property
    def name(self) -> str:
        """Of its file."""
        return f"{self.deck}-{'-'.join(map(str, self.values))}-{self.seats}"

    @property
    def copies(self) -> tuple[int, ...]:
        return VIRA if self.deck == "vira" else FIXED


LONG: Final = (1, 3, 6, 9, 12)
MINEIRO: Final = (2, 4, 6, 10, 12)
SHORT: Final = (2, 4, 8, 12)

FAMILIES: Final[Mapping[str, Family]] = {
    family.name: family
    for family in (
        Family("vira", LONG, 2, 2000),
        Family("fixed", MINEIRO, 2, 800),
        Family("fixed", SHORT, 2, 800),
        Family("fixed", LONG, 2, 800),
        Family("vira", LONG, 4, 1000),
        Family("fixed", MINEIRO, 4, 1000),
        Family("fixed", SHORT, 4, 800),
        Family("vira", LONG, 6, 600),
        Family("fixed", MINEIRO, 6, 600),
        Family("fixed", MINEIRO, 8, 500),
    )
}
