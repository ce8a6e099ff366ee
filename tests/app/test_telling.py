"""What happens in a hand as events: everything, once, in order, whenever one looks."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from p2ptruco.app import events
from p2ptruco.app.events import Event, OfHand
from p2ptruco.app.telling import Telling, own_cards, partners_cards
from p2ptruco.rules.hand import Hand, How, Said, Shown
from p2ptruco.rules.match import Match
from p2ptruco.rules.moves import CALL, Play
from p2ptruco.rules.play import lose
from p2ptruco.rules.presets import CORE
from p2ptruco.rules.seating import Seat, Slot, Team, slots_of, vira_slot
from p2ptruco.rules.tricks import strengths
from p2ptruco.rules.variant import Variant
from p2ptruco.rules.view import view_of
from tests.rules.kit import Dealt, shuffled, walk


def match_of(variant: Variant, players: int, seed: int) -> list[list[Hand]]:
    """The hands of a match at random, each as it grew."""
    rng = random.Random(seed)
    match, hands = Match(variant, players, Seat(seed % players)), []
    while match.winner is None:
        hands.append(list(walk(Dealt(match.hand(), shuffled(variant, players, rng), rng))))
        match = match.after(hands[-1][-1])
    return hands


def told(hands: Sequence[Sequence[Hand]], rng: random.Random) -> list[Event]:
    """The events of a match to which somebody looks now and then."""
    telling, done, events = Telling(), list[Hand](), list[Event]()
    for hand in hands:
        for state in hand[:-1]:
            if rng.random() < 0.4:
                events += telling.news(done, state)
        done.append(hand[-1])
        if rng.random() < 0.5:
            events += telling.news(done, None)
    return [*events, *telling.news(done, None)]


@pytest.mark.parametrize("variant", [*CORE.values(), replace(CORE["mineiro"], best_of=3)])
def test_everything_is_told_once_however_often_one_looks(variant: Variant) -> None:
    """Of every preset, at every size: the same events for whoever looks at every move, and for
    whoever looks at the end."""
    for players in sorted(variant.players):
        hands = match_of(variant, players, seed=players)
        whole = told(hands, random.Random(1))
        assert whole == told([hand[-1:] for hand in hands], random.Random(2))
        for number, (*_, hand) in enumerate(hands):
            its = [e for e in whole if isinstance(e, OfHand) and e.number == number]
            is_of(hand, its)
            ranks(hand, [e for e in whole if isinstance(e, events.Ranking) and e.number == number])
        scored = [e for e in whole if isinstance(e, events.Course)]
        assert [len(course.hands) for course in scored] == list(range(1, len(hands) + 1))
        runs_through(scored[-1], [hand for *_, hand in hands])


def ranks(hand: Hand, told: list[events.Ranking]) -> None:
    """The whole deck, by strength; a call of the strongest first. Once, when it is known."""
    known = hand.vira is not None or not hand.variant.has_vira
    assert len(told) == known
    for ranking in told:
        strength = strengths(hand.variant, hand.vira)
        worth = [{strength[card] for card in group} for group in ranking.groups]
        assert all(len(one) == 1 for one in worth)
        assert worth == sorted(worth, key=max, reverse=True)
        assert sorted(card for group in ranking.groups for card in group) == sorted(strength)
        strong = [group for group in ranking.groups if set(group) <= set(ranking.manilhas)]
        assert strong == [(card,) for card in ranking.manilhas]


def runs_through(course: events.Course, hands: Sequence[Hand]) -> None:
    """Every hand's result and calls, and the score behind it."""
    match = Match(hands[0].variant, hands[0].players, hands[0].dealer)
    for number, (scored, hand) in enumerate(zip(course.hands, hands, strict=True)):
        match = match.after(hand)
        assert (scored.number, scored.winner, scored.points, scored.how) == (number, *hand.result)
        assert (scored.score, scored.won) == (match.score, match.won)
        calls = [item.seat for item in hand.history if isinstance(item, Said) and item.move is CALL]
        assert [shout.seat for shout in scored.shouts] == calls


def is_of(hand: Hand, its: list[OfHand]) -> None:
    """The events are those of this hand."""
    begun, over = its[0], its[-1]
    assert isinstance(begun, events.HandBegun)
    assert isinstance(over, events.HandOver)
    assert (over.winner, over.points, over.how) == hand.result
    assert over.hand == hand
    said = [item for item in hand.history if isinstance(item, Said)]
    spoken = [e for e in its if isinstance(e, (events.Called, events.Said))]
    assert [e.seat for e in spoken] == [i.seat for i in said if not isinstance(i.move, Play)]
    laid = [e for e in its if isinstance(e, events.Laid)]
    assert [(e.seat, e.slot, e.card) for e in laid] == [
        (lay.seat, lay.slot, lay.card) for lay in hand.laid
    ]
    assert [i.seat for i in said if i.move is CALL] == [
        e.seat for e in its if isinstance(e, events.Called)
    ]
    tricks = [e for e in its if isinstance(e, events.TrickTaken)]
    assert [(e.winner, e.lead) for e in tricks] == [(t.winner, t.lead) for t in hand.tricks]
    for event, trick in zip(tricks, hand.tricks, strict=True):
        assert [c.card for c in event.cards] == [lay.card for lay in trick.lays]
        assert any(card.best for card in event.cards)
    viras = [e.card for e in its if isinstance(e, events.Vira)]
    slot, shown = vira_slot(hand.players), [i for i in hand.history if isinstance(i, Shown)]
    assert viras == [i.card for i in shown if i.slot == slot]
    assert bool(viras) == hand.variant.has_vira


def test_a_hand_that_ends_without_a_move_is_told_too() -> None:
    """Somebody left, or broke the rules."""
    hand = match_of(CORE["paulista"], 2, 3)[0][4]
    for how in (How.ABSENT, How.ILLEGAL):
        lost = lose(hand, Team(1), how)
        *_, over, course = Telling().news([lost], None)
        assert isinstance(over, events.HandOver)
        assert (over.winner, over.how) == (Team(0), how)
        assert isinstance(course, events.Course)
        assert [scored.how for scored in course.hands] == [how]


def test_a_hand_that_a_proof_takes_back_is_not_told_again() -> None:
    """The match ends before it."""
    first, second = match_of(CORE["mineiro"], 2, 5)[:2]
    telling = Telling()
    list(telling.news([first[-1]], second[3]))
    assert list(telling.news([first[-1]], None)) == []
    assert list(telling.news([], None)) == []


def test_cards_keep_their_places_and_partners_show_theirs_where_the_rules_say_so() -> None:
    """In the mão de dez, and nowhere else."""
    variant = CORE["mineiro"]
    faces = shuffled(variant, 4, random.Random(1))
    for score, mates in (((0, 0), 0), ((10, 0), 1), ((10, 10), 0)):
        hand = Match(variant, 4, Seat(0), score).hand()
        seen = {} if score == (10, 10) else faces
        view = view_of(hand, Seat(2), seen)
        own = own_cards(0, view)
        assert [(held.place, held.slot) for held in own.cards] == list(enumerate(slots_of(Seat(2))))
        assert [held.card for held in own.cards] == [seen.get(Slot(n)) for n in (6, 7, 8)]
        assert [event.seat for event in partners_cards(0, view)] == [Seat(0)] * mates
