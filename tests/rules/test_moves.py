"""The state machine is one table, and the table is complete."""

from __future__ import annotations

import pickle

import pytest

from p2ptruco.rules.cards import Card
from p2ptruco.rules.hand import Phase, begin
from p2ptruco.rules.moves import CALL, Play, Word
from p2ptruco.rules.notation.judge import REASONS
from p2ptruco.rules.play import KINDS, MOVES, IllegalMove, act, default, show
from p2ptruco.rules.presets import MINEIRO, PAULISTA
from p2ptruco.rules.seating import Seat, Slot, slots_of


def test_every_move_has_a_cell_in_every_phase() -> None:
    """A cell is what the move changes, or the code of why it cannot be made."""
    assert set(MOVES) == set(Phase)
    assert set(KINDS) == {Play, *Word}
    for row in MOVES.values():
        assert set(row) == set(KINDS)
        assert all(callable(cell) or cell in REASONS for cell in row.values())


TABLE = """
            play card  CALL  ACCEPT RUN   FOLD  PLAY_ON REFUSE
showing     .          .     .      .     .     .       .
deciding    .          .     .      .     .     moves   moves
playing     moves      moves .      .     moves .       .
answering   .          moves moves  moves .     .       .
over        .          .     .      .     .     .       .
"""


def test_which_moves_a_phase_has() -> None:
    """Cards, calls and folds while playing, answers to a call, decisions on a special hand."""
    for line in TABLE.strip().splitlines()[1:]:
        phase, *cells = line.split()
        row = MOVES[Phase(phase)]
        assert [callable(row[kind]) for kind in KINDS] == [cell == "moves" for cell in cells]


def test_words_are_singletons_through_a_pickle() -> None:
    """A move that comes from another process is the same move."""
    assert all(pickle.loads(pickle.dumps(word)) is word for word in Word)
    assert repr(CALL) == "CALL"


def test_only_the_awaited_slot_is_shown() -> None:
    """A face is taken for the slot that the table waits for, once, and of the deck."""
    hand = begin(PAULISTA, 2, Seat(1))
    card = Card.parse("4c")
    for slot, face, code in [
        (Slot(0), card, "not_awaited"),
        (Slot(6), Card("8", "c"), "no_such_card"),
    ]:
        with pytest.raises(IllegalMove) as raised:
            show(hand, slot, face)
        assert raised.value.code == code
    hand = act(show(hand, Slot(6), card), Seat(0), Play(Slot(1)))
    with pytest.raises(IllegalMove) as raised:
        show(hand, Slot(1), card)
    assert raised.value.code == "card_twice"
    with pytest.raises(IllegalMove) as raised:
        act(hand, Seat(1), Play(Slot(3)))
    assert raised.value.code == "not_your_turn"
    with pytest.raises(IllegalMove) as raised:
        show(show(hand, Slot(1), Card.parse("5c")), Slot(1), Card.parse("5c"))
    assert raised.value.code == "not_awaited"


@pytest.mark.parametrize(
    ("faces", "score", "laid"),
    [
        ("4c 3s 5d", (0, 0), 2),
        ("3s 5h 5d", (0, 0), 1),
        ("7h 7d As", (0, 0), 1),
        ("4c 3s 5d", (10, 10), 0),
        ("? ? ?", (10, 10), 0),
    ],
)
def test_time_up_on_a_card(faces: str, score: tuple[int, int], laid: int) -> None:
    """The weakest open, of equals the first dealt; blind, the first position, unknown or not."""
    hand = begin(MINEIRO, 2, Seat(1), score)
    cards = [None if word == "?" else Card.parse(word) for word in faces.split()]
    known = dict(zip(slots_of(Seat(0)), cards, strict=True))
    assert default(hand, Seat(0), known) == Play(Slot(laid))


def test_time_up_on_an_unknown_card() -> None:
    """Which card is the weakest takes all faces."""
    hand = begin(MINEIRO, 2, Seat(1))
    with pytest.raises(IllegalMove) as raised:
        default(hand, Seat(0), {Slot(0): Card.parse("4d"), Slot(1): None})
    assert raised.value.code == "unknown_card"
    with pytest.raises(IllegalMove) as raised:
        default(hand, Seat(1), {})
    assert raised.value.code == "not_your_turn"


@pytest.mark.parametrize(
    ("players", "dealer", "score"),
    [(3, 0, (0, 0)), (2, 2, (0, 0)), (2, -1, (0, 0)), (2, 0, (12, 0)), (2, 0, (0, -2))],
)
def test_hands_that_cannot_begin(players: int, dealer: int, score: tuple[int, int]) -> None:
    """A size that the variant does not allow, a dealer or a score that is not at the table."""
    with pytest.raises(ValueError, match=r"."):
        begin(MINEIRO, players, Seat(dealer), score)
