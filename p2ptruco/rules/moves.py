"""What a seat may do: lay a card, or say a word."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from p2ptruco.rules.seating import Slot


@dataclass(frozen=True, slots=True)
class Play:
    """Lay one of one's own cards, named by its slot, open or face down."""

    slot: Slot
    face_down: bool = False


class Word(Enum):
    """The moves that are said; each value is the word that the notation writes, CALL's apart."""

    CALL = "call"
    """Propose the next step of the scale; as an answer, accept and propose the one after."""
    ACCEPT = "accept"
    RUN = "run"
    FOLD = "fold"
    PLAY_ON = "play"
    """Take the special hand."""
    REFUSE = "refuse"

    __hash__ = object.__hash__  # members are singletons, also after a pickle

    def __repr__(self) -> str:
        return self.name


CALL: Final = Word.CALL
ACCEPT: Final = Word.ACCEPT
RUN: Final = Word.RUN
FOLD: Final = Word.FOLD
PLAY_ON: Final = Word.PLAY_ON
REFUSE: Final = Word.REFUSE

Move = Play | Word
Kind = type[Play] | Word
"""The column of a move in the state machine."""


def kind_of(move: Move) -> Kind:
    return Play if type(move) is Play else move  # type: ignore[return-value]


class IllegalMove(ValueError):
    """The rules do not allow this here; the hand is unchanged. `code` says which one."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
