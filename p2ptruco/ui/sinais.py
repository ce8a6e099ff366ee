"""The eight sinais, as they are said and typed (wire.md §10). Whoever gives one may lie."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from p2ptruco.rules.spelling import small
from p2ptruco.table.private import SINAIS
from p2ptruco.ui.words import N_, _

SAID: Final[Mapping[str, str]] = {
    "zap": N_("{name} winks an eye at you alone: zap"),
    "copas": N_("{name} raises the eyebrows to you alone: copas, the second manilha"),
    "espadilha": N_("{name} pushes the tongue into a cheek for you alone: espadilha"),
    "pica-fumo": N_("{name} shows you alone the tip of the tongue: pica-fumo"),
    "tres": N_("{name} lifts a shoulder to you alone: a three"),
    "dois": N_("{name} shows you alone two fingers: a two"),
    "nada": N_("{name} closes both eyes to you alone: nothing"),
    "truco": N_("{name} puffs up the cheeks to you alone: enough for truco"),
}
"""What a partner reads, by the agreed word."""
ALSO: Final[Mapping[str, str]] = {
    "copeta": "copas",
    "sete-copas": "copas",
    "picafumo": "pica-fumo",
    "pica fumo": "pica-fumo",
    "três": "tres",
    "three": "tres",
    "two": "dois",
    "nothing": "nada",
}
"""What else may be typed for one."""


def typed(text: str) -> str:
    """The agreed word for a text that means one; else the text."""
    word = small(text)
    word = ALSO.get(word, word)
    return word if word in SINAIS else text


def said(sinal: str, name: str) -> str:
    """A sinal of a partner, in words."""
    return _(SAID[sinal]).format(name=name)
