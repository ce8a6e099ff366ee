"""What the start page asks for, and what comes of it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from p2ptruco.cli.browser import explained
from p2ptruco.net.discovery import Announcement
from p2ptruco.net.transport.ticket import Address, Ticket
from p2ptruco.store.home import Self, record_name, records
from p2ptruco.ui import words
from p2ptruco.ui.web.home import Home, Us
from p2ptruco.ui.web.wishes import LARGEST
from tests.net.kit import identities

from .kit import Served, served


@asynccontextmanager
async def at_home(folder: Path) -> AsyncIterator[tuple[Served, Home]]:
    me = Self(identities(1)[0], "Ana", folder, "2026-05-01T12:00:00Z")
    home = Home(Us(me, records(), None, "1.2", explained))
    async with trio.open_nursery() as tasks, served(home=home) as here:
        tasks.start_soon(home.run)
        yield here, home
        tasks.cancel_scope.cancel()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("P2PTRUCO_HOME", str(tmp_path))
    return tmp_path


async def test_the_start_page_knows_what_can_be_played(folder: Path) -> None:
    async with at_home(folder) as (here, _):
        start = (await here.ask("/api/start")).json
    assert (start["nick"], start["language"], start["playing"]) == ("Ana", "en", False)
    assert start["home"]
    assert start["interrupted"] is None
    named = {variant["name"]: variant for variant in start["variants"]}
    assert named["mano-a-mano"]["seats"] == [2]
    assert named["paulista"]["words"].keys() == named["paulista"]["toggles"].keys()
    assert {"zap", "random"} <= {bot["name"] for bot in start["bots"]}
    assert start["matches"] == []


@pytest.mark.parametrize(
    ("address", "wish", "code"),
    [
        ("play", {"variant": "none"}, "unknown_variant"),
        ("play", {"variant": "./house.py"}, "unknown_variant"),
        ("play", {"bots": ["./bot.py"]}, "unknown_bot"),
        ("play", {"bots": ["/tmp/bot.py:name"]}, "unknown_bot"),
        ("play", {"bots": ["zap", "zap"]}, "too_many_bots"),
        ("play", {"seats": 3}, "wrong_size"),
        ("play", {"seats": 10}, "bad_request"),
        ("play", {"toggles": {"fold": "perhaps"}}, "bad_variant"),
        ("play", {"toggles": {"fold": 1}}, "bad_request"),
        ("play", {"record": "/etc/passwd"}, "bad_request"),
        ("play", {"name": "\u202eanA"}, "bad_name"),
        ("host", {"seconds": 601}, "bad_request"),
        ("host", {"seats": 2, "bots": ["zap", "zap"]}, "too_many_bots"),
        ("join", {"ticket": "TRUCO:AIAAC"}, "no_ticket"),
        ("join", {"ticket": "x" * 601}, "bad_request"),
        ("join", {"table": 1}, "no_table"),
        ("settings", {"language": "fr"}, "unknown_language"),
        ("settings", {"nick": " \u0000"}, "bad_name"),
    ],
)
async def test_what_cannot_be_is_a_sentence(
    folder: Path, address: str, wish: dict[str, object], code: str
) -> None:
    """And nothing begins. A file is none of the page's business: it would be run."""
    async with at_home(folder) as (here, home):
        answer = await here.post(f"/api/{address}", **wish)
        assert (answer.status, answer.json["error"]["code"]) == (400, code)
        assert answer.json["error"]["message"]
        assert home.evening is None


async def test_a_request_is_json_of_a_bounded_size(folder: Path) -> None:
    """A form of another page sends no JSON; what is too large is not read to its end."""
    async with at_home(folder) as (here, _):
        form = await here.ask("/api/play", "POST", b"seats=2", **{"content-type": "text/plain"})
        assert form.status == 415
        large = await here.post("/api/play", variant="x" * LARGEST)
        assert (large.status, large.json["error"]["code"]) == (413, "too_large")
        looked = await here.ask("/api/play")
        assert looked.status == 405


async def test_language_and_nick_are_settings(folder: Path) -> None:
    try:
        async with at_home(folder) as (here, _):
            start = (await here.post("/api/settings", language="pt-BR", nick="Nara")).json
            assert (start["language"], start["nick"]) == ("pt-BR", "Nara")
            assert start["variants"][0]["title"].startswith("Mineiro: manilhas fixas")
    finally:
        words.speak("en")


