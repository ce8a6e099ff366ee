"""The host's lobby: decides who sits where and when it starts (wire.md §7).

Laws:
1. A player of the match before who is still linked keeps the seat until they answer, go, or the
   host frees it; everybody sees for whom it is held, and a held chair is never ready.
2. Whoever comes by the ticket is let in while a chair is free for them; else they are told why not.
3. Only a bot that this host has started is shown as run by it, whatever a guest says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import trio

from ...rules.variant import Variant
from ...table.agreement import Place, Times
from ...table.identity import Identity
from ...text import CHAT_BYTES, CHAT_GRAPHEMES, clean, is_clean
from ..mesh.events import Dropped, Event, Linked
from ..mesh.mesh import Mesh
from ..transport import frames
from ..transport.fault import Reason
from ..transport.limits import TALK_BURST, TALK_RATE, Bucket
from ..wall import blaming
from .common import SIGNING_SECONDS, Line, Lobby
from .rates import ENTER_BURST, ENTER_RATE, ROOM_BURST, ROOM_RATE, GuestMeter
from .room import Chair, Room, on_the_wire
from .sitting import NotSeated, Seated, host_table

ENTER_SECONDS = 10.0
"""For whoever came by the ticket to say who it is: it holds a place that nobody sees taken."""

OF_A_MATCH = (frames.Pulse, frames.Signature, frames.EntryFrame, frames.Ask, frames.Private)
"""What may still come of a match that has just ended among the same peers."""


class HostLobby(Lobby):
    """The host's: decides who sits where and when it starts."""

    def __init__(
        self,
        mesh: Mesh,
        me: Identity,
        name: str,
        variant: Variant,
        players: int,
        times: Times | None = None,
        *,
        seat: int = 0,
        bot: bool = False,
        former: Mapping[int, Place] | None = None,
        runs: Callable[[bytes], bool] = lambda identity: False,
    ) -> None:
        """`former`: who sat where in the match before, ourselves apart; `runs`: whether a key is
        that of a bot of ours."""
        chair = Chair(me.public, name, me.public, bot, ready=True)
        chairs = [chair if place == seat else None for place in range(players)]
        self._former = {place.identity: (at, place) for at, place in (former or {}).items()}
        for at, place in self._former.values():
            if place.identity in mesh.linked and _person(at, place) and chairs[at] is None:
                chairs[at] = _held(place)
        room = Room(variant, times or Times(), tuple(chairs))
        super().__init__(mesh, me, name, room)
        self.room: Room
        self._begun = trio.Event()
        self._runs = runs
        self._lines = GuestMeter(TALK_RATE, TALK_BURST)
        self._minds = GuestMeter(ENTER_RATE, ENTER_BURST)
        self._rooms = Bucket(ROOM_RATE, ROOM_BURST, trio.current_time())
        self._untold = False
        """Whether the room has changed since everybody was told."""
        strangers = mesh.linked - self._former.keys()
        self._standing = dict.fromkeys(strangers, trio.current_time())
        """Since when somebody is here who has not said who it is."""
        self._away: set[bytes] = set()
        """Whoever was turned away, and does not come back to this lobby."""

    # What the host does.

    def swap(self, one: int, other: int) -> None:
        """Let two seats change places; a free one may be among them."""
        chairs = list(self.room.chairs)
        chairs[one], chairs[other] = chairs[other], chairs[one]
        self._change(chairs=tuple(chairs))

    def turn_away(self, seat: int) -> bool:
        """Send a guest home, for the whole of this lobby; whoever has not answered yet may come
        again by the ticket. Whether there was anybody to send away."""
        chair = self.room.chairs[seat]
        if chair is None or chair.identity == self._me.public:
            return False
        self._former.pop(chair.identity, None)
        if not chair.held:
            self._away.add(chair.identity)
        self._mesh.strike(chair.identity, "too_late" if chair.held else "turned_away")
        self._leave(chair.identity)
        return True

    def lock(self, locked: bool = True) -> None:
        """Let nobody else sit down."""
        self._change(locked=locked)

    def talk(self, text: str) -> None:
        self._say(self._me.public, self.name, text)

    def hears(self, identity: bytes) -> bool:
        return identity == self._me.public or identity in self._mesh.linked

    def start(self) -> bool:
        """Begin, if every seat is taken and ready; whether it does."""
        if self.room.all_ready:
            self._change(started=True)
            self._begun.set()
        return self._begun.is_set()

    async def run(self) -> Seated:
        """Receive guests until started and signed by all. NotSeated: not all did in time; they
        are gone, the others still linked."""
        async with trio.open_nursery() as tasks:
            tasks.start_soon(self._receive)
            tasks.start_soon(self._each_second)
            await self._begun.wait()
            tasks.cancel_scope.cancel()
        room = self.room
        try:
            return await host_table(
                self._mesh,
                self._me,
                self._wish(room),
                room.variant,
                len(room.chairs),
                times=room.times,
                consents=room.claimed,
                seconds=SIGNING_SECONDS,
            )
        except NotSeated as refused:
            here = {self._me.public} | self._mesh.linked
            gone = (chair.name for chair in room.chairs if chair and chair.identity not in here)
            raise NotSeated(refused.code, tuple(gone)) from None

    def asks(self, peer: bytes) -> Reason | None:
        """Why the door lets in nobody with this key now (`Door.open_to`); None: it does."""
        if peer in self._away:
            return "turned_away"
        if self.room.seat_of(peer) is not None:
            return None
        seated = {chair.identity for chair in self.room.chairs if chair is not None}
        waiting = self._mesh.linked - seated - self._former.keys() - {peer}
        if not self.room.locked and len(self.room.free) > len(waiting):
            return None
        return self._full

    @property
    def _full(self) -> Reason:
        """Why somebody else cannot sit down."""
        return "seats_held" if self.room.held and not self.room.locked else "table_full"

    # Guests.

    async def _receive(self) -> None:
        self._change()
        while True:
            self._listen_to(*await self._mesh.queues.for_lobby())

    def _listen_to(self, peer: bytes, event: Event) -> None:
        with blaming(self._mesh, peer):
            self.hear(peer, event)

    async def _each_second(self) -> None:
        """Tell of the room what there was no time for; close whoever does not say who it is."""
        while True:
            await trio.sleep(1.0)
            if self._untold:
                self._tell_room()
            now = trio.current_time()
            for peer, since in self._standing.items():
                if now - since > ENTER_SECONDS:
                    self._mesh.close(peer, "too_late")

    def hear(self, peer: bytes, event: Event) -> None:
        """One event of the mesh."""
        match event:
            case Linked(purpose=purpose):
                if purpose == "seat":
                    self._standing[peer] = trio.current_time()
                self._hold(peer)
                self._mesh.send(peer, on_the_wire(self.room))
            case frames.Enter():
                self._standing.pop(peer, None)
                if self._minds.take(peer, self._mesh.origin(peer)):
                    self._enter(peer, event)
                else:
                    self._mesh.close(peer, "too_fast")
            case frames.Talk(text=text):
                self._talked(peer, text)
            case Dropped():
                self._standing.pop(peer, None)
                self._leave(peer)
            case _ if isinstance(event, OF_A_MATCH):
                pass
            case _:
                self._mesh.close(peer, "not_due")

    def _enter(self, peer: bytes, wish: frames.Enter) -> None:
        reason = self._fault(peer, wish)
        if reason is not None:
            self._mesh.close(peer, reason)
            self._leave(peer)
            return
        seat = self._seat_for(peer, wish.seat)
        if seat is None:
            self._mesh.close(peer, self._full)
            return
        chairs = [c if c is None or c.identity != peer else None for c in self.room.chairs]
        operator = wish.operator or peer
        chairs[seat] = Chair(peer, wish.name, operator, wish.bot, wish.ready)
        self._change(chairs=tuple(chairs))

    def _fault(self, peer: bytes, wish: frames.Enter) -> Reason | None:
        if peer in self._away:
            return "turned_away"
        if not is_clean(wish.name):
            return "malformed"
        if self._taken(wish.name, peer):
            return "name_taken"
        if not self._may_run(peer, wish.operator):
            return "malformed"
        return "table_full" if self.room.locked and self.room.seat_of(peer) is None else None

    def _may_run(self, peer: bytes, operator: bytes | None) -> bool:
        """Whether somebody's seat can be said to be run by this key."""
        return operator in (None, peer) or (operator == self._me.public and self._runs(peer))

    def _taken(self, name: str, peer: bytes) -> bool:
        """Whether somebody else here goes by this name, case aside."""
        others = (c for c in self.room.chairs if c is not None and c.identity != peer)
        return any(chair.name.casefold() == name.casefold() for chair in others)

    def _seat_for(self, peer: bytes, wished: int | None) -> int | None:
        """The seat held for them, else the one wished if it is free, else their own, else any."""
        free, chair = self.room.free, self.room.chair_of(peer)
        if wished in free and not (chair and chair.held):
            return wished
        return self.room.seat_of(peer) if chair else next(iter(free), None)

    def _hold(self, peer: bytes) -> None:
        """Keep the seat of a player of the match before whose link is back, if it is free."""
        if peer not in self._former or self.room.locked or self.room.seat_of(peer) is not None:
            return
        at, place = self._former[peer]
        if (
            self.room.chairs[at] is None
            and _person(at, place)
            and not self._taken(place.name, peer)
        ):
            chairs = list(self.room.chairs)
            chairs[at] = _held(place)
            self._change(chairs=tuple(chairs))

    def _leave(self, peer: bytes) -> None:
        seats = [
            c if c is None or peer not in (c.identity, c.operator) else None
            for c in self.room.chairs
        ]
        if tuple(seats) != self.room.chairs:
            self._change(chairs=tuple(seats))

    def _talked(self, peer: bytes, text: str) -> None:
        chair = self.room.chair_of(peer)
        if chair is not None and self._lines.take(peer, self._mesh.origin(peer)):
            self._say(peer, chair.name, text)

    def _say(self, who: bytes, name: str, text: str) -> None:
        line = clean(text, CHAT_BYTES, CHAT_GRAPHEMES)
        if line:
            self._mesh.flood(frames.Said(who, line))
            self._show(Line(name, line))

    def _change(self, **fields: object) -> None:
        """A new room, told to everybody; other rules make everybody but bots unready."""
        self.room = replace(self.room, **fields)  # type: ignore[arg-type]
        self._untold = True
        if self._rooms.take(1, trio.current_time()) or self.room.started:
            self._tell_room()

    def _tell_room(self) -> None:
        self._untold = False
        self._mesh.flood(on_the_wire(self.room))
        self._show(self.room)


def _person(seat: int, place: Place) -> bool:
    """Whether somebody sat there by themselves: the host's bots are started anew."""
    return place.operator == seat


def _held(place: Place) -> Chair:
    return Chair(place.identity, place.name, place.identity, False, ready=False, held=True)
