"""A person as a mind: what they are asked, what each choice says, what is asked once more."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2ptruco.app import events
from p2ptruco.app.barred import barred
from p2ptruco.app.commands import Ahead, Answer
from p2ptruco.app.events import Closed
from p2ptruco.app.mind import Person, key_of
from p2ptruco.app.questions import NO, YES, AskMove, Confirm
from p2ptruco.app.stage import Stage
from p2ptruco.rules.hand import Hand
from p2ptruco.rules.match import Match
from p2ptruco.rules.moves import ACCEPT, CALL, FOLD, PLAY_ON, RUN, Move, Play
from p2ptruco.rules.play import act, speaker
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.prices import price
from p2ptruco.rules.seating import Seat, Slot
from p2ptruco.rules.turns import default
from p2ptruco.rules.view import View
from tests.people.test_person import DECISION, FORFEIT, TURN, hand, view

from .kit import Sheet

BARE = Match(replace(MINEIRO, face_down_from=None, fold=False), 2, Seat(0)).hand()


def top() -> Hand:
    """A hand that is asked for the highest call."""
    now = hand()
    for _ in MINEIRO.scale.calls:
        now = act(now, speaker(now) or 0, CALL)
    return now


class Sitting:
    """A person, what they are shown, and the moves that came of it."""

    def __init__(self, deadline: float | None = None) -> None:
        self.stage = Stage()
        self.sheet = Sheet(self.stage)
        self.person = Person(self.stage, lambda: deadline)
        self.moves: list[Move] = []
        self._hearing = self.stage.heard_by(self.person.hear)
        self._hearing.__enter__()

    async def choose(self, seen: View) -> None:
        self.moves.append(await self.person.choose(seen))

    def answer(self, choice: str) -> None:
        """To the question that came last."""
        self.stage.hear(Answer(self.sheet.asked[-1].id, choice))

    @property
    def closed(self) -> list[str]:
        return [event.by for event in self.sheet.all(Closed)]


@pytest.mark.parametrize("seen", [TURN, DECISION, FORFEIT, view(act(hand(), 1, CALL), 0)])
async def test_every_legal_move_is_a_choice_with_its_price(seen: View) -> None:
    """And the one that the rules would make is the default."""
    one = Sitting()
    async with trio.open_nursery() as tasks:
        tasks.start_soon(one.choose, seen)
        await wait_all_tasks_blocked()
        asked = one.sheet.asked[-1]
        assert isinstance(asked, AskMove)
        assert [choice.move for choice in asked.choices] == list(seen.legal)
        for choice in asked.choices:
            assert choice.price == price(seen.hand, seen.seat, choice.move)
            assert choice.key == key_of(choice.move)
        assert asked.default in {choice.key for choice in asked.choices}
        assert not asked.advice
        tasks.cancel_scope.cancel()
    assert one.closed == ["table"]


async def test_whose_partner_speaks_is_asked_for_advice() -> None:
    """Nobody waits for it, so nothing is taken by default."""
    one, called = Sitting(), view(act(hand(players=4), 1, CALL), 0)
    async with trio.open_nursery() as tasks:
        tasks.start_soon(one.choose, called)
        await wait_all_tasks_blocked()
        asked = one.sheet.asked[-1]
        assert isinstance(asked, AskMove)
        assert (asked.advice, asked.default) == (True, None)
        one.answer("accept")
    assert one.moves == [ACCEPT]


async def test_what_loses_the_match_is_asked_once_more_by_the_program() -> None:
    """A face that shows nothing of it cannot do it by one slip. `no` leaves the first question
    open; another choice takes the doubt back."""
    one = Sitting()
    async with trio.open_nursery() as tasks:
        tasks.start_soon(one.choose, FORFEIT)
        await wait_all_tasks_blocked()
        (asked,) = one.sheet.asked
        for answer in (NO, YES):
            one.stage.hear(Answer(asked.id, "call"))
            doubt = one.sheet.asked[-1]
            assert isinstance(doubt, Confirm)
            assert (doubt.what, doubt.situation) == ("call", None)
            assert one.moves == []
            one.answer(answer)
    assert one.moves == [CALL]
    assert one.closed == ["answer", "answer", "answer"]
    async with trio.open_nursery() as tasks:
        tasks.start_soon(one.choose, FORFEIT)
        await wait_all_tasks_blocked()
        asked = one.sheet.asked[-1]
        one.answer("call")
        one.stage.hear(Answer(asked.id, "2"))
    assert one.moves[-1] == Play(Slot(1))
    assert one.closed[3:] == ["table", "answer"]


async def test_a_card_chosen_ahead_is_taken_when_it_can_be_played() -> None:
    """Where there is no clock; it can be taken back, and a card that is gone cannot be chosen."""
    one = Sitting()
    one.stage.hear(Ahead(2))
    assert one.sheet.told == [events.Refused("ahead", "not_now")], "nothing is dealt"
    await one.person.tell("hand_started", TURN)
    one.stage.hear(Ahead(2))
    one.stage.hear(Ahead(3, face_down=True))
    one.stage.hear(Ahead())
    one.stage.hear(Ahead())
    one.stage.hear(Ahead(2))
    assert [(e.choice, e.why) for e in one.sheet.all(events.Ahead)] == [
        ("2", "chosen"),
        ("x3", "chosen"),
        (None, "taken_back"),
        ("2", "chosen"),
    ]
    assert one.sheet.told[-2] == events.Refused("ahead", "not_now")
    await one.choose(TURN)
    assert one.moves == [Play(Slot(4))]
    assert not one.sheet.asked
    one.stage.hear(Ahead(2))
    assert one.sheet.told[-2:] == [
        events.Ahead(None, "used"),
        events.Refused("ahead", "not_now"),
    ]


async def test_the_clock_is_told_and_the_default_is_not_taken_by_the_question(
    autojump_clock: MockClock,
) -> None:
    """The seat's own clock decides, in favour of the card that was chosen ahead."""
    one = Sitting(trio.current_time() + 30)
    await one.person.tell("hand_started", TURN)
    one.stage.hear(Ahead(2))
    with trio.move_on_after(30):
        await one.choose(TURN)
    assert one.moves == []
    assert [e.seconds for e in one.sheet.all(events.Clock)] == [20, 10, 5, 3]
    assert one.closed == ["time"]
    assert one.sheet.asked[0].default == "2"
    assert one.person.in_time(TURN) == Play(Slot(4))
    assert one.person.in_time(TURN) is None
    assert [(e.choice, e.chosen) for e in one.sheet.all(events.TimeUp)] == [
        ("2", True),
        (key_of(default(TURN.hand, TURN.seat, TURN.cards)), False),
    ]


