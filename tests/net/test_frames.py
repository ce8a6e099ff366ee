"""Frames (wire.md §4): limits before allocation, one encoding, fixed sizes."""

from __future__ import annotations

import random
import re
from pathlib import Path

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2ptruco.net.transport import fault, frames
from p2ptruco.net.transport.fault import Fault
from p2ptruco.net.transport.frames import (
    TYPES,
    Ask,
    Bye,
    Claim,
    EntryFrame,
    Hello,
    Knock,
    Message,
    Private,
    Proposal,
    Pulse,
    Reader,
    Signature,
    Welcome,
    pad,
    unpad,
)
from p2ptruco.table.agreement import Times
from p2ptruco.table.violation import LINK_WORDS

WIRE = (Path(__file__).parents[2] / "protocol" / "wire.md").read_text("utf-8")
WHERE = ((b"\x7f\0\0\1", 7000), (bytes(16), 65535))
CHAIR = frames.Chair(b"i" * 32, "é" * 32, b"o" * 32, False, True, False)
EXAMPLES: list[Message] = [
    Knock("watch", b"p" * 32),
    frames.Answer(b"p" * 32),
    Hello(b"i" * 32, "accepting", b"s" * 64),
    Welcome(),
    Bye("malformed"),
    EntryFrame(b"b", b"s" * 64),
    EntryFrame(b"b" * frames.BODY_LIMIT, b"s" * 64),
    Pulse(255, 65535, 255, 65535, b"h" * 32, 255, b"k" * 32),
    Ask(0, 3, 0, 12),
    pad(b"hello"),
    pad(b"x" * 4094),
    Claim(None, "é" * 32, None, b"n" * 32, ()),
    Claim(7, "Zé", 0, b"n" * 32, WHERE),
    Proposal(b"a" * 8192, (WHERE,) * 8),
    Signature(b"t" * 32, 7, b"s" * 64),
    frames.Enter("é" * 32, None, None, False, False),
    frames.Enter("Zé", 7, b"o" * 32, True, True),
    frames.Room("mineiro", (("fold", "yes"),), Times(), (CHAIR,) * 8, True, True),
    frames.Talk("é" * 256),
    frames.Said(b"i" * 32, "x" * 512),
]


def read(data: bytes) -> list[Message]:
    reader = Reader()
    reader.feed(data)
    return list(reader.messages())


def frame(number: int, body: bytes, length: int | None = None) -> bytes:
    size = 1 + len(body) if length is None else length
    return size.to_bytes(4, "big") + bytes([number]) + body


def test_every_type_has_an_example() -> None:
    assert {type(example) for example in EXAMPLES} == {row.kind for row in TYPES.values()}


@pytest.mark.parametrize("message", EXAMPLES, ids=lambda message: type(message).__name__)
def test_a_message_reads_back(message: Message) -> None:
    assert read(frames.write(message)) == [message]


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 1 << 32), st.integers(1, 5000))
def test_where_the_stream_is_cut_makes_no_difference(seed: int, longest: int) -> None:
    chance = random.Random(seed)
    order = chance.sample(EXAMPLES, len(EXAMPLES))
    data = memoryview(b"".join(map(frames.write, order)))
    reader, got, position = Reader(), [], 0
    while position < len(data):
        step = chance.randint(1, longest)
        reader.feed(bytes(data[position : position + step]))
        got += reader.messages()
        position += step
    assert got == order


def test_the_specification_has_the_same_table() -> None:
    rows = re.findall(r"^\| ([0-9a-f]{2}) \| (\w+) \|.*?\| (\d+) \|", WIRE, re.M)
    assert {int(n, 16): (name, int(limit)) for n, name, limit in rows} == {
        number: (row.kind.__name__, row.limit) for number, row in TYPES.items()
    }


def test_the_specification_has_the_same_reasons() -> None:
    section = WIRE.split("### Reasons")[1].split("## 6")[0]
    words = re.findall(r"`(\w+)`", section)
    assert set(words) == fault.REASONS
    assert set(words[:9]) == LINK_WORDS


@pytest.mark.parametrize("number", TYPES)
def test_oversized_frame(number: int) -> None:
    """A length is judged by its type before anything is held: else four bytes cost us gigabytes."""
    reader = Reader()
    reader.feed(frame(number, b"", length=TYPES[number].limit + 2))
    with pytest.raises(Fault, match="oversized"):
        reader.next()


def test_a_huge_length_waits_for_nothing() -> None:
    reader = Reader()
    reader.feed(b"\xff\xff\xff\xff\x10")
    with pytest.raises(Fault, match="oversized"):
        reader.next()


@pytest.mark.parametrize("number", sorted(set(range(256)) - set(TYPES)))
def test_unknown_type(number: int) -> None:
    """What we cannot read could carry anything past us."""
    with pytest.raises(Fault, match="malformed"):
        read(frame(number, b"\x90"))


