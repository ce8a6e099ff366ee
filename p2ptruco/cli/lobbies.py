"""A lobby at a console: the room as lines, and what may be typed in it.

1. The room is said whole at first, whenever the rules change, and when asked; else only what has
   changed since. Of a table of bots of our own only the rules are said.
2. Nobody starts or agrees by silence: a person whose input ends goes home.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext, suppress

import trio

from p2ptruco.net import known
from p2ptruco.net.known import Known, Meeting
from p2ptruco.net.lobby import GuestLobby, HostLobby, Line, Lobby, News, Room
from p2ptruco.net.sitting import NotSeated, Seated
from p2ptruco.table.unforeseen import unforeseen
from p2ptruco.table.violation import LinkFault
from p2ptruco.ui.reasons import system
from p2ptruco.ui.terminal.console import Console
from p2ptruco.ui.terminal.room import lacking, rules, seats
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
UNREADY = ("unready", "espera", "esperar")
SEAT = ("seat", "lugar")
SAY = ("say", "diz", "dizer", ".")
LOOK = ("l", "look", "ver", "sala")
LEAVE = ("leave", "sair", "quit", "q")
SHOWN = 2.0
"""Seconds in which a lobby that is open is shown."""


class Left(Exception):
    """The person went home from the lobby."""


class Desk:
    """Shows one lobby and hears what is typed, until everybody has signed.

    `alone`: only bots of our own can come, so that it needs nobody's word; `typing`: somebody is
    there to type.
    """

    def __init__(
        self, console: Console, lobby: Lobby, me: bytes, *, alone: bool = False, typing: bool = True
    ) -> None:
        self._console, self._lobby, self._me = console, lobby, me
        self._alone, self._typing = alone, typing
        self._known: Known = known.load()
        self._shown: Room | None = None
        self._left = trio.Event()

    async def sit(self) -> Seated:
        """Until the match can begin. Raises Left, NotSeated."""
        return seated_or_raised(await self.end())

    async def end(self) -> Seated | NotSeated | Left:
        """How the lobby ended, as a value, which no nursery wraps."""
        ends: list[Seated | NotSeated] = []
        async with trio.open_nursery() as tasks:
            with nullcontext() if self._alone else self._console.heard_by(self._hear):
                tasks.start_soon(self._stay, ends)
                tasks.start_soon(self._tell)
                tasks.start_soon(self._wait_for_the_host)
                try:
                    await self._left.wait()
                except trio.Cancelled:
                    self._console.say(_("Stopped in the lobby: no match was begun."))
                    raise
                tasks.cancel_scope.cancel()
        return ends[0] if ends else Left()

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
            sentence = _("Whom you meet here is not remembered: {reason}.")
            self._console.say(sentence.format(reason=system(error)))

    # Showing.

    async def _wait_for_the_host(self) -> None:
        """A host that has not answered yet whether to play another match shows no room."""
        await trio.sleep(SHOWN)
        if self._shown is None:
            self._console.say(_("Waiting for the host, who has not opened the next lobby yet."))

    async def _tell(self) -> None:
        async for news in self._lobby.news:
            with suppress(LinkFault), unforeseen("showing the lobby", OSError):
                self._say(news)

    def _say(self, news: News) -> None:
        if isinstance(news, Line):
            self._console.say(_("{name}: {text}").format(name=news.name, text=news.text))
        else:
            self._show(news)

    def _show(self, room: Room) -> None:
        before, self._shown = self._shown, room
        if self._alone:
            if before is None:
                self._console.say(*rules(room.variant, room.times.move))
            if room.all_ready and not room.started and isinstance(self._lobby, HostLobby):
                self._lobby.start()
            return
        if before is None or (before.variant, before.times) != (room.variant, room.times):
            self._console.say(*self._whole(room))
        else:
            now, then = (list(seats(one, self._me, self._remark)) for one in (room, before))
            self._console.say(*(line for line in now if line not in then))
        self._console.say(*self._turns(before, room))

    def _whole(self, room: Room) -> list[str]:
        """The rules, the seats, what can be typed."""
        told = [*rules(room.variant, room.times.move), *seats(room, self._me, self._remark)]
        return [*told, *self._manual()] if self._typing else told

    def _turns(self, before: Room | None, room: Room) -> Iterator[str]:
        """What is new about the room as a whole."""
        if before is not None and before.locked != room.locked:
            yield _("Locked: nobody else can sit down.") if room.locked else _("Open again.")
        if room.started:
            yield _("Everybody signs the rules and the seats shown ...")
        elif room.all_ready and (before is None or not before.all_ready):
            hosting = isinstance(self._lobby, HostLobby)
            yield _("Everybody is ready: type start.") if hosting else _("The host may start now.")

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
        elif word in LOOK and not rest and self._lobby.room is not None:
            self._console.say(*self._whole(self._lobby.room))
        elif word in SAY and rest:
            self._lobby.talk(rest)
        elif not (self._host(word, rest) or self._guest(word, rest)) and word:
            self._console.say(*self._manual())

    def _no_more(self) -> None:
        """Nobody types any more; a bot plays on all the same."""
        if self._typing:
            self._console.say(_("No more input: leaving the lobby."))
            self._left.set()

    def _host(self, word: str, rest: str) -> bool:
        lobby = self._lobby
        if not isinstance(lobby, HostLobby):
            return False
        numbers = [int(n) - 1 for n in rest.split() if n.isascii() and n.isdigit() and len(n) < 3]
        inside = all(0 <= n < len(lobby.room.chairs) for n in numbers)
        if word in START:
            if not lobby.start():
                sentence = _("Not everybody is here and ready: {what}.")
                self._console.say(sentence.format(what=", ".join(lacking(lobby.room))))
        elif word in SWAP and inside and len(numbers) == 2:
            lobby.swap(*numbers)
        elif word in TURN_AWAY and rest:
            seat = numbers[0] if inside and len(numbers) == 1 else lobby.room.named(rest)
            if seat is None or not lobby.turn_away(seat):
                self._console.say(_("There is nobody to turn away by that name or seat."))
        elif word in LOCK:
            lobby.lock(not lobby.room.locked)
        else:
            return False
        return True

    def _guest(self, word: str, rest: str) -> bool:
        lobby = self._lobby
        if not isinstance(lobby, GuestLobby) or lobby.room is None:
            return False
        if word in READY:
            lobby.ready()
        elif word in UNREADY:
            lobby.ready(False)
        elif word in SEAT and rest.isascii() and rest.isdigit() and 1 <= int(rest[:3]) <= 8:
            lobby.sit(int(rest[:3]) - 1)
        else:
            return False
        return True

    def _manual(self) -> list[str]:
        if isinstance(self._lobby, HostLobby):
            first = _(
                "start begins; swap 2 3 changes seats; kick 2 or kick NAME turns away, or frees a "
                "held seat; lock lets no one in"
            )
        else:
            first = _("ready agrees to these rules, unready does not; seat 3 changes seats")
        return [first, _("say TEXT talks to everybody; l looks again; leave goes home")]


def seated_or_raised(end: Seated | NotSeated | Left) -> Seated:
    """The seat that a lobby ended with, or why there is none."""
    if isinstance(end, Seated):
        return end
    raise end
