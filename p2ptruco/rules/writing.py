"""A hand as text in the notation: what `judge` reads back with the same result.

A variant is written by value, as the nearest core preset and every toggle that differs from it, so
that the reader needs no plugin. A face that nobody saw is written `?`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from p2ptruco.rules.cards import Card
from p2ptruco.rules.hand import Hand, Result, Shown, begin
from p2ptruco.rules.lines import HIDDEN, UNKNOWN
from p2ptruco.rules.moves import CALL, Move, Play
from p2ptruco.rules.play import act, show
from p2ptruco.rules.presets import CORE
from p2ptruco.rules.seating import Slot, seats_at, slots_of
from p2ptruco.rules.variant import Variant, differs


def spell(variant: Variant) -> str:
    """The variant as a core preset followed by every toggle that differs: `mineiro fold=no`."""
    nearest = min(CORE.values(), key=lambda core: len(differs(variant, core)))
    pairs = [f"{name}={value}" for name, value in differs(variant, nearest).items()]
    return " ".join([nearest.name, *pairs])


def write(hand: Hand, seen: Mapping[Slot, Card] | None = None, comment: str = "") -> str:
    """The hand so far; `seen` adds faces that its writer knows to those that all have seen.

    A result that the rules alone do not give (absence, an illegal move) is in the last comment.
    """
    known = {**(seen or {}), **hand.faces}
    lines = [f"# {line}" for line in comment.splitlines()]
    lines += [*_header(hand, known), *_moves(hand, known)]
    if hand.result is not None:
        lines.append(f"# result: {told(hand.result)}")
    return "\n".join(lines) + "\n"


def told(result: Result) -> str:
    """A result as comments tell it: `B 4 run`, `none 0 tie`."""
    winner = "none" if result.winner is None else "AB"[result.winner]
    return f"{winner} {result.points} {result.how}"


def _header(hand: Hand, known: Mapping[Slot, Card]) -> Iterator[str]:
    yield f"variant {spell(hand.variant)}"
    yield f"players {hand.players}"
    yield f"score {hand.score[0]} {hand.score[1]}"
    yield f"dealer {hand.dealer + 1}"
    if hand.vira is not None:
        yield f"vira {hand.vira}"
    for seat in seats_at(hand.players):
        cards = " ".join(str(known.get(slot, UNKNOWN)) for slot in slots_of(seat))
        yield f"hand {seat + 1}: {cards}"


def _moves(hand: Hand, known: Mapping[Slot, Card]) -> Iterator[str]:
    then = begin(hand.variant, hand.players, hand.dealer, hand.score)
    for event in hand.history:
        if isinstance(event, Shown):
            then = show(then, event.slot, event.card)
            continue
        text = move_text(then, event.move, known)
        if text == UNKNOWN:
            yield f"# {event.seat + 1} laid a card that was never shown"
        else:
            yield f"{event.seat + 1}: {text}"
        then = act(then, event.seat, event.move)


def move_text(hand: Hand, move: Move, known: Mapping[Slot, Card]) -> str:
    """A move as the notation writes it; an unknown card is `?`, and `x ?` face down."""
    if isinstance(move, Play):
        card = str(known.get(move.slot, UNKNOWN))
        return f"{HIDDEN} {card}" if move.face_down else card
    if move is CALL and hand.next_call is not None:
        return hand.next_call.word
    return move.value
