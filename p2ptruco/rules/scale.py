"""What a hand may be worth, and the words that raise it.

The special hand follows from the scale: it comes one base below the target, is worth the first
call, and refusing it gives the base. Steps count from 0: step 0 is the base, step k the k-th call.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from p2ptruco.rules.cards import Card
from p2ptruco.rules.spelling import LETTERS, number

RESERVED: Final = frozenset({"accept", "run", "play", "refuse", "fold", "timeout", "x"})
"""Words that the notation needs for itself."""

_WORD: Final = re.compile(f"[{LETTERS}]{{2,16}}")


@dataclass(frozen=True, slots=True)
class Call:
    """A word shouted to raise the hand, and what the hand is worth once it is accepted."""

    word: str
    points: int


@dataclass(frozen=True, slots=True)
class Scale:
    """The base and the calls above it, lowest first. ValueError unless it climbs."""

    base: int
    calls: tuple[Call, ...]

    def __post_init__(self) -> None:
        steps, words = self.steps, [call.word for call in self.calls]
        if not words or any(type(step) is not int for step in steps):
            raise ValueError(f"a scale is a base and at least one call: {steps}")
        if steps[0] < 1 or any(low >= high for low, high in pairwise(steps)):
            raise ValueError(f"a scale must climb from 1 or more: {steps}")
        if len(set(words)) != len(words) or not all(map(_is_word, words)):
            raise ValueError(f"the calls need distinct words of their own: {words}")

    @property
    def steps(self) -> tuple[int, ...]:
        """What the hand is worth at each step."""
        return (self.base, *(call.points for call in self.calls))

    @classmethod
    def parse(cls, text: str) -> Scale:
        """Read a known scale's name, or one written out: `2,truco:4,seis:8,nove:12`."""
        if text in SCALES:
            return SCALES[text]
        base, *calls = text.split(",")
        pairs = [call.partition(":") for call in calls]
        return cls(number(base), tuple(Call(word, number(points)) for word, _, points in pairs))

    def __str__(self) -> str:
        """Its name where it has one, else written out; `parse` reads both."""
        written = ",".join([str(self.base), *(f"{call.word}:{call.points}" for call in self.calls)])
        return next((name for name, scale in SCALES.items() if scale == self), written)


def is_letters(word: str) -> bool:
    """Whether a word is spelled as a call's may be."""
    return _WORD.fullmatch(word) is not None


def _is_word(word: str) -> bool:
    if not is_letters(word) or word in RESERVED:
        return False
    try:
        Card.parse(word)
    except ValueError:
        return True
    return False


SCALES: Mapping[str, Scale] = {}
SCALES = {
    "2-4-6-10-12": Scale.parse("2,truco:4,seis:6,dez:10,doze:12"),
    "2-4-8-12": Scale.parse("2,truco:4,seis:8,nove:12"),
    "1-3-6-9-12": Scale.parse("1,truco:3,seis:6,nove:9,doze:12"),
}
