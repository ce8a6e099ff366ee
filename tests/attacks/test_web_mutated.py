"""Mutated requests and messages to the page: each is answered or closed, and nothing else happens.

Gain of an attacker: another page in the browser, or another user of this machine, ends the program
or fills it, and with it the match.
"""

from __future__ import annotations

import gc
import json
import logging
import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import trio
import trio.testing
from wsproto.events import TextMessage

from p2ptruco.app.commands import Language
from p2ptruco.cli.browser import explained
from p2ptruco.store.home import Self, records
from p2ptruco.ui import words
from p2ptruco.ui.web.home import Home, Us
from p2ptruco.ui.web.keys import Keys
from p2ptruco.ui.web.server import HERE
from tests.app.test_plain import COMMANDS
from tests.net.kit import identities
from tests.web.kit import Served, Tab, evening, served

SEED = 14
REQUESTS, FRAMES, MESSAGES = 1300, 240, 1500
AT_ONCE = 16


def mutated(rng: random.Random, whole: bytes) -> bytes:
    """A few changes of bytes."""
    for _ in range(rng.choice([1, 1, 2, 4])):
        at, size = rng.randrange(len(whole) + 1), rng.choice([1, 2, 7, 40])
        change = rng.randrange(5)
        if change == 0:
            whole = whole[:at] + rng.randbytes(1) + whole[at + 1 :]
        elif change == 1:
            whole = whole[:at] + whole[at + size :]
        elif change == 2:
            whole = whole[:at] + rng.randbytes(size) + whole[at:]
        elif change == 3:
            whole = whole[:at] + whole[at : at + size] * rng.choice([2, 30]) + whole[at + size :]
        else:
            whole = whole[:at] or b"\r\n"
    return whole