async def test_nothing_is_asked_of_whoever_leaves() -> None:
    """A question would flash up that nobody can answer."""
    one = Sitting()
    with trio.CancelScope() as scope:
        scope.cancel()
        await one.choose(TURN)
    assert not one.sheet.asked


async def test_cards_are_told_once_a_hand_and_partners_when_they_come() -> None:
    one = Sitting()
    special = hand((10, 0), players=4)
    await one.person.tell("hand_started", view(special, 0, seen=range(3)))
    assert [type(e) for e in one.sheet.told] == [events.Cards]
    async with trio.open_nursery() as tasks:
        tasks.start_soon(one.choose, view(special, 0))
        await wait_all_tasks_blocked()
        one.answer("play")
    assert [e.seat for e in one.sheet.all(events.PartnerCards)] == [2]
    assert len(one.sheet.all(events.Cards)) == 1


def test_a_key_is_what_is_typed() -> None:
    assert [key_of(Play(Slot(s), down)) for s, down in ((0, False), (5, True))] == ["1", "x3"]
    assert {key_of(move) for move in (CALL, ACCEPT, RUN, FOLD)} == {"call", "accept", "run", "fold"}


@pytest.mark.parametrize(
    ("of", "seat", "reasons"),
    [
        (hand(), 1, {"face_down": "early"}),
        (act(hand(), 1, CALL), 0, {}),
        (act(act(hand(), 1, CALL), 0, ACCEPT), 1, {"call": "ours", "face_down": "early"}),
        (hand((10, 0)), 0, {}),
        (act(hand((10, 0)), 0, PLAY_ON), 1, {"call": "special", "face_down": "early"}),
        (hand((10, 10)), 1, {"call": "iron", "face_down": "iron", "fold": "iron"}),
        (top(), 1, {"call": "top"}),
        (BARE, 1, {"face_down": "never", "fold": "never"}),
    ],
)
def test_what_cannot_be_chosen_is_told_with_its_reason(
    of: Hand, seat: int, reasons: dict[str, str]
) -> None:
    """A face shows what is there at another moment, and says why not now."""
    assert {one.what: one.why for one in barred(of, Seat(seat))} == reasons
