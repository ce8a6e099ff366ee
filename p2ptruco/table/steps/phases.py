"""What a table waits for, as values: each step of a hand is one phase.

Laws:
1. A phase names its needs (who owes what), rules on one content at a time (pure, heavy,
   from any thread), and closes on the rulings of all who owed into the next phase.
2. Nobody is local in here: every seat's content takes the same road.
3. A ruling is a value that later phases use, or a `Fault` that names a seat; what was never
   due raises `NotDue` and is nobody's violation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from ...mental.refused import Refused
from ...rules.seating import Seat
from ..entries import Content


@dataclass(frozen=True, slots=True)
class Choice:
    """Ask a mind: this seat speaks for its team."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Duty:
    """Ask the keys: there is nothing to decide. `kind` is the tag of the content owed."""

    kind: str


Need = Choice | Duty


@dataclass(frozen=True, slots=True)
class Fault:
    """A content that was signed and is wrong; `back` counts steps back to the offending one."""

    word: str
    seat: int
    back: int = 0


class NotDue(Exception):
    """A content that this step does not ask for, whoever sends it."""


Ruling = Any
"""`Fault`, or the checked value of a content: its type is the phase's own."""


class Phase(Protocol):
    """One step of a hand."""

    @property
    def needs(self) -> Mapping[Seat, Need]: ...

    def rule(self, seat: Seat, content: Content) -> Ruling: ...

    def close(self, rulings: Mapping[Seat, Ruling]) -> Phase | Fault: ...


@dataclass(frozen=True, slots=True)
class Over:
    """Nothing is due any more in this hand."""

    needs: ClassVar[Mapping[Seat, Need]] = {}

    def rule(self, seat: Seat, content: Content) -> Ruling:
        raise NotDue

    def close(self, rulings: Mapping[Seat, Ruling]) -> Phase | Fault:
        raise AssertionError("no step is open")


def everyone(players: int, kind: str) -> dict[Seat, Need]:
    """The same duty for every seat."""
    return {Seat(seat): Duty(kind) for seat in range(players)}


def fault(refused: Refused, word: str, seat: int) -> Fault:
    """A mental refusal in the log's words: a wrong length is a fault of the step's own kind."""
    return Fault("not_in_group" if refused.kind == "not_in_group" else word, seat)
