"""What a move may bring or cost: what a player is told before a choice, and what bots ask.

1. Public facts are enough: a price needs nobody's cards. Only whether a card laid open loses the
   match at once takes its face.
2. Points are uncapped. They are the match where they bring the team that scores them to the
   target.
3. A call is priced as accepted or run from. Whoever raises it instead makes a choice with a price
   of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from p2ptruco.rules.cards import Card
from p2ptruco.rules.hand import Hand, Kind
from p2ptruco.rules.match import score_after, winner_at
from p2ptruco.rules.moves import ACCEPT, CALL, FOLD, PLAY_ON, REFUSE, RUN, Move, Play
from p2ptruco.rules.play import act, show
from p2ptruco.rules.seating import Seat, Slot, Team, rival_of, team_of
from p2ptruco.rules.turns import legal, may_call


class Worth(NamedTuple):
    """What a move puts at stake, in points, seen from the team that makes it."""

    accepted: int
    """What the hand is worth if the move stands, and the other team goes along with a call."""
    refused: int
    """What one's team scores at once if the other team runs from the call; else 0."""
    lost: int
    """What the other team scores if the hand is then lost, at once for a run, fold or refusal."""


class Gain(NamedTuple):
    """Points that a team would score, and whether they win it the match."""

    points: int
    match: bool


class Price(NamedTuple):
    """What a move may come to, seen from the team that makes it."""

    won: Gain | None
    """What one's team scores if it wins the hand, a call accepted; None: it has just lost it."""
    run: Gain | None
    """What one's team scores at once if the other team runs; None: there is no call to run from."""
    lost: Gain
    """What the other team scores if it wins the hand; at once where `won` is None."""


def price(hand: Hand, seat: Seat, move: Move) -> Price:
    """The price of a move; ValueError for a call that cannot come next."""
    return _price(hand, seat, worth(hand, seat, move))


def at_stake(hand: Hand, seat: Seat) -> Price:
    """The price of going on with the hand as it stands, by laying a card."""
    return _price(hand, seat, Worth(hand.value, 0, hand.value))


def _price(hand: Hand, seat: Seat, stake: Worth) -> Price:
    us = team_of(seat)
    won, run = (_gain(hand, us, points) if points else None for points in stake[:2])
    return Price(won, run, _gain(hand, rival_of(us), stake.lost))


def _gain(hand: Hand, team: Team, points: int) -> Gain:
    return Gain(points, hand.score[team] + points >= hand.variant.target)


def worth(hand: Hand, seat: Seat, move: Move) -> Worth:
    """The points of a price; ValueError for a call that cannot come next."""
    if move is CALL:
        return _worth_of_call(hand, seat)
    if move in (RUN, FOLD, REFUSE):
        return Worth(0, 0, hand.value)
    points = hand.value
    if move is PLAY_ON:
        points = hand.variant.scale.calls[0].points
    elif move is ACCEPT and hand.pending is not None:
        points = hand.pending.points
    return Worth(points, 0, points)


def _worth_of_call(hand: Hand, seat: Seat) -> Worth:
    call = hand.next_call
    if call is None or not may_call(hand, seat):
        raise ValueError("no call is possible")
    if hand.kind is Kind.SPECIAL:
        rival = rival_of(team_of(seat))
        return Worth(0, 0, hand.variant.target - hand.score[rival])
    refused = hand.pending.points if hand.pending is not None else hand.value
    return Worth(call.points, refused, call.points)


def throws_match(hand: Hand, seat: Seat, move: Move, cards: Mapping[Slot, Card | None]) -> bool:
    """Whether a legal move gives the match away at once: a word that loses it, and a card that does
    where another move does not.

    `cards`: the seat's faces by slot, as far as they are known.
    """
    loses = {other: _loses_match(hand, seat, other, cards) for other in legal(hand, seat)}
    return loses[move] and not (isinstance(move, Play) and all(loses.values()))


def _loses_match(hand: Hand, seat: Seat, move: Move, cards: Mapping[Slot, Card | None]) -> bool:
    after = act(hand, seat, move)
    if after.awaited is not None:
        card = cards.get(after.awaited)
        if card is None:
            return False
        after = show(after, after.awaited, card)
    return winner_at(hand.variant, score_after(after)) == rival_of(team_of(seat))
