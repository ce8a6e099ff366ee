"""Who is deciding, in a page of memory that the process which plays shares with its guard.

The page outlives the process: whoever was deciding when it died is named there. Writing it takes
three stores, so it is done for every decision.
"""

from __future__ import annotations

import mmap
from typing import Final, NamedTuple

SIZE: Final = 4096
NOBODY: Final = 255
_BEGUN, _INSIDE, _LAST, _PLACE = range(4)


class Marked(NamedTuple):
    """What the page says; an entrant is NOBODY where there is none."""

    begun: int
    """Decisions begun so far: it stands still while a bot thinks."""
    inside: int
    """Whose code runs now."""
    last: int
    """Whose code ran last, or runs now."""
    place: int
    """Which match of those asked for is being played."""


class Mark:
    """The page of a file of SIZE bytes, open in both processes; one of them writes."""

    def __init__(self, file: int) -> None:
        self._page = memoryview(mmap.mmap(file, SIZE)).cast("Q")
        self._begun = 0

    def clear(self) -> None:
        """Nobody has decided anything yet."""
        self._page[_INSIDE] = self._page[_LAST] = NOBODY

    def begin(self, place: int) -> None:
        """From now on this match is played."""
        self._page[_PLACE] = place

    def enter(self, entrant: int) -> None:
        """From now on a bot's code runs."""
        self._begun = begun = self._begun + 1
        page = self._page
        page[_BEGUN] = begun
        page[_LAST] = page[_INSIDE] = entrant

    def leave(self) -> None:
        """It has returned."""
        self._page[_INSIDE] = NOBODY

    def read(self) -> Marked:
        """What the page says; while the other side writes it they need not be of one time."""
        return Marked(*self._page[: len(Marked._fields)])
