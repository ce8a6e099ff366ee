"""What the step in its place says of an entry."""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.seating import Seat
from .entries import Parsed
from .steps.order import needs, rule
from .steps.phases import NotDue, Phase, Ruling
from .violation import LinkFault


@dataclass(frozen=True, slots=True)
class Checked:
    """A signed entry, and what the step in its place ruled (no phase: none hears it)."""

    parsed: Parsed
    phase: Phase | None = None
    ruling: Ruling = None


UNDUE = object()
"""The ruling on a body that is not due in its step, beside one of its author that is."""


def ruled(phase: Phase, parsed: Parsed) -> Checked:
    """An entry that is due in a step; `LinkFault` if the step asks for none such."""
    seat = Seat(parsed.body.seat)
    try:
        if seat not in needs(phase):
            raise NotDue
        return Checked(parsed, phase, rule(phase, seat, parsed.body.content))
    except NotDue:
        raise LinkFault("not_due", f"seat {seat} in {type(phase).__name__}") from None


def beside(phase: Phase, parsed: Parsed) -> Checked:
    """An entry beside another of its author, where it may be due or not."""
    try:
        return ruled(phase, parsed)
    except LinkFault:
        return Checked(parsed, phase, UNDUE)
