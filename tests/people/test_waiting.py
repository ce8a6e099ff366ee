"""A table that waits: what is said of it, once, and when whoever leaves just goes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.app import events
from p2ptruco.app.questions import Question
from p2ptruco.app.stage import Stage
from p2ptruco.app.waiting import SEALED, watch
from p2ptruco.net.session.situation import Leaving, Missing, Owing, Situation
from p2ptruco.net.session.talk import Sent
from p2ptruco.rules.seating import Seat
from p2ptruco.table.steps.phases import Choice, Duty
from p2ptruco.ui.terminal.waits import Waits, owed
from p2ptruco.ui.words import speak

ME, BIA, CAIO, DAVI = map(Seat, range(4))
NAMES = ("Ana", "Bia", "Caio", "Davi")
MOVE = Choice(BIA)
QUIET = Situation((), (), since=1.0, due=False, leaving=Leaving.LOSES, cut_off=False)
GONE = replace(QUIET, missing=(Missing(BIA, 0.0, False),))
STUCK = replace(GONE, owing=(Owing(BIA, MOVE, True, False),), leaving=Leaving.NOBODY)
HANGS = replace(STUCK, leaving=Leaving.HANGS)
ENDED = replace(STUCK, missing=(Missing(BIA, 0.0, True),))
LATER = replace(QUIET, since=2.0)
THINKS = replace(QUIET, owing=(Owing(BIA, MOVE, False, False),))
LATE = replace(QUIET, owing=(Owing(BIA, MOVE, False, True),), leaving=Leaving.NOBODY)
ALONE = replace(
    STUCK, missing=tuple(Missing(seat, 0.0, False) for seat in (BIA, CAIO, DAVI)), cut_off=True
)
OVER = replace(QUIET, leaving=Leaving.OVER)
SEALS = replace(STUCK, leaving=Leaving.OVER)

NO_SIGN = "No sign of Bia (2) since 0; "
ENDS = "Bia (2) ended their program at 0 and is not expected back; "
NEEDS = "the table waits for them (a move)."
GOES_ON = "the table goes on until it needs them."
WAITS = "The table waits for Bia (2) since 1 (a move)."
BACK = "Bia (2) is heard again."
NOBODY = "Wait, or leave: then nobody wins."


def words() -> Waits:
    return Waits(NAMES, clock=lambda moment: f"{moment:g}")


@pytest.mark.parametrize(
    ("situations", "lines"),
    [
        ([QUIET, QUIET], []),
        ([THINKS, THINKS], []),
        ([GONE, GONE], [NO_SIGN + GOES_ON]),
        ([GONE, QUIET, GONE], [NO_SIGN + GOES_ON, BACK, NO_SIGN + GOES_ON]),
        ([STUCK, STUCK], [NO_SIGN + NEEDS, NOBODY]),
        ([GONE, STUCK, STUCK], [NO_SIGN + GOES_ON, WAITS, NOBODY]),
        ([STUCK, LATER, LATER], [NO_SIGN + NEEDS, NOBODY, BACK, "The table goes on."]),
        ([STUCK, THINKS, LATE], [NO_SIGN + NEEDS, NOBODY, BACK]),
        ([ENDED, ENDED], [ENDS + NEEDS, NOBODY]),
        ([GONE, ENDED], [NO_SIGN + GOES_ON, ENDS + NEEDS, NOBODY]),
        ([LATE, LATE], [WAITS, NOBODY]),
        ([LATE, LATER, OVER], [WAITS, NOBODY, "The table goes on."]),
        ([HANGS], [NO_SIGN + NEEDS, "Wait, or leave: the match is lost if their part comes, else "
                   "nobody wins."]),
        ([ALONE, ALONE], ["No sign of anybody since 0: is this machine on the network? The table "
                          "waits.", NOBODY]),
        ([OVER], []),
    ],
)  # fmt: skip
def test_what_is_said_and_that_it_is_said_once(
    situations: list[Situation], lines: list[str]
) -> None:
    """Who is missing, whether the table waits for them, what leaving would do; and when it is
    over. Whoever thinks is let think."""
    waits = words()
    assert [line for now in situations for line in waits.news(now)] == lines


@pytest.mark.parametrize(
    ("now", "lines"),
    [
        (QUIET, []),
        (THINKS, [WAITS]),
        (STUCK, [NO_SIGN + NEEDS, NOBODY]),
        (GONE, [NO_SIGN + GOES_ON]),
        (OVER, ["The match is over and its result stands: only seals are waited for."]),
    ],
)
def test_whoever_looks_is_told_everything_each_time(now: Situation, lines: list[str]) -> None:
    waits = words()
    for _ in range(2):
        list(waits.news(now))
        assert list(waits.looked(now)) == lines


@pytest.mark.parametrize(
    ("now", "asked", "going", "left"),
    [
        (QUIET, "gives the hand and the match away", "with your next turn", None),
        (replace(QUIET, due=True), "gives the hand and the match away", "Leaving: the hand", None),
        (STUCK, "Bia (2). If you leave now, nobody wins", "waits for Bia (2).", "nobody has won"),
        (HANGS, "Bia (2) too. Leaving gives the match away if", "waits for Bia (2) too.",
         "the match goes to the other team if their part still comes, else nobody has won"),
        (OVER, "its result stands", "its result stands", None),
    ],
)  # fmt: skip
def test_what_leaving_does_is_said_the_same_before_and_after(
    now: Situation, asked: str, going: str, left: str | None
) -> None:
    """It was said that the match goes to the other team, that it has no winner, and that nobody
    has won."""
    waits = words()
    assert asked in waits.ask(now)
    assert going in waits.going(now)
    if left is not None:
        assert waits.left(now).endswith(f"while the table waited for Bia (2): {left}.")


@pytest.mark.parametrize(
    ("sent", "said", "signalled"),
    [
        (Sent((BIA, CAIO)), [], ["Told to your partners only."]),
        (Sent((BIA,), (CAIO, DAVI)),
         ["Not told to Caio (3), Davi (4): there is no link to them."],
         ["Told to Bia (2) only.", "Not told to Caio (3), Davi (4): there is no link to them."]),
        (Sent((), (CAIO,)), ["Told to nobody: there is no link to Caio (3)."], None),
        (Sent(fault="empty"), ["Not told: nothing in this line can be shown."], None),
        (Sent(fault="too_fast"), ["Not told: the others hear no more than a line a second."], None),
    ],
)  # fmt: skip
def test_what_nobody_gets_is_not_told_as_said(
    sent: Sent, said: list[str], signalled: list[str] | None
) -> None:
    assert list(words().said(sent)) == said
    assert list(words().signalled(sent)) == (said if signalled is None else signalled)


def test_all_of_it_is_said_in_portuguese_too() -> None:
    """Every sentence fits its values."""
    speak("pt-BR")
    try:
        waits = words()
        told = [
            line for now in (GONE, STUCK, HANGS, ENDED, ALONE, LATE) for line in waits.news(now)
        ]
        told += [waits.ask(STUCK), waits.going(HANGS), waits.left(STUCK), waits.left(HANGS)]
        told += waits.signalled(Sent((BIA,), (CAIO,)))
    finally:
        speak("en")
    assert not [line for line in told if "{" in line or "Bia (2) is" in line or "waits" in line]
    assert told[0] == "Sem sinal de Bia (2) desde 0; a mesa segue enquanto não precisar."


# Watching.


@dataclass
class Sitting:
    """As much of a session as is looked at."""

    now: Situation = QUIET
    over: bool = False
    local: Any = field(default_factory=lambda: SimpleNamespace(leaving=False))

    def situation(self) -> Situation:
        return self.now

    def links(self) -> dict[Any, Any]:
        return {}

    @property
    def table(self) -> Any:
        return SimpleNamespace(outcome=True if self.over else None)


class Paper:
    """A face that keeps what is said of a table that waits."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.waits = words()

    def show(self, event: events.Event) -> None:
        if isinstance(event, events.Standing):
            self.lines += self.waits.news(event.situation)
        if isinstance(event, events.SealsAwaited):
            self.lines.append(self.waits.sealing(event.seats))

    def ask(self, question: Question) -> None:
        raise AssertionError

    def snapshot(self, shown: tuple[events.Event, ...], asked: tuple[Question, ...]) -> None:
        assert (shown, asked) == ((), ())


