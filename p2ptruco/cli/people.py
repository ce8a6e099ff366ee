"""What `play`, `host` and `join` have in common: who we are, one process of us, a console."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from p2ptruco.app.match import Played, Player
from p2ptruco.app.stage import Stage
from p2ptruco.cli.choices import check_record
from p2ptruco.cli.command import JSONL, WEB, Front
from p2ptruco.cli.failure import FAILED, WRONG_USE, Failure
from p2ptruco.cli.home import faults_told, mine
from p2ptruco.cli.output import emit, tell
from p2ptruco.cli.program import to_program
from p2ptruco.cli.running import run
from p2ptruco.cli.wanted import Wanted
from p2ptruco.store.home import Self, log_file, records
from p2ptruco.store.known import load
from p2ptruco.store.lock import InUse, identity_locked
from p2ptruco.table.agreement import Times
from p2ptruco.text import clean
from p2ptruco.ui.terminal.console import Console
from p2ptruco.ui.terminal.face import Terminal
from p2ptruco.ui.words import _

if TYPE_CHECKING:
    from p2ptruco.cli.browser import Browser

A_DAY = timedelta(days=1)
FAR = 2099
"""No clock that is right says a later year than this."""
Sits = Callable[[Player], Awaitable[list[Played]]]


@dataclass(frozen=True, slots=True)
class Here:
    """Us, where the record goes, and where seats of ours write their log."""

    me: Self
    place: Path | None
    log: str | None

    def run(
        self, sits: Sits, *, command: str, front: Front, as_json: bool, typing: bool = True
    ) -> None:
        """Play behind a face; Ctrl-C and SIGTERM end it in order. With `as_json` everything that a
        person reads goes to standard error. `typing`: no bot plays for them."""
        in_browser = _browser(front) if front.kind == WEB else None

        async def played() -> list[Played]:
            stage = Stage()

            async def sit() -> list[Played]:
                return await sits(Player(self.me, stage, self.place))

            if in_browser is not None:
                return await in_browser.show(stage, command, sit, self.me)
            async with (
                to_program(stage, command, typing=typing)
                if front.kind == JSONL
                else at_terminal(stage, aside=as_json, typing=typing)
            ):
                return await sit()

        matches = run(played)
        if as_json or front.kind == JSONL:
            emit({"matches": [dict(match.told) for match in matches]})


def _browser(front: Front) -> Browser:
    from p2ptruco.cli.browser import served

    return served(front)


@asynccontextmanager
async def at_terminal(stage: Stage, *, aside: bool, typing: bool) -> AsyncIterator[None]:
    """A plain terminal as the face, for the time of a block."""
    console = Console(aside=aside)
    Terminal(console, stage, typing=typing)
    async with trio.open_nursery() as tasks:
        tasks.start_soon(console.run)
        yield
        tasks.cancel_scope.cancel()


@contextmanager
def at_the_table(wanted: Wanted, record: str | None, no_record: bool) -> Iterator[Here]:
    """Hold our identity for the time of a block. Failure: it is in use, or no record
    can be kept there."""
    check_record(record)
    with faults_told():
        me = mine()
        place = record_place(record, no_record)
        log = str(log_file()) if wanted.verbose else None
        for warning in odd_clock(me, datetime.now(UTC)):
            tell(warning)
    try:
        with identity_locked():
            yield Here(me, place, log)
    except InUse as error:
        sentence = _(
            "Another p2ptruco plays with this identity: end it, or name another folder with "
            "P2PTRUCO_HOME."
        )
        raise Failure("identity_in_use", sentence, FAILED) from error


def record_place(record: str | None, no_record: bool) -> Path | None:
    """Where a record goes: a file, the home's folder, or nowhere."""
    if no_record:
        return None
    return Path(record) if record else records()


def named(name: str | None, me: Self) -> str:
    """The name to go by; Failure if it cannot be shown."""
    shown = clean(name) if name is not None else me.nick
    if not shown or (name is not None and shown != name.strip()):
        message = _("This name cannot be shown: letters and digits, 24 at most.")
        raise Failure("bad_name", message, WRONG_USE)
    return shown


def odd_clock(me: Self, now: datetime) -> Iterator[str]:
    """A clock that is behind what this machine has seen already, or beyond belief. The game does
    not need it; the names of records do."""
    seen = [me.created, *(peer.last for peer in load().peers.values())]
    latest = max(filter(None, map(_moment, seen)), default=now)
    if now < latest - A_DAY:
        sentence = _("This machine's clock says {now}, but it was {then} already: set it right.")
        yield sentence.format(now=f"{now:%Y-%m-%d}", then=f"{latest:%Y-%m-%d}")
    elif now.year > FAR:
        sentence = _("This machine's clock says {now}: set it right.")
        yield sentence.format(now=f"{now:%Y-%m-%d}")


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else None


def times(seconds: int) -> Times:
    """The clock of a table among people."""
    return Times(move=seconds)
