"""Who is missing, whom the table waits for, and what leaving would do: values, without words.

Laws:
1. A seat is missing if nobody hears it. That two seats have no link of their own keeps no table
   waiting: their entries come through the others.
2. The table waits for whoever owes, and for nobody else, missing or not.
3. Whoever thinks where there is no clock is not late; after a while it is said all the same whom
   the table waits for.
4. Leaving is an entry in place of what our seat owes next, and loses the match. While the table
   waits for somebody who is missing or late, that entry decides nothing, or its turn never comes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ...rules.seating import Seat
from ...table.steps.phases import Choice, Need

LATE = 10.0
"""Seconds, after the time to move, for which nobody is late."""
UNHURRIED = 60.0
"""Seconds that a choice may take where there is no clock."""
LOST = 4.0
"""Seconds for which a seat may be unheard before it is missing."""


class Contact(NamedTuple):
    """What is known of another seat. `linked`: by a link of our own; `heard`: by us or by a peer
    that we hear; `since`: when it last was (trio's clock); `goodbye`: the last word of its program
    to us was that it ends."""

    linked: bool
    heard: bool
    since: float
    goodbye: bool = False


class Missing(NamedTuple):
    """A seat that nobody hears, since then; `goodbye`: its program ended, and is not expected
    back."""

    seat: Seat
    since: float
    goodbye: bool


class Owing(NamedTuple):
    """Another seat that the table waits for, and for what. `late`: for longer than it may take."""

    seat: Seat
    need: Need
    missing: bool
    late: bool


class Leaving(StrEnum):
    """What our going home would do."""

    LOSES = "loses"
    """The hand and the match go to the other team, with the next thing that our seat owes."""
    HANGS = "hangs"
    """Our entry decides only if those come back for whom the table waits; else nobody wins."""
    NOBODY = "nobody"
    """The table waits for others and for nothing of ours: nobody wins."""
    OVER = "over"
    """The match is over, and its result stands."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A table at one moment. `since`: when it began to wait for what is owed now; `due`: it waits
    for our seat; `cut_off`: we hear nobody, and two others at least: it may well be us."""

    missing: tuple[Missing, ...]
    owing: tuple[Owing, ...]
    since: float
    due: bool
    leaving: Leaving
    cut_off: bool

    @property
    def stuck(self) -> tuple[Owing, ...]:
        """Who is missing or late, and keeps the table waiting."""
        return tuple(one for one in self.owing if one.missing or one.late)

    @property
    def parting(self) -> bool:
        """Whether whoever leaves just goes: nothing of theirs is due, and no turn may come."""
        return self.leaving in (Leaving.HANGS, Leaving.NOBODY) and not self.due


def situate(
    owed: Mapping[Seat, Need],
    contacts: Mapping[Seat, Contact],
    *,
    since: float,
    now: float,
    move: int,
    due: bool,
    said: bool = False,
    over: bool = False,
) -> Situation:
    """The situation of the seat that has these `contacts`. `owed`: by whom, since when; `move`:
    seconds to move, 0 for no clock; `due`: our seat has still to say what it owes; `said`: that it
    leaves is said in the open step; `over`: the match has its result."""
    missing = tuple(
        Missing(seat, contact.since, contact.goodbye)
        for seat, contact in sorted(contacts.items())
        if not contact.heard and (contact.goodbye or now - contact.since > LOST)
    )
    gone = {one.seat for one in missing}
    owing = tuple(
        Owing(seat, need, seat in gone, now - since > allowed(need, move))
        for seat, need in sorted(owed.items())
        if seat in contacts
    )
    stuck = any(one.missing or one.late for one in owing)
    leaving = Leaving.OVER if over else _leaving(stuck, due or said)
    silent = len(missing) == len(contacts) > 1 and not any(one.goodbye for one in missing)
    return Situation(missing, owing, since, due, leaving, silent)


def allowed(need: Need, move: int) -> float:
    """Seconds in which a seat that is there has given what it owes."""
    return UNHURRIED if isinstance(need, Choice) and not move else move + LATE


def _leaving(stuck: bool, signed: bool) -> Leaving:
    if not stuck:
        return Leaving.LOSES
    return Leaving.HANGS if signed else Leaving.NOBODY
