"""Finding a table, and the lobby of one."""

from __future__ import annotations

from dataclasses import dataclass

from ...rules.seating import Seat
from ...rules.variant import Variant
from .kinds import Event, Lasts


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat of the lobby that is taken."""

    seat: Seat
    player: str
    fingerprint: str
    operator: Seat | None
    """The seat whose machine runs this one; None: it runs itself."""
    bot: bool
    ready: bool
    held: bool
    """Kept for a player of the match before, who has not said yet whether to play another."""
    linked: bool
    """Whether this program hears it: by a link of its own, or through the host."""
    me: bool
    meeting: str
    """new, known, renamed or other_key: what we know of this player. Empty for ourselves and for
    bots of ours."""


@dataclass(frozen=True, slots=True)
class Tables(Event):
    """The tables in sight on this network, by the number that each keeps while it is looked for."""

    name = "tables"
    lasts = Lasts.LATEST
    tables: tuple[Sighted, ...]


@dataclass(frozen=True, slots=True)
class Sighted:
    """One table in sight; all of it is a hint."""

    number: int
    host: str
    variant: str
    scale: str
    seats: int
    free: int
    private: bool
    fingerprint: str
    addresses: tuple[str, ...]
    """Where it listens, as `192.0.2.7:4000`."""


@dataclass(frozen=True, slots=True)
class Invitation(Event):
    """What the host gives to those who are to come. `reach`: `network`, or `machine` where there
    is no network; `moved`: the network has changed, and with it the ticket."""

    name = "invitation"
    lasts = Lasts.LATEST
    ticket: str
    private: bool
    reach: str
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Lobby(Event):
    """The lobby as it stands, whole, again whenever it changes."""

    name = "lobby"
    lasts = Lasts.LATEST
    hosting: bool
    alone: bool
    """Only bots of ours can come."""
    variant: Variant
    move_seconds: int
    """Seconds to move; 0: no clock."""
    chairs: tuple[Chair | None, ...]
    locked: bool
    started: bool
    ready: bool
    """Whether every seat is taken and ready."""
