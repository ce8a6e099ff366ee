"""Lines about tables, rooms and clocks, without a network."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.app.lobby import Desk
from p2ptruco.app.sight import Board
from p2ptruco.app.stage import Stage
from p2ptruco.cli.people import odd_clock
from p2ptruco.net.discovery import Announcement, Sight
from p2ptruco.net.lobby import Chair, Room
from p2ptruco.net.transport.ticket import Address, new_ticket
from p2ptruco.rules.presets import CORE, MANO_A_MANO, MINEIRO, PAULISTA
from p2ptruco.rules.variant import differs
from p2ptruco.store.home import Self
from p2ptruco.table.agreement import Times
from p2ptruco.table.identity import Identity, fingerprint
from p2ptruco.ui.terminal.console import Console, typed_line
from p2ptruco.ui.terminal.face import Terminal
from p2ptruco.ui.terminal.room import MEETINGS, rules, seats
from p2ptruco.ui.terminal.sight import InSight
from p2ptruco.ui.toggles import sentence
from p2ptruco.ui.words import _
from tests.net.kit import identities, seeded

TICKET = new_ticket((Address("192.0.2.7", 4000),), identities(1)[0].public, seeded())
ANA = Announcement(
    "Ana", "mineiro", "2-4-6-10-12", 4, 3, "AAAA", str(TICKET), (Address("192.0.2.7", 4000),)
)
CAIO = replace(ANA, name="Caio", fingerprint="CCCC", ticket=None)


def test_a_table_keeps_its_number() -> None:
    """Who types 1 gets the table that was shown as 1, though it comes later in the alphabet."""
    board, said = Board(), InSight()

    def news(*tables: Announcement) -> list[str]:
        return list(said.news(board.see(tables)))

    assert news(CAIO) == ["1: Caio, mineiro (2-4-6-10-12), 3 of 4 seats free, private"]
    assert [line[:8] for line in news(ANA, CAIO)] == ["2: Ana, "]
    assert board.meant("1") == CAIO
    assert board.meant("2") == TICKET
    assert news(ANA) == ["1: gone"]
    assert board.meant("1") is None
    assert [line[-14:] for line in news(replace(ANA, free=1))] == ["1 of 4 seats free"[-14:]]
    assert news(replace(ANA, free=1)) == []
    assert board.meant("") == TICKET


@pytest.mark.parametrize("answer", ["0", "3", "-1", "٢", "2000", "TRUCO:", "x"])
def test_what_names_no_table_chooses_none(answer: str) -> None:
    board = Board()
    board.see([ANA, CAIO])
    assert board.meant(answer) is None
    assert board.meant("") is None, "there are two"


def test_who_has_said_goodbye_does_not_come_back_with_its_last_words() -> None:
    """zeroconf tells of the records of a goodbye as an update, after the removal."""
    sight = Sight()
    for change, there in (("Added", 1), ("Updated", 1), ("Removed", 0), ("Updated", 0)):
        sight.hear("x", None if change == "Removed" else ANA, change)
        assert len(sight.tables) == there
    sight.hear("x", ANA, "Added")
    assert sight.tables == (ANA,)


def test_the_rules_are_written_out_before_anybody_agrees() -> None:
    """Scale, target, the clock; of mineiro nothing else."""
    assert list(rules(MINEIRO, 0)) == [
        "mineiro: 2, truco 4, seis 6, dez 10, doze 12; to 12",
        "no clock",
    ]


def test_a_preset_is_told_in_words_where_it_is_not_mineiro() -> None:
    """Who knows mineiro only reads what will surprise them; so of a variant of any other name."""
    assert list(rules(MANO_A_MANO, 20)) == [
        "mano-a-mano: 2, truco 4, seis 6, dez 10, doze 12; to 12",
        "unlike mineiro: players=2 call_in_special=forfeit special_decision=no face_down_from=1",
        "  the table has 2 seats",
        "  whoever calls in the mão de 10 loses the match",
        "  the mão de 10 cannot be refused: it is played for 4 points",
        "  a card may be laid face down from the first trick on",
        "20 seconds to move",
    ]
    for variant in [*CORE.values(), replace(PAULISTA, name="casa", fold=False)]:
        lines = list(rules(variant, 0))[1:-1]
        told = [f"  {sentence(toggle, variant)}" for toggle in differs(variant, MINEIRO)]
        assert lines[1:] == told


def test_a_changed_preset_is_told_from_its_preset_too() -> None:
    """Gain, were it not: a host changes a preset back to mineiro's value in one thing, which its
    guests, who know the preset by its name, would not be told."""
    changed = list(rules(replace(MANO_A_MANO, face_down_from=2, target=14), 0))
    assert "  the match is won at 14 points" in changed
    assert changed[-4:-1] == [
        "unlike mano-a-mano: target=14 face_down_from=2",
        "  the match is won at 14 points",
        "  a card may be laid face down from the second trick on",
    ]
    assert list(rules(replace(MINEIRO, fold=False), 0))[1:-1] == [
        "unlike mineiro: fold=no",
        "  nobody can fold the hand on their turn; a call may be run from",
    ]


def test_a_seat_is_one_line_and_says_who_runs_it() -> None:
    ana, bot = (one.public for one in identities(2))
    chairs = (Chair(ana, "Ana", ana, False, True), Chair(bot, "zap-2", ana, True, True), None)
    room = Room(MINEIRO, Times(), chairs)
    lobby: Any = SimpleNamespace(hears=lambda peer: True)
    shown = Desk(Stage(), lobby, bot)._told(room)
    ours = Desk(Stage(), lobby, ana)._told(room)
    told = list(seats(shown))
    assert next(seats(ours)).endswith("you · ready")
    assert [line.split()[:3] for line in told] == [
        ["1", "A", "Ana"],
        ["2", "B", "zap-2"],
        ["3", "A", "(free)"],
    ]
    assert told[0].endswith(f"{fingerprint(ana)} · ready")
    assert "bot · run by seat 1 · ready" in told[1]


async def test_bots_that_somebody_runs_are_nobody_we_have_met(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They have a new key in each match: every rematch pointed at them as at impostors. Whoever
    takes the name of a person is still pointed out, run by whoever it likes."""
    monkeypatch.setenv("P2PTRUCO_HOME", str(tmp_path))
    ana, bia, bot, again = identities(4)
    places = [(ana, "Ana", 0), (bia, "Bia", 1), (bot, "zap-3", 0)]
    roster: Any = [SimpleNamespace(identity=o.public, name=n, operator=s) for o, n, s in places]
    seated: Any = SimpleNamespace(agreement=SimpleNamespace(terms=SimpleNamespace(roster=roster)))
    lobby: Any = SimpleNamespace(room=None)
    Desk(Stage(), lobby, ana.public)._remember(seated)
    desk = Desk(Stage(), lobby, ana.public)
    assert _(MEETINGS[desk._meeting(bia.public, "Bia")]) == "met before"
    assert _(MEETINGS[desk._meeting(again.public, "zap-3")]) == ""
    assert "another key" in _(MEETINGS[desk._meeting(again.public, "Bia")])


