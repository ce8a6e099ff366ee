"""How the notation reads and writes each toggle of a variant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Final

from p2ptruco.rules.cards import Card, parse_cards
from p2ptruco.rules.options import AllTied, CallInSpecial, Iron, PartnersTie
from p2ptruco.rules.scale import Scale
from p2ptruco.rules.spelling import number, small

FIXED: Final = parse_cards("4c 7h As 7d")
"""Mineiro's manilhas, strongest first."""


def _choice(**choices: object) -> Callable[[str], Any]:
    def read(text: str) -> object:
        if small(text) not in choices:
            raise ValueError(f"{text!r} is none of {sorted(choices)}")
        return choices[small(text)]

    return read


def _sizes(text: str) -> frozenset[int]:
    sizes = [number(size) for size in text.split(",")]
    if any(low >= high for low, high in pairwise(sizes)):
        raise ValueError(f"sizes do not ascend: {text!r}")
    return frozenset(sizes)


def _manilhas(text: str) -> tuple[Card, ...]:
    named = {"fixed": FIXED, "vira": ()}.get(small(text))
    return tuple(map(Card.parse, text.split(","))) if named is None else named


_YES_NO: Final = (_choice(yes=True, no=False), lambda flag: "yes" if flag else "no")

TEXT: Final[Mapping[str, tuple[Callable[[str], Any], Callable[[Any], str]]]] = {
    "players": (_sizes, lambda sizes: ",".join(map(str, sorted(sizes)))),
    "ranks": (lambda text: small(text).upper(), str),
    "manilhas": (
        _manilhas,
        lambda cards: {(): "vira", FIXED: "fixed"}.get(cards) or ",".join(map(str, cards)),
    ),
    "scale": (lambda text: Scale.parse(small(text)), str),
    "target": (number, str),
    "all_tied": (lambda text: AllTied(small(text)), str),
    "partners_tie": (lambda text: PartnersTie(small(text)), str),
    "call_in_special": (lambda text: CallInSpecial(small(text)), str),
    "special_decision": _YES_NO,
    "iron": (lambda text: Iron(small(text)), str),
    "fold": _YES_NO,
    "face_down_from": (
        lambda text: None if small(text) == "none" else number(text),
        lambda trick: "none" if trick is None else str(trick),
    ),
    "best_of": (number, str),
}
"""How each toggle is read and written."""
