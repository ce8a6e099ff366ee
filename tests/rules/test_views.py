"""What a bot sees: everything public, what moves cost, and no card that it may not know."""

from __future__ import annotations

import pickle
import random
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given, settings

from p2ptruco.rules.hand import Kind, Phase, begin
from p2ptruco.rules.moves import ACCEPT, CALL, FOLD, PLAY_ON, REFUSE, RUN, Play
from p2ptruco.rules.play import IllegalMove, act, audience, legal, lose, show, speaker, to_act
from p2ptruco.rules.presets import MANO_A_MANO, MINEIRO, PAULISTA
from p2ptruco.rules.seating import Seat, Slot, owner_of, seats_at
from p2ptruco.rules.view import view_of

from .kit import Dealt, deals, walk


@settings(max_examples=40, deadline=None)
@given(deals())
def test_a_view_shows_what_its_seat_may_know(dealt: Dealt) -> None:
    """Even when told every face, a view keeps to its own cards and its partners' in special."""
    for hand in walk(dealt):
        for seat in range(hand.players):
            seen = {
                slot: card for slot, card in dealt.faces.items() if seat in audience(hand, slot)
            }
            view = view_of(hand, Seat(seat), seen)
            assert {owner_of(slot) for slot in view.cards} <= {seat}
            assert {owner_of(slot) for slot in view.partner_cards} <= set(view.partners)
            assert all(card is None or slot in seen for slot, card in view.cards.items())
            told = view_of(hand, Seat(seat), dealt.faces)
            assert set(told.partner_cards) == set(view.partner_cards)
            assert pickle.loads(pickle.dumps(view)) == view
            if hand.kind is Kind.IRON and hand.variant.iron == "blind":
                assert not any(view.cards.values())
            assert view.legal == legal(hand, Seat(seat))
            assert set(view.plays) == {move for move in view.legal if isinstance(move, Play)}


@settings(max_examples=40, deadline=None)
@given(deals())
def test_worth_is_what_happens(dealt: Dealt) -> None:
    """A move's worth foretells what an acceptance, a run and a loss bring."""
    for hand in walk(dealt):
        for seat in to_act(hand)[:1]:
            view = view_of(hand, seat, dealt.faces)
            for move in view.legal:
                worth, after = view.worth(move), act(hand, seat, move)
                if after.result is not None and after.result.winner != view.team:
                    if not isinstance(move, Play):
                        assert worth == (0, 0, after.result.points)
                elif after.pending is not None:
                    rival = to_act(after)[0]
                    assert act(after, rival, ACCEPT).value == worth.accepted == worth.lost
                    assert act(after, rival, RUN).result == (view.team, worth.refused, "run")
                elif after.result is None:
                    assert worth == (after.value, 0, after.value)
                    assert lose(after, view.team, "absent").result[1] == worth.lost


def test_strength_counts_from_the_weakest() -> None:
    """0 face down or unknown, 1 for a four, the zap above all; equal means tied."""
    hand = begin(MINEIRO, 2, Seat(1))
    faces = {Slot(i): card for i, card in enumerate(MINEIRO.deck[::7])}
    view = view_of(hand, Seat(0), {slot: faces[slot] for slot in map(Slot, range(3))})
    by_name = {str(card): view.strength(card) for card in MINEIRO.deck}
    assert by_name["4d"] == 1
    assert by_name["3c"] == by_name["3d"] == 10
    assert [by_name[name] for name in ("7d", "As", "7h", "4c")] == [11, 12, 13, 14]
    assert view.strength(None) == view.strength(Play(Slot(0), face_down=True)) == 0
    assert view.strength(Play(Slot(0))) == view.strength(faces[Slot(0)])
    assert view.strength(Play(Slot(4))) == 0
    assert [str(card) for card in view.manilhas] == ["4c", "7h", "As", "7d"]


def test_taker_with_a_card() -> None:
    """A bot may ask whose the trick would be with a card of its own."""
    hand = begin(MINEIRO, 2, Seat(1))
    deck = {str(card): card for card in MINEIRO.deck}
    hand = show(act(hand, Seat(0), Play(Slot(0))), Slot(0), deck["Kc"])
    faces = {Slot(3): deck["Kd"], Slot(4): deck["3d"], Slot(5): deck["4d"]}
    view = view_of(hand, Seat(1), faces)
    assert view.taker() == 0
    assert [view.taker(Play(slot)) for slot in faces] == [None, 1, 0]
    assert view.taker(Play(Slot(4), face_down=True)) == 0