async def test_a_disk_that_has_no_room_for_whom_we_meet_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The match goes on; only the log knew that the next one would call everybody new."""
    monkeypatch.setenv("P2PTRUCO_HOME", str(tmp_path))

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    seated: Any = SimpleNamespace(agreement=SimpleNamespace(terms=SimpleNamespace(roster=[])))
    lobby: Any = SimpleNamespace(room=None)
    stage = Stage()
    Terminal(Console(), stage)
    Desk(stage, lobby, b"")._remember(seated)
    said = " ".join(capsys.readouterr().out.split())
    assert said.endswith("is not remembered: the system says No space left on device.")


@pytest.mark.parametrize(("seconds", "told"), [(1.0, 0), (600.0, 1)])
async def test_whoever_waits_for_the_host_is_told_so_once(
    seconds: float, told: int, autojump_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    """A guest who wants another match before the host does saw an empty screen."""
    _news, news = trio.open_memory_channel[Room](1)
    lobby: Any = SimpleNamespace(news=news, room=None, run=trio.sleep_forever)
    stage = Stage()
    Terminal(Console(), stage)
    with trio.move_on_after(seconds):
        await Desk(stage, lobby, b"").end()
    assert capsys.readouterr().out.count("Waiting for the host") == told


async def test_who_plays_bots_alone_reads_the_rules_once(
    autojump_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    """`play` opens no lobby to be read, and its rules may be as strange."""
    tell, news = trio.open_memory_channel[Room](2)
    me = identities(1)[0].public
    here = Room(MANO_A_MANO, Times(), (Chair(me, "Ana", me, False, True), None))
    for room in (here, here):
        tell.send_nowait(room)
    lobby: Any = SimpleNamespace(
        news=news, room=here, run=trio.sleep_forever, hears=lambda peer: True
    )
    stage = Stage()
    Terminal(Console(), stage)
    with trio.move_on_after(1.0):
        await Desk(stage, lobby, me, alone=True).end()
    told = capsys.readouterr().out
    assert told.count("whoever calls in the mão de 10 loses the match") == 1
    assert "(free)" not in told


@pytest.mark.parametrize(
    ("now", "warnings"),
    [("2026-05-02", 0), ("2026-05-01", 0), ("2026-04-29", 1), ("1970-01-01", 1), ("2106-02-07", 1)],
)
def test_a_clock_that_cannot_be_right_is_pointed_out(
    now: str, warnings: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind the making of this very identity, or in another century."""
    monkeypatch.setenv("P2PTRUCO_HOME", str(tmp_path))
    me = Self(Identity.generate(seeded()), "ana", tmp_path, "2026-05-01T12:00:00Z")
    clock = datetime.fromisoformat(now).replace(tzinfo=UTC)
    assert len(list(odd_clock(me, clock))) == warnings


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Standard input as a pipe; the end to write to."""
    read, write = os.pipe()
    with open(read, encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield write


def test_a_ticket_read_from_a_pipe_leaves_the_rest(pipe: int) -> None:
    """`join -`: what follows the ticket is what is typed in the lobby."""
    os.write(pipe, b"TRUCO:X \nready\n")
    os.close(pipe)
    assert (typed_line(), typed_line(), typed_line()) == ("TRUCO:X", "ready", "")


async def test_lines_wait_for_who_hears_them_and_the_end_comes_once(pipe: int) -> None:
    """Two lines at once, half a line at the end, more bytes than anybody types."""
    os.write(pipe, b"one\ntwo\n" + b"x" * 3000 + b"\nhalf")
    os.close(pipe)
    console, first, heard, last = Console(), list[str | None](), list[str | None](), list[object]()

    def one(line: str | None) -> None:
        first.append(line)
        console.listen(None)

    async with trio.open_nursery() as tasks:
        tasks.start_soon(console.run)
        console.listen(one)
        while not first:  # noqa: ASYNC110
            await trio.sleep(0.01)
        await trio.sleep(0.1)
        assert first == ["one"]
        console.listen(heard.append)
        while None not in heard:  # noqa: ASYNC110
            await trio.sleep(0.01)
        assert [line[:4] if line else line for line in heard] == ["two", "xxxx", "half", None]
        assert max(len(line or "") for line in heard) == 1000
        console.listen(last.append)
        while not last:  # noqa: ASYNC110
            await trio.sleep(0.01)
        assert last == [None]
        tasks.cancel_scope.cancel()


def test_what_is_said_can_go_aside(capsys: pytest.CaptureFixture[str]) -> None:
    """With --json standard output is for one object only."""
    Console(aside=True).say("a word")
    assert capsys.readouterr() == ("", "a word\n")