async def watched(sitting: Any, seconds: float) -> tuple[list[str], Situation | None]:
    """What is said in so many seconds, and the situation that whoever left was in."""
    paper, stage = Paper(), Stage()
    stage.attach(paper)
    left = None
    with trio.move_on_after(seconds):
        left = await watch(sitting, stage)
    return paper.lines, left


@pytest.mark.parametrize("stuck", [STUCK, LATE])
async def test_whoever_leaves_a_stuck_table_just_goes(
    stuck: Situation, autojump_clock: MockClock
) -> None:
    """Whoever does not leave waits on."""
    for leaving in (False, True):
        sitting = Sitting(stuck)
        sitting.local.leaving = leaving
        _, left = await watched(sitting, 600)
        assert (left is not None) is leaving


@pytest.mark.parametrize("now", [QUIET, THINKS, GONE, replace(HANGS, due=True), SEALS])
async def test_whoever_leaves_pays_first_what_they_owe(
    now: Situation, autojump_clock: MockClock
) -> None:
    """The polite way is an entry of our own; whoever thinks is let think; once the match is over
    its seals are waited for, whoever is missing."""
    sitting = Sitting(now)
    sitting.local.leaving = True
    _, left = await watched(sitting, 600)
    assert left is None


async def test_who_keeps_the_end_waiting_is_named(autojump_clock: MockClock) -> None:
    """The match is over, and for half a minute nothing was said."""
    sitting = Sitting(replace(OVER, owing=(Owing(BIA, Duty("seal"), False, False),)), over=True)
    assert await watched(sitting, SEALED - 1) == ([], None)
    lines, _ = await watched(sitting, SEALED + 1)
    assert lines == ["The match is over; waiting a moment for the seal of Bia (2)."]


def test_every_debt_has_a_name() -> None:
    kinds = {"reveal": "the key of a card", "seal": "the seal", "shuffle": "a part of the deal"}
    assert {kind: owed(Duty(kind)) for kind in kinds} == kinds
    assert owed(Choice(ME)) == "a move"
