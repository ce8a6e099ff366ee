"""Files that claim much: a verifier spends no more on them than on the bytes that are there."""

from __future__ import annotations

import io
import random
import time
import tracemalloc

import pytest

from p2ptruco.table.record.audit import audit
from p2ptruco.table.record.file import ITEM_LIMIT, NoRecord
from tests.kit.mutate import attacks
from tests.kit.opendeck import open_deck
from tests.kit.pieces import pieces
from tests.kit.records import match, one_hand, proved, word_of

CLAIMS = {
    "4 GB of bytes": b"\xc6\xff\xff\xff\xff",
    "4 GB of text": b"\xdb\xff\xff\xff\xff",
    "an array of 4 billion": b"\xdd\xff\xff\xff\xff",
    "a map of 4 billion": b"\xdf\xff\xff\xff\xff",
    "4 GB of an extension": b"\xc9\xff\xff\xff\xff\x01",
    "an entry of 4 GB": b"\x93\xa5entry\xc6\xff\xff\xff\xff",
    "arrays of 64 in each other": b"\xdc\x00\x40" * 5000,
    "arrays in each other": b"\x91" * 5000,
    "maps in each other": b"\x81\x01" * 5000,
    "an entry with a body of 64 KB": b"\x93\xa5entry\xc5\xff\xff" + bytes(65535),
    "zeros": bytes(100_000),
    "0xc1": b"\xc1" * 1000,
    "empty arrays": b"\x90" * 10_000,
}


NESTED = 1024 * 64 * 8
"""Bytes that the deepest nest of the widest arrays may take for a moment."""


def cost(blob: bytes) -> tuple[str, int]:
    """The word, and the most memory that it took to find."""
    tracemalloc.start()
    try:
        word = word_of(blob)
        return word, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_a_claim_costs_no_more_than_a_good_record(claim: bytes):
    """Gain: a verifier that dies, on a file of a few bytes. In every place of a record."""
    with open_deck():
        parts = pieces(one_hand())
        word, good = cost(one_hand())
        assert word == "complete"
        for at in (0, 1, len(parts) // 2, len(parts)):
            blob = b"".join([*parts[:at], claim, *parts[at:]])
            word, peak = cost(blob)
            assert word in ("no_record", "malformed", "incomplete")
            assert peak < 2 * good + 3 * len(blob) + NESTED, at


def test_a_file_that_goes_on_and_on_is_left_at_its_first_fault():
    """Megabytes behind a fault are never read."""

    class Endless(io.BytesIO):
        read_so_far = 0

        def read(self, size: int | None = -1) -> bytes:
            found = super().read(size)
            self.read_so_far += len(found)
            return found

    record = one_hand()
    file = Endless(record + bytes(30_000_000))
    with open_deck():
        found = audit(file, random.randbytes)
    assert found.breach is not None
    assert found.breach.kind == "malformed"
    assert file.read_so_far < 4 * (len(record) + ITEM_LIMIT)


def test_a_good_record_repeated_is_left_at_its_second_agreement():
    """Gain: a verifier kept busy with one match as often as the sender likes."""
    with open_deck():
        assert word_of(one_hand() * 50) == "malformed"


def test_signatures_come_before_any_proof(monkeypatch: pytest.MonkeyPatch):
    """Gain: an hour of proofs for whoever verifies a file that anybody could have made."""
    from p2ptruco.table.steps import dealing

    def never(*_: object) -> None:
        raise AssertionError("a proof was looked at")

    for name in ("parse", "verify_chain", "verify_prefix"):
        monkeypatch.setattr(dealing.shuffle, name, never)
    record = proved("complete")
    last = record[:-1] + bytes([record[-1] ^ 1])
    assert word_of(last) == "bad_signature"
    assert word_of(record[:-1]) == "incomplete"
    parts = pieces(record)
    assert word_of(b"".join([*parts[:-3], *parts[-2:]])) == "bad_head"


def test_a_broken_match_takes_no_longer_than_a_good_one():
    """Gain: a verifier stuck on a file that a good one would be through with."""
    with open_deck():
        record = match(4)
        good = seconds(record)
        for at in range(len(record) // 5, len(record), len(record) // 5):
            assert seconds(record[:at] + b"\0" + record[at:]) < 2 * good + 0.1


@pytest.mark.parametrize("players", [2, 8])
def test_no_attack_at_random_costs_more_than_a_few_good_records(players: int):
    """Changes, cuts, insertions, whole entries moved: in time and in memory, each of them."""
    with open_deck():
        record = match(players)
        tried = [blob for _, blob in attacks(record, 40, seed=9)]
        word, good = cost(record)
        assert word == "complete"
        for blob in tried[:15]:
            assert cost(blob)[1] < 2 * good + 3 * len(blob)
        good_time = seconds(record)
        for blob in tried:
            assert seconds(blob) < 3 * good_time + 0.1


def seconds(blob: bytes) -> float:
    began = time.process_time()
    word_of(blob)
    return time.process_time() - began


@pytest.mark.parametrize(
    "blob",
    [b"", b"\x00", b"{}", b"truco" * 1000, b"\x94", b"\xff" * 100, b"\x90", b"\x80", bytes(10**6)],
)
def test_what_is_no_record_is_said_to_be_none(blob: bytes):
    """Gain: anything at all taken for a match that was played, or for one that somebody broke."""
    with pytest.raises(NoRecord):
        audit(io.BytesIO(blob), random.randbytes)
