"""A lobby on a stage: the room as events, and what may be asked of it.

1. Every change of the room is told whole. Of a table of bots of our own nothing is asked.
2. Whoever we know is pointed out, by key; who sits there by themselves is remembered.
3. Whoever wants another match is ready for it, if its rules are those of the match before.
"""

from __future__ import annotations

import trio

from ..net.lobby import Chair, GuestLobby, HostLobby, Line, Lobby, Room
from ..net.lobby.sitting import NotSeated, Seated
from ..rules.seating import Seat
from ..rules.variant import Variant
from ..store import known
from ..store.known import Known
from ..table.agreement import Times
from ..table.identity import fingerprint
from . import commands, events
from .commands import Command
from .events import Event, Place
from .own_bots import OwnBots
from .stage import Stage

PATIENCE = 2.0
"""Seconds in which a lobby that is open is shown."""


class GoneHome(Exception):
    """The person went home from the lobby."""


class Desk:
    """Shows one lobby and hears what is asked of it, until everybody has signed.

    `bots`: what runs bots of ours at this table; `alone`: only they can come, so that it needs
    nobody's word; `agreed`: by which rules we have just said that we play once more.
    """

    def __init__(
        self,
        stage: Stage,
        lobby: Lobby,
        me: bytes,
        *,
        bots: OwnBots | None = None,
        alone: bool = False,
        agreed: tuple[Variant, Times] | None = None,
    ) -> None:
        self._stage, self._lobby, self._me = stage, lobby, me
        self._agreed = agreed
        self._bots, self._alone = bots, alone
        self._known: Known = known.load()
        self._shown = False
        self._left = trio.Event()

    async def sit(self) -> Seated:
        """Until the match can begin. Raises GoneHome, NotSeated."""
        return seated_or_raised(await self.end())

    async def end(self, *first: Event) -> Seated | NotSeated | GoneHome:
        """How the lobby ended, as a value, which no nursery wraps; `first`: what is told before
        the room is."""
        ends: list[Seated | NotSeated] = []
        place = Place.SEATING if self._alone else Place.LOBBY
        async with trio.open_nursery() as tasks:
            with self._stage.heard_by(self._hear):
                self._stage.tell(events.Scene(place), *first)
                tasks.start_soon(self._stay, ends)
                tasks.start_soon(self._tell)
                tasks.start_soon(self._wait_for_the_host)
                try:
                    await self._left.wait()
                except trio.Cancelled:
                    self._stage.tell(events.Notice("stopped_in_lobby"))
                    raise
                finally:
                    self._stage.tell(events.Scene(Place.BETWEEN))
                tasks.cancel_scope.cancel()
        return ends[0] if ends else GoneHome()

    async def _stay(self, ends: list[Seated | NotSeated]) -> None:
        try:
            seated = await self._lobby.run()
            self._remember(seated)
            ends.append(seated)
        except NotSeated as refused:
            ends.append(refused)
        self._left.set()

    def _remember(self, seated: Seated) -> None:
        """Whoever sits there by themselves: bots that somebody runs have a new key each match."""
        for seat, place in enumerate(seated.agreement.terms.roster):
            if place.identity != self._me and place.operator == seat:
                self._known.met(place.identity, place.name)
        try:
            known.save(self._known)
        except OSError as error:
            about = {} if error.errno is None else {"errno": str(error.errno)}
            self._stage.tell(events.Notice("not_remembered", about))

    # Showing.

    async def _wait_for_the_host(self) -> None:
        """A host that has not answered yet whether to play another match shows no room."""
        await trio.sleep(PATIENCE)
        if not self._shown:
            self._stage.tell(events.Notice("waiting_for_host"))

    async def _tell(self) -> None:
        async for news in self._lobby.news:
            if isinstance(news, Line):
                self._stage.tell(events.Talk(None, news.name, news.text))
            else:
                self._show(news)

    def _show(self, room: Room) -> None:
        self._shown = True
        self._stage.tell(self._told(room))
        self._agree(room)
        begins = self._alone and room.all_ready and not room.started
        if begins and isinstance(self._lobby, HostLobby):
            self._lobby.start()

    def _agree(self, room: Room) -> None:
        """Be ready at once, if the first room that has us is one of the rules agreed to."""
        if self._agreed is None or room.chair_of(self._me) is None:
            return
        agreed, self._agreed = self._agreed, None
        if isinstance(self._lobby, GuestLobby) and agreed == (room.variant, room.times):
            self._lobby.ready()

    def _told(self, room: Room) -> events.Lobby:
        return events.Lobby(
            hosting=isinstance(self._lobby, HostLobby),
            alone=self._alone,
            variant=room.variant,
            move_seconds=room.times.move,
            chairs=tuple(
                None if chair is None else self._chair(room, Seat(seat), chair)
                for seat, chair in enumerate(room.chairs)
            ),
            locked=room.locked,
            started=room.started,
            ready=room.all_ready,
        )

    def _chair(self, room: Room, seat: Seat, chair: Chair) -> events.Chair:
        operator = None if chair.operator == chair.identity else room.seat_of(chair.operator)
        me = chair.identity == self._me
        return events.Chair(
            seat=seat,
            player=chair.name,
            fingerprint=fingerprint(chair.identity),
            operator=None if operator is None else Seat(operator),
            bot=chair.bot,
            ready=chair.ready,
            held=chair.held,
            linked=self._lobby.hears(chair.identity),
            me=me,
            meeting="" if me else self._meeting(chair.identity, chair.name),
        )

    def _meeting(self, identity: bytes, name: str) -> str:
        return self._known.judge(identity, name).value

    # Hearing.

    def _hear(self, command: Command) -> bool:
        if isinstance(command, commands.Leave):
            self._left.set()
        elif isinstance(command, commands.Talk):
            self._lobby.talk(command.text)
        elif isinstance(self._lobby, HostLobby):
            return not self._alone and self._host(self._lobby, command)
        elif isinstance(self._lobby, GuestLobby) and self._lobby.room is not None:
            return self._guest(self._lobby, command)
        else:
            return False
        return True

    def _host(self, lobby: HostLobby, command: Command) -> bool:
        match command:
            case commands.Start():
                done = "" if lobby.start() else "not_ready"
            case commands.Swap(one=one, other=other):
                done = _inside(lobby, one, other)
                if not done:
                    lobby.swap(one - 1, other - 1)
            case commands.Kick(seat=seat):
                gone = not _inside(lobby, seat) and lobby.turn_away(seat - 1)
                done = "" if gone else "nobody_there"
            case commands.Lock(locked=locked):
                done = ""
                lobby.lock(locked)
            case commands.AddBot(bot=bot, seat=wished) if self._bots is not None:
                done = self._bots.add(bot, wished and wished - 1, lobby.room)
            case commands.RemoveBot(seat=seat) if self._bots is not None:
                done = _inside(lobby, seat) or self._bots.remove(seat - 1, lobby)
            case _:
                return False
        if done:
            self._stage.refuse(command, done)
        return True

    def _guest(self, lobby: GuestLobby, command: Command) -> bool:
        match command:
            case commands.Ready(ready=ready):
                lobby.ready(ready)
            case commands.Sit(seat=seat):
                if done := self._not_free(lobby, seat):
                    self._stage.refuse(command, done)
                else:
                    lobby.sit(seat - 1)
            case _:
                return False
        return True

    def _not_free(self, lobby: GuestLobby, seat: int) -> str:
        """Why we cannot change to a seat, from 1; nothing if we can, or sit there."""
        assert lobby.room is not None
        chairs = lobby.room.chairs
        if not 1 <= seat <= len(chairs):
            return "no_such_seat"
        chair = chairs[seat - 1]
        return "" if chair is None or chair.identity == self._me else "seat_taken"


def _inside(lobby: HostLobby, *seats: int) -> str:
    """Why these seats, from 1, are not all of this lobby; nothing if they are."""
    return "" if all(1 <= seat <= len(lobby.room.chairs) for seat in seats) else "no_such_seat"


def seated_or_raised(end: Seated | NotSeated | GoneHome) -> Seated:
    """The seat that a lobby ended with, or why there is none."""
    if isinstance(end, Seated):
        return end
    raise end
