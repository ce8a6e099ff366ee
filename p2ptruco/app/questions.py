"""What a face is asked: a question with an id, its choices and their prices, a deadline, a default.

Laws:
1. A question closes by an event (`Closed`): answered, out of time, or no longer asked. An answer
   that comes later is ignored with one too.
2. A face that does not know a question lets it take its default.
3. A choice says all that it costs and gains. One that loses the match at once where another does
   not is asked once more, as a question of its own; meanwhile another choice may still be made.

Source: front.md §4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final

from ..net.session.situation import Situation
from ..rules.moves import Move
from ..rules.prices import Price
from ..rules.view import View

YES: Final = "yes"
NO: Final = "no"


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer. `key` is what a face sends back."""

    key: str


@dataclass(frozen=True, slots=True)
class Question:
    """Something that a face may answer. `name` is what front.md calls it."""

    name: ClassVar[str] = ""
    id: int
    choices: tuple[Choice, ...]
    """Empty: any text is an answer."""
    default: str | None
    """What happens if nobody answers; None: it is waited for, or nothing happens."""
    deadline: float | None
    """On trio's clock; None: there is no hurry."""


@dataclass(frozen=True, slots=True)
class MoveChoice(Choice):
    """A move, what it may bring and cost, and whether it loses the match at once where another
    does not."""

    move: Move
    price: Price
    loses_match: bool


@dataclass(frozen=True, slots=True)
class Barred:
    """What the seat cannot do now (`call`, `face_down`, `fold`), and the code of why
    (`barred.py`)."""

    what: str
    why: str


@dataclass(frozen=True, slots=True)
class AskMove(Question):
    """What this seat does. `advice`: a partner speaks for the team, and ours is advice to it."""

    name = "move"
    choices: tuple[MoveChoice, ...]
    advice: bool
    view: View = field(compare=False)
    barred: tuple[Barred, ...] = ()


@dataclass(frozen=True, slots=True)
class Confirm(Question):
    """Whether something is meant that cannot be taken back: `yes` or `no`. `what`: `leave`, or the
    key of a move that loses the match."""

    name = "confirm"
    what: str
    situation: Situation | None
    """Of a leave: what it would do."""


@dataclass(frozen=True, slots=True)
class Another(Question):
    """Whether to play another match: `yes` or `no`."""

    name = "another"


@dataclass(frozen=True, slots=True)
class Rename(Question):
    """Another name, where somebody at the table has ours; an empty one gives up."""

    name = "rename"
    taken: str


@dataclass(frozen=True, slots=True)
class Which(Question):
    """Which of the tables in sight to join: its number, or a ticket; nothing for the only one."""

    name = "which"


def yes_or_no() -> tuple[Choice, ...]:
    """The choices of a question that is answered with one of two words."""
    return Choice(YES), Choice(NO)
