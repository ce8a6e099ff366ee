"""What a record is told to be, where the checks of a table and of a record overlap.

Gain, were it otherwise: two verifiers, each with one check less, tell one file two stories.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from p2ptruco.rules.presets import MINEIRO
from p2ptruco.table.agreement import Signed
from p2ptruco.table.codec import encode, strict
from p2ptruco.table.entries import Leave, Ready, Seal, Shuffle, parse, write
from p2ptruco.table.record import file
from p2ptruco.table.record.audit import Audit, audit
from p2ptruco.table.record.file import NoRecord, Proof, write_record
from p2ptruco.table.table import Equivocation, Table
from p2ptruco.table.violation import LinkFault, Violation
from tests.kit.court import ONE_HAND, caller
from tests.kit.opendeck import open_deck
from tests.kit.party import Party
from tests.kit.pieces import body_of, changed, entry_of, pieces
from tests.kit.remembering import remembering


@pytest.fixture(autouse=True)
def _open() -> Iterator[None]:
    with open_deck(), remembering():
        yield


@pytest.fixture
def party() -> Party:
    return Party(ONE_HAND, 2, 1, caller).play()


def found(party: Party, parts: list[bytes]) -> Audit:
    return audit(io.BytesIO(b"".join(parts)), party.source)


def test_a_seal_before_the_end_is_not_due(party: Party) -> None:
    """It is a bad seal where seals are due and nowhere else."""
    parts = pieces(party.record())
    for at in range(1, len(parts) - 2):
        body = body_of(parts[at])
        seal = changed(parts[at], party.peers[body.seat].identity, content=Seal(0, (2, 0), (1, 0)))
        breach = found(party, [*parts[:at], seal]).breach
        assert breach is not None
        assert (breach.kind, breach.step, breach.seat) == ("not_due", body.step, body.seat)


def pair(party: Party, *contents: object) -> tuple[list[bytes], Equivocation]:
    """A record up to the second commitment, and two bodies of seat 1 in the place of it; None is
    the commitment itself."""
    parts = pieces(party.record())
    me = party.peers[1].identity
    two = [parts[2] if one is None else changed(parts[2], me, content=one) for one in contents]
    two.sort(key=lambda piece: entry_of(piece).body)
    first, second = (parse(party.agreement, entry_of(piece)) for piece in two)
    return parts[:1], Equivocation(first, second)


def test_a_proof_holds_if_one_of_its_bodies_was_due(party: Party) -> None:
    """Whichever of the two comes first."""
    for wrong in (Ready(), Shuffle(b"", b"")):
        parts, proof = pair(party, None, wrong)
        for one in (proof, Equivocation(*reversed(proof))):
            table = Table(party.agreement, party.source)
            table.prove(one)
            assert [(v.word, v.seat) for v in table.violations] == [("equivocation", 1)]
        audited = found(party, [*parts, encode(Proof(*(half.entry for half in proof)))])
        assert (audited.breach, audited.status) == (None, "unsealed")
        assert audited.unsealed_by == (0, 1)


def test_a_proof_of_what_was_never_due_is_not_due(party: Party) -> None:
    """And its author is named, though two bodies of one place are there."""
    parts, proof = pair(party, Ready(), Shuffle(b"", b""))
    with pytest.raises(LinkFault, match="not_due"):
        Table(party.agreement, party.source).prove(proof)
    breach = found(party, [*parts, encode(Proof(*(half.entry for half in proof)))]).breach
    assert breach is not None
    assert (breach.kind, breach.hand, breach.step, breach.seat) == ("not_due", 0, 0, 1)


def test_what_ended_the_match_is_named_before_an_illegal_move() -> None:
    illegal, cheat = Violation("illegal_move", 0, 9, 0), Violation("bad_token", 1, 5, 1)
    for violations, named in (
        ([illegal], illegal),
        ([illegal, cheat], cheat),
        ([cheat], cheat),
        ([], None),
    ):
        table = SimpleNamespace(violations=violations, steps=[])
        assert Audit(SimpleNamespace(), table).violation == named  # type: ignore[arg-type]


def test_progress_is_told_and_comes_to_its_end(party: Party) -> None:
    told: list[float] = []
    record = party.record()
    audit(io.BytesIO(record), party.source, told.append)
    assert told == sorted(told)
    assert 0 < told[0] < 0.5 < told[-1] <= 1


def test_a_seat_that_has_paid_owes_nothing(party: Party) -> None:
    """Nor while the step waits for others."""
    table, (one, _) = Table(party.agreement, party.source), party.peers
    first = one.table.steps[0].entries[0]
    assert table.need(one.seat) is not None
    table.submit(table.check(first.entry))
    assert table.need(one.seat) is None
    assert set(table.owed) == {1}


def test_an_earlier_seat_of_the_step_that_a_proof_found_open_decides() -> None:
    """Gain: of two cheats in one step, the one whose proof comes later goes free on some peers."""
    party = Party(MINEIRO, 4, 3)
    party.play(until=lambda: len(party.peers[0].table.steps) == 1)
    (commits,) = party.peers[0].table.steps[:1]
    table = Table(party.agreement, party.source)

    for seat in (3, 2, 1):
        me = party.peers[seat].identity
        other = write(party.agreement, commits.position, seat, commits.head, Leave(), me)
        for entry in (commits.entries[seat].entry, other):
            table.submit(table.check(entry))
        assert [(v.word, v.step, v.seat) for v in table.violations] == [("equivocation", 0, seat)]
    record = b"".join(write_record(table, party.signatures, 0, party.peers[0].identity))
    (violation,) = found(party, [record]).table.violations
    assert violation.seat == 1


class Once:
    """A pipe: what was read is gone."""

    def __init__(self, content: bytes) -> None:
        self._file = io.BytesIO(content)

    def read(self, size: int = -1) -> bytes:
        return self._file.read(min(size, 1000))


@pytest.mark.parametrize("threads", [0, 2])
def test_a_file_is_read_once(party: Party, threads: int) -> None:
    """Gain: a file that is another one when it is read again: signatures that hold are of the one,
    and the verdict is of the other."""
    record = party.record()
    with ThreadPoolExecutor(threads or 1) as pool:
        found = audit(Once(record), party.source, pool=pool if threads else None)  # type: ignore
    assert found.status == "complete"
    assert found.counts == party.audit().counts


def test_a_record_has_a_limit(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gain: the memory of whoever verifies it, filled by entries that are all good."""
    record = party.record()
    monkeypatch.setattr(file, "RECORD_LIMIT", len(record))
    assert found(party, [record]).ok
    monkeypatch.setattr(file, "RECORD_LIMIT", len(record) - 1)
    breach = found(party, [record]).breach
    assert breach is not None
    assert (breach.kind, breach.seat) == ("malformed", None)


@pytest.mark.parametrize(("field", "other"), [("protocol", "p2ptruco/2"), ("purpose", "entry")])
def test_what_says_that_it_is_something_else_is_no_record(
    party: Party, field: str, other: str
) -> None:
    """Gain: what a later protocol means by the same fields is told in the words of this one."""
    first, *rest = pieces(party.record())
    changed_first = encode(replace(strict(Signed, first), **{field: other}))
    with pytest.raises(NoRecord):
        found(party, [changed_first, *rest])
