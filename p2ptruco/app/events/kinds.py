"""What every event is: a frozen value, with a name, that holds for a while."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, ClassVar, Final

NTH: Final = "from 0"
Nth = Annotated[int, NTH]
"""A count that people read from 1."""


class Lasts(Enum):
    """Until when an event belongs to what a face shows."""

    MOMENT = "moment"
    """It is shown once."""
    LATEST = "latest"
    """Until the next one of its kind, or until the scene changes."""
    RESULT = "result"
    """Until the next one of its kind, or until another scene begins: it is still there between the
    scenes."""
    HAND = "hand"
    """Until the hand after it begins, or another scene."""
    MATCH = "match"
    """Until another scene begins: what a match ended with is still there between the scenes."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that a face may show. `name` is what front.md calls it."""

    name: ClassVar[str] = ""
    lasts: ClassVar[Lasts] = Lasts.MOMENT
