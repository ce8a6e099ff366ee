"""The tables in sight, as numbered lines; only news is said."""

from __future__ import annotations

from collections.abc import Iterator

from p2ptruco.app.events import Sighted, Tables
from p2ptruco.ui.words import _


class InSight:
    """What was said of the tables in sight."""

    def __init__(self) -> None:
        self._here: dict[int, Sighted] = {}

    def wipe(self) -> None:
        """Everything is news again."""
        self._here = {}

    def news(self, event: Tables) -> Iterator[str]:
        """What has come, changed or gone since, as lines."""
        before, self._here = self._here, {table.number: table for table in event.tables}
        for number in sorted(before.keys() | self._here.keys()):
            table = self._here.get(number)
            if table is None:
                yield _("{number}: gone").format(number=number)
            elif table != before.get(number):
                yield line(table)


def line(table: Sighted) -> str:
    """One table."""
    sentence = _("{number}: {name}, {variant} ({scale}), {free} of {seats} seats free{private}")
    return sentence.format(
        number=table.number,
        name=table.host,
        variant=table.variant,
        scale=table.scale,
        free=table.free,
        seats=table.seats,
        private=_(", private") if table.private else "",
    )
