"""Serves a site to this machine, and to nobody else.

Laws:
1. It listens on 127.0.0.1: whoever serves a page sees its cards.
2. What one connection does ends that connection at most; so many are open at a time, each with so
   many seconds to ask for something.
3. When it ends, every connection is closed, whoever reads or not.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, cast

import trio
from anycorn.config import Config
from anycorn.events import Event, Updated
from anycorn.protocol.h11 import H11Protocol
from anycorn.task_group import TaskGroup
from anycorn.tcp_server import TCPServer
from anycorn.typing import ConnectionState
from anycorn.utils import wrap_app
from anycorn.worker_context import WorkerContext
from anyio.abc import SocketAttribute, SocketListener, SocketStream
from starlette.types import ASGIApp

from p2ptruco.table.unforeseen import unforeseen
from p2ptruco.table.violation import LinkFault

log = logging.getLogger(__name__)

HERE: Final = "127.0.0.1"
ENDS: Final = (SocketAttribute.remote_address, SocketAttribute.local_address)
MOST: Final = 64
"""Connections at a time; a browser opens six, and a WebSocket."""
SECONDS: Final = 5
"""For a request to come, and between two on one connection."""
GRACE: Final = 1.0
"""For an answer to whoever has closed the connection, or their end of it."""
LARGEST_HEAD: Final = 16 << 10
LARGEST_MESSAGE: Final = 64 << 10


def settings() -> Config:
    """How connections are served: nothing compressed, no word about the server, logs to ours."""
    config = Config()
    config.errorlog = log
    config.include_server_header = False
    config.h11_max_incomplete_size = LARGEST_HEAD
    config.keep_alive_timeout = SECONDS
    config.websocket_max_message_size = LARGEST_MESSAGE
    config.websocket_permessage_deflate = False
    return config


def listener(port: int = 0) -> socket.socket:
    """A socket that listens on this machine. OSError: its port is not to be had."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            made.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((HERE, port))
        made.listen()
        made.setblocking(False)
    except OSError:
        made.close()
        raise
    return made


@asynccontextmanager
async def serving(app: ASGIApp, listens: socket.socket) -> AsyncIterator[None]:
    """Serve an ASGI application on a socket, for the time of a block, what it still does when it
    is cancelled included."""
    connections, scope = _Connections(app), trio.CancelScope(shield=True)

    async def serve() -> None:
        with scope:
            async with await SocketListener.from_socket(listens) as listening:
                await listening.serve(connections.serve)

    async with trio.open_nursery() as tasks:
        tasks.start_soon(serve)
        try:
            yield
        finally:
            scope.cancel()
            connections.close()


class _Plain(H11Protocol):
    """HTTP/1.1 and WebSockets: an upgrade to HTTP/2 is passed over, as it may be."""

    async def _check_protocol(self, event: object) -> None: ...


class _Connection(TCPServer):
    """One browser's. Once its other end is closed it has a moment to answer, and no other request
    is waited for."""

    async def run(self) -> None:
        ends = [self.stream.extra(end)[:2] for end in ENDS]
        self._scope, self._ended = trio.CancelScope(), False
        try:
            with self._scope:
                async with TaskGroup() as self._task_group:
                    self.protocol = cast(Any, self._spoken(*ends))
                    await self.idle_task.restart(self._task_group, self._idle_timeout)
                    await self._read_data()
                    self._ended = True
                    await self.idle_task.stop()
                    self._scope.deadline = trio.current_time() + GRACE
        except OSError:
            return
        finally:
            await self._close()

    def _spoken(self, client: Any, server: Any) -> H11Protocol:
        state = ConnectionState(self.state.copy())
        send, tasks = self.protocol_send, self._task_group
        return _Plain(self.app, self.config, self.context, tasks, state, client, server, send, None)

    async def protocol_send(self, event: Event) -> None:
        if not (self._ended and isinstance(event, Updated)):
            await super().protocol_send(event)


class _Connections:
    """The connections that are open."""

    def __init__(self, app: ASGIApp) -> None:
        self._app, self._config = wrap_app(cast(Any, app), 0, "asgi"), settings()
        self._context = WorkerContext(None)
        self._open: set[socket.socket] = set()

    async def serve(self, stream: SocketStream) -> None:
        """Serve one, to its end."""
        raw = stream.extra(SocketAttribute.raw_socket)
        if len(self._open) >= MOST:
            await stream.aclose()
            return
        self._open.add(raw)
        try:
            with suppress(LinkFault), unforeseen("a connection of a browser"):
                await _Connection(self._app, self._config, self._context, {}, stream).run()
        finally:
            self._open.discard(raw)

    def close(self) -> None:
        """Close all: what waits for one that does not read waits no longer."""
        for raw in self._open:
            with suppress(OSError):
                raw.shutdown(socket.SHUT_RDWR)
