"""Lets team A be the one that reaches ten: B folds once it has six, raises truco, runs from dez.
A's are quiet."""

import p2ptruco


def choose(view):
    if view.team == 1 and view.pending is not None:
        return p2ptruco.CALL if view.pending.word == "truco" else p2ptruco.RUN
    folds = view.score[1] >= 6 and view.score[0] < 10
    if view.team == 1 and folds and p2ptruco.FOLD in view.legal:
        return p2ptruco.FOLD
    for move in (p2ptruco.ACCEPT, p2ptruco.PLAY_ON):
        if move in view.legal:
            return move
    return view.plays[0]
