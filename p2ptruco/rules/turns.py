"""Whose word it is, what a seat may do and what it may see: answered from public facts alone.

Truco has no duty to follow suit, so no hidden card is ever needed to say what is legal; only the
weakest card, which time up lays, takes the faces of one's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from p2ptruco.rules.cards import Card
from p2ptruco.rules.hand import Hand, Kind, Phase, unplayed
from p2ptruco.rules.moves import ACCEPT, CALL, FOLD, PLAY_ON, REFUSE, RUN, IllegalMove, Move, Play
from p2ptruco.rules.options import CallInSpecial, Iron
from p2ptruco.rules.seating import (
    Seat,
    Slot,
    owner_of,
    rival_of,
    seats_at,
    seats_of,
    team_of,
    vira_slot,
)
from p2ptruco.rules.tricks import strengths


def to_act(hand: Hand) -> tuple[Seat, ...]:
    """The seats that may act now, ascending: any player of a team that is asked."""
    terms = hand.terms
    if hand.phase is Phase.PLAYING:
        return (_turn(hand),)
    if hand.phase is Phase.ANSWERING and hand.caller is not None:
        return seats_of(rival_of(team_of(hand.caller)), terms.players)
    if hand.phase is Phase.DECIDING and terms.special is not None:
        return seats_of(terms.special, terms.players)
    return ()


def is_asked(hand: Hand, seat: Seat) -> bool:
    """Whether a seat is one of `to_act`."""
    return seat == _turn(hand) if hand.phase is Phase.PLAYING else seat in to_act(hand)


def _turn(hand: Hand) -> Seat:
    return Seat((hand.leader + len(hand.laid)) % hand.terms.players)


def speaker(hand: Hand) -> Seat | None:
    """Of `to_act`, the first seat after the caller's (after the dealer's, for the decision)."""
    asked = to_act(hand)
    if len(asked) < 2:
        return asked[0] if asked else None
    opener = hand.caller if hand.phase is Phase.ANSWERING else hand.dealer
    after = hand.dealer if opener is None else opener
    return min(asked, key=lambda seat: (seat - after - 1) % hand.players)


def legal(hand: Hand, seat: Seat) -> tuple[Move, ...]:
    """Everything that a seat may do now, plays in the order dealt first; () if not asked."""
    if not is_asked(hand, seat):
        return ()
    if hand.phase is Phase.PLAYING:
        hide, call, fold = may_hide(hand), may_call(hand, seat), may_fold(hand)
        return _menu(unplayed(hand, seat), hide, call, fold)
    if hand.phase is Phase.ANSWERING:
        return (CALL, ACCEPT, RUN) if hand.next_call else (ACCEPT, RUN)
    return (PLAY_ON, REFUSE)


@cache
def _menu(slots: tuple[Slot, ...], hide: bool, call: bool, fold: bool) -> tuple[Move, ...]:
    opens = [Play(slot) for slot in slots]
    hidden = [Play(slot, face_down=True) for slot in slots if hide]
    return (*opens, *hidden, *[CALL] * call, *[FOLD] * fold)


def may_hide(hand: Hand) -> bool:
    """Whether a card may be laid face down in the trick in progress."""
    since = hand.terms.variant.face_down_from
    return since is not None and len(hand.tricks) + 1 >= since and hand.kind is not Kind.IRON


def may_fold(hand: Hand) -> bool:
    return hand.terms.variant.fold and hand.terms.kind is not Kind.IRON


def may_call(hand: Hand, seat: Seat) -> bool:
    """Whether a seat whose turn it is, or who answers, may name the next step."""
    if hand.terms.kind is not Kind.NORMAL:
        special = hand.terms.kind is Kind.SPECIAL
        return special and hand.terms.variant.call_in_special is CallInSpecial.FORFEIT
    its_own = hand.caller is not None and team_of(hand.caller) == team_of(seat)
    return hand.next_call is not None and not its_own


def audience(hand: Hand, slot: Slot) -> frozenset[Seat]:
    """The seats entitled to see the face of a slot, as the hand stands."""
    if slot == vira_slot(hand.players) and hand.variant.has_vira:
        return frozenset(seats_at(hand.players))
    owner = owner_of(slot)
    if owner not in seats_at(hand.players):
        return frozenset()
    if any(lay.slot == slot and not lay.face_down for lay in hand.laid):
        return frozenset(seats_at(hand.players))
    if hand.kind is Kind.IRON and hand.variant.iron is Iron.BLIND:
        return frozenset()
    if team_of(owner) == hand.special:
        return frozenset(seats_of(team_of(owner), hand.players))
    return frozenset({owner})


def default(hand: Hand, seat: Seat, cards: Mapping[Slot, Card | None]) -> Move:
    """What a seat whose time is up does; `cards`: its faces by slot, None where unknown."""
    if not is_asked(hand, seat):
        raise IllegalMove("hand_over" if hand.phase is Phase.OVER else "not_your_turn")
    if hand.phase is not Phase.PLAYING:
        return RUN if hand.phase is Phase.ANSWERING else PLAY_ON
    left = unplayed(hand, seat)
    if hand.kind is Kind.IRON and hand.variant.iron is Iron.BLIND:
        return Play(left[0])
    strength = strengths(hand.variant, hand.vira)
    faces = {slot: cards.get(slot) for slot in left}
    known = {slot: strength[card] for slot, card in faces.items() if card is not None}
    if len(known) < len(left):
        raise IllegalMove("unknown_card")
    return Play(min(left, key=known.__getitem__))
