"""Where a record is broken: `verify` names the place as well as the fault, each time.

Gain: a verdict that points at another hand, step or seat than what was tampered with has people
suspect one another. The place is the step in which the log stood, that of the last entry that
holds; the seat is the author of the entry that shows it, nobody where no signature says whose.
"""

from __future__ import annotations

import io
import random
from functools import cache

import pytest

from p2ptruco.rules.presets import MINEIRO
from p2ptruco.table.entries import Position, Say, Seal, Tokens
from p2ptruco.table.identity import Identity
from p2ptruco.table.record.audit import audit
from tests.kit.court import ONE_HAND, caller
from tests.kit.opendeck import open_deck
from tests.kit.party import Party, stayer
from tests.kit.pieces import body_of, changed, entry_of, pieces, said
from tests.kit.remembering import remembering

Place = tuple[str, Position, int | None]
SIZES = pytest.mark.parametrize("size", [2, 4])


@cache
def match(size: int) -> tuple[Party, list[bytes]]:
    """A hand of two seats, a match of four; its record in pieces."""
    with open_deck():
        variant, choose = (ONE_HAND, caller) if size == 2 else (MINEIRO, stayer)
        party = Party(variant, size, 1, choose).play()
        return party, pieces(party.record())


def found(parts: list[bytes]) -> Place:
    with open_deck(), remembering():
        breach = audit(io.BytesIO(b"".join(parts)), random.Random(1).randbytes).breach
    assert breach is not None
    assert breach.hand is not None
    assert breach.step is not None
    return breach.kind, Position(breach.hand, 0, breach.step), breach.seat


def place(part: bytes) -> Position:
    body = body_of(part)
    return Position(body.hand, body.attempt, body.step)


def log_of(parts: list[bytes], size: int) -> list[int]:
    """Entries to attack: all of a short log, some of a long one, the seals left out."""
    entries = range(1, len(parts) - size)
    return list(entries if len(entries) < 100 else random.Random(2).sample(entries, 60))


def before(parts: list[bytes], at: int) -> Position:
    """Where the log stands when the entry at `at` is read."""
    return place(parts[at - 1]) if at > 1 else Position(0, 0, 0)


def shown(parts: list[bytes], at: int) -> tuple[Position, int]:
    """Where a change in the step of the entry at `at` shows, and by whose entry.

    In the next step; of the last step of a hand in the tokens of the next hand, which join it.
    """
    here = place(parts[at])
    behind = [part for part in parts[at:] if place(part) != here]
    if place(behind[0]).hand == here.hand:
        return here, body_of(behind[0]).seat
    joined = next(part for part in behind if isinstance(body_of(part).content, Tokens))
    return place(joined)._replace(step=place(joined).step - 1), body_of(joined).seat


@SIZES
def test_place_of_a_forged_entry(size: int):
    """One byte of a signature, or another's key: the step that was open, and no seat."""
    _, parts = match(size)
    stranger = Identity(bytes(32))
    for at in log_of(parts, size):
        where = ("bad_signature", before(parts, at), None)
        flipped = parts[at][:-1] + bytes([parts[at][-1] ^ 1])
        assert found([*parts[:at], flipped, *parts[at + 1 :]]) == where
        resigned = said(entry_of(parts[at]).body, stranger)
        assert found([*parts[:at], resigned, *parts[at + 1 :]]) == where


@SIZES
def test_place_of_a_dropped_entry(size: int):
    """The step that lacks it, told by whoever speaks next on a head that covers it."""
    _, parts = match(size)
    for at in log_of(parts, size):
        here, (where, seat) = place(parts[at]), shown(parts, at)
        alone = here not in (before(parts, at), place(parts[at + 1]))
        if alone and where == here:  # no step was opened that could lack it
            where = before(parts, at)
        assert found(parts[:at] + parts[at + 1 :]) == ("bad_head", where, seat)


@SIZES
def test_place_of_an_entry_that_its_author_wrote_anew(size: int):
    """The step that it belongs to: all that follows stands on the old head."""
    party, parts = match(size)
    for at in log_of(parts, size):
        seat = body_of(parts[at]).seat
        other = changed(parts[at], party.peers[seat].identity, content=Say("fold"))
        if other != parts[at]:
            rewritten = [*parts[:at], other, *parts[at + 1 :]]
            assert found(rewritten) == ("bad_head", *shown(parts, at))


@SIZES
def test_place_of_two_entries_that_changed_places(size: int):
    """In one step: at the one that is not in its order. Of two steps: where the first one lacks,
    or behind the second where that begins a hand, whose commitments do not cover it."""
    _, parts = match(size)
    for at in log_of(parts, size):
        one, two = parts[at], parts[at + 1]
        swapped = [*parts[:at], two, one, *parts[at + 2 :]]
        if place(one) == place(two):
            where = ("not_due", place(one), body_of(one).seat)
        elif place(one).hand == place(two).hand:
            where = ("bad_head", before(parts, at), body_of(two).seat)
        else:
            where = ("bad_head", place(two), body_of(one).seat)
        assert found(swapped) == where


@SIZES
def test_place_of_a_cut(size: int):
    """In the middle of a value: the step that was open. Between two: the step that lacks an entry,
    or the one after a step that is whole."""
    _, parts = match(size)
    for at in log_of(parts, size):
        cut = [*parts[:at], parts[at][: len(parts[at]) // 2]]
        assert found(cut) == ("incomplete", before(parts, at), None)
        word, where, seat = found(parts[:at])
        assert (word, where, seat) == ("incomplete", place(parts[at]), None)


@SIZES
def test_place_of_a_false_seal(size: int):
    """The seat whose seal says something else."""
    party, parts = match(size)
    none = Seal(None, (0, 0), (0, 0))
    for at in range(len(parts) - size, len(parts)):
        seat = body_of(parts[at]).seat
        false = changed(parts[at], party.peers[seat].identity, content=none)
        forged = [*parts[:at], false, *parts[at + 1 :]]
        assert found(forged) == ("bad_seal", place(parts[at]), seat)
