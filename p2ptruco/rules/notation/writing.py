"""A hand as text in the notation: what `judge` reads back with the same result.

A variant is written by value, as the nearest core preset and every toggle that differs from it, so
that the reader needs no plugin. A face that nobody saw is written `?`. Calls stand between the
cards; a comment after the last card of a trick holds the whole trick and says who takes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from p2ptruco.rules.cards import Card
from p2ptruco.rules.hand import Hand, Result, Said, Shown, begin
from p2ptruco.rules.moves import CALL, Move, Play
from p2ptruco.rules.notation.lines import HIDDEN, UNKNOWN
from p2ptruco.rules.play import act, show
from p2ptruco.rules.presets import CORE
from p2ptruco.rules.seating import Slot, seats_at, slots_of
from p2ptruco.rules.tricks import Trick
from p2ptruco.rules.variant import Variant, differs


def spell(variant: Variant) -> str:
    """The variant as a core preset followed by every toggle that differs: `mineiro fold=no`."""
    nearest = min(CORE.values(), key=lambda core: len(differs(variant, core)))
    pairs = [f"{name}={value}" for name, value in differs(variant, nearest).items()]
    return " ".join([nearest.name, *pairs])


def write(hand: Hand, seen: Mapping[Slot, Card] | None = None, comment: str = "") -> str:
    """The hand so far; `seen` adds faces that its writer knows to those that all have seen.

    A hand whose vira was never shown is all comments, since the notation has no such hand.
    A result that the rules alone do not give (absence, an illegal move) is in the last comment.
    """
    known = {**(seen or {}), **hand.faces}
    lines = [f"# {line}" for line in comment.splitlines()]
    vira_is_missing = hand.variant.has_vira and hand.vira is None
    header = [f"# {line}" if vira_is_missing else line for line in _header(hand, known)]
    lines += [*header, *_moves(hand, known)]
    if hand.result is not None:
        lines.append(f"# result: {told(hand.result)}")
    return "\n".join(lines) + "\n"


def told(result: Result) -> str:
    """A result as comments tell it: `B 4 run`, `none 0 tie`."""
    winner = "none" if result.winner is None else "AB"[result.winner]
    return f"{winner} {result.points} {result.how}"


def trick_told(trick: Trick, number: int) -> str:
    """A finished trick as comments tell it: `trick 1: 1 4d, 2 x: 1 takes it for A`."""
    cards = ", ".join(
        f"{lay.seat + 1} {HIDDEN if lay.face_down else lay.card}" for lay in trick.lays
    )
    return f"trick {number}: {cards}: {_taken(trick)}"


def _taken(trick: Trick) -> str:
    if trick.winner is None:
        return f"tied, {trick.lead + 1} leads"
    return f"{trick.lead + 1} takes it for {'AB'[trick.winner]}"


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
        finished = len(then.tricks)
        if isinstance(event, Shown):
            then = show(then, event.slot, event.card)
        else:
            yield _line(then, event, known)
            then = act(then, event.seat, event.move)
        for trick in then.tricks[finished:]:
            yield f"# {trick_told(trick, len(then.tricks))}"


def _line(hand: Hand, said: Said, known: Mapping[Slot, Card]) -> str:
    """A move as a line."""
    text = move_text(hand, said.move, known)
    if text == UNKNOWN:
        return f"# {said.seat + 1} laid a card that was never shown"
    return f"{said.seat + 1}: {text}"


def move_text(hand: Hand, move: Move, known: Mapping[Slot, Card]) -> str:
    """A move as the notation writes it; an unknown card is `?`, and `x ?` face down."""
    if isinstance(move, Play):
        card = str(known.get(move.slot, UNKNOWN))
        return f"{HIDDEN} {card}" if move.face_down else card
    if move is CALL and hand.next_call is not None:
        return hand.next_call.word
    return move.value
