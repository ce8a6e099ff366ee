"""Why a seat that is asked cannot do what it might at another moment.

| what | why |
| --- | --- |
| call | `special`, `iron`: none in such a hand; `ours`: our team's was the last; `top` |
| face_down | `never`: not by these rules; `early`: not in this trick yet; `iron` |
| fold | `never`, `iron` |

Source: rules.md §4 to §6.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..rules.hand import Hand, Kind, Phase
from ..rules.seating import Seat
from ..rules.turns import may_call, may_fold, may_hide
from .questions import Barred


def barred(hand: Hand, seat: Seat) -> Iterator[Barred]:
    """What a seat cannot do now, each with the reason."""
    if hand.phase not in (Phase.PLAYING, Phase.ANSWERING):
        return
    if not may_call(hand, seat):
        yield Barred("call", _no_call(hand))
    if hand.phase is Phase.PLAYING and not may_hide(hand):
        yield Barred("face_down", _not_hidden(hand))
    if hand.phase is Phase.PLAYING and not may_fold(hand):
        yield Barred("fold", "never" if not hand.variant.fold else "iron")


def _no_call(hand: Hand) -> str:
    if hand.kind is not Kind.NORMAL:
        return hand.kind.value
    return "top" if hand.next_call is None else "ours"


def _not_hidden(hand: Hand) -> str:
    if hand.variant.face_down_from is None:
        return "never"
    return "iron" if hand.kind is Kind.IRON else "early"
