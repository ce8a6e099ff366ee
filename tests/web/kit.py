"""A browser in a few lines, and a server to ask: HTTP by hand, WebSockets by wsproto."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import trio
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Event,
    RejectConnection,
    Request,
    TextMessage,
)

from p2ptruco.app.stage import Stage
from p2ptruco.store.home import Self
from p2ptruco.ui.web.evening import Evening
from p2ptruco.ui.web.guard import Guard
from p2ptruco.ui.web.home import Home
from p2ptruco.ui.web.keys import Keys
from p2ptruco.ui.web.matches import Matches
from p2ptruco.ui.web.server import HERE, listener, serving
from p2ptruco.ui.web.site import Site, stranger
from p2ptruco.ui.web.welcome import welcome
from tests.net.kit import identities

SECONDS = 10.0


@dataclass(frozen=True)
class Answer:
    """What came back: a status, headers by lower-case name, the body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Served:
    """A site on a port, and the keys to it."""

    port: int
    keys: Keys

    @property
    def origin(self) -> str:
        return f"http://{HERE}:{self.port}"

    @property
    def cookie(self) -> str:
        return self.keys.cookie(self.port).split(";")[0]

    def headers(self, **changed: str | None) -> dict[str, str]:
        """Those of our own page; `changed`: others, None for none."""
        ours = {"host": f"{HERE}:{self.port}", "origin": self.origin, "cookie": self.cookie}
        return {name: value for name, value in {**ours, **changed}.items() if value is not None}

    async def ask(
        self, path: str, method: str = "GET", body: bytes = b"", **changed: str | None
    ) -> Answer:
        """A request of our page, or a changed one."""
        head = self.headers(**changed) | {"connection": "close"}
        if body or method == "POST":
            head["content-length"] = str(len(body))
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {head[name]}" for name in head)]
        return answer(await self.raw("\r\n".join([*lines, "", ""]).encode("latin1") + body))

    async def post(self, path: str, **wish: Any) -> Answer:
        """A request of our page that acts."""
        kind: dict[str, str | None] = {"content-type": "application/json"}
        return await self.ask(path, "POST", json.dumps(wish).encode(), **kind)

    async def raw(self, data: bytes) -> bytes:
        """All that comes back for some bytes, until the connection is closed."""
        got = b""
        with trio.fail_after(SECONDS):
            async with await trio.open_tcp_stream(HERE, self.port) as stream:
                try:
                    await stream.send_all(data)
                    async for chunk in stream:
                        got += chunk
                except trio.BrokenResourceError:
                    pass
        return got

    @asynccontextmanager
    async def tab(self, path: str = "/front", **changed: str | None) -> AsyncIterator[Tab]:
        """A WebSocket that is open."""
        async with await trio.open_tcp_stream(HERE, self.port) as stream:
            tab = Tab(stream)
            await tab.open(path, self.headers(**changed))
            yield tab


def answer(data: bytes) -> Answer:
    """An answer as it came."""
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin1").split("\r\n")
    headers = [line.split(": ", 1) for line in lines]
    named = {name.lower(): value for name, value in headers}
    return Answer(int(first.split(" ")[1]), named, body)


class Refused(Exception):
    """A WebSocket was not opened."""


@dataclass
class Tab:
    """One end of a WebSocket."""

    stream: trio.SocketStream
    connection: WSConnection = field(default_factory=lambda: WSConnection(ConnectionType.CLIENT))
    closed: int | None = None
    """The close code, once it is."""
    _text: str = ""

    async def open(self, path: str, headers: dict[str, str]) -> None:
        extra = [(name.encode(), value.encode()) for name, value in headers.items()]
        request = Request(headers["host"], path, extra_headers=extra[1:])
        await self.stream.send_all(self.connection.send(request))
        event = await self._event()
        if not isinstance(event, AcceptConnection):
            raise Refused

    async def _event(self) -> Event:
        with trio.fail_after(SECONDS):
            while True:
                for event in self.connection.events():
                    if isinstance(event, RejectConnection):
                        raise Refused
                    return event
                data = await self.stream.receive_some()
                self.connection.receive_data(data or None)

    async def object(self) -> dict[str, Any]:
        """The next object. EOFError: there is none any more."""
        while True:
            event = await self._event()
            if isinstance(event, CloseConnection):
                self.closed = event.code
                raise EOFError
            if isinstance(event, TextMessage):
                self._text += event.data
                if event.message_finished:
                    text, self._text = self._text, ""
                    whole: dict[str, Any] = json.loads(text)
                    return whole

    async def rest(self) -> list[dict[str, Any]]:
        """All objects until the end."""
        found: list[dict[str, Any]] = []
        try:
            while True:
                found.append(await self.object())
        except EOFError:
            return found

    async def until(self, **members: Any) -> dict[str, Any]:
        """The next object that has these members."""
        while True:
            one = await self.object()
            if all(one.get(name) == value for name, value in members.items()):
                return one

    async def say(self, **members: Any) -> None:
        await self.send(TextMessage(json.dumps(members)))

    async def send(self, message: TextMessage | BytesMessage) -> None:
        await self.stream.send_all(self.connection.send(message))


@asynccontextmanager
async def served(evening: Evening | None = None, home: Home | None = None) -> AsyncIterator[Served]:
    """A site of a test's own, on a port of its own."""
    if home is None:
        me, matches = Self(identities(1)[0], "Ana", Path(), ""), Matches(b"")
        site = Site(lambda: evening, lambda: welcome(me, matches), matches)
    else:
        site = Site(lambda: home.evening, home.start, home.matches, home)
    keys, listens = Keys(), listener()
    port = listens.getsockname()[1]
    async with serving(Guard(site.app, port, keys, stranger), listens):
        yield Served(port, keys)


def evening(stage: Stage | None = None) -> Evening:
    return Evening(stage or Stage(), "play", "1.2")
