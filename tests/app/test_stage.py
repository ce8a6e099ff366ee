"""Between a match and its faces: order, snapshot, questions, commands."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2ptruco.app import commands, events
from p2ptruco.app.asking import another, answered
from p2ptruco.app.commands import Answer, Command, Leave, Lock, Start
from p2ptruco.app.events import Closed, Event, Place, Refused, Scene, Talk
from p2ptruco.app.questions import Another, Choice, Question, Rename
from p2ptruco.app.stage import Stage, holding
from p2ptruco.rules.match import Match
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.seating import Seat
from tests.kit.raising import ANYTHING

from .kit import Sheet

HAND = Match(MINEIRO, 2, Seat(0)).hand()
SEATED = events.Seated(Seat(0), (), MINEIRO, 0, "PRINT")
LOBBY = events.Lobby(True, False, MINEIRO, 0, (None, None), False, False, False)
BEGUN = [events.HandBegun(n, HAND, (0, 0)) for n in range(3)]
CALLED = events.Called(0, HAND, Seat(0), "truco", 4)
TURN = events.Turn((Seat(0),), Seat(0), "move", 0.0, None, True)
ENDED = events.Ended(None, (0, 0), (0, 0), 1, (), False)
EVENING: list[Event] = [
    Scene(Place.LOBBY),
    LOBBY,
    Talk(None, "Ana", "oi"),
    LOBBY,
    Scene(Place.BETWEEN),
    Scene(Place.MATCH),
    SEATED,
    BEGUN[0],
    TURN,
    CALLED,
    TURN,
    BEGUN[1],
    ENDED,
    Scene(Place.BETWEEN),
    Scene(Place.LOBBY),
]


@pytest.mark.parametrize(
    ("so_far", "held"),
    [
        (2, [Scene(Place.LOBBY), LOBBY]),
        (4, [Scene(Place.LOBBY), LOBBY]),
        (5, [Scene(Place.BETWEEN)]),
        (10, [Scene(Place.MATCH), SEATED, BEGUN[0], TURN, CALLED]),
        (11, [Scene(Place.MATCH), SEATED, BEGUN[0], CALLED, TURN]),
        (12, [Scene(Place.MATCH), SEATED, TURN, BEGUN[1]]),
        (14, [SEATED, BEGUN[1], ENDED, Scene(Place.BETWEEN)]),
        (15, [Scene(Place.LOBBY)]),
    ],
)
def test_whoever_comes_later_gets_what_still_holds(so_far: int, held: list[Event]) -> None:
    """The scene, the lobby or the match, the hand under way; nothing that is over."""
    stage = Stage()
    stage.tell(*EVENING[:so_far])
    assert list(Sheet(stage).at_first) == held


def test_a_snapshot_shown_is_what_is_held() -> None:
    """Who is shown the snapshot and everything after it holds what the others hold."""
    for so_far in range(len(EVENING) + 1):
        early = later = ()
        for event in EVENING[:so_far]:
            early = holding(early, event)
        for event in early:
            later = holding(later, event)
        for event in EVENING[so_far:]:
            early, later = holding(early, event), holding(later, event)
        assert early == later


def test_all_faces_hear_the_same_in_the_same_order() -> None:
    """Also what the first asks for while it is told something."""
    stage = Stage()

    class Eager(Sheet):
        def show(self, event: Event) -> None:
            super().show(event)
            if event == LOBBY:
                self.stage.hear(Start())

    first, second = Eager(stage), Sheet(stage)
    stage.tell(LOBBY, BEGUN[0])
    assert first.told == second.told == [LOBBY, BEGUN[0], Refused("start", "not_now")]


@pytest.mark.unforeseen
def test_a_face_that_stumbles_keeps_nothing_from_the_others() -> None:
    """Gain: a name over which one face stumbles ends the match."""
    stage = Stage()

    class Clumsy(Sheet):
        def show(self, event: Event) -> None:
            raise ANYTHING[0]()

    Clumsy(stage)
    second = Sheet(stage)
    stage.tell(LOBBY, BEGUN[0])
    assert second.told == [LOBBY, BEGUN[0]]


def test_a_command_that_nobody_takes_is_refused() -> None:
    """The last who came to hear is asked first; whoever has gone hears nothing."""
    stage, heard = Stage(), list[tuple[str, Command]]()
    sheet = Sheet(stage)

    def hears(name: str, sort: type[Command]):
        def hear(command: Command) -> bool:
            heard.append((name, command))
            return isinstance(command, sort)

        return stage.heard_by(hear)

    with hears("outer", Lock):
        with hears("inner", Start):
            stage.hear(Start())
            stage.hear(Lock())
        stage.hear(Start())
    assert heard == [
        ("inner", Start()),
        ("inner", Lock()),
        ("outer", Lock()),
        ("outer", Start()),
    ]
    assert sheet.told == [Refused("start", "not_now")]
    stage.hear(commands.AddBot("zap"))
    assert sheet.told[-1] == Refused("add_bot", "not_now")


def test_whoever_looks_is_shown_everything_once_more() -> None:
    """They alone."""
    stage = Stage()
    one, other = Sheet(stage), Sheet(stage)
    stage.tell(*EVENING[:2])
    stage.hear(commands.Look(), one)
    assert one.at_first == (Scene(Place.LOBBY), LOBBY)
    assert other.at_first == ()
    assert one.told == other.told == EVENING[:2]


def test_another_language_is_told_to_all_faces() -> None:
    stage = Stage()
    sheet = Sheet(stage)
    stage.hear(commands.Language("pt-BR"))
    assert sheet.told == [events.Spoken("pt-BR")]


# Questions.


def question(stage: Stage, deadline: float | None = None, *keys: str) -> Question:
    return Rename(stage.new_id(), tuple(map(Choice, keys)), None, deadline, "Ana")


async def asked(stage: Stage, one: Question, *answers: str) -> str | None:
    """What comes of a question that is answered like this, all at once."""
    answer: str | None = None

    async def ask() -> None:
        nonlocal answer
        answer = await stage.ask(one)

    async with trio.open_nursery() as tasks:
        tasks.start_soon(ask)
        await wait_all_tasks_blocked()
        for text in answers:
            stage.hear(Answer(one.id, text))
    return answer


async def test_the_first_answer_counts_and_the_second_is_late() -> None:
    stage = Stage()
    sheet, one = Sheet(stage), question(stage)
    assert await asked(stage, one, "Bia", "Caio") == "Bia"
    assert sheet.asked == [one]
    assert sheet.told == [Closed(one.id, "answer"), Closed(one.id, "late")]


async def test_what_is_no_choice_leaves_the_question_open() -> None:
    stage = Stage()
    sheet, one = Sheet(stage), question(stage, None, "yes", "no")
    assert await asked(stage, one, "maybe", "no") == "no"
    assert sheet.told == [Refused("answer", "no_such_choice"), Closed(one.id, "answer")]


async def test_a_question_is_over_with_its_time(autojump_clock: MockClock) -> None:
    stage = Stage()
    sheet, one = Sheet(stage), question(stage, trio.current_time() + 5)
    assert await stage.ask(one) is None
    assert sheet.told == [Closed(one.id, "time")]


async def test_a_question_that_the_table_has_passed_closes(autojump_clock: MockClock) -> None:
    """Though its time is over at the same moment, whoever waits is cancelled, not answered."""
    stage = Stage()
    sheet = Sheet(stage)
    with trio.move_on_after(1):
        await stage.ask(question(stage))
    with trio.move_on_after(1):
        await stage.ask(question(stage, trio.current_time() + 1))
    assert [e.by for e in sheet.all(Closed)] == ["table", "time"]


async def test_whoever_comes_later_is_asked_what_is_open() -> None:
    stage = Stage()
    one = question(stage)
    async with trio.open_nursery() as tasks:
        tasks.start_soon(stage.ask, one)
        await wait_all_tasks_blocked()
        later = Sheet(stage)
        assert later.asked == [one]
        stage.hear(Answer(one.id, "Bia"))


@pytest.mark.parametrize(("said", "more"), [("yes", True), ("no", False), (None, False)])
async def test_another_match_takes_a_word(said: str | None, more: bool) -> None:
    """Whoever goes home instead wants none."""
    stage = Stage()

    def says(asked: Question) -> str | None:
        assert isinstance(asked, Another)
        if said is None:
            stage.hear(Leave())
        return said

    sheet = Sheet(stage, says)
    assert await another(stage) is more
    assert [e.by for e in sheet.all(Closed)] == ["table" if said is None else "answer"]


async def test_whoever_leaves_gives_no_answer() -> None:
    stage = Stage()
    Sheet(stage, lambda asked: stage.hear(Leave()))
    assert await answered(stage, question(stage)) is None
