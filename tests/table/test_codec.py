"""The door: one value has one spelling, and every other spelling is `Malformed`."""

from __future__ import annotations

import tracemalloc

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2ptruco.table.codec import Malformed, encode, strict, unpack
from p2ptruco.table.entries import (
    Body,
    Entry,
    Lay,
    Open,
    Ready,
    Say,
    Seal,
    Shuffle,
    Tokens,
    read_entry,
)

HEAD = bytes(range(32))


def body(content: object) -> Body:
    return Body("p2ptruco/1", "entry", HEAD, 0, 1, 0, 7, 2, HEAD, content)  # type: ignore[arg-type]


LAY = encode(body(Lay(7, False, b"t" * 96)))
SAY = encode(body(Say("call")))
SEAL = encode(body(Seal(1, (2, 12), (0, 1))))


def packed(*content: object) -> bytes:
    """A body with other things in the place of its content's fields."""
    return msgpack.packb(["p2ptruco/1", "entry", HEAD, 0, 1, 0, 7, 2, HEAD, list(content)])


def numbered(**fields: int) -> bytes:
    """A body with other numbers."""
    numbers = {"epoch": 0, "hand": 1, "attempt": 0, "step": 7, "seat": 2} | fields
    return msgpack.packb(["p2ptruco/1", "entry", HEAD, *numbers.values(), HEAD, ["ready"]])


def respelled(blob: bytes, was: bytes, now: bytes) -> bytes:
    assert blob.count(was) >= 1
    return blob.replace(was, now, 1)


def test_what_is_written_is_read_back():
    for content in (Lay(7, True, b""), Say("fold"), Seal(0, (0, 0), (0, 0)), Ready(), Tokens(())):
        assert strict(Body, encode(body(content))) == body(content)


LONGER = [
    pytest.param(respelled(SEAL, b"\xa5entry", b"\xd9\x05entry"), id="str8"),
    pytest.param(respelled(SEAL, b"\xa5entry", b"\xda\x00\x05entry"), id="str16"),
    pytest.param(respelled(SEAL, b"\xa5entry", b"\xdb\x00\x00\x00\x05entry"), id="str32"),
    pytest.param(respelled(SEAL, b"\xc4\x20", b"\xc5\x00\x20"), id="bin16"),
    pytest.param(respelled(SEAL, b"\xc4\x20", b"\xc6\x00\x00\x00\x20"), id="bin32"),
    pytest.param(respelled(SEAL, b"\x92\x02\x0c", b"\x92\xcc\x02\x0c"), id="uint8"),
    pytest.param(respelled(SEAL, b"\x92\x02\x0c", b"\x92\xcd\x00\x02\x0c"), id="uint16"),
    pytest.param(respelled(SEAL, b"\x92\x02\x0c", b"\x92\xd0\x02\x0c"), id="int8"),
    pytest.param(
        respelled(SEAL, b"\x92\x02\x0c", b"\x92\xcf" + (2).to_bytes(8, "big") + b"\x0c"),
        id="uint64",
    ),
    pytest.param(respelled(SEAL, b"\x92\x02\x0c", b"\xdc\x00\x02\x02\x0c"), id="array16"),
    pytest.param(respelled(SEAL, b"\x92\x02\x0c", b"\xdd\x00\x00\x00\x02\x02\x0c"), id="array32"),
]


@pytest.mark.parametrize("blob", LONGER)
def test_a_longer_spelling_of_the_same_value_is_refused(blob: bytes):
    """Else one body has many bytes, and an entry's identity is its bytes."""
    assert msgpack.unpackb(blob) == msgpack.unpackb(SEAL)
    with pytest.raises(Malformed):
        strict(Body, blob)


