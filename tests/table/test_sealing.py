"""The end, signed by whoever signs it; nothing depends on a seal but the word `complete`."""

from __future__ import annotations

import io
from itertools import chain, combinations

import pytest

from p2ptruco.table.codec import encode
from p2ptruco.table.entries import Entry, Leave, Ready, Seal, write
from p2ptruco.table.record.audit import audit
from p2ptruco.table.record.file import Proof, write_record
from p2ptruco.table.steps.sealing import Sealing
from p2ptruco.table.table import Table
from p2ptruco.table.violation import LinkFault
from tests.kit.court import ONE_HAND, caller
from tests.kit.opendeck import open_deck
from tests.kit.party import Party

SEATS = range(4)
SOME = list(chain.from_iterable(combinations(SEATS, size) for size in range(5)))


@pytest.fixture
def over():
    """A match of four seats that nobody has sealed yet, and its party."""
    with open_deck():
        party = Party(ONE_HAND, 4, 1, caller).play()
        table = Table(party.agreement, party.source)
        for step in party.peers[0].table.steps[:-1]:
            for parsed in step.entries:
                table.submit(table.check(parsed.entry))
        yield party, table


def seal(party: Party, table: Table, seat: int, content: Seal | None = None) -> Entry:
    position, head, phase = table.open
    assert isinstance(phase, Sealing)
    me = party.peers[seat].identity
    return write(party.agreement, position, seat, head, content or phase.seal, me)


def record(party: Party, table: Table) -> io.BytesIO:
    return io.BytesIO(b"".join(write_record(table, party.signatures, 0, party.peers[0].identity)))


@pytest.mark.parametrize("seats", SOME, ids=str)
def test_a_record_names_who_has_not_sealed(over, seats):
    party, table = over
    entries = [seal(party, table, seat) for seat in seats]
    for entry in entries:
        assert table.submit(table.check(entry))
    assert table.sealed_by == set(seats)
    assert table.finished == table.heard_of_all == table.settled == (len(seats) == 4)
    found = audit(record(party, table), party.source)
    if not seats:
        assert found.breach is not None
        assert found.breach.kind == "incomplete"
        return
    assert found.ok
    assert found.status == ("complete" if len(seats) == 4 else "unsealed")
    assert set(found.unsealed_by) == set(SEATS) - set(seats)
    assert found.table.outcome == table.outcome


def test_the_end_stands_before_anybody_seals_it(over):
    _, table = over
    assert table.outcome is not None
    assert table.match is not None
    assert table.outcome.winner == table.hands[-1].result.winner
    assert table.open.head == table.steps[-1].after


def test_another_end_is_not_due_from_anybody(over):
    """Gain: a signed end for the loser's shelf. No log, no record, no peer takes it."""
    party, table = over
    winner, score, won = table.outcome
    for false in (
        Seal(1 - winner, score, won),
        Seal(None, score, won),
        Seal(winner, score[::-1], won),
        Seal(winner, score, won[::-1]),
        Seal(winner, (score[0] + 1, score[1]), won),
    ):
        with pytest.raises(LinkFault, match="not_due"):
            table.check(seal(party, table, 2, false))
    assert table.sealed_by == frozenset()


def test_a_second_seal_is_nothing(over):
    party, table = over
    good = seal(party, table, 1)
    false = seal(party, table, 1, Seal(None, (0, 0), (0, 0)))
    assert table.submit(table.check(good))
    assert not table.submit(table.check(false))
    assert table.sealed_by == {1}
    assert not table.violations


def test_the_order_of_seals_does_not_matter(over):
    """One file, whoever sealed first."""
    party, table = over
    other = Table(party.agreement, party.source)
    for step in table.steps:
        for parsed in step.entries:
            other.submit(other.check(parsed.entry))
    entries = [seal(party, table, seat) for seat in SEATS]
    for one, two in zip(entries, reversed(entries), strict=True):
        table.submit(table.check(one))
        other.submit(other.check(two))
    assert record(party, table).getvalue() == record(party, other).getvalue()


def test_nobody_leaves_a_match_that_is_over(over):
    """Gain: a lost match given away once more, for another score."""
    party, table = over
    position, head, _ = table.open
    leave = write(party.agreement, position, 0, head, Leave(), party.peers[0].identity)
    with pytest.raises(LinkFault, match="not_due"):
        table.check(leave)


def test_two_seals_are_no_proof(over):
    """Gain: a good seal and another one cut the match that was lost: table.md §6, a second body
    beside a good seal is nothing."""
    party, table = over
    winner, score, won = table.outcome
    blob = record(party, table).getvalue()
    pair = [seal(party, table, 1), seal(party, table, 1, Seal(1 - winner, score, won))]
    proof = encode(Proof(*sorted(pair, key=lambda entry: entry.body)))
    found = audit(io.BytesIO(blob + proof), party.source)
    assert found.breach is not None
    assert (found.breach.kind, found.breach.seat) == ("not_due", 1)


def test_a_seal_that_nothing_supports_is_asked_about_once_the_match_is_over(over):
    """It may be of another end, wherever this lies; other words behind the end are nobody's."""
    party, table = over
    position, _, phase = table.open
    later, me = position._replace(hand=position.hand + 1), party.peers[1].identity
    for content in (phase.seal, Ready()):
        early = write(party.agreement, later, 1, bytes([len(repr(content))]) * 32, content, me)
        assert not table.submit(table.check(early))
    assert [parsed.is_seal for parsed in table.unsupported] == [True]
    assert table.seals == []
    table.submit(table.check(seal(party, table, 1)))
    assert table.seals == [seal(party, table, 1)]
