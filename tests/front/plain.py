"""A bot that lays its first card, accepts every call and never calls."""

from __future__ import annotations

import p2ptruco
from p2ptruco import ACCEPT, PLAY_ON, Move, View


def choose(view: View) -> Move:
    for move in (ACCEPT, PLAY_ON):
        if move in view.legal:
            return move
    return view.plays[0]


@p2ptruco.hookimpl
def p2ptruco_register_bots(register) -> None:
    register("plain", lambda: choose)
