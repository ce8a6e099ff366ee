"""Where streams come from: TCP, or whatever a test puts in its place."""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable
from typing import Protocol

import trio

from .ticket import Address

Arrival = Callable[[trio.abc.Stream, str], Awaitable[None]]
"""Gets a fresh stream and the host it came from; returns when done with it, raises nothing."""


class Network(Protocol):
    async def dial(self, address: Address) -> trio.abc.Stream:
        """A stream to `address`, or OSError."""

    async def listen(
        self,
        arrival: Arrival,
        *,
        task_status: trio.TaskStatus[tuple[Address, ...]] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Hand every arriving stream to `arrival`, each in a task; starts with where it listens."""


class Tcp:
    """TCP on one host address ("127.0.0.1"; "" for all) and port (0: any free one)."""

    def __init__(self, host: str = "", port: int = 0) -> None:
        self._host, self._port = host, port

    async def dial(self, address: Address) -> trio.abc.Stream:
        return await trio.open_tcp_stream(address.host, address.port)

    async def listen(
        self,
        arrival: Arrival,
        *,
        task_status: trio.TaskStatus[tuple[Address, ...]] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        listeners = await trio.open_tcp_listeners(self._port, host=self._host or None)

        async def handler(stream: trio.SocketStream) -> None:
            try:
                origin = str(stream.socket.getpeername()[0])
            except OSError:  # gone before we looked
                await trio.aclose_forcefully(stream)
                return
            await arrival(stream, plain_host(origin))

        task_status.started(tuple(_bound(listener) for listener in listeners))
        await trio.serve_listeners(handler, listeners)


def plain_host(host: str) -> str:
    """The canonical text of a host address: no scope, no IPv4 dressed as IPv6."""
    address = ipaddress.ip_address(host.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(address)


def _bound(listener: trio.SocketListener) -> Address:
    host, port = listener.socket.getsockname()[:2]
    return Address(plain_host(host), port)
