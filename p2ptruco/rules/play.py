"""What may happen in a hand, and what it does.

1. MOVES is the whole state machine: phase -> move -> what happens, or the code of why not.
2. Nothing here asks which seat is ours: a rule that did would be one that two peers disagree on.
3. `legal` offers exactly what `act` takes.
4. `audience` only ever grows while a hand goes on.

Codes, in the order in which they are looked for: hand_over, not_your_turn, decision_pending,
no_decision, call_pending, no_call_pending, not_in_hand, face_down_not_allowed, cannot_fold,
cannot_call, (wrong_call, of the notation only,) unknown_card. `show` has its own: not_awaited,
no_such_card, card_twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from p2ptruco.rules.cards import Card
from p2ptruco.rules.hand import (
    Change,
    Hand,
    How,
    Kind,
    Phase,
    Result,
    Said,
    Shown,
    changed,
    opening,
    unplayed,
)
from p2ptruco.rules.moves import ACCEPT, CALL, FOLD, PLAY_ON, REFUSE, RUN, Move, Play, Word, kind_of
from p2ptruco.rules.moves import IllegalMove as IllegalMove
from p2ptruco.rules.moves import Kind as MoveKind
from p2ptruco.rules.options import AllTied
from p2ptruco.rules.seating import CARDS_EACH, Seat, Slot, Team, rival_of, team_of
from p2ptruco.rules.tricks import Laid, finish, hand_winner
from p2ptruco.rules.turns import audience as audience
from p2ptruco.rules.turns import default as default
from p2ptruco.rules.turns import is_asked, may_call, may_fold, may_hide
from p2ptruco.rules.turns import legal as legal
from p2ptruco.rules.turns import speaker as speaker
from p2ptruco.rules.turns import to_act as to_act

# What each move changes.


def _lay(hand: Hand, seat: Seat, move: Move) -> Change:
    assert isinstance(move, Play)
    if move.slot not in unplayed(hand, seat):
        raise IllegalMove("not_in_hand")
    if move.face_down and not may_hide(hand):
        raise IllegalMove("face_down_not_allowed")
    laid = (*hand.laid, Laid(move.slot, move.face_down, None))
    return _settled(hand, laid) if move.face_down else {"laid": laid, "phase": Phase.SHOWING}


def _call(hand: Hand, seat: Seat, _: Move) -> Change:
    if not may_call(hand, seat):
        raise IllegalMove("cannot_call")
    if hand.kind is Kind.SPECIAL:
        rival = rival_of(team_of(seat))
        return _won(rival, hand.variant.target - hand.score[rival], How.FORFEIT)
    return {"caller": seat, "phase": Phase.ANSWERING}


def _raise(hand: Hand, seat: Seat, move: Move) -> Change:
    if not may_call(hand, seat):
        raise IllegalMove("cannot_call")
    return {"step": hand.step + 1, "caller": seat}


def _accept(hand: Hand, _: Seat, __: Move) -> Change:
    return {"step": hand.step + 1, "phase": Phase.PLAYING}


def _run(hand: Hand, seat: Seat, _: Move) -> Change:
    return _lost(hand, team_of(seat), How.RUN)


def _fold(hand: Hand, seat: Seat, _: Move) -> Change:
    if not may_fold(hand):
        raise IllegalMove("cannot_fold")
    return _lost(hand, team_of(seat), How.FOLD)


def _play_on(_: Hand, __: Seat, ___: Move) -> Change:
    return {"step": 1, "phase": Phase.PLAYING}


def _refuse(hand: Hand, seat: Seat, _: Move) -> Change:
    return _lost(hand, team_of(seat), How.REFUSED)


def _settled(hand: Hand, laid: tuple[Laid, ...]) -> Change:
    """What changes once a card lies as it will lie: the trick, and the hand if that decides it."""
    table = laid[len(hand.tricks) * hand.players :]
    if len(table) < hand.players:
        return {"laid": laid, "phase": Phase.PLAYING}
    tricks = (*hand.tricks, finish(hand.variant, hand.vira, table))
    change: Change = {"laid": laid, "tricks": tricks, "phase": Phase.PLAYING}
    winner = hand_winner([trick.winner for trick in tricks])
    if winner is None and len(tricks) < CARDS_EACH:
        return change
    return change | (_all_tied(hand) if winner is None else _won(winner, hand.value, How.TRICKS))


def _all_tied(hand: Hand) -> Change:
    winner = {
        AllTied.NOBODY: None,
        AllTied.DEALER: team_of(hand.dealer),
        AllTied.ELDEST: team_of(hand.eldest),
    }[hand.variant.all_tied]
    return _won(None, 0, How.TIE) if winner is None else _won(winner, hand.value, How.TRICKS)


def _won(winner: Team | None, points: int, how: How) -> Change:
    return {"phase": Phase.OVER, "result": Result(winner, points, how)}


def _lost(hand: Hand, team: Team, how: How) -> Change:
    return _won(rival_of(team), hand.value, how)


Transition = Callable[[Hand, Seat, Move], Change]

KINDS: Final[tuple[MoveKind, ...]] = (Play, *Word)


def _all(code: str) -> dict[MoveKind, Transition | str]:
    return dict.fromkeys(KINDS, code)


_UNDECIDED: Final[dict[MoveKind, Transition | str]] = {
    PLAY_ON: "no_decision",
    REFUSE: "no_decision",
}

MOVES: Final[Mapping[Phase, Mapping[MoveKind, Transition | str]]] = {
    Phase.SHOWING: _all("not_your_turn"),
    Phase.DECIDING: _all("decision_pending") | {PLAY_ON: _play_on, REFUSE: _refuse},
    Phase.PLAYING: _UNDECIDED
    | {Play: _lay, CALL: _call, FOLD: _fold, ACCEPT: "no_call_pending", RUN: "no_call_pending"},
    Phase.ANSWERING: _all("call_pending") | _UNDECIDED | {ACCEPT: _accept, RUN: _run, CALL: _raise},
    Phase.OVER: _all("hand_over"),
}
"""The state machine: what a move does in a phase, or the code of why it cannot be made."""


# What happens to a hand.


def act(hand: Hand, seat: Seat, move: Move) -> Hand:
    """The hand after a seat's move; IllegalMove with the first code that applies."""
    if hand.phase is not Phase.OVER and not is_asked(hand, seat):
        raise IllegalMove("not_your_turn")
    cell = MOVES[hand.phase][kind_of(move)]
    if isinstance(cell, str):
        raise IllegalMove(cell)
    return changed(hand, cell(hand, seat, move), Said(seat, move))


def awaited(hand: Hand) -> Slot | None:
    """The slot that everybody must see before anything else: the vira, or a card laid open."""
    return hand.awaited


def show(hand: Hand, slot: Slot, card: Card) -> Hand:
    """The hand after the whole table saw the face of the slot that it waits for."""
    if slot != hand.awaited:
        raise IllegalMove("not_awaited")
    if not hand.variant.has(card):
        raise IllegalMove("no_such_card")
    if card == hand.vira or card in [lay.card for lay in hand.laid]:
        raise IllegalMove("card_twice")
    if hand.laid:
        change = _settled(hand, (*hand.laid[:-1], Laid(slot, False, card)))
    else:
        change = {"vira": card, "phase": opening(hand.terms, vira_is_out=True)}
    return changed(hand, change, Shown(slot, card))


def lose(hand: Hand, team: Team, how: How) -> Hand:
    """The hand given to the other team for what it is worth at this point."""
    if hand.phase is Phase.OVER:
        raise IllegalMove("hand_over")
    return changed(hand, _lost(hand, team, how))