@pytest.mark.parametrize(
    ("number", "body"),
    [
        (0x04, b"\x91\x00"),  # a field too many (and oversized for its type)
        (0x05, b""),  # nothing
        (0x05, b"\x90"),  # a field too few
        (0x05, b"\x91\xa1\xff"),  # not UTF-8
        (0x05, b"\x91\xc4\x01x"),  # bytes for text
        (0x05, b"\x91\xd9\x01x"),  # a longer spelling
        (0x05, b"\x91\xb1" + b"x" * 17),  # too long a text
        (0x05, b"\x91\xa1x\x00"),  # something behind it
        (0x05, b"\x81\xa6reason\xa1x"),  # a map
        (0x12, b"\x94\x00\x00\x00\xcd\x00\x01"),  # a padded integer
        (0x12, b"\x94\x00\x00\x00\xff"),  # a negative one
        (0x12, b"\x94\x00\x00\x00\xce\x00\x01\x00\x00"),  # beyond u16
        (0x12, b"\x94\x00\x00\x00\xc3"),  # a bool
        (0x12, b"\x94\x00\x00\x00\xca\x3f\x80\x00\x00"),  # a float
        (0x12, b"\x94\x00\x00\x00\xc0"),  # nil
        (0x02, b"\x91\xc4\x1f" + b"x" * 31),  # a proof too short
        (0x02, b"\x91\xd9\x20" + b"x" * 32),  # text for bytes
        (0x01, b"\x92\xa5thief\xc4\x20" + b"x" * 32),  # a purpose that does not exist
        (0x13, b"\x91\xc4\x05hello"),  # a private frame that was not padded
        (0x20, b"\x95\x08\xa1x\xc0\xc4\x20" + b"n" * 32 + b"\x90"),  # seat 9
        (0x13, b"\x91" * 900),  # nested
    ],
)
def test_bodies_have_one_spelling(number: int, body: bytes) -> None:
    """Two readers of one body would sign or do two things."""
    with pytest.raises(Fault):
        read(frame(number, body))


@pytest.mark.parametrize("message", EXAMPLES, ids=lambda message: type(message).__name__)
def test_a_byte_more_or_less_is_malformed(message: Message) -> None:
    whole = frames.write(message)
    for body in (whole[5:-1], whole[5:] + b"\0"):
        with pytest.raises(Fault):
            read(frame(whole[4], body))


def test_what_is_written_keeps_its_own_limit() -> None:
    with pytest.raises(ValueError, match="Bye"):
        frames.write(Bye("x" * 200))


def test_a_mutated_stream_never_escapes() -> None:
    """20,000 mutations: each is read, refused with a reason, or waited for; none costs memory."""
    chance = random.Random(2)
    stream = b"".join(map(frames.write, EXAMPLES))
    outcomes = {"read": 0, "malformed": 0, "oversized": 0}
    for _ in range(20_000):
        start = chance.randrange(len(stream))
        data = bytearray(stream[start : start + chance.randrange(1, 400)])
        if chance.random() < 0.7:
            data = bytearray(frames.write(chance.choice(EXAMPLES)))
        for _ in range(chance.randrange(4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            read(bytes(data))
            outcomes["read"] += 1
        except Fault as refused:
            outcomes[refused.reason] += 1
    assert min(outcomes.values()) > 100


@settings(deadline=None)
@given(st.recursive(st.none() | st.integers() | st.binary() | st.text(), st.lists, max_leaves=20))
def test_any_messagepack_is_read_or_refused(value: object) -> None:
    try:
        body = msgpack.packb(value)
    except OverflowError:
        return
    for number in TYPES:
        try:
            (message,) = read(frame(number, body))
        except Fault:
            continue
        assert frames.write(message) == frame(number, body)


@pytest.mark.parametrize(("size", "padded"), [(0, 1024), (1022, 1024), (1023, 4096), (4094, 4096)])
def test_private_frames_tell_no_length(size: int, padded: int) -> None:
    """Their length would tell opponents what partners say."""
    message = pad(b"x" * size)
    assert len(message.payload) == padded
    assert unpad(message) == b"x" * size


def test_what_does_not_fit_is_not_sent() -> None:
    with pytest.raises(ValueError, match="4095"):
        pad(b"x" * 4095)


@pytest.mark.parametrize(
    "payload",
    [b"\x04\x00" + bytes(1022), b"\xff\xff" + bytes(1022), b"\0\1xy" + bytes(1020)],
)
def test_padding_is_zeros(payload: bytes) -> None:
    with pytest.raises(Fault, match="malformed"):
        unpad(Private(payload))


@pytest.mark.parametrize(("said", "read_as"), [("not_due", "not_due"), ("because", "lost")])
def test_only_known_reasons_are_believed(said: str, read_as: str) -> None:
    """A reason is shown to people: the other end chooses a word, not a text."""
    assert frames.farewell(Bye(said)) == read_as
