"""How often a match is won from each score: solved from how the hands of self-play end.

A special hand is refused in some cases and else played for the first call; an iron hand is even.
"""

from __future__ import annotations

from collections.abc import Sequence

SIZE = 65
"""The side of the matrix that the solver takes: points still needed, 0 to 64."""

REFUSED, WON_SPECIAL = 0.45, 0.6
"""How often the special team refuses, and how often it wins what it plays."""

FIRST_GUESS = (0.5, 0.34, 0.11, 0.03, 0.02)
"""How often a hand ends at each step of the scale, before anything is known."""


def equities(
    values: Sequence[int], target: int, shares: Sequence[float] = FIRST_GUESS
) -> list[list[float]]:
    """The matrix by what a team still needs and what the other one does."""
    table = [[0.5] * SIZE for _ in range(SIZE)]
    total = sum(shares[: len(values)])
    base, first = values[0], values[1]

    def won(ours: int, theirs: int) -> float:
        return 1.0 if ours <= 0 else 0.0 if theirs <= 0 else table[ours][theirs]

    def special(ours: int, theirs: int) -> float:
        played = WON_SPECIAL + (1 - WON_SPECIAL) * won(ours, theirs - first)
        return REFUSED * won(ours, theirs - base) + (1 - REFUSED) * played

    def cell(ours: int, theirs: int) -> float:
        if ours <= base and theirs <= base:
            return 0.5
        if ours <= base:
            return special(ours, theirs)
        if theirs <= base:
            return 1 - special(theirs, ours)
        return sum(
            share / total * (won(ours - value, theirs) + won(ours, theirs - value)) / 2
            for value, share in zip(values, shares, strict=False)
        )

    for _ in range(40):
        for ours in range(1, target + 1):
            for theirs in range(1, target + 1):
                table[ours][theirs] = cell(ours, theirs)
    return table
