"""From an action of the table to a card, and the card where the table has none."""

from __future__ import annotations

from p2ptruco import Play, View

from .keys import Sight

STRONGEST, HIDDEN = 1, 2
"""Actions of the second trick; 0 is the weakest card. In the first they count from the weakest."""


def card(view: View, sight: Sight, action: int) -> Play:
    """The play that an action means."""
    plays = sight.plays
    if sight.trick != 1:
        return plays[min(action, len(plays) - 1)]
    if action == STRONGEST:
        return plays[-1]
    down = Play(plays[0].slot, face_down=True)
    return down if action == HIDDEN and down in view.legal else plays[0]


def card_by_rule(view: View, sight: Sight) -> Play:
    """The strongest to lead; else the cheapest that takes the trick, or the weakest."""
    plays = sight.plays
    if not view.table:
        return plays[-1]
    if view.taker() == view.team:
        return plays[0]
    return next((play for play in plays if view.taker(play) == view.team), plays[0])
