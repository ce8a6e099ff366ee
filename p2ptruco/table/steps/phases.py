"""What a table waits for, and what it says of what it gets: the words of all steps.

A ruling is a value that later steps use, a `Fault` that names a seat, or `LEFT`. What was never due
raises `NotDue` and is nobody's violation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...mental.refused import Refused
from ...rules.seating import Seat


@dataclass(frozen=True, slots=True)
class Choice:
    """Ask a mind: this seat speaks for its team."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Duty:
    """Ask the keys: there is nothing to decide. `kind` is the tag of the content owed."""

    kind: str


Need = Choice | Duty
Needs = Mapping[Seat, Need]


@dataclass(frozen=True, slots=True)
class Fault:
    """A content that was signed and is wrong; `back` counts steps back to the offending one."""

    word: str
    seat: int
    back: int = 0


class NotDue(Exception):
    """A content that this step does not ask for, whoever sends it."""


Ruling = Any
"""`Fault`, `LEFT`, or the checked value of a content: its type is the step's own."""


LEFT = object()
"""The ruling on a seat that leaves."""


class Phase:
    """A step that is open, or what a hand has come to where none is: a frozen value."""

    __slots__ = ()


def everyone(players: int, kind: str) -> Needs:
    """The same duty for every seat."""
    return {Seat(seat): Duty(kind) for seat in range(players)}


def fault(refused: Refused, word: str, seat: int) -> Fault:
    """A mental refusal in the log's words: a wrong length is a fault of the step's own kind."""
    return Fault("not_in_group" if refused.kind == "not_in_group" else word, seat)
