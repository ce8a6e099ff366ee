"""The last step: every seat signs the end as it saw it (record.md).

A seal that says anything else than the log does is not due from anybody: its seat then simply
has not sealed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...rules.seating import Seat
from ..entries import Seal
from .phases import Needs, NotDue, Phase, Ruling, everyone


@dataclass(frozen=True, slots=True)
class Sealing(Phase):
    """The match is over; nothing can change it but an earlier equivocation."""

    players: int
    seal: Seal


@dataclass(frozen=True, slots=True)
class Sealed(Phase):
    """Every seat has signed the end."""


def owed_seals(phase: Sealing) -> Needs:
    return everyone(phase.players, "seal")


def seal(phase: Sealing, seat: Seat, content: Seal) -> Ruling:
    """That it says what the log does is all."""
    if content != phase.seal:
        raise NotDue
    return None


def sealed(phase: Sealing, rulings: Mapping[Seat, Ruling]) -> Sealed:
    """There is nothing more to say."""
    return Sealed()
