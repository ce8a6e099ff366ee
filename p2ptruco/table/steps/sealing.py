"""The last step: every seat signs the end as it saw it (record.md).

A seal that says anything else than the log does is not due from anybody: its seat then simply
has not sealed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...rules.seating import Seat
from ..entries import Content, Seal
from .phases import Fault, Need, NotDue, Over, Phase, Ruling, everyone


@dataclass(frozen=True, slots=True)
class Sealing:
    """The match is over; nothing can change it but an earlier equivocation."""

    players: int
    seal: Seal

    @property
    def needs(self) -> Mapping[Seat, Need]:
        return everyone(self.players, "seal")

    def rule(self, seat: Seat, content: Content) -> Ruling:
        if content != self.seal:
            raise NotDue
        return None

    def close(self, rulings: Mapping[Seat, Ruling]) -> Phase | Fault:
        return Over()
