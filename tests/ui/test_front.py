"""A face in another program: objects out, commands in; neither end stalls or fills the other."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2ptruco.app import commands, events
from p2ptruco.app.asking import another
from p2ptruco.app.commands import Command
from p2ptruco.app.events import Place, Scene
from p2ptruco.app.plain import LONGEST
from p2ptruco.app.questions import Confirm, yes_or_no
from p2ptruco.app.stage import Stage
from p2ptruco.ui import words
from p2ptruco.ui.front.jsonl import Jsonl
from p2ptruco.ui.front.lines import PATIENCE, Outbox, TooSlow
from p2ptruco.ui.front.sentences import REFUSED
from tests.app.test_plain import EVENTS, SITUATION, asked


class Program:
    """The other end of a face, in memory; `reads`: it takes what is said to it."""

    def __init__(self, *, typing: bool = True, most: int = 1 << 20, reads: bool = True) -> None:
        self.stage, self.reads = Stage(), reads
        self.said, self.got = list[bytes](), b""
        self.out = Outbox(self._take, most)
        self.face = Jsonl(self.stage, self.out, version="1.2", command="play", typing=typing)

    async def _take(self, data: bytes) -> None:
        await trio.sleep(0 if self.reads else math.inf)
        self.got += data

    async def _give(self) -> bytes:
        await trio.lowlevel.checkpoint()
        return self.said.pop(0) if self.said else b""

    async def hears(self, *said: bytes) -> None:
        """It says these bytes, piece by piece, and no more."""
        self.said = list(said)
        await self.face.listen(self._give)

    async def objects(self) -> list[dict[str, Any]]:
        """All that was said to it, at its end."""
        self.out.close()
        await self.out.run()
        return [json.loads(line) for line in self.got.splitlines()]


FIRST = [
    {"front": 1, "program": "p2ptruco", "version": "1.2", "language": "en", "run": "play"},
    {"snapshot": {"events": [], "questions": []}},
]


async def test_every_event_and_question_is_a_line_in_order(autojump_clock: MockClock) -> None:
    """After what runs here, and a snapshot; a sentence where there is one."""
    await trio.sleep(10)
    one = Program()
    try:
        for event in EVENTS:
            if isinstance(event, events.Seated):
                event = replace(event, players=event.players * 2)
            one.stage.tell(event)
        for question in asked():
            one.face.ask(question)
    finally:
        words.speak("en")
    told = await one.objects()
    assert told[:2] == FIRST
    names = [event.name for event in EVENTS] + [question.name for question in asked()]
    assert [told_.get("event", told_.get("question")) for told_ in told[2:]] == names
    assert {told_.get("event") for told_ in told[2:] if "words" in told_} == {"lobby", "seated"}
    assert {"notice", "refused", "stopped", "violation", "bot_fault", "left"} <= {
        told_.get("event") for told_ in told[2:] if told_.get("message")
    }


async def test_a_bad_line_is_refused_and_the_next_one_heard() -> None:
    """However it is cut into pieces, and however long it is."""
    one, heard = Program(), list[Command]()
    long = [b"x" * 1000] * (3 * LONGEST // 1000)
    with one.stage.heard_by(lambda command: not heard.append(command)):
        await one.hears(
            *long, b"\n{}\nnothing", b'\n{"command": "st', b'art"}\n{"command": "lock"}'
        )
    told = await one.objects()
    assert [(o["event"], o["command"], o["code"]) for o in told[2:]] == [
        ("refused", "", code) for code in ("too_long", "unknown_command", "no_object")
    ]
    assert heard == [commands.Start(), commands.Lock()]


async def test_another_language_is_spoken_if_there_is_one() -> None:
    one = Program()
    try:
        said = b'{"command": "language", "language": "%s"}\n'
        await one.hears(said % b"pt-BR", said % b"la")
    finally:
        words.speak("en")
    told = await one.objects()
    assert told[2] == {"event": "language", "language": "pt-BR"}
    assert (told[3]["code"], told[3]["message"]) == ("unknown_language", words_in_portuguese())


def words_in_portuguese() -> str:
    try:
        words.speak("pt-BR")
        return words._(REFUSED["unknown_language"])
    finally:
        words.speak("en")


async def test_whoever_looks_gets_what_holds() -> None:
    one = Program()
    one.stage.tell(Scene(Place.LOBBY))
    await one.hears(b'{"command": "look"}\n')
    held = [o["snapshot"]["events"] for o in await one.objects() if "snapshot" in o]
    assert held == [[], [{"event": "scene", "place": "lobby"}]]


@pytest.mark.parametrize(("typing", "left"), [(True, 1), (False, 0)])
@pytest.mark.parametrize("place", [Place.LOBBY, Place.SEATING, Place.MATCH])
@pytest.mark.parametrize("first", [True, False])
async def test_the_end_of_input_is_a_leave(
    typing: bool, left: int, place: Place, first: bool
) -> None:
    """At once, or where one comes to later; a bot plays on."""
    one, heard = Program(typing=typing), list[Command]()
    with one.stage.heard_by(lambda command: not heard.append(command)):
        if first:
            one.stage.tell(Scene(place))
        await one.hears()
        if not first:
            one.stage.tell(Scene(place))
    assert heard == [commands.Leave()] * left


async def test_whoever_has_gone_means_it_and_wants_no_other_match() -> None:
    one, meant = Program(), list[str]()
    question = Confirm(one.stage.new_id(), yes_or_no(), "no", None, "leave", SITUATION)
    one.stage.put(question, lambda answer: not meant.append(answer))
    await one.hears()
    assert meant == ["yes"]
    assert not await another(one.stage)


async def test_a_slow_reader_is_let_go_and_fills_nothing() -> None:
    """Nobody who tells it something waits, and nothing is kept for it any more."""
    one = Program(most=10_000, reads=False)
    with pytest.RaisesGroup(TooSlow):
        async with trio.open_nursery() as tasks:
            tasks.start_soon(one.out.run)
            await wait_all_tasks_blocked()
            for _ in range(1000):
                one.stage.tell(events.Clock(3))
            assert not one.out._lines
            await trio.sleep_forever()


async def test_the_rest_is_written_whatever_is_cancelled(autojump_clock: MockClock) -> None:
    """What ends a match is told to whoever reads; nobody waits long for whoever does not."""
    for reads in (True, False):
        one, since = Program(reads=reads), trio.current_time()
        try:
            with trio.CancelScope() as scope:
                async with trio.open_nursery() as tasks:
                    tasks.start_soon(one.out.run)
                    scope.cancel()
                    one.stage.tell(events.Clock(3))
                    one.out.close()
        except* TooSlow:
            assert not reads
        assert (b'"clock"' in one.got) is reads
        assert trio.current_time() - since == pytest.approx(0 if reads else PATIENCE)


async def test_commands_wait_while_much_is_not_read() -> None:
    """A program that asks and asks and reads nothing costs what one answer does."""
    one = Program(most=2000, reads=False)
    with pytest.RaisesGroup(TooSlow):
        async with trio.open_nursery() as tasks:
            tasks.start_soon(one.out.run)
            tasks.start_soon(one.hears, b'{"command": "look"}\n' * 1000)
            await wait_all_tasks_blocked()
            assert 1000 < one.out._held < 2000
            tasks.cancel_scope.cancel()
            one.out._scope.cancel()