async def test_play_leave_and_look_at_the_match(folder: Path) -> None:
    """One evening from the page: it begins, is shown, ends; its record is listed, verified and
    sent. While it is on no other one begins."""
    async with at_home(folder) as (here, home):
        began = await here.post("/api/play", seats=2, bots=["random"], name="Nara")
        assert (began.status, began.json) == (200, {"go": "/match"})
        assert (await here.post("/api/play")).json["error"]["code"] == "playing"
        assert (await here.ask("/api/start")).json["playing"]
        async with here.tab() as tab:
            await tab.until(event="seated")
            await tab.say(command="leave")
            asked = await tab.until(question="confirm", what="leave")
            await tab.say(command="answer", id=asked["id"], choice="yes")
            asked = await tab.until(question="another")
            await tab.say(command="answer", id=asked["id"], choice="no")
            (match,) = (await tab.rest())[-1]["matches"]
        (listed,) = (await here.ask("/api/start")).json["matches"]
        assert Path(match["record"]).name == listed["file"]
        assert listed["players"] == ["Nara", "random-2"]
        assert (listed["winner"], listed["mine"], listed["how"]) == ("B", False, "complete")
        kept = await here.ask(f"/api/matches/{listed['file']}")
        assert kept.body == await trio.Path(match["record"]).read_bytes()
        assert kept.headers["content-disposition"] == f'attachment; filename="{listed["file"]}"'
        verdict = (await here.post(f"/api/matches/{listed['file']}/verify")).json
        assert (verdict["ok"], verdict["winner"]) == (True, "B")
        assert (await here.ask(f"/api/matches/{listed['file']}/verify")).json == {"share": None}
        assert home.evening is not None
        assert not home.playing


@pytest.mark.parametrize(
    "name",
    ["..%2fidentity.key", "identity.key", "..", "x.trec", "%00", "20260501T120000Z-0-mineiro.trec"],
)
async def test_no_file_but_a_record_is_sent(folder: Path, name: str) -> None:
    """Gain: whoever asks for the file of the key has the identity."""
    (folder / "identity.key").write_text("secret")
    (records() / "x.trec").write_text("secret")
    async with at_home(folder) as (here, _):
        for address, method in ((name, "GET"), (f"{name}/verify", "POST")):
            answer = await here.ask(f"/api/matches/{address}", method)
            assert answer.status == 404
            assert b"secret" not in answer.body


async def test_a_record_that_is_none_is_no_match(folder: Path) -> None:
    """It has a record's name, and is left out; verifying it is a sentence."""
    name = record_name("mineiro", bytes(32))
    (records() / name).write_bytes(b"\x93rubbish")
    async with at_home(folder) as (here, _):
        assert (await here.ask("/api/start")).json["matches"] == []
        answer = await here.post(f"/api/matches/{name}/verify")
        assert (answer.status, answer.json["error"]["code"]) == (404, "no_match")


async def test_tables_in_sight_keep_their_numbers(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A private one is joined by its ticket only."""
    where = (Address("192.0.2.7", 4000),)
    ticket = str(Ticket(where, b"\1" * 16, b"\2" * 16))
    seen = [
        Announcement("Ana", "mineiro", "2-4-6-10-12", 4, 3, "AAAA", ticket, where),
        Announcement("Bia", "paulista", "1-3-6-9-12", 2, 1, "BBBB", None, where),
    ]

    class Sight:
        tables = tuple(seen)

    @asynccontextmanager
    async def browsing() -> AsyncIterator[Sight]:
        yield Sight()

    monkeypatch.setattr("p2ptruco.ui.web.looking.browsing", browsing)
    monkeypatch.setattr("p2ptruco.ui.web.looking.FIRST", 0.01)
    async with at_home(folder) as (here, home):
        told = (await here.ask("/api/tables")).json
        assert told["network"]
        assert [(table["number"], table["name"]) for table in told["tables"]] == [
            (1, "Ana"),
            (2, "Bia"),
        ]
        assert json.dumps(told).find(ticket) == -1
        assert home.looking.ticket(1) == ticket
        private = await here.post("/api/join", table=2)
        assert private.json["error"]["code"] == "private_table"


async def test_a_program_of_one_table_has_no_start_page(folder: Path) -> None:
    """But says who we are, and what bots there are; nothing begins there."""
    async with served() as here:
        start = (await here.ask("/api/start")).json
        assert (start["home"], start["playing"], start["nick"]) == (False, True, "Ana")
        assert (await here.ask("/")).headers["location"] == "/match"
        assert (await here.post("/api/play")).status == 404
