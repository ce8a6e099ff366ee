"""Why a move cannot be made now, in words: by what a question says is barred (`app/barred.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from p2ptruco.app.questions import Barred
from p2ptruco.rules.moves import CALL, FOLD, Move, Play
from p2ptruco.rules.variant import Variant
from p2ptruco.ui.words import N_, _

WHY: Final[Mapping[tuple[str, str], str]] = {
    ("call", "special"): N_("Nobody calls in a mão de {special}."),
    ("call", "iron"): N_("Nobody calls in an iron hand."),
    ("call", "ours"): N_("Your team made the last call: only the others may raise it."),
    ("call", "top"): N_("There is no higher call."),
    ("face_down", "never"): N_("By these rules no card is laid face down."),
    ("face_down", "early"): N_("No card may be laid face down before trick {trick}."),
    ("face_down", "iron"): N_("No card is laid face down in an iron hand."),
    ("fold", "never"): N_("By these rules nobody folds: one may only run from a call."),
    ("fold", "iron"): N_("Nobody folds in an iron hand."),
}
"""By what cannot be done, and why."""


def why_not(move: Move | None, cannot: Sequence[Barred], variant: Variant) -> str:
    """Why this move cannot be made; a plain refusal where the question does not say."""
    kind = _kind(move)
    reason = next((WHY.get((one.what, one.why)) for one in cannot if one.what == kind), None)
    if reason is None:
        return _("That cannot be done now.")
    return _(reason).format(special=variant.special_at, trick=variant.face_down_from)


def _kind(move: Move | None) -> str:
    if isinstance(move, Play):
        return "face_down" if move.face_down else ""
    return {CALL: "call", FOLD: "fold"}.get(move, "") if move is not None else ""
