"""Runs from every call and never makes one; its cards are zap's."""

from p2ptruco_bots_basic import zap

from p2ptruco import PLAY_ON, RUN, Move, View


def choose(view: View) -> Move:
    """The move."""
    if RUN in view.legal:
        return RUN
    return PLAY_ON if PLAY_ON in view.legal else zap.card(view)
