"""The chain of heads of a record, alone: the first pass of an audit (record.md).

Heads cover bodies, so what was dropped, swapped, doubled or moved shows here, before a single
proof is looked at and without a rule of the game.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..agreement import Agreement
from ..chain import Step, cut_head, end_head, first_head, join_head
from ..entries import Parsed, Position
from ..steps.order import number
from ..steps.playing import Tokening


@dataclass(frozen=True, slots=True)
class Breach:
    """Why a record does not hold, by RECORD_WORDS, and where (numbered from 0; None: nowhere)."""

    kind: str
    hand: int | None = None
    step: int | None = None
    seat: int | None = None
    detail: str = ""


class Broken(Exception):
    """The first fault of a record."""

    def __init__(self, breach: Breach) -> None:
        super().__init__(breach.kind)
        self.breach = breach


def broken(kind: str, where: Position, seat: int | None, detail: str = "") -> Broken:
    return Broken(Breach(kind, where.hand, where.step, seat, detail))


class Heads:
    """The chain of heads alone: steps are runs of entries in one place, in seat order."""

    def __init__(self, agreement: Agreement) -> None:
        self.agreement = agreement
        self.tokens = number(Tokening, agreement.players)
        """The number of the tokens step, where a deal is joined to the hand before."""
        self.behind = self.last = agreement.id
        self.position = Position(0, 0, 0)
        self.head = first_head(agreement, 0, 0, self.behind)
        self.run: list[Parsed] = []

    def take(self, parsed: Parsed) -> None:
        """The next entry, in this step or in one of the two that may follow it."""
        seat, place = parsed.body.seat, parsed.place
        if place != (self.position, self.head):
            self._go_on(parsed)
        elif self.run and seat <= self.run[-1].body.seat:
            raise broken("not_due", self.position, seat, "not in seat order")
        self.run.append(parsed)

    def prove(self, first: Parsed) -> None:
        """Two bodies in the place after the last step: what follows is sealed on the cut."""
        if first.place != (self.position, self.head):
            self._go_on(first)
        elif self.run:
            raise broken("not_due", self.position, first.body.seat, "the log is not cut")
        seat, (hand, attempt, step) = first.body.seat, self.position
        self.position = Position(hand, attempt, step + 1)
        self.head = end_head(cut_head(self.head, step, seat), self.last)
        self.run = []

    def _go_on(self, parsed: Parsed) -> None:
        """Close the step and open the one that `parsed` names, if it may follow."""
        if parsed.body.head == self.head:
            raise broken("not_due", self.position, parsed.body.seat, "another position")
        after = Step(self.position, self.head, tuple(self.run)).after
        step = self.position.step
        same = self.position._replace(step=step + 1)
        behind = after if step == self.tokens else self.behind
        joined = join_head(after, self.last) if same.step == self.tokens else after
        fresh = Position(self.position.hand + 1, 0, 0)
        follow = {
            joined: same,
            end_head(after, self.last): same,
            first_head(self.agreement, fresh.hand, 0, behind): fresh,
        }
        if not self.run or parsed.body.head not in follow:
            raise broken("bad_head", self.position, parsed.body.seat)
        if follow[parsed.body.head] != parsed.position:
            raise broken("not_due", self.position, parsed.body.seat)
        self.behind = behind
        if parsed.position == fresh:
            self.last = after
        (self.position, self.head), self.run = parsed.place, []