WRONG = [
    pytest.param(packed("say", b"call"), id="bytes for str"),
    pytest.param(packed(b"say", "call"), id="bytes for the tag"),
    pytest.param(packed("commit", "c" * 32), id="str for bytes"),
    pytest.param(packed("commit", b"c" * 31), id="short"),
    pytest.param(packed("commit", b"c" * 33), id="long"),
    pytest.param(packed("commit", [99] * 32), id="numbers for bytes"),
    pytest.param(packed("seal", 1.0, [2, 12], [0, 0]), id="float for int"),
    pytest.param(packed("seal", True, [2, 12], [0, 0]), id="bool for int"),
    pytest.param(packed("seal", "1", [2, 12], [0, 0]), id="digits for int"),
    pytest.param(packed("seal", 2, [2, 12], [0, 0]), id="no such team"),
    pytest.param(packed("seal", -1, [2, 12], [0, 0]), id="negative"),
    pytest.param(packed("seal", 1, [2, 1 << 16], [0, 0]), id="too many points"),
    pytest.param(packed("seal", 1, [2, 12, 0], [0, 0]), id="three teams"),
    pytest.param(packed("seal", 1, [2], [0, 0]), id="one team"),
    pytest.param(packed("play", 25, False, b""), id="no such slot"),
    pytest.param(packed("play", -1, False, b""), id="a slot below the first"),
    pytest.param(packed("play", 3, False, b"t" * 257), id="token too long"),
    pytest.param(packed("reveal", b"t" * 257), id="token of a blind card too long"),
    pytest.param(packed("open", b"o" * 257), id="opening too long"),
    pytest.param(packed("shuffle", b"d" * 2561, b""), id="deck too long"),
    pytest.param(packed("shuffle", b"", b"p" * 5121), id="proof too long"),
    pytest.param(numbered(epoch=256), id="no such epoch"),
    pytest.param(numbered(epoch=-1), id="negative epoch"),
    pytest.param(numbered(hand=1 << 16), id="no such hand"),
    pytest.param(numbered(hand=-1), id="negative hand"),
    pytest.param(numbered(attempt=256), id="no such attempt"),
    pytest.param(numbered(step=1 << 16), id="no such step"),
    pytest.param(numbered(seat=8), id="no such seat"),
    pytest.param(numbered(seat=-1), id="a seat below the first"),
    pytest.param(packed("play", 3, 0, b""), id="int for bool"),
    pytest.param(packed("play", 3, None, b""), id="nil for bool"),
    pytest.param(packed("play", 3, False, None), id="nil for bytes"),
    pytest.param(packed("play", 3, False), id="a field too few"),
    pytest.param(packed("play", 3, False, b"", 0), id="a field too many"),
    pytest.param(packed("ready", None), id="a field of none"),
    pytest.param(packed("shout", "call"), id="no such tag"),
    pytest.param(packed("say", "truco"), id="no such word"),
    pytest.param(packed(), id="no tag"),
    pytest.param(packed("tokens", [b"t" * 257]), id="batch too long"),
    pytest.param(packed("tokens", [b""] * 9), id="too many batches"),
    pytest.param(packed("tokens", {}), id="map for array"),
    pytest.param(msgpack.packb({"seat": 1}), id="map"),
    pytest.param(b"\x82\xa1a\x01\xa1a\x02", id="map with a key twice"),
    pytest.param(b"\x80", id="empty map"),
    pytest.param(msgpack.packb("body"), id="no array"),
    pytest.param(b"", id="nothing"),
    pytest.param(SAY + b"\xc0", id="one byte too many"),
    pytest.param(SAY + SAY, id="twice"),
    pytest.param(SAY[:-1], id="one byte too few"),
    pytest.param(b"\xc1", id="never used"),
    pytest.param(msgpack.packb(msgpack.ExtType(5, b"x")), id="ext"),
    pytest.param(b"\xc7\x00\x05", id="empty ext"),
    pytest.param(b"\xc7\x00\xff", id="empty timestamp"),
    pytest.param(msgpack.packb(msgpack.Timestamp(1, 1)), id="timestamp"),
    pytest.param(b"\xd9\x01\xff", id="not UTF-8"),
    pytest.param(b"\xa3\xed\xa0\x80", id="surrogate"),
    pytest.param(b"\xcb" + bytes(8), id="float"),
    pytest.param(b"\xcb\x7f\xf8" + bytes(6), id="NaN"),
]


