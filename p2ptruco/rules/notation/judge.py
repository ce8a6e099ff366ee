"""The referee of a hand in the notation: who won what, or which move was illegal and why.

Unknown cards are no obstacle, since what is legal follows from public facts; a card played from a
`?` becomes known. `Verdict.json` is the object that `p2ptruco judge --json` prints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from p2ptruco.rules.cards import Card
from p2ptruco.rules.hand import Hand, begin, unplayed
from p2ptruco.rules.match import score_after, winner_at
from p2ptruco.rules.moves import CALL, Move, Play, Word
from p2ptruco.rules.notation.lines import HIDDEN, OPEN, TIMEOUT, Fault
from p2ptruco.rules.notation.reading import Sheet, Written, parse, parse_each
from p2ptruco.rules.notation.writing import move_text
from p2ptruco.rules.play import IllegalMove, act, default, legal, show, to_act
from p2ptruco.rules.presets import CORE
from p2ptruco.rules.seating import Seat, Slot, Team
from p2ptruco.rules.tricks import Laid
from p2ptruco.rules.variant import Variant

REASONS: Final[Mapping[str, str]] = {
    "syntax": "not a line of the notation, or a word or seat that this table does not have",
    "bad_header": "the header names something that cannot be",
    "bad_deal": "the cards dealt cannot be",
    "hand_over": "the hand is already over",
    "not_your_turn": "it is not this seat's turn",
    "decision_pending": "the special hand must first be played or refused",
    "no_decision": "there is nothing to decide",
    "call_pending": "the call must first be answered",
    "no_call_pending": "there is no call to answer",
    "not_in_hand": "this seat does not hold that card",
    "face_down_not_allowed": "no card may be laid face down now",
    "cannot_fold": "the hand cannot be folded",
    "cannot_call": "this team cannot call now",
    "wrong_call": "another call comes next",
    "unknown_card": "the card that this needs is not known",
}
"""Every code in the order in which they are checked, with a terse reason."""

NOWHERE: Final = Slot(-1)
"""A slot of no seat: what a card that is not in hand is played from."""

_WORDS: Final[Mapping[str, Word]] = {word.value: word for word in Word if word is not CALL}


class Illegal(NamedTuple):
    """What is wrong with a file (no move), or which move of it: lines and moves from 1."""

    line: int | None
    move: int | None
    code: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The state that the legal moves lead to, and the move or line that ended the reading."""

    hand: Hand | None
    """None: the file is wrong."""
    known: Mapping[Slot, Card]
    """The faces that the file has told so far."""
    illegal: Illegal | None = None

    @property
    def exit(self) -> int:
        """0: all legal; 1: a move is illegal; 2: the file is wrong."""
        if self.illegal is None:
            return 0
        return 2 if self.hand is None else 1

    def json(self, explain: Callable[[str], str] = REASONS.__getitem__) -> dict[str, Any]:
        """The object of `judge --json`; `explain` puts a code into words."""
        told = dict.fromkeys(_TOLD) if self.hand is None else _told(self.hand, self.known)
        wrong = self.illegal
        reason = None if wrong is None else wrong._asdict() | {"message": explain(wrong.code)}
        return {**told, "illegal": reason}


def judge(text: str | bytes, variants: Mapping[str, Variant] = CORE) -> Verdict:
    """Referee a file of one hand."""
    try:
        sheet = parse(text, variants)
    except Fault as fault:
        return _wrong(fault)
    return referee(sheet)


def judge_match(text: str | bytes, variants: Mapping[str, Variant] = CORE) -> tuple[Verdict, ...]:
    """Referee a file of one or more hands, divided by `---`, each by itself."""
    try:
        read = list(parse_each(text, variants))
    except Fault as fault:
        return (_wrong(fault),)
    return tuple(_wrong(one) if isinstance(one, Fault) else referee(one) for one in read)


def _wrong(fault: Fault) -> Verdict:
    return Verdict(None, {}, Illegal(fault.line, None, fault.code))


