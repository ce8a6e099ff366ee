"""How a beginner plays: any card, a call now and then, an answer by the best card alone."""

from __future__ import annotations

from random import Random

from p2ptruco import ACCEPT, CALL, PLAY_ON, RUN, Kind, Move, View

CALLS_ONE_IN = 20


def at_ease(view: View, rng: Random) -> Move:
    """The move of a beginner."""
    if PLAY_ON in view.legal:
        return PLAY_ON
    if ACCEPT in view.legal:
        cards = [card for card in view.cards.values() if card is not None]
        best = max(map(view.strength, cards), default=0)
        return ACCEPT if best > len(view.variant.ranks) - 2 else RUN
    if CALL in view.legal and view.kind is Kind.NORMAL and rng.randrange(CALLS_ONE_IN) == 0:
        return CALL
    return rng.choice([play for play in view.plays if not play.face_down])
