"""Bots of our own at a table of ours.

Each is a seat of its own in a process of its own (`app/seat.py`), with its own identity; the room
and the record say that we run it. They are started anew for each match, in the seats that they
had. Each tells its key to us before it comes, so that no guest passes for one of them.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import trio

from ..hooks import NoBot, find_bot, is_path
from ..hooks.files import called
from ..net.lobby import HostLobby, Room
from ..rules.seating import Seat
from ..rules.variant import Variant, toggles
from ..table.agreement import Place
from . import events
from .processes import Running, end_all, start
from .seat import Plan
from .stage import Stage
from .stopped import Stopped


@dataclass(eq=False, slots=True)
class Own:
    """A bot of ours: what it was asked for as, the seat that it wishes, what others call it."""

    bot: str
    seat: int
    name: str
    process: Running | None = None
    wanted: bool = True


class OwnBots:
    """The bots of one table; `names`: what those of the last seats are asked for as."""

    def __init__(
        self,
        stage: Stage,
        variant: Variant,
        seats: int,
        names: Sequence[str],
        *,
        seed: str | None = None,
        log: str | None = None,
        alone: bool = False,
    ) -> None:
        """`alone`: nobody else could take their seats."""
        self._stage, self._variant, self._seats = stage, variant, seats
        self._seed, self._log, self._alone = seed, log, alone
        self._own = [
            Own(bot, seat, f"{called(bot)}-{seat + 1}")
            for seat, bot in enumerate(names, seats - len(names))
        ]
        self._tasks: trio.Nursery | None = None
        self._keys: set[bytes] = set()

    def runs(self, identity: bytes) -> bool:
        """Whether this is the key of a bot that we have started for this lobby."""
        return identity in self._keys

    @asynccontextmanager
    async def seated(self, ticket: str) -> AsyncIterator[None]:
        """Their processes, for the time of a lobby and a match."""
        self._ticket, self._chance = ticket, self._seed or secrets.token_hex(8)
        self._running: list[Running] = []
        self._keys = set()
        try:
            async with trio.open_nursery() as self._tasks:
                for own in self._own:
                    self._tasks.start_soon(self._run, own)
                yield
                self._tasks.cancel_scope.cancel()
        finally:
            self._tasks = None
            await end_all(self._running)

    def keep_seats(self, roster: Iterable[Place]) -> None:
        """In the next lobby they wish the seats that they had in a match."""
        seats = {place.name: seat for seat, place in enumerate(roster)}
        for own in self._own:
            own.seat = seats.get(own.name, own.seat)

    async def _run(self, own: Own) -> None:
        """Start a bot's seat, hear it out, and tell if it fails. Stopped: nobody else can take its
        seat."""
        plan = Plan(
            seat=own.seat,
            seats=self._seats,
            variant=self._variant.name,
            toggles=toggles(self._variant),
            bot=own.bot,
            seed=self._chance,
            ticket=self._ticket,
            name=own.name,
            log=self._log,
            lobby=True,
        )
        own.process = await start(plan, self._running)
        failed: events.BotFailed | None = events.BotFailed(Seat(own.seat), "")
        async for line in own.process.lines():
            if "key" in line:
                self._keys.add(bytes.fromhex(line["key"]))
            if "fault" in line:
                self._stage.tell(events.BotFault(line["bot"], **line["fault"]))
            if "failed" in line:
                failed = events.BotFailed(Seat(own.seat), line["failed"], line["errno"])
            if "done" in line:
                failed = None
        if failed is not None and own.wanted:
            if self._alone:
                about = {} if failed.errno is None else {"errno": str(failed.errno)}
                seat = str(own.seat + 1)
                raise Stopped("seat_failed", seat=seat, reason=failed.reason, **about)
            self._stage.tell(failed)

    # In the lobby.

    def add(self, bot: str, seat: int | None, room: Room) -> str:
        """Give a free seat to one more; why not, if that cannot be."""
        wished = next(iter(room.free), None) if seat is None else seat
        if self._tasks is None or wished not in room.free:
            return "no_free_seat"
        if not is_path(bot):
            try:
                find_bot(bot)
            except NoBot as missing:
                return missing.code
        own = Own(bot, wished, self._unused(f"{called(bot)}-{wished + 1}", room))
        self._own.append(own)
        self._tasks.start_soon(self._run, own)
        return ""

    def _unused(self, name: str, room: Room) -> str:
        """A name that nobody at this table has."""
        taken = {chair.name.casefold() for chair in room.chairs if chair is not None}
        taken |= {own.name.casefold() for own in self._own}
        names = (name, *(f"{name[:20]}-{number}" for number in range(2, 2 + len(taken))))
        return next(one for one in names if one.casefold() not in taken)

    def remove(self, seat: int, lobby: HostLobby) -> str:
        """Take one from its seat; why not, if there is none."""
        chair = lobby.room.chairs[seat]
        own = next((own for own in self._own if chair and chair.name == own.name), None)
        if chair is None or own is None or not chair.bot or self._tasks is None:
            return "no_bot_there"
        self._own.remove(own)
        own.wanted = False
        lobby.turn_away(seat)
        if own.process is not None:
            self._tasks.start_soon(own.process.end)
        return ""
