"""Where a value ends, whatever it claims, and the first byte that no value of ours has."""

from __future__ import annotations

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2ptruco.table.extent import ARRAY_LIMIT, DEPTH_LIMIT, Malformed, extent

PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(1 << 63), (1 << 64) - 1),
    st.binary(max_size=400),
    st.text(max_size=90),
)
VALUES = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=20), max_leaves=12)


def depth(value: object) -> int:
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


@settings(max_examples=300, deadline=None)
@given(VALUES, st.binary(max_size=8))
def test_a_value_ends_where_the_next_one_begins(value: object, behind: bytes):
    packed = msgpack.packb(value)
    if depth(value) > DEPTH_LIMIT:
        with pytest.raises(Malformed):
            extent(packed)
    else:
        assert extent(packed + behind) == len(packed)
        assert all(extent(packed[:at]) is None for at in range(len(packed)))


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=40))
def test_any_bytes_end_somewhere_or_go_on_or_are_malformed(data: bytes):
    """Whatever is told to be whole decodes, and to nothing that we refuse."""
    try:
        size = extent(data)
    except Malformed:
        return
    assert size is None or 0 < size <= len(data)
    if size is not None:
        value = msgpack.unpackb(data[:size], use_list=False)
        assert depth(value) <= DEPTH_LIMIT


AT_ONCE = {
    "a map": b"\x80",
    "a map of one": b"\x81",
    "a map of 16 bits": b"\xde",
    "a map of 32 bits": b"\xdf",
    "the byte that begins nothing": b"\xc1",
    "an array of 65": b"\xdc\x00\x41",
    "an array of 4 billion": b"\xdd\xff\xff\xff\xff",
    "nine arrays": b"\x91" * 9,
    "an empty array, nine deep": b"\x91" * 8 + b"\x90",
}


@pytest.mark.parametrize("data", AT_ONCE.values(), ids=AT_ONCE)
def test_what_no_value_has_is_malformed_at_its_header(data: bytes):
    for blob in (data, data + b"\xc0"):
        with pytest.raises(Malformed):
            extent(blob)
    for at in range(len(data)):
        assert extent(data[:at]) is None


WHEN_THERE = {
    "a float": b"\xca" + bytes(4),
    "a long float": b"\xcb" + bytes(8),
    **{f"an extension of {1 << n}": bytes([0xD4 + n]) + bytes(1 + (1 << n)) for n in range(5)},
    "an empty extension": b"\xc7\x00\x01",
    "an extension of 16 bits": b"\xc8\x00\x02\x01ab",
    "an extension of 32 bits": b"\xc9\x00\x00\x00\x02\x01ab",
    "a bin over its limit": b"\xc4\x21" + bytes(33),
    "a text over its limit": b"\xd9\x21" + b"a" * 33,
    "a text that is no UTF-8": b"\xa2\xc3\x28",
    "a surrogate": b"\xa3\xed\xa0\x80",
}


@pytest.mark.parametrize("data", WHEN_THERE.values(), ids=WHEN_THERE)
def test_what_has_a_length_is_malformed_once_its_bytes_are_there(data: bytes):
    for prefix in (b"", b"\x92"):
        with pytest.raises(Malformed):
            extent(prefix + data, 32, 32)
        for at in range(len(data)):
            assert extent(prefix + data[:at], 32, 32) is None


def test_a_bin_and_a_text_have_each_a_limit_of_its_own():
    """Gain: a text as long as a body may be, where names and words are due."""
    bin_, text = b"\xc4\x21" + bytes(33), b"\xd9\x21" + b"a" * 33
    assert extent(bin_, 64, 32) == extent(text, 32, 64) == 35
    for data, limits in ((bin_, (32, 64)), (text, (64, 32))):
        with pytest.raises(Malformed):
            extent(data, *limits)


def test_limits_themselves_are_within_them():
    assert extent(b"\xdc\x00\x40" + b"\xc0" * ARRAY_LIMIT) == 67
    assert extent(b"\x91" * DEPTH_LIMIT + b"\x05") == 9
    assert extent(b"\xc4\x20" + bytes(32) + b"!", 32) == 34
    assert extent(b"\xd9\x20" + b"a" * 32 + b"!", 32, 32) == 34


def test_a_claim_of_gigabytes_costs_nothing():
    """Gain, were it not: one value of five bytes takes a verifier's memory."""
    assert extent(b"\xc6\xff\xff\xff\xff" + bytes(100)) is None
    assert extent(b"\xc9\xff\xff\xff\xff" + bytes(100)) is None
