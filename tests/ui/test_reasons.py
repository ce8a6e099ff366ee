"""Codes in, sentences out: people read no code, no number of the system, no name of a signal."""

from __future__ import annotations

import errno
import os
from dataclasses import replace

import pytest

from p2ptruco.app.barred import barred
from p2ptruco.hooks import NoBot
from p2ptruco.net.transport.fault import REASONS
from p2ptruco.process import ended
from p2ptruco.rules.match import Match
from p2ptruco.rules.moves import CALL, FOLD, Move, Play
from p2ptruco.rules.notation.judge import judge
from p2ptruco.rules.play import act
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.seating import Seat, Slot
from p2ptruco.rules.variant import Variant
from p2ptruco.ui import reasons
from p2ptruco.ui.faults import by_bot, lines
from p2ptruco.ui.processes import how_ended
from p2ptruco.ui.terminal.barred import WHY, why_not
from p2ptruco.ui.terminal.verdict import reason


@pytest.mark.parametrize("code", sorted(REASONS - {"too_late"}))
def test_whoever_loses_the_link_to_a_lobby_reads_a_sentence(code: str) -> None:
    """For every word that a link may be closed with, and what to do."""
    assert code in reasons.NOT_SEATED
    assert code not in reasons.not_seated(code)


def test_what_the_system_refuses_is_told_without_its_number() -> None:
    told = reasons.refusal(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "out.json"))
    assert told == "The system refused out.json: the system says No space left on device."
    assert reasons.refusal(PermissionError(13, "x")) == "The system refused: permission denied."


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (-9, "it was killed by somebody, or by the system when memory ran out"),
        (-11, "it touched memory that is not its own"),
        (-8, "the signal SIGFPE ended it"),
        (-63, "the signal 63 ended it"),
        (3, "it ended by itself with status 3"),
    ],
)
def test_how_a_bots_process_ended_is_told_in_words(status: int, told: str) -> None:
    said = ended(status)
    if status != -63 or said.startswith("signal"):
        assert how_ended(said) == told
    detail = f"its process ended ({said}), its memory is lost\n"
    sentences = list(lines(by_bot([("zap", {"kind": "crash", "detail": detail})])))
    assert how_ended(said) in sentences[-1]
    assert how_ended(said) in reasons.no_bot(NoBot("load_crashed", "zap", said))
    assert how_ended(said) in reasons.seat_failed(2, said, None)


def test_last_words_of_a_process_stand_behind_how_it_ended() -> None:
    assert how_ended("exit 1: I give up") == "it ended by itself with status 1: I give up"
    assert how_ended("what it told its starter is no answer").startswith("what it told")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1: 4c\n", "the cards of a seat are missing"),
        ("players 4\nhand 1: ? ? ?\nhand 2: ? ? ?\n", "the cards of a seat are missing"),
        ("variant paulista\nhand 1: ? ? ?\nhand 2: ? ? ?\n", "a line of the header is missing"),
        ("hand 1: 4c 4c ?\nhand 2: ? ? ?\n", "line 1: these cards cannot have been dealt"),
        ("hand 1: ? ? ?\nhand 2: ? ? ?\n2: 4c\n", "line 3, move 1: it is not this seat's turn"),
    ],
)
def test_a_referee_says_what_is_missing_and_no_code(text: str, told: str) -> None:
    illegal = judge(text).illegal
    assert illegal is not None
    assert reason(illegal).startswith(told)
    assert illegal.code not in reason(illegal)


def asked(variant: Variant = MINEIRO, score: tuple[int, int] = (0, 0), calls: int = 0) -> list[str]:
    """Why each move cannot be made by the seat whose turn it is, at the first card."""
    hand = Match(variant, 2, Seat(0), score).hand()
    for seat in (1, 0, 1, 0)[:calls]:
        hand = act(hand, Seat(seat), CALL)
    seat = Seat(0 if calls % 2 else 1)
    moves: tuple[Move, ...] = (CALL, FOLD, Play(Slot(0), True))
    return [why_not(move, tuple(barred(hand, seat)), variant) for move in moves]


def test_what_cannot_be_done_now_is_refused_with_the_reason() -> None:
    """A card face down too early, a call above the last, a fold that the rules do not have."""
    assert asked()[2] == "No card may be laid face down before trick 2."
    assert asked(calls=4)[0] == "There is no higher call."  # doze is called, not accepted
    assert asked(replace(MINEIRO, fold=False))[1].startswith("By these rules nobody folds")
    assert asked(replace(MINEIRO, face_down_from=None))[2].startswith("By these rules no card")
    assert asked(score=(MINEIRO.target - MINEIRO.scale.base,) * 2)[0] == WHY["call", "iron"]
    assert why_not(None, (), MINEIRO) == "That cannot be done now."