def test_special_worth() -> None:
    """Play for the first call's value, refuse for the base, forfeit for all that is lacking."""
    view = view_of(begin(MINEIRO, 2, Seat(1), (10, 6)), Seat(0), {})
    assert view.worth(PLAY_ON) == (4, 0, 4)
    assert view.worth(REFUSE) == (0, 0, 2)
    view = view_of(begin(MANO_A_MANO, 2, Seat(1), (10, 6)), Seat(0), {})
    assert view.worth(CALL) == (0, 0, 6)
    assert view.worth(FOLD) == (0, 0, 4)
    with pytest.raises(ValueError, match="no call"):
        view_of(begin(MINEIRO, 2, Seat(1), (10, 10)), Seat(0), {}).worth(CALL)


def test_a_view_is_frozen_and_carries_its_source() -> None:
    """Nothing of a view can be changed; its source of chance is the bot's own."""
    rng = random.Random(5)
    view = view_of(begin(PAULISTA, 2, Seat(1)), Seat(0), {}, rng=rng, budget_ms=1000)
    assert view.rng is rng
    assert view.budget_ms == 1000
    assert view.manilhas == ()
    with pytest.raises(FrozenInstanceError):
        view.seat = Seat(1)
    with pytest.raises(TypeError):
        view.cards[Slot(0)] = None


# What a bot asks beyond the table: the cards out of sight, a game to try moves in.


@settings(max_examples=60, deadline=None)
@given(deals())
def test_unseen_is_the_deck_without_what_the_seat_knows(dealt: Dealt) -> None:
    """It knows its cards, face down too, partners' where shown, the vira and what was laid open."""
    for hand in walk(dealt):
        for seat in seats_at(hand.players):
            seen = {s: c for s, c in dealt.faces.items() if seat in audience(hand, s)}
            view = view_of(hand, seat, seen)
            if hand.phase is not Phase.SHOWING:
                assert set(view.unseen) == set(hand.variant.deck) - set(seen.values())
            down = [lay.slot for lay in hand.laid if lay.face_down and lay.slot in seen]
            assert view.hidden == {slot: dealt.faces[slot] for slot in down}
            assert all(view.card(s) == c for s, c in view.hidden.items())
            assert (view.caller, view.next_call) == (hand.caller, hand.next_call)


@settings(max_examples=60, deadline=None)
@given(deals())
def test_a_simulation_with_the_true_cards_is_the_game(dealt: Dealt) -> None:
    """From any question to the end: the same seats, moves and result as the rules'."""
    for hand in walk(dealt):
        seat = speaker(hand)
        if seat is None:
            continue
        seen = {s: c for s, c in dealt.faces.items() if seat in audience(hand, s)}
        view = view_of(hand, seat, seen)
        game = view.simulate({slot: dealt.faces[slot] for slot in view.unknown})
        twin = game.copy()
        while hand.result is None:
            asked = speaker(hand)
            if asked is None:
                hand = show(hand, hand.awaited, dealt.faces[hand.awaited])
                continue
            assert (game.seat, game.legal) == (asked, legal(hand, asked))
            move = dealt.rng.choice(game.legal)
            game.play(move)
            hand = act(hand, asked, move)
        assert game.over
        assert (game.winner, game.points if game.winner is not None else hand.result.points) == (
            hand.result.winner,
            hand.result.points,
        )
        assert (twin.seat, twin.over) == (seat, False)
        return


def test_a_simulation_takes_only_what_may_be() -> None:
    """A guess with a card that the seat holds, one twice or a slot too few is no game."""
    hand = begin(MINEIRO, 2, Seat(0))
    faces = dict(enumerate(MINEIRO.deck[:6]))
    view = view_of(hand, Seat(1), {Slot(s): faces[s] for s in (3, 4, 5)})
    assert view.unknown == (0, 1, 2)
    other = list(view.unseen[:3])
    assert view.simulate(dict(zip(view.unknown, other, strict=True))).legal
    for guess in (
        dict(zip(view.unknown, [other[0], other[0], other[1]], strict=True)),
        dict(zip(view.unknown, [faces[3], *other[1:]], strict=True)),
        dict(zip(view.unknown[:2], other[:2], strict=True)),
    ):
        with pytest.raises(ValueError, match="card"):
            view.simulate(guess)
    game = view.simulate(dict(zip(view.unknown, other, strict=True)))
    with pytest.raises(IllegalMove):
        game.play(ACCEPT)
