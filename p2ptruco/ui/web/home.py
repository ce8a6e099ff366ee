"""What a person does from the start page: evening after evening in one program.

Laws:
1. One evening at a time. Its stage is its own; how it ended is shown until the next one begins.
2. Whatever ends an evening is told to its tab, and the program goes on.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import trio

from p2ptruco.app.commands import Language
from p2ptruco.app.host import Table, host
from p2ptruco.app.join import Guest, join, read_ticket
from p2ptruco.app.match import Played, Player
from p2ptruco.app.stage import Stage
from p2ptruco.app.stopped import Stopped
from p2ptruco.store.home import Self
from p2ptruco.table.agreement import Times
from p2ptruco.ui.reasons import stopped as reason
from p2ptruco.ui.web import wishes
from p2ptruco.ui.web.evening import Evening, Explain
from p2ptruco.ui.web.looking import Looking
from p2ptruco.ui.web.matches import Matches
from p2ptruco.ui.web.refused import Refused
from p2ptruco.ui.web.welcome import welcome
from p2ptruco.ui.words import _, speak

log = logging.getLogger(__name__)

BUSY: Final = 409
Sits = Callable[[Player], Awaitable[list[Played]]]


@dataclass(frozen=True, slots=True)
class Us:
    """Who plays here, where records go, where bots of ours write their log, what this program's
    version is, and how an error is told."""

    me: Self
    place: Path | None
    log: str | None
    version: str
    explain: Explain


class Home:
    """The evenings of one program. `run` it once; `evening` is the one that is shown."""

    def __init__(self, us: Us) -> None:
        self._us, self.nick = us, us.me.nick
        self.evening: Evening | None = None
        self.looking = Looking()
        self.matches = Matches(us.me.identity.public)
        self._begun: Callable[[], Awaitable[None]] | None = None
        self._news = trio.Event()

    async def run(self) -> None:
        async with trio.open_nursery() as tasks:
            tasks.start_soon(self.looking.run)
            while True:
                await self._news.wait()
                self._news, begun = trio.Event(), self._begun
                if begun is not None:
                    await begun()

    @property
    def playing(self) -> bool:
        return self.evening is not None and not self.evening.is_over

    # What the page shows.

    async def start(self) -> wishes.Json:
        """Everything on the start page but the tables in sight."""
        own = {"nick": self.nick, "playing": self.playing, "home": True}
        return await welcome(self._us.me, self.matches) | own

    # What it asks for.

    def play(self, wish: wishes.Play) -> None:
        bots = wishes.bots_of(wish) or ["zap"]
        seated = [bots[seat % len(bots)] for seat in range(wish.seats - 1)]
        table = self._table(wish, seated, alone=True)
        self._begin("play", lambda player: host(table, player))

    def host(self, wish: wishes.Host) -> None:
        table = self._table(wish, wishes.bots_of(wish), private=wish.private)
        self._begin("host", lambda player: host(table, player))

    def join(self, wish: wishes.Join) -> None:
        guest = Guest(wishes.name_of(wish.name, self.nick))
        try:
            ticket = wish.ticket
            if wish.table is not None and ticket is None:
                ticket = self.looking.ticket(wish.table)
            if ticket is not None:
                read_ticket(ticket)
        except Stopped as stopped:
            raise Refused(stopped.code, reason(stopped.code, stopped.about)) from stopped
        self._begin("join", lambda player: join(ticket, guest, player))

    def settings(self, wish: wishes.Settings) -> None:
        language = wishes.language_of(wish)
        self.nick = wishes.name_of(wish.nick, self.nick)
        if language is not None and self.evening is not None:
            self.evening.stage.hear(Language(language))
        if language is not None:
            speak(language)

    def _table(
        self,
        wish: wishes.Play | wishes.Host,
        bots: list[str],
        *,
        alone: bool = False,
        private: bool = False,
    ) -> Table:
        return Table(
            wishes.variant_of(wish),
            wish.seats,
            bots,
            Times(move=wish.seconds),
            wishes.name_of(wish.name, self.nick),
            alone=alone,
            private=private,
            log=self._us.log,
        )

    # Evenings.

    def _begin(self, command: str, sits: Sits) -> None:
        if self.playing:
            raise Refused("playing", _("You are at a table already."), BUSY)
        stage = Stage()
        evening = self.evening = Evening(stage, command, self._us.version)
        player = Player(self._us.me, stage, self._us.place)

        async def begun() -> None:
            try:
                await evening.play(lambda: sits(player), self._us.explain)
            except Exception:
                log.exception("an evening ended with an error")

        self._begun = begun
        self._news.set()