def referee(sheet: Sheet) -> Verdict:
    """Play a hand that was read, as far as it is legal."""
    state = _dealt(sheet)
    for number, written in enumerate(sheet.moves, 1):
        try:
            state = _after(state, written)
        except IllegalMove as error:
            return replace(state, illegal=Illegal(written.line, number, error.code))
    return state


def _dealt(sheet: Sheet) -> Verdict:
    cards = [card for cards in sheet.cards for card in cards]
    known = {Slot(slot): card for slot, card in enumerate(cards) if card is not None}
    hand = begin(sheet.variant, sheet.players, sheet.dealer, sheet.score)
    if hand.awaited is not None and sheet.vira is not None:
        known[hand.awaited] = sheet.vira
        hand = show(hand, hand.awaited, sheet.vira)
    return Verdict(hand, known)


def _after(state: Verdict, written: Written) -> Verdict:
    """The state after a move; IllegalMove."""
    hand, known = state.hand, dict(state.known)
    assert hand is not None
    move = _move(hand, known, written)
    if isinstance(move, Play) and written.card is not None:
        known.setdefault(move.slot, written.card)
    after = act(hand, written.seat, move)
    if move is CALL and hand.next_call is not None and written.word != hand.next_call.word:
        raise IllegalMove("wrong_call")
    if after.awaited is None:
        return Verdict(after, known)
    if after.awaited not in known:
        raise IllegalMove("unknown_card")
    return Verdict(show(after, after.awaited, known[after.awaited]), known)


def _move(hand: Hand, known: Mapping[Slot, Card], written: Written) -> Move:
    if written.word == TIMEOUT:
        return default(hand, written.seat, known)
    if written.word in (OPEN, HIDDEN):
        slot = _slot(hand, known, written.seat, written.card)
        return Play(slot, face_down=written.word == HIDDEN)
    return _WORDS.get(written.word, CALL)


def _slot(hand: Hand, known: Mapping[Slot, Card], seat: Seat, card: Card | None) -> Slot:
    """Where a seat holds a card, be it as an unknown one that it may turn out to be."""
    left = unplayed(hand, seat)
    if card is not None:
        held = [slot for slot in left if known.get(slot) == card]
        if held or card in known.values() or not hand.variant.has(card):
            return held[0] if held else NOWHERE
    return next((slot for slot in left if slot not in known), NOWHERE)


# What the referee tells.


def _told(hand: Hand, known: Mapping[Slot, Card]) -> dict[str, Any]:
    score, actors = score_after(hand), to_act(hand)
    moves = legal(hand, actors[0]) if actors else ()
    return {
        "variant": hand.variant.name,
        "players": hand.players,
        "dealer": hand.dealer + 1,
        "kind": str(hand.kind),
        "tricks": [_trick(*trick) for trick in hand.tricks],
        "table": _lays(hand.table),
        "value": hand.value,
        "pending": _pending(hand),
        "to_act": [seat + 1 for seat in actors],
        "legal": sorted({move_text(hand, move, known) for move in moves}),
        "result": _result(hand),
        "score": {"A": score[0], "B": score[1]},
        "match": _letter(winner_at(hand.variant, score)),
    }


_TOLD: Final = (
    *("variant", "players", "dealer", "kind", "tricks", "table", "value", "pending", "to_act"),
    *("legal", "result", "score", "match"),
)


def _letter(team: Team | None) -> str | None:
    return None if team is None else "AB"[team]


def _lays(lays: Sequence[Laid]) -> list[list[int | str]]:
    return [[lay.seat + 1, "x" if lay.face_down else str(lay.card)] for lay in lays]


def _trick(lays: Sequence[Laid], winner: Team | None, lead: Seat) -> dict[str, Any]:
    return {"cards": _lays(lays), "winner": _letter(winner), "lead": lead + 1}


def _pending(hand: Hand) -> dict[str, Any] | None:
    pending = hand.pending
    if pending is None:
        return None
    return {"call": pending.word, "by": pending.by + 1, "points": pending.points}


def _result(hand: Hand) -> dict[str, Any] | None:
    if hand.result is None:
        return None
    winner, points, how = hand.result
    return {"winner": _letter(winner), "points": points, "how": str(how)}
