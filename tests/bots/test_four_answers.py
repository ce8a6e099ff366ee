"""Four answers make a whole bot."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest

import p2ptruco
from p2ptruco import ACCEPT, CALL, PLAY_ON, REFUSE, RUN, Card, Move, Play, View
from p2ptruco.rules.options import Iron

from ..kit.variants import PRESETS
from .kit import walk


class Four(p2ptruco.FourAnswers):
    """Answers what it is told to, and counts the questions."""

    def __init__(self, raises: bool, response: int, special: bool, open_card: bool) -> None:
        self.raises, self.response, self.special, self.open = raises, response, special, open_card
        self.asked: list[str] = []

    def decide_if_raises(self, view: View) -> bool:
        self.asked.append("raise")
        return self.raises

    def raise_response(self, view: View) -> int:
        self.asked.append("response")
        return self.response

    def choose_card(self, view: View) -> Play | Card:
        self.asked.append("card")
        card = view.cards[view.plays[0].slot]
        assert card is not None
        return card if self.open else view.plays[-1]

    def special_hand_response(self, view: View) -> bool:
        self.asked.append("special")
        return self.special


def views(wanted: Callable[[View], bool]) -> list[View]:
    """Views of all presets and sizes in which a seat is asked."""
    return [view for view in asked() if wanted(view)]


@cache
def asked() -> tuple[View, ...]:
    """Every view of the walks in which a seat may act."""
    found = (view for table in PRESETS for view in walk(*table, random.Random(5)))
    return tuple(view for view in found if view.legal)


def answers(four: Four, seen: list[View]) -> set[tuple[bool, Move]]:
    assert seen
    return {(CALL in view.legal, four.choose(view)) for view in seen}


@pytest.mark.parametrize(
    ("response", "moves"),
    [
        (-1, {(True, RUN), (False, RUN)}),
        (0, {(True, ACCEPT), (False, ACCEPT)}),
        (1, {(True, CALL), (False, ACCEPT)}),
    ],
)
def test_a_call_is_answered_by_a_number(response: int, moves: set[tuple[bool, Move]]) -> None:
    """-1 runs, 0 accepts, 1 raises or accepts what cannot be raised."""
    four = Four(False, response, True, True)
    assert answers(four, views(lambda view: RUN in view.legal)) == moves
    assert set(four.asked) == {"response"}


@pytest.mark.parametrize(("special", "move"), [(True, PLAY_ON), (False, REFUSE)])
def test_a_special_hand_is_played_or_refused(special: bool, move: Move) -> None:
    """Yes or no."""
    four = Four(False, 0, special, True)
    assert answers(four, views(lambda view: REFUSE in view.legal)) == {(False, move)}


def test_it_calls_when_it_wants_and_may() -> None:
    """And is not asked where a call is impossible, or would lose the match."""
    eager = Four(True, 0, True, True)
    turns = views(lambda view: bool(view.plays))
    for view in turns:
        normal = CALL in view.legal and view.kind is p2ptruco.Kind.NORMAL
        assert (eager.choose(view) is CALL) == normal
    assert any(CALL in view.legal and view.kind is not p2ptruco.Kind.NORMAL for view in turns)


@pytest.mark.parametrize("open_card", [True, False])
def test_it_plays_the_card_or_the_play(open_card: bool) -> None:
    """A card is played open; face down takes a play; of a blind hand, the first position."""
    calm = Four(False, 0, True, open_card)
    for view in views(lambda view: bool(view.plays)):
        blind = view.kind is p2ptruco.Kind.IRON and view.variant.iron is Iron.BLIND
        expected = view.plays[0] if open_card or blind else view.plays[-1]
        assert calm.choose(view) == expected


def test_nonsense_is_an_error() -> None:
    """Of its author, with the answer in it."""
    called = views(lambda view: RUN in view.legal)[0]
    with pytest.raises(ValueError, match="2"):
        Four(False, 2, True, True).choose(called)

    class Elsewhere(Four):
        def choose_card(self, view: View) -> Card:
            return next(card for card in view.variant.deck if card not in view.cards.values())

    turn = views(lambda view: bool(view.plays))[0]
    with pytest.raises(ValueError, match="none of the bot's cards"):
        Elsewhere(False, 0, True, True).choose(turn)
