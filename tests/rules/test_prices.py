"""What a player is told that a move costs or brings is what it does to the score."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from p2ptruco.rules.cards import parse_cards
from p2ptruco.rules.hand import Hand, How, Phase, begin
from p2ptruco.rules.match import score_after, winner_at
from p2ptruco.rules.moves import ACCEPT, CALL, FOLD, PLAY_ON, REFUSE, RUN, Move, Play
from p2ptruco.rules.notation.judge import judge
from p2ptruco.rules.play import act, legal, lose, show, to_act
from p2ptruco.rules.presets import CORE, MANO_A_MANO, MINEIRO
from p2ptruco.rules.prices import Gain, Price, at_stake, price, throws_match, worth
from p2ptruco.rules.scale import Scale
from p2ptruco.rules.seating import Seat, Slot, Team, rival_of, team_of
from p2ptruco.rules.variant import Variant

from .kit import Dealt, deals, walk


def gained(before: Hand, end: Hand, team: Team) -> tuple[int, bool]:
    """The points that a hand has put on a team's score, and whether they have won the match."""
    score = score_after(end)
    return score[team] - before.score[team], winner_at(end.variant, score) == team


def told(before: Hand, gain: Gain | None, team: Team) -> tuple[int, bool] | None:
    """A gain as the score shows it, which never passes the target."""
    if gain is None:
        return None
    return min(gain.points, before.variant.target - before.score[team]), gain.match


def played_out(hand: Hand, dealt: Dealt) -> Hand:
    """The end of a hand in which nobody says a word any more."""
    while hand.result is None:
        if hand.awaited is not None:
            hand = show(hand, hand.awaited, dealt.faces[hand.awaited])
            continue
        seat = to_act(hand)[0]
        plays = [move for move in legal(hand, seat) if isinstance(move, Play)]
        hand = act(hand, seat, dealt.rng.choice(plays))
    return hand


@settings(max_examples=60, deadline=None)
@given(deals())
def test_a_price_is_what_the_score_becomes(dealt: Dealt) -> None:
    """Every legal move of every variant: made, then run from, accepted, played out, won, lost."""
    for hand in walk(dealt):
        for seat in to_act(hand)[:1]:
            for move in legal(hand, seat):
                holds(price(hand, seat, move), hand, seat, move, dealt)


def holds(priced: Price, hand: Hand, seat: Seat, move: Move, dealt: Dealt) -> None:
    """Whether a price is what happens, whatever the others do."""
    us, them = team_of(seat), rival_of(team_of(seat))
    after = act(hand, seat, move)
    if after.phase is Phase.ANSWERING:
        rival = to_act(after)[0]
        assert gained(hand, act(after, rival, RUN), us) == told(hand, priced.run, us)
        after = act(after, rival, ACCEPT)
    else:
        assert priced.run is None
    if after.result is not None and not isinstance(move, Play):
        assert priced.won is None
        assert gained(hand, after, them) == told(hand, priced.lost, them)
        return
    assert priced.won is not None
    ends = [played_out(after, dealt)]
    if after.result is None:
        ends += [lose(after, team, How.ABSENT) for team in (us, them)]
    for end in ends:
        assert end.result is not None
        if end.result.winner == us:
            assert gained(hand, end, us) == told(hand, priced.won, us)
        elif end.result.winner == them:
            assert gained(hand, end, them) == told(hand, priced.lost, them)


@settings(max_examples=60, deadline=None)
@given(deals())
def test_a_word_that_ends_the_match_throws_it_and_a_card_where_another_does_not(
    dealt: Dealt,
) -> None:
    """Who loses with every card is asked nothing about them, but about a word: it may be a slip. A
    card whose face is not known throws nothing."""
    for hand in walk(dealt, folds=True):
        for seat in to_act(hand)[:1]:
            ends = {move: ended_by(hand, seat, move, dealt) for move in legal(hand, seat)}
            for move, lost in ends.items():
                thrown = throws_match(hand, seat, move, dealt.faces)
                forced = isinstance(move, Play) and all(ends.values())
                assert thrown == (lost and not forced)
                assert not (thrown and move in (ACCEPT, PLAY_ON, REFUSE)), "none of them can"
                if not isinstance(move, Play):
                    priced = price(hand, seat, move)
                    assert lost == (priced.won is None and priced.lost.match)
                    assert throws_match(hand, seat, move, {}) == lost


