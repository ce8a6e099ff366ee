"""Plays its first card, accepts, plays every special hand; never calls, folds, runs."""

import p2ptruco


def choose(view):
    for move in (p2ptruco.ACCEPT, p2ptruco.PLAY_ON):
        if move in view.legal:
            return move
    return view.plays[0]
