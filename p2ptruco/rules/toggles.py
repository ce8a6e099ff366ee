"""How the notation reads and writes each toggle of a variant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from p2ptruco.rules.cards import Card, parse_cards
from p2ptruco.rules.options import AllTied, CallInSpecial, Iron, PartnersTie
from p2ptruco.rules.scale import Scale, number

FIXED: Final = parse_cards("4c 7h As 7d")
"""Mineiro's manilhas, strongest first."""


def _choice(**choices: object) -> Callable[[str], Any]:
    def read(text: str) -> object:
        if text.lower() not in choices:
            raise ValueError(f"{text!r} is none of {sorted(choices)}")
        return choices[text.lower()]

    return read


def _sizes(text: str) -> frozenset[int]:
    return frozenset(number(size) for size in text.split(","))


def _manilhas(text: str) -> tuple[Card, ...]:
    named = {"fixed": FIXED, "vira": ()}.get(text.lower())
    return tuple(map(Card.parse, text.split(","))) if named is None else named


_YES_NO: Final = (_choice(yes=True, no=False), lambda flag: "yes" if flag else "no")

TEXT: Final[Mapping[str, tuple[Callable[[str], Any], Callable[[Any], str]]]] = {
    "players": (_sizes, lambda sizes: ",".join(map(str, sorted(sizes)))),
    "ranks": (str.upper, str),
    "manilhas": (
        _manilhas,
        lambda cards: {(): "vira", FIXED: "fixed"}.get(cards) or ",".join(map(str, cards)),
    ),
    "scale": (lambda text: Scale.parse(text.lower()), str),
    "target": (number, str),
    "all_tied": (lambda text: AllTied(text.lower()), str),
    "partners_tie": (lambda text: PartnersTie(text.lower()), str),
    "call_in_special": (lambda text: CallInSpecial(text.lower()), str),
    "special_decision": _YES_NO,
    "iron": (lambda text: Iron(text.lower()), str),
    "fold": _YES_NO,
    "face_down_from": (
        lambda text: None if text.lower() == "none" else number(text),
        lambda trick: "none" if trick is None else str(trick),
    ),
    "best_of": (number, str),
}
"""How each toggle is read and written."""
