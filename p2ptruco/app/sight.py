"""Choosing one of the tables in sight.

1. A table keeps the number under which it was first told, so that nobody joins another one than
   the one that they saw.
2. What the network says is a hint, and a private table's ticket has to be typed.
"""

from __future__ import annotations

from collections.abc import Iterable

import trio

from ..net.discovery import Announcement, Sight
from ..net.transport.ticket import BadTicket, Ticket, parse
from . import events
from .asking import answered
from .events import Sighted
from .questions import Which
from .stage import Stage
from .stopped import Stopped

PATIENCE = 5.0
"""Seconds after which it is told that no table is in sight."""
REST = 0.5
"""Seconds between two tellings of what has changed."""
MOST_NUMBERS = 1024
"""Tables whose numbers are remembered; those longest out of sight are forgotten."""


class Board:
    """The tables seen so far, numbered from 1 in the order in which they came into sight."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, int], int] = {}
        self._last = 0
        self._here: dict[int, Announcement] = {}

    def see(self, tables: Iterable[Announcement]) -> events.Tables:
        """What is in sight now, by number."""
        self._here = {self._number(table): table for table in tables}
        return events.Tables(tuple(sighted(n, self._here[n]) for n in sorted(self._here)))

    def wipe(self) -> None:
        """Nothing is in sight; the numbers stay."""
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


def sighted(number: int, table: Announcement) -> Sighted:
    """A table in sight, as it is told."""
    return Sighted(
        number=number,
        host=table.name,
        variant=table.variant,
        scale=table.scale,
        seats=table.seats,
        free=table.free,
        private=table.private,
        fingerprint=table.fingerprint,
        addresses=tuple(str(address) for address in table.addresses),
    )


async def chosen_from(stage: Stage, sight: Sight, board: Board) -> Ticket:
    """Let the person choose a table, and type the ticket of a private one. Stopped: none was."""
    stage.tell(events.Notice("looking"))
    board.wipe()
    async with trio.open_nursery() as tasks:
        tasks.start_soon(_tell, stage, sight, board)
        while True:
            question = Which(stage.new_id(), (), None, None)
            answer = await answered(stage, question)
            if answer is None:
                raise Stopped("no_table")
            found = board.meant(answer)
            if isinstance(found, Announcement):
                stage.tell(events.Refused("answer", "private_table"))
            elif found is not None:
                tasks.cancel_scope.cancel()
                return found
            else:
                stage.tell(events.Refused("answer", "no_such_table"))


async def _tell(stage: Stage, sight: Sight, board: Board) -> None:
    """Tell what is in sight, whenever it changes."""
    with trio.move_on_after(PATIENCE):
        while not sight.tables:
            await sight.changed()
    if not sight.tables:
        stage.tell(events.Notice("no_table_yet"))
    while True:
        told = sight.tables
        stage.tell(board.see(told))
        await trio.sleep(REST)
        while sight.tables == told:
            await sight.changed()
