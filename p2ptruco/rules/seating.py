"""Who sits where and which card is whose: dealing is arithmetic, not a message.

Slot n of the shuffled deck belongs to seat n // 3, the slot after the last seat's is the vira's,
all others are nobody's. Seat n plays for team n % 2. Everything counts from 0 here, from 1 before
people.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NewType

Seat = NewType("Seat", int)
"""A place at the table, counted in the order of play."""

Team = NewType("Team", int)
"""0 (shown as A) or 1 (shown as B)."""

Slot = NewType("Slot", int)
"""A place in the shuffled deck."""

CARDS_EACH: Final = 3
SIZES: Final = (2, 4, 6, 8)
TEAMS: Final = (Team(0), Team(1))


def team_of(seat: Seat) -> Team:
    return Team(seat % 2)


def rival_of(team: Team) -> Team:
    return Team(1 - team)


def owner_of(slot: Slot) -> Seat:
    """The seat a slot was dealt to; the vira's slot has none, so ask only about seats' slots."""
    return Seat(slot // CARDS_EACH)


@cache
def slots_of(seat: Seat) -> tuple[Slot, ...]:
    """The three slots of a seat, in the order dealt."""
    first = seat * CARDS_EACH
    return tuple(Slot(slot) for slot in range(first, first + CARDS_EACH))


def vira_slot(players: int) -> Slot:
    return Slot(players * CARDS_EACH)


def next_seat(seat: Seat, players: int) -> Seat:
    return Seat((seat + 1) % players)


@cache
def seats_at(players: int) -> tuple[Seat, ...]:
    return tuple(Seat(seat) for seat in range(players))


@cache
def seats_of(team: Team, players: int) -> tuple[Seat, ...]:
    """The seats of a team, ascending."""
    return tuple(seat for seat in seats_at(players) if team_of(seat) == team)
