"""A lobby at a console: the room as lines, and what may be typed in it."""

from __future__ import annotations

from contextlib import nullcontext

import trio

from p2ptruco.net import known
from p2ptruco.net.known import Known, Meeting
from p2ptruco.net.lobby import GuestLobby, HostLobby, Line, Lobby, Room
from p2ptruco.net.sitting import Seated
from p2ptruco.ui.terminal.console import Console
from p2ptruco.ui.terminal.room import rules, seats
from p2ptruco.ui.words import N_, _

MEETINGS = {
    Meeting.NEW: "",
    Meeting.KNOWN: N_("met before"),
    Meeting.RENAMED: N_("met before under another name"),
    Meeting.OTHER_KEY: N_("CAREFUL: you met this name with another key"),
}

START = ("start", "começar", "comecar")
SWAP = ("swap", "troca", "trocar")
TURN_AWAY = ("kick", "tira", "tirar")
LOCK = ("lock", "tranca", "trancar")
READY = ("ready", "pronto", "pronta", "ok", "r")
SEAT = ("seat", "lugar")
SAY = ("say", "diz", "dizer", ".")
LEAVE = ("leave", "sair", "quit", "q")


class Left(Exception):
    """The person went home from the lobby."""


class Desk:
    """Shows one lobby and hears what is typed, until everybody has signed."""

    def __init__(self, console: Console, lobby: Lobby, me: bytes, *, alone: bool = False) -> None:
        self._console, self._lobby, self._me = console, lobby, me
        self._alone = alone
        self._known: Known = known.load()
        self._shown: tuple[object, ...] = ()
        self._left = trio.Event()
        self._unattended = alone

    async def sit(self) -> Seated:
        """Until the match can begin. Raises Left, NotSeated."""
        seated: list[Seated] = []
        async with trio.open_nursery() as tasks:

            async def lobby() -> None:
                seated.append(await self._lobby.run())
                tasks.cancel_scope.cancel()

            with nullcontext() if self._alone else self._console.heard_by(self._hear):
                tasks.start_soon(lobby)
                tasks.start_soon(self._tell)
                await self._left.wait()
                tasks.cancel_scope.cancel()
        if not seated:
            raise Left
        self._remember(seated[0])
        return seated[0]

    def _remember(self, seated: Seated) -> None:
        for place in seated.agreement.terms.roster:
            if place.identity != self._me:
                self._known.met(place.identity, place.name)
        known.save(self._known)

    # Showing.

    async def _tell(self) -> None:
        async for news in self._lobby.news:
            if isinstance(news, Line):
                self._console.say(_("{name}: {text}").format(name=news.name, text=news.text))
            else:
                self._show(news)

    def _show(self, room: Room) -> None:
        told = (room.variant, room.times)
        if not self._alone and told != self._shown:
            self._shown = told
            self._console.say(*rules(room.variant, room.times.move))
        if not self._alone:
            self._console.say(*seats(room, self._me, self._remark))
        if room.all_ready and not room.started and isinstance(self._lobby, HostLobby):
            if self._unattended:
                self._lobby.start()
            else:
                self._console.say(_("Everybody is ready: type start."))

    def _remark(self, identity: bytes, name: str) -> str:
        return "" if identity == self._me else _(MEETINGS[self._known.judge(identity, name)])

    # Hearing.

    def _hear(self, line: str | None) -> None:
        if line is None:
            self._no_more()
            return
        word, _space, rest = line.partition(" ")
        word, rest = word.casefold(), rest.strip()
        if word in LEAVE:
            self._left.set()
        elif word in SAY and rest:
            self._lobby.talk(rest)
        elif not (self._host(word, rest) or self._guest(word, rest)) and word:
            self._console.say(*self._manual())

    def _no_more(self) -> None:
        """Nobody types any more: what is agreed already may still begin."""
        self._unattended = True
        room = self._lobby.room
        if isinstance(self._lobby, HostLobby) and room is not None and room.all_ready:
            self._lobby.start()

    def _host(self, word: str, rest: str) -> bool:
        lobby = self._lobby
        if not isinstance(lobby, HostLobby):
            return False
        numbers = [int(n) - 1 for n in rest.split() if n.isascii() and n.isdigit() and len(n) < 3]
        inside = all(0 <= n < len(lobby.room.chairs) for n in numbers)
        if word in START:
            if not lobby.start():
                self._console.say(_("Not everybody is here and ready."))
        elif word in SWAP and inside and len(numbers) == 2:
            lobby.swap(*numbers)
        elif word in TURN_AWAY and inside and len(numbers) == 1:
            lobby.turn_away(numbers[0])
        elif word in LOCK:
            lobby.lock(not lobby.room.locked)
        else:
            return False
        return True

    def _guest(self, word: str, rest: str) -> bool:
        lobby = self._lobby
        if not isinstance(lobby, GuestLobby):
            return False
        if word in READY:
            lobby.ready()
        elif word in SEAT and rest.isascii() and rest.isdigit() and 1 <= int(rest[:3]) <= 8:
            lobby.sit(int(rest[:3]) - 1)
        else:
            return False
        return True

    def _manual(self) -> list[str]:
        if isinstance(self._lobby, HostLobby):
            lines = [
                _("start begins; swap 2 3 changes seats; kick 2 turns away; lock lets no one in")
            ]
        else:
            lines = [_("ready agrees to these rules; seat 3 changes seats")]
        return [*lines, _("say TEXT talks to everybody; leave goes home")]
