"""Moves as small ints, and the menus of them: how `fast` writes what `moves` has as values.

0, 1, 2 lay the seat's card at that place open, 3, 4, 5 the same face down; CALL to REFUSE are the
words. A menu lists codes in the order in which `legal` lists moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from p2ptruco.rules import moves
from p2ptruco.rules.moves import Move, Play, Word
from p2ptruco.rules.seating import CARDS_EACH, Seat, Slot

CALL, FOLD, ACCEPT, RUN, PLAY_ON, REFUSE = range(6, 12)

WORDS: Final[Mapping[int, Word]] = {
    CALL: moves.CALL,
    FOLD: moves.FOLD,
    ACCEPT: moves.ACCEPT,
    RUN: moves.RUN,
    PLAY_ON: moves.PLAY_ON,
    REFUSE: moves.REFUSE,
}
CODES: Final = {word: code for code, word in WORDS.items()}

ANSWERS: Final = (CALL, ACCEPT, RUN)
ANSWERS_AT_THE_TOP: Final = (ACCEPT, RUN)
DECISIONS: Final = (PLAY_ON, REFUSE)


def move_of(code: int, seat: Seat) -> Move:
    """The move of a seat that a code stands for."""
    if code in WORDS:
        return WORDS[code]
    return Play(Slot(seat * CARDS_EACH + code % CARDS_EACH), face_down=code >= CARDS_EACH)


def code_of(move: Move) -> int:
    """The code of a move."""
    if isinstance(move, Play):
        return move.slot % CARDS_EACH + CARDS_EACH * move.face_down
    return CODES[move]


def turns(*, hide: bool, fold: bool) -> tuple[tuple[int, ...], ...]:
    """The menus of a seat's turn, by the places it has not laid yet as bits, 8 more with a call."""
    places = range(CARDS_EACH)
    return tuple(
        tuple(
            [place for place in places if left >> place & 1]
            + [CARDS_EACH + place for place in places if hide and left >> place & 1]
            + [CALL] * call
            + [FOLD] * fold
        )
        for call in (0, 1)
        for left in range(8)
    )
