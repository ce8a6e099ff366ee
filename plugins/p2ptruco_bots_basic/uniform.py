"""`random`: every legal move is as likely as any other, except that it never folds."""

from __future__ import annotations

import p2ptruco


def choose(view: p2ptruco.View) -> p2ptruco.Move:
    """A uniform choice over the legal moves except fold."""
    moves = [move for move in view.legal if move != p2ptruco.FOLD]
    if view.rng is None:
        raise ValueError("a random bot needs a source of chance")
    return view.rng.choice(moves)
