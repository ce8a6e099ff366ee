"""Calls and raises whenever it can and never runs; its cards are zap's."""

from p2ptruco_bots_basic import zap

from p2ptruco import ACCEPT, CALL, PLAY_ON, Kind, Move, View


def choose(view: View) -> Move:
    """The move."""
    if CALL in view.legal and view.kind is Kind.NORMAL:
        return CALL
    if ACCEPT in view.legal:
        return ACCEPT
    return PLAY_ON if PLAY_ON in view.legal else zap.card(view)