def requests(here: Served) -> list[bytes]:
    """One of each kind."""

    def one(line: str, body: bytes = b"", **more: str) -> bytes:
        head = {**here.headers(), **more}
        if body:
            head |= {"content-type": "application/json", "content-length": str(len(body))}
        lines = [f"{line} HTTP/1.1", *(f"{name}: {value}" for name, value in head.items())]
        return "\r\n".join([*lines, "", ""]).encode() + body

    upgrade = {
        "upgrade": "websocket",
        "connection": "Upgrade",
        "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    chunked = one("POST /api/settings", **{"transfer-encoding": "chunked"})
    h2c = {"connection": "Upgrade, HTTP2-Settings", "upgrade": "h2c", "http2-settings": "AAMAAABk"}
    return [
        one(f"GET /?token={here.keys.token}"),
        one("GET /words/pt-BR.json"),
        one("GET /static/js/table.js"),
        one("GET /qr.svg"),
        one("GET /api/start"),
        one("GET /api/matches/20260501T120000Z-000000000000-mineiro.trec"),
        one("POST /api/settings", b'{"language": "en", "nick": "Nara"}'),
        one("POST /api/play", b'{"variant": "none", "seats": 2, "bots": ["zap"], "toggles": {}}'),
        one("POST /api/join", b'{"ticket": "TRUCO:AIAACBGAVAARJHF3CAII2ILSY4DFMI5AQLHA"}'),
        chunked + b'12\r\n{"language": "en"}\r\n0\r\n\r\n',
        one("GET /front", **upgrade) + b"\x81\x85\x00\x00\x00\x00hello",
        one("GET /words/en.json", **h2c) + b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0" + b"\0\0\1\1\5\0\0\0\1\x82",
    ]


def open_files() -> int:
    gc.collect()
    return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0


async def said(port: int, data: bytes) -> bytes:
    """What comes back for bytes after which nothing more is said."""
    got = b""
    with trio.fail_after(20):
        async with await trio.open_tcp_stream(HERE, port) as stream:
            with suppress(trio.BrokenResourceError):
                await stream.send_all(data)
                await stream.send_eof()
                async for chunk in stream:
                    got += chunk
    return got


@asynccontextmanager
async def quiet(caplog: pytest.LogCaptureFixture):
    """Nothing is logged as an error, by us or by the server, and no file stays open."""
    before = open_files()
    with caplog.at_level(logging.ERROR):
        yield
    await trio.testing.wait_all_tasks_blocked(0.05)
    assert [record.getMessage() for record in caplog.records] == []
    assert open_files() <= before + 1


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("P2PTRUCO_HOME", str(tmp_path))
    yield tmp_path
    words.speak("en")


async def test_no_mutated_request_ends_or_fills_the_program(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """With the right Host, Origin and cookie at first, so that the mutations reach every door."""
    rng, statuses = random.Random(SEED), Counter[bytes]()
    home = Home(Us(Self(identities(1)[0], "Ana", folder, ""), records(), None, "1.2", explained))
    async with served(home=home) as here, quiet(caplog):
        corpus = requests(here)
        todo = [mutated(rng, rng.choice(corpus)) for _ in range(REQUESTS)]

        async def work() -> None:
            while todo:
                statuses[(await said(here.port, todo.pop()))[9:12]] += 1

        async with trio.open_nursery() as tasks:
            for _ in range(AT_ONCE):
                tasks.start_soon(work)
        assert (await here.ask("/words/en.json")).status == 200
    assert sum(statuses.values()) == REQUESTS
    assert {b"200", b"400", b"403", b"404", b"421"} <= set(statuses)
    assert statuses[b"500"] == 0


async def test_no_mutated_frame_ends_the_program(caplog: pytest.LogCaptureFixture) -> None:
    """Behind a good handshake: lengths, masks, opcodes, fragments, closes."""
    rng = random.Random(SEED)
    async with served(evening()) as here, quiet(caplog):
        handshake = requests(here)[10].partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
        frames = [
            b"\x81\x94\1\2\3\4"
            + bytes(b ^ 1 + n % 4 for n, b in enumerate(b'{"command": "look"}\n')),
            b'\x01\x83\0\0\0\0{"c\x80\x82\0\0\0\0om',
            b"\x82\x81\0\0\0\0x",
            b"\x89\x80\0\0\0\0",
            b"\x88\x82\0\0\0\0\x03\xe8",
            b"\x81\xff\0\0\0\0\0\1\0\0\0\0\0\0" + b"x" * 2000,
        ]
        for _ in range(FRAMES // 4):
            async with trio.open_nursery() as tasks:
                for _ in range(4):
                    sent = b"".join(rng.choices(frames, k=3))
                    tasks.start_soon(said, here.port, handshake + mutated(rng, sent))
        async with here.tab() as tab:
            assert (await tab.object())["front"] == 1


async def test_no_mutated_message_ends_the_program(caplog: pytest.LogCaptureFixture) -> None:
    """Each is a command or is refused, and the tab goes on."""
    rng = random.Random(SEED)
    lines = [line.encode() for line, command in COMMANDS if not isinstance(command, Language)]
    async with served(evening()) as here, quiet(caplog), here.tab() as tab:
        for _ in range(MESSAGES):
            text = mutated(rng, rng.choice(lines)).decode("utf-8", "replace")
            await tab.send(TextMessage(text or " "))
            while not await told(tab):
                pass
        await tab.say(command="look")
        assert await tab.until(snapshot={"events": [], "questions": []})


async def told(tab: Tab) -> bool:
    """Whether what is told answers a message."""
    one = await tab.object()
    return one.get("event") in ("refused", "closed", "language") or "snapshot" in one


def test_there_are_at_least_three_thousand() -> None:
    assert REQUESTS + FRAMES + MESSAGES >= 3000


FOREIGN = {
    "host": [None, "", "evil.example", "127.0.0.1", "127.0.0.1:{other}", "127.0.0.1.evil:{port}"],
    "origin": ["", "null", "http://evil.example", "http://127.0.0.1:{other}", "file://"],
    "cookie": [None, "", "{name}=", "{name}={session}x", "{name}=A{session}", "{other}={session}"],
}


@pytest.mark.parametrize("header", FOREIGN)
async def test_foreign_headers_open_nothing(header: str) -> None:
    """Every kind of request, with one header of somebody else's: neither a page nor a word of
    one's game."""
    async with served(evening()) as here:
        name, _, session = here.cookie.partition("=")
        known = {
            "port": here.port,
            "other": here.port % 60000 + 1,
            "name": name,
            "session": session,
        }
        for value in FOREIGN[header]:
            foreign = value and value.format(**known)
            for path in ("/", "/match", "/front", "/api/matches/x.trec", "/static/a.js", "/qr.svg"):
                answer = await here.ask(path, **{header: foreign})
                assert answer.status in (400, 403, 421), (header, foreign, path)
            answer = await here.ask("/api/matches/x.trec/verify", "POST", **{header: foreign})
            assert answer.status in (400, 403, 421)
            assert session.encode() not in answer.body + json.dumps(answer.headers).encode()


async def test_a_token_of_another_program_opens_nothing() -> None:
    """Two programs of one machine share the cookies of 127.0.0.1, and no key."""
    async with served(evening()) as here, served(evening()) as there:
        assert (await here.ask(f"/?token={there.keys.token}", cookie=None)).status == 403
        assert (await here.ask("/qr.svg", cookie=there.cookie)).status == 403
        both = f"{there.cookie}; {here.cookie}"
        assert (await here.ask("/qr.svg", cookie=both)).status == 404
        assert Keys().token != Keys().token
