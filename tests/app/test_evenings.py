"""Whole evenings of faces that only answer: host, join, bots of ours, a rematch, a leave."""

from __future__ import annotations

import io
import json
import secrets
from collections.abc import Awaitable, Callable
from functools import reduce
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import TypeVar, cast

import pytest
import trio

from p2ptruco.app import commands, events, plain
from p2ptruco.app.commands import Command
from p2ptruco.app.events import Event, OfHand, Place, Scene
from p2ptruco.app.host import Table, host
from p2ptruco.app.join import Guest, join
from p2ptruco.app.match import Played, Player
from p2ptruco.app.own_bots import OwnBots
from p2ptruco.app.questions import Another, AskMove, Confirm, Question
from p2ptruco.app.stage import Stage, holding
from p2ptruco.app.stopped import Stopped
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.seating import Seat
from p2ptruco.store.home import Self
from p2ptruco.table.agreement import Times
from p2ptruco.table.record.audit import audit
from tests.net.kit import identities

from .kit import Sheet

E = TypeVar("E", bound=Event)
PRIVATE = (events.Cards, events.PartnerCards)


class Seated:
    """Somebody of a name, what they are told, and what they say."""

    def __init__(self, folder: Path, number: int, name: str) -> None:
        self.stage, self.matches, self.tables = Stage(), 1, list[Played]()
        self.sheet = Sheet(self.stage, self.answer)
        me = Self(identities(3)[number], name, folder, "2026-05-01T12:00:00Z")
        self.player = Player(me, self.stage, folder)

    def answer(self, question: Question) -> str | None:
        """Folds whatever it is; plays as many matches as are wanted."""
        if isinstance(question, AskMove):
            keys = [choice.key for choice in question.choices]
            return next(key for key in ("fold", "run", "refuse", *keys) if key in keys)
        if isinstance(question, Confirm):
            return "yes"
        assert isinstance(question, Another)
        self.matches -= 1
        return "yes" if self.matches else "no"

    async def play(self, evening: Callable[[], Awaitable[list[Played]]]) -> None:
        self.tables = await evening()

    def say(self, *said: Command) -> None:
        for command in said:
            self.stage.hear(command)

    async def until(self, sort: type[E], found: Callable[[E], bool] = lambda event: True) -> E:
        """The first such event that has not been waited for yet."""
        with trio.fail_after(60):
            while True:
                while self.sheet.told:
                    event = self.sheet.told.pop(0)
                    self.sheet.seen.append(event)
                    if isinstance(event, sort) and found(event):
                        return event
                await trio.sleep(0.01)


