"""How honest seats play where a cheat needs it so."""

from __future__ import annotations

from p2ptruco.rules.moves import REFUSE, Move
from p2ptruco.rules.view import View


def refuser(view: View, rng: object) -> Move:
    """Refuse every special hand, so that the blind iron one comes soon."""
    return REFUSE if REFUSE in view.legal else view.legal[0]
