"""The room: who would sit where, under which rules; off the wire and on to it (wire.md §7).

Laws:
1. A room is a value; what came off the wire could be played in, and every name in it is clean.
2. What the agreement says is held against the room, to the letter, before anybody signs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from ...rules.variant import Variant, from_toggles, toggles
from ...table.agreement import Agreement, Times
from ...text import is_clean
from ..transport import frames

C = TypeVar("C")

UNHURRIED = 20.0
"""Seconds to move for which people are waited for where there is no clock."""


@dataclass(frozen=True, slots=True)
class Chair:
    """Who would sit in a seat. `operator`: the key of whose machine runs it; `held`: kept for a
    player of the match before, who has not said yet whether to play another."""

    identity: bytes
    name: str
    operator: bytes
    bot: bool
    ready: bool
    held: bool = False


@dataclass(frozen=True, slots=True)
class Room:
    """What everybody sees before agreeing; `chairs` in seat order, None where one is free."""

    variant: Variant
    times: Times
    chairs: tuple[Chair | None, ...]
    locked: bool = False
    started: bool = False

    @property
    def free(self) -> list[int]:
        return [seat for seat, chair in enumerate(self.chairs) if chair is None]

    @property
    def held(self) -> list[int]:
        """Seats kept for somebody who has not answered yet."""
        return [seat for seat, chair in enumerate(self.chairs) if chair and chair.held]

    @property
    def all_ready(self) -> bool:
        return all(chair is not None and chair.ready for chair in self.chairs)

    def seat_of(self, identity: bytes) -> int | None:
        """Where somebody sits."""
        seats = (s for s, chair in enumerate(self.chairs) if chair and chair.identity == identity)
        return next(seats, None)

    def chair_of(self, identity: bytes) -> Chair | None:
        """Somebody's chair."""
        return next((c for c in self.chairs if c and c.identity == identity), None)

    def patience(self, seat: int) -> float:
        """Seconds for which a bot that speaks for its team waits for a person beside it: half the
        time to move (table.md §3)."""
        beside = self.chairs[seat % 2 :: 2]
        people = any(chair is not None and not chair.bot for chair in beside)
        return (self.times.move or UNHURRIED) / 2 if people else 0.0

    def claimed(self, peer: bytes, claim: frames.Claim) -> bool:
        """Whether somebody claims exactly the chair that this room showed."""
        seat, chair = self.seat_of(peer), self.chair_of(peer)
        if chair is None or (claim.seat, claim.name) != (seat, chair.name):
            return False
        operator = seat if claim.operator is None else claim.operator
        return operator == self.seat_of(chair.operator)

    def fits(self, agreement: Agreement) -> bool:
        """Whether an agreement says of everybody and everything what this room showed."""
        terms = agreement.terms
        same = agreement.variant == self.variant and terms.times == self.times
        if not same or agreement.players != len(self.chairs) or terms.spectators:
            return False
        for place, chair in zip(terms.roster, self.chairs, strict=True):
            if chair is None or (place.identity, place.name) != (chair.identity, chair.name):
                return False
            if terms.roster[place.operator].identity != chair.operator:
                return False
        return True


def on_the_wire(room: Room) -> frames.Room:
    """As the host tells it."""
    chairs = tuple(_chair(frames.Chair, chair) for chair in room.chairs)
    shown = tuple(toggles(room.variant).items())
    return frames.Room(room.variant.name, shown, room.times, chairs, room.locked, room.started)


def off_the_wire(wire: frames.Room) -> Room:
    """A room off the wire; ValueError if it is none that could be played in."""
    variant = from_toggles(wire.variant, dict(wire.toggles))
    if tuple(toggles(variant).items()) != wire.toggles or len(wire.chairs) not in variant.players:
        raise ValueError("not a room of this variant")
    chairs = tuple(_chair(Chair, chair) for chair in wire.chairs)
    if any(chair is not None and not is_clean(chair.name) for chair in chairs):
        raise ValueError("a name that cannot be shown")
    if any(chair is not None and chair.held and chair.ready for chair in chairs):
        raise ValueError("ready, and has not answered")
    return Room(variant, wire.times, chairs, wire.locked, wire.started)


def _chair(kind: Callable[..., C], chair: Any) -> C | None:
    """A chair of the wire as one of the room, or the other way round."""
    fields = frames.Chair.__struct_fields__
    return None if chair is None else kind(*(getattr(chair, name) for name in fields))
