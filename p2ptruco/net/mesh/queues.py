"""What comes over all links, sorted by the part of an evening that it is for.

Laws:
1. One part listens at a time: a lobby, the signing of an agreement, a table. It gets what is for
   it in the order in which it came.
2. What comes for another part is kept for that one, up to a number: a peer may have finished a
   part before us. What is beyond that is lost; entries are asked for again.
3. Nothing is kept of who is not in the roster, for the next lobby, nor of one table for the next.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import trio

from ..transport import frames
from .events import Event, Heard

FOR_TABLE = 512
"""Events kept for the table while its agreement is signed."""
FOR_LOBBY = 64
"""Messages kept for the next lobby until it is there."""
OF_LOBBY = (frames.Enter, frames.Room, frames.Said)


class Queues:
    """The events of a mesh, for whoever listens now. trio.EndOfChannel: the mesh has ended."""

    def __init__(
        self, events: trio.MemoryReceiveChannel[Heard], known: Callable[[bytes], bool]
    ) -> None:
        """`known`: whether a peer is in the roster."""
        self._events, self._known = events, known
        self._table: deque[Heard] = deque()
        self._lobby: deque[Heard] = deque()

    async def for_lobby(self) -> Heard:
        """The next event for a lobby."""
        return self._lobby.popleft() if self._lobby else await self._events.receive()

    async def for_signing(self) -> tuple[bytes, frames.Signature]:
        """The next signature of an agreement."""
        while True:
            peer, event = await self._events.receive()
            if isinstance(event, frames.Signature):
                return peer, event
            if isinstance(event, OF_LOBBY):
                self._keep(peer, event)
            elif len(self._table) < FOR_TABLE:
                self._table.append((peer, event))

    async def for_table(self, aside: Callable[[bytes], None] = lambda peer: None) -> Heard:
        """The next event for a table; `aside`: called with each peer of the roster that speaks of
        the next lobby."""
        if self._table:
            return self._table.popleft()
        while True:
            peer, event = await self._events.receive()
            if not isinstance(event, OF_LOBBY):
                return peer, event
            self._keep(peer, event)
            if self._known(peer):
                aside(peer)

    def forget_lobby(self) -> None:
        """Drop what was kept for a lobby: a guest is told of the next one when it enters."""
        self._lobby.clear()

    def forget_table(self) -> None:
        """Drop what was kept for a table: another agreement is about to be signed."""
        self._table.clear()

    def _keep(self, peer: bytes, event: Event) -> None:
        if self._known(peer) and len(self._lobby) < FOR_LOBBY:
            self._lobby.append((peer, event))