@pytest.mark.parametrize("blob", WRONG)
def test_what_is_not_of_the_shape_is_refused(blob: bytes):
    with pytest.raises(Malformed):
        strict(Body, blob)


def test_what_is_as_long_as_it_may_be_is_read():
    for content in (
        Open(b"o" * 256),
        Shuffle(b"d" * 2560, b"p" * 5120),
        Lay(24, False, b"t" * 256),
    ):
        assert strict(Body, encode(body(content))) == body(content)
    assert strict(Body, numbered(epoch=255, hand=65535, attempt=255, step=65535, seat=7)).seat == 7


@pytest.mark.parametrize(("body", "signature"), [(8193, 64), (8192, 65), (8192, 63)])
def test_an_entry_off_the_wire_has_a_body_and_a_signature_of_their_sizes(body: int, signature: int):
    """`bad_signature` would be another word for the same bytes at another peer."""
    assert read_entry(encode([bytes(8192), bytes(64)])) == Entry(bytes(8192), bytes(64))
    with pytest.raises(Malformed):
        read_entry(encode([bytes(body), bytes(signature)]))


def test_a_reason_quotes_a_stranger_neither_raw_nor_at_length():
    """It goes into a log: escapes would speak to the terminal that shows it."""
    for words in ("\x1b[2J\u202e\n", "x" * 8000):
        with pytest.raises(Malformed) as refused:
            strict(Body, packed("say", words))
        assert str(refused.value).isprintable()
        assert len(str(refused.value)) <= 200


def test_a_message_over_its_limit_is_refused_before_it_is_decoded():
    assert strict(Body, SAY, len(SAY)) == body(Say("call"))
    with pytest.raises(Malformed, match="where"):
        strict(Body, SAY, len(SAY) - 1)


BOMBS = [
    pytest.param(b"\x91" * 8000, id="arrays in arrays"),
    pytest.param(b"\x81\x01" * 4000, id="maps in maps"),
    pytest.param(b"\xdd\xff\xff\xff\xff", id="an array of 4 billion"),
    pytest.param(b"\xdf\xff\xff\xff\xff", id="a map of 4 billion"),
    pytest.param(b"\xc6\xff\xff\xff\xff", id="4 GB of bytes"),
    pytest.param(b"\xdb\xff\xff\xff\xff", id="4 GB of text"),
    pytest.param(b"\xc9\xff\xff\xff\xff\x01", id="4 GB of ext"),
    pytest.param(b"\xdc\x1f\x00" * 1000 + bytes(5000), id="arrays of thousands in each other"),
    pytest.param(b"\x9f" * 511 + bytes(7681), id="small arrays in each other"),
]


@pytest.mark.parametrize("blob", BOMBS)
def test_a_bomb_is_refused_before_anything_is_allocated_for_it(blob: bytes):
    """Few bytes that claim much cost their reader no more than they are."""
    tracemalloc.start()
    try:
        with pytest.raises(Malformed):
            strict(Body, blob, 8192)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 500_000


@given(st.binary(max_size=300))
def test_garbage_is_malformed_and_nothing_else(blob: bytes):
    for kind in (Body, Entry):
        with pytest.raises(Malformed):
            strict(kind, blob)


@given(st.sampled_from([LAY, SAY, SEAL]), st.data())
def test_two_different_bytes_are_never_one_value(blob: bytes, data: st.DataObject):
    """Change, drop or double any byte: refused, or another value with its own one spelling."""
    at = data.draw(st.integers(0, len(blob) - 1))
    new = data.draw(st.binary(max_size=2))
    changed = blob[:at] + new + blob[at + 1 :]
    try:
        value = strict(Body, changed)
    except Malformed:
        return
    assert encode(value) == changed


@settings(max_examples=40, deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.binary() | st.integers(0, 2**64 - 1), st.lists))
def test_unpacking_gives_builtins_or_malformed(value: object):
    try:
        found = unpack(msgpack.packb(value), 1 << 16)
    except Malformed:
        return
    assert msgpack.packb(found) == msgpack.packb(value)
