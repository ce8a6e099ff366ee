"""Who is missing, whom the table waits for, and what leaving would do, as values (table.md §5)."""

from __future__ import annotations

from typing import Any

import pytest

from p2ptruco.net.session.situation import (
    LATE,
    LOST,
    UNHURRIED,
    Contact,
    Leaving,
    Missing,
    Situation,
    situate,
)
from p2ptruco.rules.seating import Seat
from p2ptruco.table.steps.phases import Choice, Duty, Need

ME, BIA, CAIO, DAVI = map(Seat, range(4))
LINKED = Contact(linked=True, heard=True, since=0)
RELAYED = Contact(linked=False, heard=True, since=0)
NOW = 1000.0
LONG_AGO, JUST_NOW = NOW - 60, NOW - LOST / 2
LOST_LINK = Contact(linked=False, heard=False, since=LONG_AGO)
GOODBYE = Contact(linked=False, heard=False, since=JUST_NOW, goodbye=True)
MOVE, KEY = Choice(BIA), Duty("tokens")


def seen(owed: dict[Seat, Need] | None = None, *others: Contact, **more: Any) -> Situation:
    """A table of us and of others, Bia first; what is owed has been since just now."""
    contacts = {Seat(seat): contact for seat, contact in enumerate(others or (LINKED,), 1)}
    given: dict[str, Any] = {"since": JUST_NOW, "now": NOW, "move": 0, "due": False}
    return situate(owed or {}, contacts, **(given | more))


def test_a_pair_without_a_link_of_its_own_keeps_no_table_waiting() -> None:
    """Entries come through the others; it was told as missing, and for ever."""
    now = seen({CAIO: MOVE}, LINKED, RELAYED, LINKED)
    assert now.missing == ()
    assert now.stuck == ()
    assert now.leaving is Leaving.LOSES


@pytest.mark.parametrize(
    ("contact", "missing"),
    [
        (LINKED, ()),
        (RELAYED, ()),
        (LOST_LINK, (Missing(BIA, LONG_AGO, False),)),
        (LOST_LINK._replace(since=JUST_NOW), ()),
        (GOODBYE, (Missing(BIA, JUST_NOW, True),)),
        (GOODBYE._replace(heard=True), ()),
    ],
    ids=["linked", "through others", "unheard", "for a moment", "goodbye", "and is back"],
)
def test_who_is_missing(contact: Contact, missing: tuple[Missing, ...]) -> None:
    """Whom nobody hears, for longer than a moment or after a goodbye."""
    assert seen(None, contact, LINKED, LINKED).missing == missing


@pytest.mark.parametrize(
    ("need", "move", "seconds"),
    [
        (MOVE, 0, UNHURRIED),
        (KEY, 0, LATE),
        (MOVE, 30, 30 + LATE),
        (KEY, 30, 30 + LATE),
    ],
)
def test_whoever_thinks_without_a_clock_is_not_late(need: Need, move: int, seconds: float) -> None:
    """Ten seconds of thought were called a suspended table."""
    for late in (False, True):
        since = NOW - seconds - (1 if late else -1)
        (one,) = seen({BIA: need}, since=since, move=move).owing
        assert (one.late, one.missing) == (late, False)


@pytest.mark.parametrize(
    ("owed", "due", "contact", "leaving"),
    [
        ({ME: MOVE}, True, LINKED, Leaving.LOSES),
        ({BIA: MOVE}, False, LINKED, Leaving.LOSES),
        ({ME: MOVE}, True, LOST_LINK, Leaving.LOSES),
        ({BIA: MOVE}, False, LOST_LINK, Leaving.NOBODY),
        ({BIA: KEY}, False, GOODBYE, Leaving.NOBODY),
        ({ME: KEY, BIA: KEY}, True, LOST_LINK, Leaving.HANGS),
        ({ME: KEY, BIA: KEY}, True, LINKED, Leaving.LOSES),
    ],
)
def test_what_leaving_would_do(
    owed: dict[Seat, Need], due: bool, contact: Contact, leaving: Leaving
) -> None:
    """It loses the match where it is an entry that closes a step, and interrupts it where the
    table waits for somebody who is missing."""
    now = seen(owed, contact, LINKED, LINKED, due=due)
    assert now.leaving is leaving
    assert now.due is due


def test_a_leave_that_is_signed_hangs_on_whoever_is_missing() -> None:
    """With their part the step closes, and the match goes to the other team: nobody may be told
    that it has no winner for good."""
    assert seen({BIA: KEY}, LOST_LINK, said=True).leaving is Leaving.HANGS
    assert seen({BIA: KEY}, LOST_LINK, said=True, over=True).leaving is Leaving.OVER


def test_who_hears_nobody_may_be_cut_off_itself() -> None:
    """With two others at least, none of whom has said goodbye."""
    assert seen(None, LOST_LINK, LOST_LINK).cut_off
    assert not seen(None, LOST_LINK).cut_off
    assert not seen(None, LOST_LINK, RELAYED).cut_off
    assert not seen(None, LOST_LINK, GOODBYE).cut_off
