"""What calls and answers are worth at a score, in points of the hand.

`gap` is what a call (or accepting one) gains over not calling (or running), by the shares that the
table knows. The table was learned for all scores at once and an average rival; what the true score
and this rival change in the gap shifts its choice.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log

from p2ptruco import View

from .table import Table

Value = Callable[[float], float]
"""Points gained (given away: negative) → what they are worth."""

STEEPNESS = 1.6
"""How fast a choice follows its gap, in logarithmic odds a point."""
LARGE, CLEAR = 0.6, 0.3
"""Points by which a gap must have changed, and be wide, to decide alone."""
SURE = 0.25
"""A choice less likely than this is not made at all."""


def linear(points: float) -> float:
    """Every point is worth the same."""
    return points


def value_at(table: Table, view: View) -> Value:
    """What points are worth at the score: chances to win the match, in points of the stake."""
    size = view.variant.target / 12
    ours = (view.variant.target - view.score[view.team]) / size
    theirs = (view.variant.target - view.score[1 - view.team]) / size

    def chance(points: float) -> float:
        scaled = points / size
        return table.equity(ours - max(scaled, 0), theirs + min(scaled, 0))

    stake = view.stake
    unit = max((chance(stake) - chance(-stake)) / (2 * stake), 1e-3)
    now = chance(0)
    return lambda points: (chance(points) - now) / unit


def gap_of_accepting(value: Value, won: float, stake: float, called: float) -> float:
    """What accepting gains over running."""
    return won * value(called) + (1 - won) * value(-called) - value(-stake)


def gap_of_calling(
    value: Value, kept: float, run: float, accepted: float, stake: float, called: float
) -> float:
    """What calling gains over going on."""
    stands = accepted * value(called) + (1 - accepted) * value(-called)
    going_on = kept * value(stake) + (1 - kept) * value(-stake)
    return run * value(stake) + (1 - run) * stands - going_on


def shifted(share: float, before: float, gap: float) -> float:
    """How likely a choice is once its gap has changed; unlikely ones are dropped.

    Where the change is large and leaves the gap clear, the choice is as well.
    """
    change = gap - before
    if abs(change) >= LARGE and gap * change > 0 and abs(gap) >= CLEAR:
        return 1.0 if gap > 0 else 0.0
    share = min(0.97, max(0.03, share))
    odds = log(share / (1 - share)) + STEEPNESS * max(-20.0, min(20.0, change))
    found = 1 / (1 + exp(-odds))
    return 0.0 if found < SURE else 1.0 if found > 1 - SURE else found
