"""A guest's lobby: sees the host's room, wishes a seat, is ready or not (wire.md §7)."""

from __future__ import annotations

from contextlib import suppress

import msgspec
import trio

from ...table.identity import Identity
from ...table.violation import LinkFault
from ...text import CHAT_BYTES, CHAT_GRAPHEMES, clean
from ..mesh.events import Dropped, Event, Linked
from ..mesh.mesh import Mesh
from ..transport import frames
from ..transport.limits import Bucket
from .common import SIGNING_SECONDS, Line, Lobby
from .rates import HOST_BURST, HOST_RATE
from .room import Room, off_the_wire
from .sitting import NotSeated, Seated, join_table, proposed


class GuestLobby(Lobby):
    """A guest's: sees the host's room, wishes a seat, is ready or not."""

    def __init__(
        self,
        mesh: Mesh,
        me: Identity,
        host: bytes,
        name: str,
        *,
        seat: int | None = None,
        operator: bytes | None = None,
        bot: bool = False,
    ) -> None:
        super().__init__(mesh, me, name, None)
        self._host = host
        self._mine = frames.Enter(name, seat, operator, bot, ready=bot)
        self._told = Bucket(HOST_RATE, HOST_BURST, trio.current_time())

    def sit(self, seat: int) -> None:
        """Wish another seat."""
        self._send(seat=seat)

    def ready(self, ready: bool = True) -> None:
        """Agree to play by the rules shown, or not."""
        self._send(ready=ready)

    def talk(self, text: str) -> None:
        if line := clean(text, CHAT_BYTES, CHAT_GRAPHEMES):  # no more than a frame may hold
            self._mesh.send(self._host, frames.Talk(line))

    def hears(self, identity: bytes) -> bool:
        return identity == self._me.public or self._host in self._mesh.linked

    async def run(self) -> Seated:
        """Stay until the host starts, then sign if we were ready for this.

        NotSeated: the host's reason, lost, refused (by us), bad_proposal, or not_signed: by all,
        in time; then the host has another lobby.
        """
        self._send(seat=self._mine.seat)
        room = await self._started()
        if not self._mine.ready:
            self._mesh.close(self._host, "leaving")
            raise NotSeated("refused")
        with proposed(self._mesh, self._host):
            wish = self._wish(room)
        with trio.move_on_after(SIGNING_SECONDS):
            return await join_table(self._mesh, self._me, self._host, wish, room.fits)
        raise NotSeated("not_signed")

    async def _started(self) -> Room:
        self._mesh.queues.forget_lobby()
        with suppress(trio.EndOfChannel):
            while True:
                peer, event = await self._mesh.queues.for_lobby()
                if peer == self._host:
                    await self._turn()
                    with proposed(self._mesh, self._host):
                        self._listen_to(event)
                    if self.room is not None and self.room.started:
                        return self.room
        raise NotSeated("lost")

    async def _turn(self) -> None:
        """Wait while the host has told more than any honest one does: all of it is shown."""
        if owed := self._told.owed(trio.current_time()):
            await trio.sleep(owed)
        self._told.charge(1, trio.current_time())

    def _listen_to(self, event: Event) -> None:
        """One event of the link to the host."""
        match event:
            case frames.Room():
                self._see(event)
            case frames.Said(identity=who, text=text):
                self._hear(who, text)
            case Linked():  # the link was lost, and is back
                self._send()
            case Dropped(reason=reason, theirs=theirs) if self._host not in self._mesh.linked:
                raise NotSeated(reason if theirs else "lost")

    def _see(self, wire: frames.Room) -> None:
        """Take the host's room; other rules than before end our consent."""
        try:
            room = off_the_wire(wire)
        except ValueError as error:
            raise LinkFault("malformed", "a room") from error
        before, self.room = self.room, room
        changed = before and (before.variant, before.times) != (room.variant, room.times)
        if changed and self._mine.ready and not self._mine.bot:
            self.ready(False)
        self._show(room)

    def _hear(self, who: bytes, text: str) -> None:
        chair = None if self.room is None else self.room.chair_of(who)
        line = clean(text, CHAT_BYTES, CHAT_GRAPHEMES)
        if chair is not None and line:
            self._show(Line(chair.name, line))

    def _send(self, *, seat: int | None = None, ready: bool | None = None) -> None:
        """Say what we wish; a seat is wished once, for the host may have given us another since."""
        ready = self._mine.ready if ready is None else ready
        self._mine = msgspec.structs.replace(self._mine, seat=seat, ready=ready)
        self._mesh.send(self._host, self._mine)
