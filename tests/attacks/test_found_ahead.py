"""Deals of a record ruled on ahead, in threads: the same answer as without, whatever is in it."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor

import pytest

from p2ptruco.rules.presets import MINEIRO
from p2ptruco.table.codec import encode
from p2ptruco.table.entries import Content, Open, write
from p2ptruco.table.record.audit import audit
from p2ptruco.table.record.file import Said, write_record
from p2ptruco.table.table import Table
from tests.kit.opendeck import open_deck
from tests.kit.party import Party, stayer


@pytest.mark.parametrize("good", [True, False], ids=["a good opening", "a bad opening"])
def test_what_is_no_seal_never_passes_for_one(good: bool) -> None:
    """Seat 0 opens twice and does not seal; in the place of its seal stands an opening, that was
    ruled on as one. Gain: a match sealed by everybody that one seat never sealed, for whoever
    verifies in threads, or a violation in a match that is over."""
    with open_deck():
        party = Party(MINEIRO, 2, 4, stayer)
        one, two = party.peers
        party.play(until=lambda: all(p.table.open.position.step == 1 for p in party.peers))
        table = Table(party.agreement, party.source)
        for parsed in one.table.steps[0].entries:
            table.submit(table.check(parsed.entry))
        opening, other = one.keeper.pay(table.open.phase), Open(b"other")

        def entry(seat: int, content: Content):
            position, head, _ = table.open
            me = party.peers[seat].identity
            return write(party.agreement, position, seat, head, content, me)

        for content in (opening, other):
            table.submit(table.check(entry(0, content)))
        table.submit(table.check(entry(1, table.open.phase.seal)))
        *log, seal = write_record(table, party.signatures, 1, two.identity)
        false = entry(0, opening if good else other)
        record = b"".join([*log, encode(Said(false.body, false.signature)), seal])
        with ThreadPoolExecutor(1) as pool:
            for threads in (None, pool):
                found = audit(io.BytesIO(record), party.source, pool=threads)
                assert found.breach is not None
                assert (found.breach.kind, found.breach.seat) == ("not_due", 0)
