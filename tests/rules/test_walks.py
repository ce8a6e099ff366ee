"""Random legal hands of every variant and size, beside a second, plainer referee."""

from __future__ import annotations

import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2ptruco.rules.hand import Hand, How, Kind, Phase, Said, Shown, begin
from p2ptruco.rules.match import Match, score_after
from p2ptruco.rules.moves import CALL, FOLD, PLAY_ON, Play
from p2ptruco.rules.play import (
    IllegalMove,
    act,
    audience,
    awaited,
    default,
    legal,
    lose,
    show,
    speaker,
    to_act,
)
from p2ptruco.rules.presets import CORE
from p2ptruco.rules.seating import Slot, Team, owner_of, seats_at, team_of

from .kit import Dealt, deals, every_move, naive_trick, naive_winner, shuffled, step, variants, walk


def code_of(hand: Hand, seat: int, move: object) -> str | None:
    """The first code that the notation's order gives a move, from public facts; None: legal."""
    kind, play = hand.kind, isinstance(move, Play)
    asked = to_act(hand)
    laid = {lay.slot for lay in hand.laid}
    trick = len(hand.tricks) + 1
    since = hand.variant.face_down_from
    name = None if play else move.name
    if hand.result is not None:
        return "hand_over"
    if seat not in asked:
        return "not_your_turn"
    if hand.phase is Phase.DECIDING and name not in ("PLAY_ON", "REFUSE"):
        return "decision_pending"
    if hand.phase is not Phase.DECIDING and name in ("PLAY_ON", "REFUSE"):
        return "no_decision"
    if hand.pending is not None and name not in ("ACCEPT", "RUN", "CALL"):
        return "call_pending"
    if hand.pending is None and name in ("ACCEPT", "RUN"):
        return "no_call_pending"
    if play and (move.slot // 3 != seat or move.slot in laid or move.slot < 0):
        return "not_in_hand"
    if play and move.face_down and (since is None or trick < since or kind is Kind.IRON):
        return "face_down_not_allowed"
    if name == "FOLD" and (kind is Kind.IRON or not hand.variant.fold):
        return "cannot_fold"
    if name == "CALL" and not naive_may_call(hand, seat):
        return "cannot_call"
    return None


def naive_may_call(hand: Hand, seat: int) -> bool:
    """Calls alternate between the teams and climb to the top."""
    calls = [event.seat for event in hand.history if isinstance(event, Said) and event.move is CALL]
    if hand.kind is Kind.IRON:
        return False
    if hand.kind is Kind.SPECIAL:
        return hand.variant.call_in_special == "forfeit"
    return len(calls) < len(hand.variant.scale.calls) and (not calls or calls[-1] % 2 != seat % 2)


@settings(max_examples=50, deadline=None)
@given(deals())
def test_legal_is_what_act_takes_and_codes_come_in_order(dealt: Dealt) -> None:
    """`act` takes exactly `legal`, for every seat, and names the first code that applies."""
    for hand in walk(dealt):
        if hand.phase is Phase.SHOWING:
            continue
        for seat in seats_at(hand.players):
            offered = legal(hand, seat)
            assert len(set(offered)) == len(offered)
            for move in every_move(hand):
                code = code_of(hand, seat, move)
                assert (move in offered) == (code is None)
                if code is None:
                    act(hand, seat, move)
                    continue
                with pytest.raises(IllegalMove) as raised:
                    act(hand, seat, move)
                assert raised.value.code == code


@settings(max_examples=70, deadline=None)
@given(deals())
def test_tricks_and_hand_are_won_as_the_pages_say(dealt: Dealt) -> None:
    """Tricks, leads and the winner of a hand agree with the second referee."""
    *_, hand = walk(dealt)
    vira = dealt.faces[Slot(3 * hand.players)] if hand.variant.has_vira else None
    lays = [
        (m.seat, m.move) for m in hand.history if isinstance(m, Said) and isinstance(m.move, Play)
    ]
    faces = [(seat, None if play.face_down else dealt.faces[play.slot]) for seat, play in lays]
    size, winners, lead = hand.players, [], hand.eldest
    for start in range(0, len(faces), size):
        trick = faces[start : start + size]
        assert [seat for seat, _ in trick] == [(lead + i) % size for i in range(len(trick))]
        if len(trick) == size:
            winner, lead = naive_trick(hand.variant, vira, trick)
            winners.append(winner)
    assert [trick.winner for trick in hand.tricks] == winners
    assert all(naive_winner(winners[:count]) is None for count in range(len(winners)))
    result = hand.result
    assert result is not None
    if result.how not in (How.TRICKS, How.TIE):
        assert naive_winner(winners) is None
        return
    wanted = naive_winner(winners)
    if wanted == "all tied":
        dealer = hand.dealer % 2
        wanted = {"nobody": None, "dealer": dealer, "eldest": 1 - dealer}[hand.variant.all_tied]
    assert result.winner == wanted
    assert result.points == (0 if wanted is None else hand.value)
    assert (result.how is How.TIE) == (wanted is None)


@settings(max_examples=80, deadline=None)
@given(deals())
def test_the_value_climbs_the_scale(dealt: Dealt) -> None:
    """The value is a step of the scale and never falls; only a normal hand climbs by calls."""
    scale = dealt.hand.variant.scale
    values = [hand.value for hand in walk(dealt)]
    assert values == sorted(values)
    assert set(values) <= set(scale.steps)
    if dealt.hand.kind is Kind.IRON:
        assert set(values) == {scale.base}
    if dealt.hand.kind is Kind.SPECIAL:
        assert set(values) <= set(scale.steps[:2])


@settings(max_examples=70, deadline=None)
@given(deals())
def test_one_is_asked_or_one_team(dealt: Dealt) -> None:
    """Every open hand asks a seat, a whole team, or for a face; the speaker is one of the asked."""
    for hand in walk(dealt):
        asked = to_act(hand)
        assert list(asked) == sorted(asked)
        assert (hand.result is not None) == (hand.phase is Phase.OVER)
        assert (hand.result is None) == bool(asked or awaited(hand) is not None)
        assert not (asked and awaited(hand) is not None)
        assert all(legal(hand, seat) for seat in asked)
        assert len({legal(hand, seat) for seat in asked}) <= 1 or hand.phase is Phase.PLAYING
        assert speaker(hand) in (asked or (None,))
        assert len(asked) in (0, 1, hand.players // 2)


@settings(max_examples=80, deadline=None)
@given(deals())
def test_audience_only_grows(dealt: Dealt) -> None:
    """Who may see a slot may see it until the hand is over; what all have seen, all may see."""
    slots = [Slot(slot) for slot in range(3 * dealt.hand.players + 1)]
    before = {slot: frozenset() for slot in slots}
    for hand in walk(dealt):
        now = {slot: audience(hand, slot) for slot in slots}
        assert all(before[slot] <= now[slot] for slot in slots)
        everybody = frozenset(seats_at(hand.players))
        assert all(now[slot] == everybody for slot in hand.faces)
        before = now


@settings(max_examples=80, deadline=None)
@given(deals())
def test_audience_is_who_the_rules_name(dealt: Dealt) -> None:
    """Own cards, partners' in a special hand, nobody's in a blind iron hand, all that lies open."""
    for hand in walk(dealt):
        everybody = set(seats_at(hand.players))
        opened = {lay.slot for lay in hand.laid if not lay.face_down}
        for slot in map(Slot, range(3 * hand.players)):
            seat = owner_of(slot)
            blind = hand.kind is Kind.IRON and hand.variant.iron == "blind"
            mates = {s for s in everybody if s % 2 == seat % 2 and hand.special == seat % 2}
            wanted = everybody if slot in opened else set() if blind else {seat} | mates
            assert audience(hand, slot) == wanted
        vira = Slot(3 * hand.players)
        assert audience(hand, vira) == (everybody if hand.variant.has_vira else set())
        assert audience(hand, Slot(vira + 1)) == set()


@settings(max_examples=70, deadline=None)
@given(deals())
def test_a_hand_is_a_value(dealt: Dealt) -> None:
    """The history alone makes the hand again: equal, of one hash, also through a pickle."""
    *_, hand = walk(dealt)
    again = begin(hand.variant, hand.players, hand.dealer, hand.score)
    for event in hand.history:
        if isinstance(event, Shown):
            again = show(again, event.slot, event.card)
        else:
            again = act(again, event.seat, event.move)
    assert again == hand
    assert hash(again) == hash(hand)
    assert pickle.loads(pickle.dumps(hand)) == hand


@settings(max_examples=70, deadline=None)
@given(deals())
def test_no_hidden_card_is_in_a_hand(dealt: Dealt) -> None:
    """A face that was never shown stands nowhere in the hand."""
    for hand in walk(dealt):
        hidden = [str(card) for slot, card in dealt.faces.items() if slot not in hand.faces]
        shown = [str(lay.card) for lay in hand.laid if lay.card] + [str(hand.vira)]
        assert not set(hidden) & set(shown)
        assert all(card in dealt.faces.values() for card in hand.faces.values())


@settings(max_examples=70, deadline=None)
@given(deals())
def test_time_up_is_a_legal_move(dealt: Dealt) -> None:
    """The default of every asked seat is legal: run, play, the weakest card, the first position."""
    for hand in walk(dealt):
        for seat in to_act(hand):
            move = default(hand, seat, dealt.faces)
            assert move in legal(hand, seat)
            if isinstance(move, Play):
                assert not move.face_down


@settings(max_examples=70, deadline=None)
@given(deals(), st.sampled_from([How.ABSENT, How.ILLEGAL]), st.sampled_from([Team(0), Team(1)]))
def test_a_lost_hand_goes_for_what_it_is_worth(dealt: Dealt, how: How, team: Team) -> None:
    """Given away at any point, a hand brings the other team its value at that point."""
    for hand in walk(dealt):
        if hand.result is None:
            lost = lose(hand, team, how)
            assert lost.result == (1 - team, hand.value, how)
            assert to_act(lost) == ()
            assert awaited(lost) is None
        else:
            with pytest.raises(IllegalMove, match="hand_over"):
                lose(hand, team, how)


@settings(max_examples=40, deadline=None)
@given(variants(), st.integers(0, 2**32), st.booleans())
def test_matches_end(variant: object, seed: int, folds: bool) -> None:
    """Every match ends, the deal passes on each time, and points only come from results."""
    rng = random.Random(seed)
    players = rng.choice(sorted(variant.players))
    match = Match(variant, players, rng.randrange(players))
    hands = 0
    while match.winner is None:
        hand = match.hand()
        dealt = Dealt(hand, shuffled(variant, players, rng), rng)
        while hand.result is None:
            hand = step(hand, dealt, folds)
        gain = [after - before for before, after in zip(hand.score, score_after(hand), strict=True)]
        winner, points, _ = hand.result
        assert winner is None or gain[winner] == min(points, variant.target - hand.score[winner])
        assert sum(gain) == (0 if winner is None else gain[winner])
        then = match.after(hand)
        assert then.dealer == (match.dealer + 1) % players
        assert max(then.score) <= variant.target
        assert sum(then.won) == sum(match.won) + (max(then.score) == variant.target)
        match, hands = then, hands + 1
        assert hands < 5000
    assert match.won[match.winner] == variant.best_of // 2 + 1
    assert match.score[match.winner] == variant.target
    with pytest.raises(ValueError, match="over"):
        match.hand()


def test_speaker_is_the_next_of_the_team_after_the_opener() -> None:
    """Away from a table one seat answers: the next of the asked team after caller or dealer."""
    hand = begin(CORE["mineiro"], 6, 5)
    assert speaker(act(hand, 0, CALL)) == 1
    hand = begin(CORE["mineiro"], 6, 2)
    raised = act(act(hand, 3, CALL), 0, CALL)
    assert to_act(raised) == (1, 3, 5)
    assert speaker(raised) == 1
    raised = act(act(hand, 3, CALL), 4, CALL)
    assert speaker(raised) == 5
    special = begin(CORE["mineiro"], 6, 4, (10, 0))
    assert to_act(special) == (0, 2, 4)
    assert speaker(special) == 0
    assert speaker(begin(CORE["mineiro"], 6, 5, (0, 10))) == 1
    assert speaker(act(special, 4, PLAY_ON)) == 5
    four = act(begin(CORE["mineiro"], 4, 0), 1, CALL)
    assert to_act(four) == (0, 2)
    assert speaker(four) == 2


def test_the_next_deal_of_a_set_starts_at_nil() -> None:
    """A match that is won keeps its score until the next one begins; the deal passes on."""
    variant = CORE["mineiro"]
    three = type(variant)(**{f: getattr(variant, f) for f in variant.__slots__} | {"best_of": 3})
    match = Match(three, 2, 0, (10, 8))
    hand = act(act(match.hand(), 0, PLAY_ON), 1, FOLD)
    match = match.after(hand)
    assert (match.score, match.won, match.dealer) == ((12, 8), (1, 0), 1)
    assert match.winner is None
    assert match.match_winner == team_of(0)
    assert match.hand().score == (0, 0)
    again = match.after(act(match.hand(), 0, FOLD))
    assert (again.score, again.won, again.dealer) == ((0, 2), (1, 0), 0)
