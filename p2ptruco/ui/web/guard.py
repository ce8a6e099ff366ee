"""What stands before every page and every WebSocket.

Laws:
1. A request names this server as its Host, exactly. Else a name on the internet that resolves to
   127.0.0.1 would make our page its own (DNS rebinding).
2. Whatever changes something, and every WebSocket, comes from our own page (Origin), with our
   cookie. Without the cookie nothing is served but the way in, `/?token=…`.
3. Every answer says that it is not to be kept, not to be framed, and that nothing is loaded from
   anywhere else or written into the page.
4. What is asked for is bounded: a method that we have, an address and headers of so many bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final
from urllib.parse import parse_qs

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from p2ptruco.table.unforeseen import unforeseen
from p2ptruco.table.violation import LinkFault
from p2ptruco.ui.web.keys import Keys

NAMES: Final = ("127.0.0.1", "localhost")
"""How this machine calls itself."""
METHODS: Final = ("GET", "HEAD", "POST")
LONGEST_HEAD: Final = 16 << 10
"""Bytes of all headers."""
LONGEST_ADDRESS: Final = 1024
"""Bytes of path and query; a token has some fifty."""

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final[Mapping[str, str]] = {
    "cache-control": "no-store",
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


class Guard:
    """An ASGI application behind the laws above. `stranger` answers who has no key."""

    def __init__(self, app: ASGIApp, port: int, keys: Keys, stranger: ASGIApp) -> None:
        self._app, self._port, self._keys, self._stranger = app, port, keys, stranger
        self._hosts = {f"{name}:{port}" for name in NAMES} | (set(NAMES) if port == 80 else set())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        with suppress(LinkFault), unforeseen("a request of a browser"):
            await self._answer(HTTPConnection(scope))(scope, receive, guarded)

    def _answer(self, asked: HTTPConnection) -> ASGIApp:
        """What answers a request."""
        scope = asked.scope
        is_socket = scope["type"] == "websocket"
        if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > LONGEST_ADDRESS:
            return refused(is_socket, 414)
        if sum(len(name) + len(value) for name, value in scope["headers"]) > LONGEST_HEAD:
            return refused(is_socket, 431)
        if not is_socket and scope["method"] not in METHODS:
            return refused(is_socket, 405)
        host = asked.headers.getlist("host")
        if len(host) != 1 or host[0].lower() not in self._hosts:
            return refused(is_socket, 421)
        acts = is_socket or scope["method"] == "POST"
        if not self._from_here(asked.headers.getlist("origin"), host[0].lower(), acts):
            return refused(is_socket, 403)
        if scope["path"] == "/" and not acts and b"token=" in scope["query_string"]:
            return self._way_in(scope["query_string"])
        if not self._keys.known("; ".join(asked.headers.getlist("cookie")), self._port):
            return refused(is_socket, 403) if acts else self._stranger
        return self._app

    def _from_here(self, origin: Iterable[str], host: str, acts: bool) -> bool:
        """Whether a request comes from our page, or from nobody's where it only looks."""
        named = list(origin)
        return named == [f"http://{host}"] or not (named or acts)

    def _way_in(self, query: bytes) -> ASGIApp:
        try:
            tokens = parse_qs(query.decode("ascii"), strict_parsing=True, max_num_fields=4)
        except ValueError:
            tokens = {}
        if not self._keys.opens(tokens.get("token", [""])[0]):
            return self._stranger
        cookie = {"set-cookie": self._keys.cookie(self._port)}
        return RedirectResponse("/", 303, headers=cookie)


def refused(is_socket: bool, status: int) -> ASGIApp:
    """An answer without a word; to a WebSocket it is 403."""
    return _closed if is_socket else Response(status_code=status)


async def _closed(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "websocket.close"})
