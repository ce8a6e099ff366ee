"""The toggles that have more than yes and no. Each value is written as the notation writes it."""

from __future__ import annotations

from enum import StrEnum


class AllTied(StrEnum):
    """Who wins a hand whose three tricks all tie."""

    NOBODY = "nobody"
    DEALER = "dealer"
    ELDEST = "eldest"


class PartnersTie(StrEnum):
    """What partners' equal strongest cards do: take the trick, or tie it."""

    TRICK = "trick"
    TIE = "tie"


class CallInSpecial(StrEnum):
    """What a call in a special hand being played is: no move, or the loss of the match."""

    ILLEGAL = "illegal"
    FORFEIT = "forfeit"


class Iron(StrEnum):
    """Whether the players of an iron hand see their own cards."""

    BLIND = "blind"
    OPEN = "open"
