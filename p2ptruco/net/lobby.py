"""Before the first card: who sits where, under which rules, and is everybody ready (table.md §2.2).

    guest → host   Enter(name, seat, operator, bot, ready), again whenever that changes
    host → guests  Room(variant, times, chairs), again whenever that changes
    everybody      Talk; the host passes it on as Said

Laws:
1. There is one room, the host's; everybody sees it whole and sees the same.
2. Ready is said of the rules shown: when they change, nobody is ready any more.
3. When the host starts, everybody sits down (sitting.py) and signs only what the room showed.
4. All text of peers is cleaned before anybody here sees it; talk has a rate.

Source: wire.md §7.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import trio

from ..rules.variant import Variant, from_toggles, toggles
from ..table.agreement import Agreement, Times
from ..table.identity import Identity
from ..table.text import CHAT_BYTES, CHAT_GRAPHEMES, clean, is_clean
from . import frames
from .fault import Reason
from .limits import Bucket
from .mesh import Dropped, Event, Linked, Mesh
from .sitting import NotSeated, Seated, Wish, host_table, join_table

TALK_RATE, TALK_BURST = 1.0, 8.0
"""Lines a second that one peer may say, and at once."""
ENTER_RATE, ENTER_BURST = 2.0, 16.0
"""Changes of mind a second, and at once: each is told to everybody."""
SIGNING_SECONDS = 30.0
"""For everybody to sign, once the host has started."""
UNHURRIED = 20.0
"""Seconds to move for which people are waited for where there is no clock."""
NEWS = 256
"""News kept for a listener that is slow; what comes then is lost to it."""


OF_A_MATCH = (frames.Pulse, frames.Signature, frames.EntryFrame, frames.Ask, frames.Private)
"""What may still come of a match that has just ended among the same peers."""


@dataclass(frozen=True, slots=True)
class Chair:
    """Who would sit in a seat. `operator`: the key of whose machine runs it."""

    identity: bytes
    name: str
    operator: bytes
    bot: bool
    ready: bool


@dataclass(frozen=True, slots=True)
class Room:
    """What everybody sees before agreeing; `chairs` in seat order, None where one is free."""

    variant: Variant
    times: Times
    chairs: tuple[Chair | None, ...]
    locked: bool = False
    started: bool = False

    @property
    def free(self) -> list[int]:
        return [seat for seat, chair in enumerate(self.chairs) if chair is None]

    @property
    def all_ready(self) -> bool:
        return all(chair is not None and chair.ready for chair in self.chairs)

    def seat_of(self, identity: bytes) -> int | None:
        """Where somebody sits."""
        seats = (s for s, chair in enumerate(self.chairs) if chair and chair.identity == identity)
        return next(seats, None)

    def patience(self, seat: int) -> float:
        """Seconds for which a bot that speaks for its team waits for a person beside it: half the
        time to move (table.md §3)."""
        beside = self.chairs[seat % 2 :: 2]
        people = any(chair is not None and not chair.bot for chair in beside)
        return (self.times.move or UNHURRIED) / 2 if people else 0.0

    def claimed(self, peer: bytes, claim: frames.Claim) -> bool:
        """Whether somebody claims exactly the chair that this room showed."""
        seat = self.seat_of(peer)
        chair = None if seat is None else self.chairs[seat]
        if chair is None or (claim.seat, claim.name) != (seat, chair.name):
            return False
        operator = seat if claim.operator is None else claim.operator
        return operator == self.seat_of(chair.operator)

    def fits(self, agreement: Agreement) -> bool:
        """Whether an agreement says of everybody and everything what this room showed."""
        terms = agreement.terms
        same = agreement.variant == self.variant and terms.times == self.times
        if not same or agreement.players != len(self.chairs) or terms.spectators:
            return False
        for place, chair in zip(terms.roster, self.chairs, strict=True):
            if chair is None or (place.identity, place.name) != (chair.identity, chair.name):
                return False
            if terms.roster[place.operator].identity != chair.operator:
                return False
        return True


class Line(NamedTuple):
    """Something that somebody said; clean."""

    name: str
    text: str


News = Room | Line


class Lobby(ABC):
    """What host and guest have in common: the room, talk, and news for whoever looks on."""

    def __init__(self, mesh: Mesh, me: Identity, name: str, room: Room | None) -> None:
        self._mesh, self._me, self.name = mesh, me, name
        self.room = room
        self._tell, self.news = trio.open_memory_channel[News](NEWS)

    @abstractmethod
    async def run(self) -> Seated:
        """Stay until the match can begin."""

    @abstractmethod
    def talk(self, text: str) -> None:
        """Say something to everybody."""

    def _show(self, news: News) -> None:
        with contextlib.suppress(trio.WouldBlock, trio.BrokenResourceError):
            self._tell.send_nowait(news)

    def _wish(self, room: Room) -> Wish:
        """What the agreement is to say of us, as the room shows it."""
        seat = room.seat_of(self._me.public)
        chair = room.chairs[seat] if seat is not None else None
        if chair is None:
            raise NotSeated("refused")
        return Wish(self.name, seat, room.seat_of(chair.operator))


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
        early: Iterable[tuple[bytes, Event]] = (),
    ) -> None:
        """`early`: what came for this lobby before it was there."""
        chair = Chair(me.public, name, me.public, bot, ready=True)
        chairs = tuple(chair if place == seat else None for place in range(players))
        room = Room(variant, times or Times(), chairs)
        super().__init__(mesh, me, name, room)
        self.room: Room
        self._begun = trio.Event()
        self._early = tuple(early)
        self._buckets: dict[bytes, Bucket] = {}
        self._minds: dict[bytes, Bucket] = {}

    # What the host does.

    def swap(self, one: int, other: int) -> None:
        """Let two seats change places; a free one may be among them."""
        chairs = list(self.room.chairs)
        chairs[one], chairs[other] = chairs[other], chairs[one]
        self._change(chairs=tuple(chairs))

    def turn_away(self, seat: int) -> None:
        """Send a guest home."""
        chair = self.room.chairs[seat]
        if chair is not None and chair.identity != self._me.public:
            self._mesh.close(chair.identity, "turned_away")
            self._leave(chair.identity)

    def lock(self, locked: bool = True) -> None:
        """Let nobody else sit down."""
        self._change(locked=locked)

    def talk(self, text: str) -> None:
        self._say(self._me.public, self.name, text)

    def start(self) -> bool:
        """Begin, if every seat is taken and ready; whether it does."""
        if self.room.all_ready:
            self._change(started=True)
            self._begun.set()
        return self._begun.is_set()

    async def run(self) -> Seated:
        """Receive guests until started and signed by all. NotSeated: not all did in time."""
        async with trio.open_nursery() as tasks:
            tasks.start_soon(self._receive)
            await self._begun.wait()
            tasks.cancel_scope.cancel()
        room, wish = self.room, self._wish(self.room)
        players = len(room.chairs)
        with trio.move_on_after(SIGNING_SECONDS):
            return await host_table(
                self._mesh,
                self._me,
                wish,
                room.variant,
                players,
                times=room.times,
                consents=room.claimed,
            )
        raise NotSeated("not_signed")

    # Guests.

    async def _receive(self) -> None:
        self._change()
        for peer, event in self._early:
            self.hear(peer, event)
        while True:
            peer, event = await self._mesh.events.receive()
            self.hear(peer, event)

    def hear(self, peer: bytes, event: Event) -> None:
        """One event of the mesh."""
        match event:
            case Linked():
                self._mesh.send(peer, _wire(self.room))
            case frames.Enter():
                if self._in_time(peer):
                    self._enter(peer, event)
                else:
                    self._mesh.close(peer, "too_fast")
            case frames.Talk(text=text):
                self._talked(peer, text)
            case Dropped():
                self._leave(peer)
            case _ if isinstance(event, OF_A_MATCH):
                pass
            case _:
                self._mesh.close(peer, "not_due")

    def _in_time(self, peer: bytes) -> bool:
        now = trio.current_time()
        return self._minds.setdefault(peer, Bucket(ENTER_RATE, ENTER_BURST, now)).take(1, now)

    def _enter(self, peer: bytes, wish: frames.Enter) -> None:
        reason = self._fault(peer, wish)
        if reason is not None:
            self._mesh.close(peer, reason)
            self._leave(peer)
            return
        seat = self._seat_for(peer, wish.seat)
        if seat is None:
            self._mesh.close(peer, "table_full")
            return
        chairs = [c if c is None or c.identity != peer else None for c in self.room.chairs]
        operator = wish.operator or peer
        chairs[seat] = Chair(peer, wish.name, operator, wish.bot, wish.ready)
        self._change(chairs=tuple(chairs))

    def _fault(self, peer: bytes, wish: frames.Enter) -> Reason | None:
        if not is_clean(wish.name):
            return "malformed"
        others = [c for c in self.room.chairs if c is not None and c.identity != peer]
        if wish.name.casefold() in {chair.name.casefold() for chair in others}:
            return "name_taken"
        if wish.operator not in (None, peer, self._me.public):
            return "malformed"
        return "table_full" if self.room.locked and self.room.seat_of(peer) is None else None

    def _seat_for(self, peer: bytes, wished: int | None) -> int | None:
        """The seat wished if it is free, else the one held, else any that is free."""
        free = self.room.free
        if wished is not None and wished in free:
            return wished
        held = self.room.seat_of(peer)
        return held if held is not None else next(iter(free), None)

    def _leave(self, peer: bytes) -> None:
        seats = [
            c if c is None or peer not in (c.identity, c.operator) else None
            for c in self.room.chairs
        ]
        if tuple(seats) != self.room.chairs:
            self._change(chairs=tuple(seats))

    def _talked(self, peer: bytes, text: str) -> None:
        seat = self.room.seat_of(peer)
        chair = None if seat is None else self.room.chairs[seat]
        now = trio.current_time()
        bucket = self._buckets.setdefault(peer, Bucket(TALK_RATE, TALK_BURST, now))
        if chair is not None and bucket.take(1, now):
            self._say(peer, chair.name, text)

    def _say(self, who: bytes, name: str, text: str) -> None:
        line = clean(text, CHAT_BYTES, CHAT_GRAPHEMES)
        if line:
            self._mesh.flood(frames.Said(who, line))
            self._show(Line(name, line))

    def _change(self, **fields: object) -> None:
        """A new room, told to everybody; other rules make everybody but bots unready."""
        self.room = replace(self.room, **fields)  # type: ignore[arg-type]
        self._mesh.flood(_wire(self.room))
        self._show(self.room)


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

    def sit(self, seat: int) -> None:
        """Wish another seat."""
        self._send(seat=seat)

    def ready(self, ready: bool = True) -> None:
        """Agree to play by the rules shown, or not."""
        self._send(ready=ready)

    def talk(self, text: str) -> None:
        self._mesh.send(self._host, frames.Talk(text))

    async def run(self) -> Seated:
        """Stay until the host starts, then sign if we were ready for this.

        NotSeated: the host's reason, lost, refused (by us), bad_proposal or not_signed.
        """
        self._send(seat=self._mine.seat)
        room = await self._started()
        if not self._mine.ready:
            self._mesh.close(self._host, "leaving")
            raise NotSeated("refused")
        wish = self._wish(room)
        with trio.move_on_after(SIGNING_SECONDS):
            return await join_table(self._mesh, self._me, self._host, wish, room.fits)
        self._mesh.close(self._host, "leaving")
        raise NotSeated("not_signed")

    async def _started(self) -> Room:
        async for peer, event in self._mesh.events:
            if peer != self._host:
                continue
            match event:
                case frames.Room():
                    self._see(event)
                    if self.room is not None and self.room.started:
                        return self.room
                case frames.Said(identity=who, text=text):
                    self._hear(who, text)
                case Linked():  # the link was lost, and is back
                    self._send()
                case Dropped(reason=reason, theirs=theirs):
                    raise NotSeated(reason if theirs else "lost")
        raise NotSeated("lost")

    def _see(self, wire: frames.Room) -> None:
        """Take the host's room; other rules than before end our consent."""
        try:
            room = _room(wire)
        except ValueError:
            self._mesh.close(self._host, "malformed")
            raise NotSeated("bad_proposal") from None
        before, self.room = self.room, room
        changed = before and (before.variant, before.times) != (room.variant, room.times)
        if changed and self._mine.ready and not self._mine.bot:
            self.ready(False)
        self._show(room)

    def _hear(self, who: bytes, text: str) -> None:
        room = self.room
        seat = None if room is None else room.seat_of(who)
        chair = None if room is None or seat is None else room.chairs[seat]
        line = clean(text, CHAT_BYTES, CHAT_GRAPHEMES)
        if chair is not None and line:
            self._show(Line(chair.name, line))

    def _send(self, **fields: object) -> None:
        """Say what we wish; a seat is wished once, for the host may have given us another since."""
        mine = self._mine
        kept = {"seat": None, "ready": mine.ready} | fields
        self._mine = frames.Enter(mine.name, kept["seat"], mine.operator, mine.bot, kept["ready"])  # type: ignore[arg-type]
        self._mesh.send(self._host, self._mine)


def _wire(room: Room) -> frames.Room:
    chairs = tuple(
        None
        if chair is None
        else frames.Chair(chair.identity, chair.name, chair.operator, chair.bot, chair.ready)
        for chair in room.chairs
    )
    shown = tuple(toggles(room.variant).items())
    return frames.Room(room.variant.name, shown, room.times, chairs, room.locked, room.started)


def _room(wire: frames.Room) -> Room:
    """A room off the wire; ValueError if it is none that could be played in."""
    variant = from_toggles(wire.variant, dict(wire.toggles))
    if tuple(toggles(variant).items()) != wire.toggles or len(wire.chairs) not in variant.players:
        raise ValueError("not a room of this variant")
    chairs = tuple(
        None
        if chair is None
        else Chair(*(getattr(chair, name) for name in chair.__struct_fields__))
        for chair in wire.chairs
    )
    if any(chair is not None and not is_clean(chair.name) for chair in chairs):
        raise ValueError("a name that cannot be shown")
    return Room(variant, wire.times, chairs, wire.locked, wire.started)
