"""Events and questions as JSON, commands off it: all of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.app import commands, events, plain
from p2ptruco.app.commands import Command
from p2ptruco.app.events import Event
from p2ptruco.app.mind import key_of, throws
from p2ptruco.app.questions import (
    Another,
    AskMove,
    Barred,
    Confirm,
    MoveChoice,
    Question,
    Rename,
    Which,
    yes_or_no,
)
from p2ptruco.net.session.situation import Leaving, Missing, Owing, Situation
from p2ptruco.rules.cards import parse_cards
from p2ptruco.rules.facts import How
from p2ptruco.rules.presets import MANO_A_MANO, PAULISTA
from p2ptruco.rules.prices import price
from p2ptruco.rules.seating import Seat, Slot, Team
from p2ptruco.table.steps.phases import Choice, Duty
from tests.people.test_person import FORFEIT, hand, played, turn

from .kit import every

FOUR, QUEEN = parse_cards("4c Qd")
HAND = played(hand(), 1, 0)
ANA, BIA = Seat(0), Seat(1)
CHAIR = events.Chair(BIA, "Bia", "AAAA", ANA, True, True, False, True, False, "known")
HELD = events.Held(2, Slot(5), FOUR, True)
SITUATION = Situation(
    (Missing(BIA, 1.0, False),),
    (Owing(BIA, Choice(BIA), True, False), Owing(ANA, Duty("seal"), False, True)),
    3.0,
    True,
    Leaving.HANGS,
    False,
)

EVENTS: list[Event] = [
    events.Scene(events.Place.LOBBY),
    events.Tables(
        (
            events.Sighted(
                1, "Ana", "mineiro", "2-4-6-10-12", 4, 3, False, "AAAA", ("192.0.2.7:4000",)
            ),
        )
    ),
    events.Invitation("TRUCO:A", False, "network"),
    events.Lobby(True, False, PAULISTA, 30, (None, CHAIR), False, False, False),
    events.Talk(None, "Bia", "oi"),
    events.Wink(BIA, "Bia", "zap", "zap"),
    events.Sent(True, (BIA,), (), ""),
    events.Notice("not_signed", {"who": "Bia"}),
    events.Spoken("pt-BR"),
    events.Seated(
        BIA,
        (events.Player(BIA, Team(1), "Bia", "AAAA", None, True),),
        MANO_A_MANO,
        30,
        "PRINT",
    ),
    events.HandBegun(0, HAND, (0, 1)),
    events.Vira(0, HAND, QUEEN, (FOUR,)),
    events.Cards(0, HAND, (HELD,)),
    events.PartnerCards(0, HAND, BIA, (HELD,)),
    events.Laid(0, HAND, BIA, Slot(5), None, False, 1, None),
    events.Called(0, HAND, BIA, "truco", 4),
    events.Said(0, HAND, BIA, "accept"),
    events.TrickTaken(0, HAND, 2, (events.OnTable(BIA, FOUR, True),), Team(1), BIA),
    events.HandOver(0, HAND, Team(0), 2, How.RUN, (2, 0), (0, 0)),
    events.Ranking(0, ((FOUR,), (QUEEN,)), (FOUR,)),
    events.Course(
        (
            events.HandScored(
                0, Team(0), 2, How.RUN, (2, 0), (0, 0), (events.Shout(BIA, "truco", 4),)
            ),
        )
    ),
    events.Deck(
        0,
        40,
        (ANA, BIA),
        (ANA,),
        (),
        (),
        (),
        (events.Sight(Slot(5), BIA, (BIA,)), events.Sight(Slot(6), None, (ANA, BIA))),
        33,
        events.Checks(9, 2, 1, 12),
    ),
    events.Turn((BIA,), BIA, "move", 1.0, 40.0, False),
    events.Links((events.Hearing(ANA, (BIA,)),)),
    events.Standing(SITUATION),
    events.SealsAwaited((BIA,)),
    events.Ahead("x3", "chosen"),
    events.Clock(5),
    events.TimeUp("1", False),
    events.Closed(7, "late"),
    events.Refused("start", "not_ready"),
    events.Leaving(SITUATION),
    events.Left(SITUATION),
    events.Violation(BIA, "bad_token", 0, 4),
    events.Interrupted(True),
    events.Ended(Team(1), (10, 12), (0, 1), 9, (ANA,), True),
    events.Sealed((BIA,)),
    events.Kept("/tmp/x.trec", True),
    events.BotFault("zap", "crash", "Traceback"),
    events.BotFailed(BIA, "PermissionError", 13),
    events.Stopped("no_answer", {"where": "192.0.2.7:4000"}),
]


def asked() -> list[Question]:
    """Every question."""
    choices = tuple(
        MoveChoice(key_of(m), m, price(FORFEIT.hand, FORFEIT.seat, m), throws(FORFEIT, m))
        for m in FORFEIT.legal
    )
    return [
        AskMove(1, choices, "1", 40.0, False, FORFEIT, (Barred("fold", "never"),)),
        Confirm(2, yes_or_no(), "no", None, "leave", SITUATION),
        Another(3, yes_or_no(), "no", None),
        Rename(4, (), None, None, "Bia"),
        Which(5, (), None, None),
    ]


COMMANDS: list[tuple[str, Command]] = [
    ('{"command": "answer", "id": 3, "choice": "yes"}', commands.Answer(3, "yes")),
    ('{"command": "talk", "text": "oi"}', commands.Talk("oi")),
    ('{"command": "wink", "text": "zap"}', commands.Wink("zap")),
    ('{"command": "ahead", "place": 2, "face_down": true}', commands.Ahead(2, True)),
    ('{"command": "ahead"}', commands.Ahead()),
    ('{"command": "ready"}', commands.Ready()),
    ('{"command": "sit", "seat": 3}', commands.Sit(3)),
    ('{"command": "swap", "one": 1, "other": 2}', commands.Swap(1, 2)),
    ('{"command": "kick", "seat": 2}', commands.Kick(2)),
    ('{"command": "lock", "locked": false}', commands.Lock(False)),
    ('{"command": "start"}', commands.Start()),
    ('{"command": "add_bot", "bot": "zap", "later": 1}', commands.AddBot("zap")),
    ('{"command": "remove_bot", "seat": 2}', commands.RemoveBot(2)),
    ('{"command": "leave"}', commands.Leave()),
    ('{"command": "language", "language": "pt-BR"}', commands.Language("pt-BR")),
    ('{"command": "look"}', commands.Look()),
]


def leaves(value: Any) -> list[Any]:
    """What a JSON value is made of."""
    if isinstance(value, Mapping):
        return [leaf for one in value.values() for leaf in leaves(one)]
    if isinstance(value, list):
        return [leaf for one in value for leaf in leaves(one)]
    return [value]


async def test_every_event_and_question_is_a_json_object(autojump_clock: MockClock) -> None:
    """Each has a name of its own; nothing of it is anything else than text, numbers and lists."""
    await trio.sleep(10)
    written = [plain.event(one) for one in EVENTS] + [plain.question(one) for one in asked()]
    for one in written:
        assert json.loads(json.dumps(one)) == one
        assert {type(leaf) for leaf in leaves(one)} <= {str, int, float, bool, type(None)}
    assert {type(one) for one in EVENTS} == set(every(Event))
    assert {type(one) for one in asked()} == set(every(Question))
    names = [(next(iter(one)), next(iter(one.values()))) for one in written]
    assert len(set(names)) == len(names)
    assert all(name for _, name in names)


async def test_people_count_from_one(autojump_clock: MockClock) -> None:
    """Seats, hands, tricks, places, steps; teams are letters; moments are seconds ago or left."""
    await trio.sleep(10 - trio.current_time() % 1)
    now = trio.current_time()
    laid = plain.event(events.Laid(0, HAND, BIA, Slot(5), FOUR, True, 1, Team(1)))
    for key, value in {"number": 1, "seat": 2, "card": "4c", "trick": 2, "takes": "B"}.items():
        assert laid[key] == value
    assert laid["hand"]["table"] == [{"seat": 2, "card": "7h"}]
    assert laid["hand"]["asked"] == [1]
    held = plain.event(events.Cards(0, HAND, (HELD,)))["cards"]
    assert held == [{"place": 3, "slot": 5, "card": "4c", "manilha": True}]
    turn_ = plain.event(events.Turn((BIA,), BIA, "move", now - 4, now + 26, False))
    assert (turn_["seconds_ago"], turn_["seconds_left"], turn_["seats"]) == (4, 26, [2])
    broken = plain.event(events.Violation(BIA, "bad_token", 0, 4))
    assert (broken["hand"], broken["step"]) == (1, 5)
    now_ = plain.event(events.Standing(SITUATION))["situation"]
    assert [(one["seat"], one["need"]) for one in now_["owing"]] == [(2, "move"), (1, "seal")]
    assert now_["leaving"] == "hangs"
    won = plain.event(events.Ended(Team(1), (10, 12), (0, 1), 9, (ANA,), True))
    assert (won["winner"], won["score"], won["went"]) == ("B", [10, 12], [1])


def test_the_rules_are_written_with_every_toggle() -> None:
    lobby = plain.event(events.Lobby(True, False, PAULISTA, 30, (None, CHAIR), False, False, False))
    assert lobby["variant"]["differs"].keys() < lobby["variant"]["toggles"].keys()
    assert lobby["variant"]["calls"][0] == {"word": "truco", "points": 3}
    assert lobby["chairs"][0] is None
    assert (lobby["chairs"][1]["operator"], lobby["chairs"][1]["player"]) == (1, "Bia")


async def test_a_choice_says_what_it_may_bring_and_cost(autojump_clock: MockClock) -> None:
    """In the mão de dez, mano a mano, a call loses the match."""
    move = plain.question(asked()[0])
    by_key = {choice["key"]: choice for choice in move["choices"]}
    assert by_key["call"]["loses_match"]
    assert by_key["call"]["price"]["won"] is None
    assert by_key["1"]["price"]["won"] == {"points": 4, "match": True}
    assert by_key["1"]["move"] == {"play": 1, "face_down": False}
    assert by_key["call"]["move"] == {"say": "call"}
    assert [held["place"] for held in move["view"]["cards"]] == [1, 2, 3]
    assert turn(MANO_A_MANO, (10, 4)) == FORFEIT


@pytest.mark.parametrize(("line", "command"), COMMANDS)
def test_a_command_is_read(line: str, command: Command) -> None:
    """Unknown keys are ignored: later versions add some."""
    assert plain.command(line.encode()) == command


def test_there_is_no_other_command() -> None:
    assert {type(command) for _, command in COMMANDS} == set(every(Command))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "no_object"),
        (b"leave", "no_object"),
        (b"[" * 4000, "unknown_command"),
        (b'{"command": "start", "more": ' + b"[" * 4000, "no_object"),
        (b'{"command": "\xff"}', "no_object"),
        (b'{"command": "talk", "text": "' + b"x" * 5000 + b'"}', "too_long"),
        (b"[]", "unknown_command"),
        (b"{}", "unknown_command"),
        (b'{"command": "cheat"}', "unknown_command"),
        (b'{"command": "talk"}', "unknown_command"),
        (b'{"command": "talk", "text": ""}', "unknown_command"),
        (b'{"command": "kick", "seat": 0}', "unknown_command"),
        (b'{"command": "kick", "seat": 9}', "unknown_command"),
        (b'{"command": "ahead", "place": 4}', "unknown_command"),
        (b'{"command": "answer", "id": "1", "choice": "1"}', "unknown_command"),
    ],
)
def test_what_is_no_command_is_refused(line: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        plain.command(line)
