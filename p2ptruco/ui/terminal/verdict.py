"""The referee's verdict on a hand, as lines."""

from __future__ import annotations

from collections.abc import Iterator

from p2ptruco.rules.hand import Hand
from p2ptruco.rules.match import score_after, winner_at
from p2ptruco.rules.notation.judge import Illegal, Verdict
from p2ptruco.rules.notation.writing import move_text
from p2ptruco.rules.play import legal, to_act
from p2ptruco.ui.reasons import illegal, missing
from p2ptruco.ui.terminal.cards import seat_text, team_text
from p2ptruco.ui.terminal.story import story, under_way
from p2ptruco.ui.words import _


def lines(verdict: Verdict) -> Iterator[str]:
    """The hand so far, whose word it is, and who has won the match."""
    hand = verdict.hand
    if hand is None:
        return
    yield from story(hand)
    if hand.result is None:
        yield from under_way(hand)
        yield _asked(hand, verdict)
    winner = winner_at(hand.variant, score_after(hand))
    if winner is not None:
        yield _("{team} wins the match").format(team=team_text(winner))


def _asked(hand: Hand, verdict: Verdict) -> str:
    """Who may act, and what the first of them may do."""
    seats = to_act(hand)
    moves = sorted({move_text(hand, move, verdict.known) for move in legal(hand, seats[0])})
    sentence = _("worth {value}; to act: {seats}; legal: {moves}")
    return sentence.format(
        value=hand.value, seats=", ".join(map(seat_text, seats)), moves=", ".join(moves)
    )


def reason(wrong: Illegal) -> str:
    """Why the file, or a move of it, is refused, and where."""
    if wrong.line is None:
        return missing(wrong.code)
    where = _("line {line}").format(line=wrong.line)
    if wrong.move is not None:
        where = _("line {line}, move {move}").format(line=wrong.line, move=wrong.move)
    return f"{where}: {illegal(wrong.code)}"
