"""Choosing one of the tables in sight.

1. A table keeps the number under which it was first said, so that nobody joins another one than
   the one read; only news is said.
2. What the network says is a hint, and a private table's ticket has to be typed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import trio

from p2ptruco.cli.failure import FAILED, Failure
from p2ptruco.net.discovery import Announcement, Sight
from p2ptruco.net.ticket import BadTicket, Ticket, parse
from p2ptruco.ui.terminal.console import Console
from p2ptruco.ui.words import _

PATIENCE = 5.0
"""Seconds after which it is said that no table is in sight."""
REST = 0.5
"""Seconds between two sayings of what has changed."""
MOST_NUMBERS = 1024
"""Tables whose numbers are remembered; those longest out of sight are forgotten."""


class Board:
    """The tables seen so far, numbered from 1 in the order in which they came into sight."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, int], int] = {}
        self._last = 0
        self._here: dict[int, Announcement] = {}

    def news(self, tables: Iterable[Announcement]) -> Iterator[str]:
        """What has come, changed or gone since, as lines."""
        before, self._here = self._here, {self._number(table): table for table in tables}
        for number in sorted(before.keys() | self._here.keys()):
            table = self._here.get(number)
            if table is None:
                yield _("{number}: gone").format(number=number)
            elif table != before.get(number):
                yield line(number, table)

    def wipe(self) -> None:
        """Everything is news again; the numbers stay."""
        self._here = {}

    def _number(self, table: Announcement) -> int:
        port = table.addresses[0].port if table.addresses else 0
        key = table.fingerprint, port
        number = self._numbers.pop(key, None)
        if number is None:
            number = self._last = self._last + 1
        self._numbers[key] = number
        if len(self._numbers) > MOST_NUMBERS:
            del self._numbers[next(iter(self._numbers))]
        return number

    def meant(self, answer: str) -> Ticket | Announcement | None:
        """A ticket, typed or a table's; a private table; None for neither. Nothing typed means
        the only table there is."""
        if not answer and len(self._here) == 1:
            return _open(*self._here.values())
        named = {str(number): table for number, table in self._here.items()}
        if answer in named:
            return _open(named[answer])
        try:
            return parse(answer)
        except BadTicket:
            return None


def _open(table: Announcement) -> Ticket | Announcement:
    return table if table.ticket is None else parse(table.ticket)


async def chosen_from(console: Console, sight: Sight, board: Board) -> Ticket:
    """Let the person choose a table, and type the ticket of a private one."""
    console.say(_("Looking for tables on this network ..."))
    board.wipe()
    async with trio.open_nursery() as tasks:
        tasks.start_soon(_tell, console, sight, board)
        while True:
            answer = await console.ask(_("Type the number of a table, or a ticket."))
            if answer is None:
                raise Failure("no_table", _("No table was chosen."), FAILED)
            found = board.meant(answer)
            if isinstance(found, Announcement):
                console.say(_("This table is private: type its ticket."))
            elif found is not None:
                tasks.cancel_scope.cancel()
                return found
            else:
                console.say(_("There is no such table."))


async def _tell(console: Console, sight: Sight, board: Board) -> None:
    """Say what is in sight, whenever it changes."""
    with trio.move_on_after(PATIENCE):
        while not sight.tables:
            await sight.changed()
    if not sight.tables:
        console.say(_("No table yet: is the host in a lobby, on this network? Still looking."))
    while True:
        told = sight.tables
        console.say(*board.news(told))
        await trio.sleep(REST)
        while sight.tables == told:
            await sight.changed()


def listed(tables: Iterable[Announcement]) -> list[str]:
    """Tables as numbered lines."""
    return [line(number, table) for number, table in enumerate(tables, 1)]


def line(number: int, table: Announcement) -> str:
    """One table."""
    sentence = _("{number}: {name}, {variant} ({scale}), {free} of {seats} seats free{private}")
    return sentence.format(
        number=number,
        name=table.name,
        variant=table.variant,
        scale=table.scale,
        free=table.free,
        seats=table.seats,
        private=_(", private") if table.private else "",
    )
