"""Every byte of a record is guarded: change, drop or double any one and the record is broken."""

from __future__ import annotations

import random

import pytest

from tests.kit.opendeck import open_deck
from tests.kit.pieces import pieces
from tests.kit.records import WORDS, interrupted, one_hand, proved, word_of
from tests.kit.remembering import remembering


@pytest.fixture(autouse=True)
def _quick():
    with remembering():
        yield


def all_broken(blobs) -> dict[str, int]:
    """How often each word was said; none of these bytes may be a record that holds."""
    counts: dict[str, int] = {}
    for where, blob in blobs:
        word = word_of(blob)
        assert word in WORDS, (where, word)
        counts[word] = counts.get(word, 0) + 1
    return counts


def changed(record: bytes, values: int, places: range | None = None):
    """Each byte with one bit flipped, and with so many other values."""
    rng = random.Random(len(record))
    for at in places or range(len(record)):
        for other in {record[at] ^ 1, *rng.sample(range(256), values)} - {record[at]}:
            yield (at, other), record[:at] + bytes([other]) + record[at + 1 :]


def removed(record: bytes, places: range | None = None):
    for at in places or range(len(record)):
        yield at, record[:at] + record[at + 1 :]


def doubled(record: bytes, places: range | None = None):
    for at in places or range(len(record)):
        yield at, record[:at] + record[at : at + 1] + record[at:]


def test_every_byte_of_a_hand_changed():
    """Gain: another card, another signature, another end, in a match that was played otherwise."""
    with open_deck():
        assert word_of(one_hand()) == "complete"
        counts = all_broken(changed(one_hand(), 2))
    assert {"no_record", "malformed", "bad_signature", "incomplete"} <= set(counts)


@pytest.mark.parametrize("attack", [removed, doubled])
def test_every_byte_of_a_hand_removed_and_doubled(attack):
    """Gain: a second spelling of one match, or what follows read as something else."""
    with open_deck():
        all_broken(attack(one_hand()))


def test_every_byte_of_a_trailer():
    """Gain: an end that its writer did not sign, or another seat that owes."""
    with open_deck():
        record = interrupted()
        assert word_of(record) == "interrupted"
        trailer = range(len(record) - len(pieces(record)[-1]), len(record))
        all_broken(changed(record, 2, trailer))
        all_broken(removed(record, trailer))


def test_every_byte_of_a_proof_of_equivocation():
    """Gain: an accusation of a seat that said one thing only."""
    record = proved("equivocation-in-the-deal")
    assert word_of(record) == "complete"
    start = record.index(b"\xacequivocation") - 1
    all_broken(changed(record, 1, range(start, len(record))))


def test_a_hand_with_real_proofs():
    """The same with real keys, shuffles and tokens: each byte changed, some removed or doubled."""
    record = proved("complete")
    assert word_of(record) == "complete"
    all_broken(changed(record, 0))
    all_broken(removed(record, range(0, len(record), 13)))
    all_broken(doubled(record, range(0, len(record), 17)))


def test_every_length_of_a_cut():
    """Gain: a match that seems to have ended when its holder led. A cut says incomplete, or as
    many whole seals less."""
    with open_deck():
        record = one_hand()
        words = [word_of(record[:length]) for length in range(len(record))]
    first = words.index("incomplete")
    assert set(words[:first]) == {"no_record"}
    assert set(words[first:]) == {"incomplete", "unsealed"}
    assert words.count("unsealed") == 1