def ended_by(hand: Hand, seat: Seat, move: Move, dealt: Dealt) -> bool:
    """Whether a move by itself makes the other team the winner of the match."""
    after = act(hand, seat, move)
    if after.awaited is not None:
        after = show(after, after.awaited, dealt.faces[after.awaited])
    return gained(hand, after, rival_of(team_of(seat)))[1]


def turn(variant: Variant, score: tuple[int, int]) -> Hand:
    """A hand of two whose first card seat 0 may lay."""
    hand = begin(variant, 2, Seat(1), score)
    if hand.awaited is not None:
        hand = show(hand, hand.awaited, parse_cards("5c")[0])
    return hand if hand.phase is Phase.PLAYING else act(hand, Seat(0), PLAY_ON)


@pytest.mark.parametrize("name", CORE)
def test_the_prices_of_a_first_call(name: str) -> None:
    """By the scale: its value if accepted, the base if run from; folding gives the base."""
    variant = CORE[name]
    hand, (base, first, second, *_rest) = turn(variant, (0, 0)), variant.scale.steps
    assert price(hand, Seat(0), CALL) == (Gain(first, False), Gain(base, False), (first, False))
    assert price(hand, Seat(0), FOLD) == (None, None, (base, False))
    assert at_stake(hand, Seat(0)) == ((base, False), None, (base, False))
    called = act(hand, Seat(0), CALL)
    assert price(called, Seat(1), RUN) == (None, None, (base, False))
    assert price(called, Seat(1), ACCEPT) == ((first, False), None, (first, False))
    raised = price(called, Seat(1), CALL)
    assert raised == ((second, False), (first, False), (second, False))


def test_a_call_in_a_special_hand_costs_the_match() -> None:
    """Mano a mano: whoever calls, the other team is given all that it lacks; nothing is won."""
    for score, lacking in (((10, 4), 8), ((4, 10), 2)):
        hand = turn(MANO_A_MANO, score)
        assert price(hand, Seat(0), CALL) == (None, None, (lacking, True))
        assert throws_match(hand, Seat(0), CALL, {})
        assert worth(hand, Seat(0), CALL) == (0, 0, lacking)


def test_points_that_reach_the_target_are_the_match() -> None:
    """At 8 to 9 on a scale that climbs by twos: what each may win or lose with a call and more."""
    hand = turn(MINEIRO, (8, 9))
    assert price(hand, Seat(0), CALL) == ((4, True), (2, False), (4, True))
    hand = act(act(hand, Seat(0), CALL), Seat(1), CALL)
    assert price(hand, Seat(0), RUN) == (None, None, (4, True))
    assert throws_match(hand, Seat(0), RUN, {})
    assert price(hand, Seat(0), ACCEPT) == ((6, True), None, (6, True))
    assert not throws_match(hand, Seat(0), ACCEPT, {})
    assert price(turn(MINEIRO, (10, 8)), Seat(0), FOLD) == (None, None, (4, True))
    assert price(begin(MINEIRO, 2, Seat(1), (10, 8)), Seat(0), REFUSE).lost == (2, False)


def test_a_scale_that_ends_with_the_first_call() -> None:
    """Nothing to raise it to, and the whole match in one word."""
    hand = turn(Variant(name="tudo", scale=Scale.parse("5,tudo:12")), (0, 0))
    assert price(hand, Seat(0), CALL) == ((12, True), (5, False), (12, True))
    with pytest.raises(ValueError, match="no call"):
        price(act(hand, Seat(0), CALL), Seat(1), CALL)


LAST_CARD = """score 10 8
hand 1: 4c 5c 5s
hand 2: 7h 6c 3s
1: play
1: 5c
2: 6c
2: 7h
1: 4c
1: 5s
"""


def test_a_card_that_loses_the_match_though_another_wins_it() -> None:
    """The last card of a hand worth four, face down by a slip; where it loses open as well, there
    is nothing left to lose by it, but a fold may still be a slip."""
    for card, lost in (("3s", True), ("4s", False)):
        verdict = judge(LAST_CARD.replace("3s", card))
        hand, slot = verdict.hand, Slot(5)
        assert hand is not None
        assert verdict.illegal is None
        assert throws_match(hand, Seat(1), Play(slot, face_down=True), verdict.known) == lost
        assert throws_match(hand, Seat(1), FOLD, verdict.known)
        assert not throws_match(hand, Seat(1), Play(slot), verdict.known)
