"""Views and moves as plain values, so that they can cross to another process and back.

A view crosses as what the whole table knows (the terms of the hand and its history, played again
on the other side) and what its seat was shown besides. Its source of chance stays where it is:
each side has its own.
"""

from __future__ import annotations

import json
import random
from functools import lru_cache
from typing import Any

from p2ptruco.rules.cards import Card
from p2ptruco.rules.facts import How, Said, Shown
from p2ptruco.rules.hand import Hand, begin
from p2ptruco.rules.match import Match
from p2ptruco.rules.moves import Move, Play, Word
from p2ptruco.rules.play import act, lose, show
from p2ptruco.rules.seating import Seat, Slot, rival_of
from p2ptruco.rules.variant import Variant, from_toggles, toggles
from p2ptruco.rules.view import View

Plain = dict[str, Any]

NOT_PLAYED = frozenset({How.ABSENT, How.ILLEGAL})
"""Endings that no move of the history makes."""


def plain_view(view: View) -> Plain:
    """A view as lists, texts and numbers."""
    hand, match = view.hand, view.match
    return {
        "variant": [hand.variant.name, *_written(hand.variant)],
        "hand": _plain_hand(hand),
        "past": [_plain_hand(played) for played in view.past],
        "names": list(view.names),
        "seat": view.seat,
        "own": [[slot, str(card) if card else None] for slot, card in view.own],
        "mates": [[slot, str(card)] for slot, card in view.mates],
        "down": [[slot, str(card)] for slot, card in view.down],
        "match": [match.dealer, *match.score, *match.won] if match else None,
        "budget_ms": view.budget_ms,
    }


def view_from(told: Plain, rng: random.Random | None = None) -> View:
    """The view that `plain_view` wrote, with a source of this side."""
    name, *written = told["variant"]
    variant = _variant(name, tuple(written))
    hand = _hand(variant, told["hand"])
    past = tuple([_played(variant, json.dumps(played)) for played in told["past"]])
    match = told["match"] and Match(
        hand.variant,
        hand.players,
        Seat(told["match"][0]),
        tuple(told["match"][1:3]),
        tuple(told["match"][3:5]),
    )
    own = tuple((Slot(slot), _card(card)) for slot, card in told["own"])
    mates, down = (
        tuple((Slot(slot), Card(*card)) for slot, card in told[some]) for some in ("mates", "down")
    )
    names = tuple(told["names"])
    seat, budget = Seat(told["seat"]), told["budget_ms"]
    return View(hand, seat, own, mates, match, budget, rng, down, past, names)


def plain_move(move: Move) -> Any:
    """A move as `[slot, face down]`, or the word of the notation."""
    return [move.slot, move.face_down] if isinstance(move, Play) else move.value


def move_from(told: object) -> Move | None:
    """The move that `plain_move` wrote; None for anything else."""
    match told:
        case [int(slot), bool(face_down)]:
            return Play(Slot(slot), face_down)
        case str() if told in WORDS:
            return WORDS[told]
    return None


WORDS = {word.value: word for word in Word}


def _plain_event(event: Said | Shown) -> list[Any]:
    if isinstance(event, Shown):
        return [event.slot, str(event.card)]
    return [event.seat, None, plain_move(event.move)]


@lru_cache(maxsize=64)
def _played(variant: Variant, told: str) -> Hand:
    """A hand that is over: it crosses again with every view."""
    return _hand(variant, json.loads(told))


def _plain_hand(hand: Hand) -> Plain:
    ended = hand.result is not None and hand.result.how in NOT_PLAYED
    return {
        "terms": [hand.players, hand.dealer, *hand.score],
        "history": [_plain_event(event) for event in hand.history],
        "ended": [hand.result.winner, hand.result.how] if ended and hand.result else None,
    }


def _hand(variant: Variant, told: Plain) -> Hand:
    """The hand, played again."""
    players, dealer, *score = told["terms"]
    hand = begin(variant, players, Seat(dealer), (score[0], score[1]))
    for place, card, *move in told["history"]:
        if not move:
            hand = show(hand, Slot(place), Card(*card))
        else:
            said = move_from(move[0])
            assert said is not None
            hand = act(hand, Seat(place), said)
    if told["ended"]:
        winner, how = told["ended"]
        hand = lose(hand, rival_of(winner), How(how))
    return hand


def _card(text: str | None) -> Card | None:
    return Card(*text) if text else None


@lru_cache(maxsize=8)
def _written(variant: Variant) -> tuple[str, ...]:
    return tuple(f"{name}={value}" for name, value in toggles(variant).items())


@lru_cache(maxsize=8)
def _variant(name: str, written: tuple[str, ...]) -> Variant:
    return from_toggles(name, dict(pair.split("=", 1) for pair in written))