@pytest.fixture
def ana(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Seated:
    monkeypatch.setenv("P2PTRUCO_HOME", str(tmp_path))
    return Seated(tmp_path, 0, "Ana")


def table(**fields: object) -> Table:
    return Table(MINEIRO, 2, [], Times(move=30), "Ana", **fields)  # type: ignore[arg-type]


async def test_two_faces_play_an_evening(ana: Seated, tmp_path: Path) -> None:
    """Lobby, talk, a match, a rematch in the same seats, a leave; all of it as JSON. Both are told
    the same of every hand, and whoever looks later holds what the others hold."""
    (folder := tmp_path / "bia").mkdir()
    bia = Seated(folder, 1, "Bia")
    ana.matches = bia.matches = 2
    async with trio.open_nursery() as tasks:
        tasks.start_soon(ana.play, lambda: host(table(private=True), ana.player))
        ticket = (await ana.until(events.Invitation)).ticket
        tasks.start_soon(bia.play, lambda: join(ticket, Guest("Bia"), bia.player))
        for number in range(2):
            await bia.until(events.Lobby, lambda lobby: lobby.chairs[1] is not None)
            bia.say(commands.Start(), *[commands.Ready()] * (not number), commands.Talk("oi"))
            assert (await bia.until(events.Refused)).code == "not_now", "a guest starts nothing"
            lobby = await ana.until(events.Lobby, lambda lobby: lobby.ready)
            assert [chair and (chair.player, chair.linked) for chair in lobby.chairs] == [
                ("Ana", True),
                ("Bia", True),
            ]
            assert [chair and chair.meeting for chair in lobby.chairs] == [
                "",
                "known" if number else "new",
            ]
            assert (await ana.until(events.Talk)).text == "oi"
            ana.say(commands.Start())
            seated = [await one.until(events.Seated) for one in (ana, bia)]
            assert seated[0].fingerprint == seated[1].fingerprint
            assert [one.seat for one in seated] == [0, 1]
            if number:
                await bia.until(events.HandBegun)
                bia.say(commands.Leave())
            later = Sheet(ana.stage)
            assert events.Seated in {type(event) for event in later.at_first}
            await ana.until(events.Ended)
    for one in (ana, bia):
        held = list[tuple[int, int]]()
        await trio.lowlevel.checkpoint()
        one.sheet.seen += one.sheet.told
        over = [event for event in one.sheet.seen if isinstance(event, events.HandOver)]
        assert sum(cast(int, match.told["hands"]) for match in one.tables) == len(over)
        assert [e.went for e in one.sheet.seen if isinstance(e, events.Ended)] == [(), (1,)]
        for event in one.sheet.seen:
            json.dumps(plain.event(event))
        for question in one.sheet.asked:
            json.dumps(plain.question(question))
        kept = [e.path for e in one.sheet.seen if isinstance(e, events.Kept)]
        assert [match.told["record"] for match in one.tables] == kept
        for path in kept:
            record = io.BytesIO(await trio.Path(str(path)).read_bytes())
            found = audit(record, secrets.token_bytes)
            assert found.ok
            held.append((found.counts["shuffles"], found.counts["tokens"]))
        decks = [e for e in one.sheet.seen if isinstance(e, events.Deck)]
        last = [deck for deck, after in pairwise(decks) if after.held.keys < deck.held.keys]
        assert (last[0].held.shuffles, last[0].held.tokens) == held[0]
        assert last[0].proved == last[0].ready == last[0].released == (0, 1)
        assert (last[0].cards, last[0].stock, len(last[0].sights)) == (40, 34, 6)
    public = [
        [e for e in one.sheet.seen if isinstance(e, OfHand) and not isinstance(e, PRIVATE)]
        for one in (ana, bia)
    ]
    assert public[0] == public[1]
    assert reduce(holding, later.told, later.at_first) == reduce(holding, ana.sheet.seen, ())


async def test_a_host_adds_and_removes_bots_in_the_lobby(ana: Seated) -> None:
    """Whoever is removed has not failed; the seat is free again, and the match begins with the
    bot that is there."""
    async with trio.open_nursery() as tasks:
        tasks.start_soon(ana.play, lambda: host(table(private=True), ana.player))
        await ana.until(events.Lobby)
        ana.say(commands.AddBot("nobody"), commands.RemoveBot(2), commands.AddBot("random", 1))
        refused = [(await ana.until(events.Refused)).code for _ in range(3)]
        assert refused == ["unknown_bot", "no_bot_there", "no_free_seat"]
        for _ in range(2):
            ana.say(commands.AddBot("random"))
            lobby = await ana.until(events.Lobby, lambda lobby: lobby.ready)
            chair = lobby.chairs[1]
            assert chair is not None
            assert (chair.bot, chair.operator) == (True, Seat(0))
            ana.say(commands.RemoveBot(2))
            await ana.until(events.Lobby, lambda lobby: lobby.chairs[1] is None)
        ana.say(commands.AddBot("random"))
        await ana.until(events.Lobby, lambda lobby: lobby.ready)
        ana.say(commands.Start())
        await ana.until(events.HandBegun)
        ana.say(commands.Leave())
        assert (await ana.until(events.Ended)).went == (0,)
    assert not ana.sheet.all(events.BotFailed)
    assert not [event for event in ana.sheet.seen if isinstance(event, events.BotFailed)]


async def test_whoever_goes_home_from_the_lobby_plays_nothing(ana: Seated) -> None:
    async with trio.open_nursery() as tasks:
        tasks.start_soon(ana.play, lambda: host(table(private=True), ana.player))
        await ana.until(events.Lobby)
        ana.say(commands.Leave())
    assert ana.tables == []
    assert ana.sheet.told[-1] == Scene(Place.BETWEEN)


async def test_what_cannot_be_done_is_the_last_event_and_the_error(ana: Seated) -> None:
    """Nobody listens there."""
    nowhere = "TRUCO:AIAACAOAVAARJHF3CAII2ILSY4DFMI5AQLHA7PMIXLOAUAABAIBQIBIGA4EAS4AWHI"
    with pytest.raises(Stopped) as stopped:
        await join(nowhere, Guest("Ana"), ana.player)
    last = ana.sheet.told[-1]
    assert isinstance(last, events.Stopped)
    assert (last.code, last.about) == (stopped.value.code, stopped.value.about)


def test_bots_of_ours_wish_the_seats_that_they_had() -> None:
    """The host may have swapped them, and the others find their seats again."""
    bots = OwnBots(Stage(), MINEIRO, 4, ["zap", "random"])
    names = ["Ana", "random-4", "Bia", "zap-3"]
    bots.keep_seats([SimpleNamespace(name=name) for name in names])  # type: ignore[misc]
    assert [(own.name, own.seat) for own in bots._own] == [("zap-3", 3), ("random-4", 1)]
