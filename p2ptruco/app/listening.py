"""A mesh of ours that listens."""

from __future__ import annotations

import os
from collections.abc import Sequence

import trio

from ..errors import within
from ..net.mesh.mesh import Mesh
from ..net.transport.network import Tcp
from ..net.transport.ticket import Address
from ..store.home import Self
from .stopped import Stopped

LOOPBACK = "127.0.0.1"


async def listen(me: Self, tasks: trio.Nursery, port: int = 0, host: str = "") -> Mesh:
    """A running mesh of ours. Stopped: its port is not to be had."""
    mesh = Mesh(me.identity, Tcp(host, port))
    try:
        await tasks.start(mesh.run)
    except (OSError, ExceptionGroup) as failed:
        error = within(failed, OSError)
        if error is None:
            raise
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise Stopped("port_in_use", port=str(port), reason=reason) from failed
    return mesh


def port_of(listens: Sequence[Address]) -> int:
    """The port for those who come by IPv4, as tickets say; by IPv6 it may be another one, and
    either may be named first."""
    return min(listens, key=lambda address: ":" in address.host).port
