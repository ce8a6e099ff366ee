"""What `play`, `host` and `join` have in common: who we are, one process of us, a console."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from p2ptruco.cli.failure import FAILED, WRONG_USE, Failure
from p2ptruco.cli.home import faults_told, mine
from p2ptruco.cli.running import run
from p2ptruco.cli.sitting_in import record_place
from p2ptruco.cli.wanted import Wanted
from p2ptruco.net.home import Self, log_file
from p2ptruco.net.lock import InUse, identity_locked
from p2ptruco.table.agreement import Times
from p2ptruco.table.text import clean
from p2ptruco.ui.terminal.console import Console
from p2ptruco.ui.words import _


@dataclass(frozen=True, slots=True)
class Here:
    """Us, where the record goes, and where seats of ours write their log."""

    me: Self
    place: Path | None
    log: str | None

    def run(self, play: Callable[[Console], Awaitable[None]]) -> None:
        """Run a match at the console; Ctrl-C and SIGTERM end it in order."""
        run(lambda: play(Console()))


@contextmanager
def at_the_table(wanted: Wanted, record: str | None, no_record: bool) -> Iterator[Here]:
    """Hold our identity for the time of a block. Failure: it is in use, or no folder."""
    if record is not None and not Path(record).absolute().parent.is_dir():
        message = _("There is no folder {name}.").format(name=Path(record).absolute().parent)
        raise Failure("no_folder", message, WRONG_USE)
    with faults_told():
        me = mine()
        place = record_place(record, no_record)
        log = str(log_file()) if wanted.verbose else None
    try:
        with identity_locked():
            yield Here(me, place, log)
    except InUse as error:
        sentence = _(
            "Another p2ptruco plays with this identity: end it, or name another folder with "
            "P2PTRUCO_HOME."
        )
        raise Failure("identity_in_use", sentence, FAILED) from error


def named(name: str | None, me: Self) -> str:
    """The name to go by; Failure if it cannot be shown."""
    shown = clean(name) if name is not None else me.nick
    if not shown or (name is not None and shown != name.strip()):
        message = _("This name cannot be shown: letters and digits, 24 at most.")
        raise Failure("bad_name", message, WRONG_USE)
    return shown


def times(seconds: int) -> Times:
    """The clock of a table among people."""
    return Times(move=seconds)
