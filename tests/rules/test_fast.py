"""The fast game is the game: the same moves, the same speaker and the same end, hand by hand."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings

from p2ptruco.rules.codes import code_of, move_of
from p2ptruco.rules.fast import NOBODY, OVER, FastHand, FastRules
from p2ptruco.rules.hand import Hand
from p2ptruco.rules.match import Match
from p2ptruco.rules.play import act, awaited, legal, show, speaker
from p2ptruco.rules.presets import CORE
from p2ptruco.rules.seating import Seat, Slot

from .kit import Dealt, deals


def start(dealt: Dealt) -> FastHand:
    """The deal as the fast game has it."""
    hand = dealt.hand
    rules = FastRules(hand.variant, hand.players)
    places = {card: place for place, card in enumerate(hand.variant.deck)}
    cards = [places[dealt.faces[Slot(slot)]] for slot in range(len(dealt.faces))]
    return rules.deal(cards, hand.dealer, hand.score)


def shown(hand: Hand, dealt: Dealt) -> Hand:
    """The hand once the table has seen what it waits for."""
    slot = awaited(hand)
    return hand if slot is None else show(hand, slot, dealt.faces[slot])


def both(dealt: Dealt) -> Iterator[tuple[Hand, FastHand]]:
    """The two games before every move and at the end of a random hand."""
    hand, fast = shown(dealt.hand, dealt), start(dealt)
    while hand.result is None:
        yield hand, fast
        seat = speaker(hand)
        assert seat is not None
        move = dealt.rng.choice([m for m in legal(hand, seat) for _ in range(1 + 9 * ends_not(m))])
        hand = shown(act(hand, seat, move), dealt)
        fast.act(code_of(move))
    yield hand, fast


def ends_not(move: object) -> bool:
    """Whether a move leaves the hand open: chosen more often, so that hands last."""
    return getattr(move, "name", "") not in ("FOLD", "RUN", "REFUSE")


def told(fast: FastHand) -> dict[str, object]:
    """All that the fast game knows; of a trick in progress only if there is one."""
    stale = () if fast.laid else ("best", "holder", "side")
    left_out = ("rules", "cards", *stale)
    return {name: getattr(fast, name) for name in FastHand.__slots__ if name not in left_out}


@settings(max_examples=150, deadline=None)
@given(deals())
def test_it_is_the_same_game(dealt: Dealt) -> None:
    """Legal moves in order, the speaker, and who wins how much, after every move."""
    for hand, fast in both(dealt):
        if hand.result is not None:
            winner = NOBODY if hand.result.winner is None else hand.result.winner
            assert (fast.phase, fast.legal()) == (OVER, ())
            assert fast.winner == winner
            assert winner == NOBODY or fast.points == hand.result.points
            return
        seat = speaker(hand)
        assert seat == fast.seat()
        assert legal(hand, seat) == tuple([move_of(code, seat) for code in fast.legal()])


@settings(max_examples=60, deadline=None)
@given(deals())
def test_it_goes_on_from_any_hand(dealt: Dealt) -> None:
    """A hand that is taken up in the middle stands as the one that was played from its start."""
    for hand, fast in both(dealt):
        again = fast.rules.resume(hand, dealt.faces)
        if hand.result is None:
            assert told(again) == told(fast)
            assert told(fast.copy()) == told(fast)
        assert (again.phase, again.winner) == (fast.phase, fast.winner)


def test_it_does_not_go_on_while_a_face_is_missing() -> None:
    """Before the vira is out nobody knows what a card is worth."""
    variant = CORE["paulista"]
    with pytest.raises(ValueError, match="waits for a face"):
        FastRules(variant, 2).resume(Match(variant, 2, Seat(0)).hand(), {})
    with pytest.raises(ValueError, match="no card for slot 0"):
        FastRules(CORE["mineiro"], 2).resume(Match(CORE["mineiro"], 2, Seat(0)).hand(), {})
    with pytest.raises(ValueError, match="not for 8"):
        FastRules(variant, 8)


def leaves(fast: FastHand) -> int:
    """The number of ways in which a hand may go on to its end."""
    menu = fast.legal()
    if not menu:
        return 1
    total = 0
    for code in menu:
        twin = fast.copy()
        twin.act(code)
        total += leaves(twin)
    return total


def slow_leaves(hand: Hand, dealt: Dealt) -> int:
    """The same by the rules."""
    if hand.result is not None:
        return 1
    seat = speaker(hand)
    assert seat is not None
    return sum(
        slow_leaves(shown(act(hand, seat, move), dealt), dealt) for move in legal(hand, seat)
    )


PERFT = [
    ("mineiro", 2, (0, 0), 65107),
    ("mineiro", 2, (10, 0), 530),
    ("mineiro-dealer", 2, (0, 0), 11601),
    ("mano-a-mano", 2, (10, 0), 2750),
    ("paulista", 2, (11, 11), 36),
    ("paulista", 4, (11, 11), 1296),
]
SLOW = 3000
"""Leaves that the rules count in a moment."""


@pytest.mark.parametrize(("name", "players", "score", "count"), PERFT)
def test_a_fixed_deal_goes_on_in_so_many_ways(
    name: str, players: int, score: tuple[int, int], count: int
) -> None:
    """The ways to play a deal to its end, counted; the rules count the same."""
    variant = CORE[name]
    hand = Match(variant, players, Seat(0), score).hand()
    deck = list(variant.deck)
    random.Random(7).shuffle(deck)
    faces = {Slot(slot): card for slot, card in enumerate(deck[: 3 * players + variant.has_vira])}
    dealt = Dealt(hand, faces, random.Random(0))
    assert leaves(start(dealt)) == count
    if count < SLOW:
        assert slow_leaves(shown(hand, dealt), dealt) == count
