"""Frames: 4 bytes of length, 1 of type, a MessagePack body.

Laws:
1. The type comes before the body: a frame longer than its type allows, or of a type that is not
   in the table below, is refused when its fifth byte is there. Nothing is allocated for it.
2. A body is accepted only in its one encoding (codec.strict).
3. Length counts the type and the body. A new type is a new row; once released a
   row never changes its fields.

Source: wire.md §4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple, cast

import msgspec

from ...table.agreement import ShortText, Times, Toggles
from ...table.codec import U8, U16, Bytes32, Bytes64, Malformed, SeatNumber, Wire, encode, strict
from .fault import REASONS, Fault, Reason

BODY_LIMIT = 12 * 1024
"""Bytes of an entry's body: a shuffle of 40 cards takes about 6.8 KB."""
PRIVATE_SIZES = (1024, 4096)
"""Every private payload has one of these lengths, whatever is in it."""
HEAD_LEN = 4

Host = Annotated[bytes, msgspec.Meta(min_length=4, max_length=16)]  # IPv4 or IPv6, packed
Addresses = Annotated[tuple[tuple[Host, U16], ...], msgspec.Meta(max_length=8)]


class Knock(Wire, frozen=True):
    """First word of the dialling side: why it comes, and the proof that it may (ticket.proof)."""

    purpose: Literal["seat", "watch", "roster"]
    proof: Bytes32


class Answer(Wire, frozen=True):
    """The host's own proof of the same secret."""

    proof: Bytes32


class Hello(Wire, frozen=True):
    """Who is speaking: hello.py."""

    identity: Bytes32
    role: Literal["accepting", "dialling"]
    signature: Bytes64


class Welcome(Wire, frozen=True):
    """The accepting side has judged the HELLO and keeps the link."""


class Bye(Wire, frozen=True):
    """Last word on a link, and why."""

    reason: Annotated[str, msgspec.Meta(max_length=16)]


class EntryFrame(Wire, frozen=True):
    """A signed entry of the log, opaque here: flooded, once."""

    body: Annotated[bytes, msgspec.Meta(min_length=1, max_length=BODY_LIMIT)]
    signature: Bytes64


class Pulse(Wire, frozen=True):
    """Heartbeat: where its sender stands, so that a fork shows at once, whom it hears (bit n of
    `hears` for seat n), and the hash of the proofs and seals that it knows (table.md §4)."""

    epoch: U8
    hand: U16
    attempt: U8
    step: U16
    head: Bytes32
    hears: U8
    known: Bytes32


class Ask(Wire, frozen=True):
    """Please send what you hold of this chain from `step` on, verbatim."""

    epoch: U8
    hand: U16
    attempt: U8
    step: U16


class Private(Wire, frozen=True):
    """For one peer only: padded (`pad`), opaque here, never in a log."""

    payload: Annotated[bytes, msgspec.Meta(max_length=max(PRIVATE_SIZES))]


class Claim(Wire, frozen=True):
    """A guest asks for a seat (None: any): what the agreement will say of it, where it listens.

    `operator` None: the seat itself.
    """

    seat: SeatNumber | None
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    operator: SeatNumber | None
    nonce: Bytes32
    addresses: Addresses


class Proposal(Wire, frozen=True):
    """The host's agreement, to be signed, and each seat's addresses (which nobody signs)."""

    agreement: Annotated[bytes, msgspec.Meta(max_length=8192)]
    addresses: Annotated[tuple[Addresses, ...], msgspec.Meta(min_length=2, max_length=8)]


class Signature(Wire, frozen=True):
    """A seat's signature on the agreement `table`: flooded."""

    table: Bytes32
    seat: SeatNumber
    signature: Bytes64


class Chair(Wire, frozen=True):
    """Who would sit in a seat: lobby/room.py."""

    identity: Bytes32
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    operator: Bytes32
    bot: bool
    ready: bool
    held: bool


class Enter(Wire, frozen=True):
    """A guest's wishes in the lobby: name, seat (None: any), who runs it (None: itself)."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    seat: SeatNumber | None
    operator: Bytes32 | None
    bot: bool
    ready: bool


class Room(Wire, frozen=True):
    """The host's lobby as everybody is to see it: the variant by value, times, chairs."""

    variant: ShortText
    toggles: Toggles
    times: Times
    chairs: Annotated[tuple[Chair | None, ...], msgspec.Meta(min_length=2, max_length=8)]
    locked: bool
    started: bool


class Talk(Wire, frozen=True):
    """A line to everybody: never in a log or a record."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=512)]


class Said(Wire, frozen=True):
    """A guest's line, passed on by the host."""

    identity: Bytes32
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=512)]


Message = (
    Knock
    | Answer
    | Hello
    | Welcome
    | Bye
    | EntryFrame
    | Pulse
    | Ask
    | Private
    | Claim
    | Proposal
    | Signature
    | Enter
    | Room
    | Talk
    | Said
)


class Row(NamedTuple):
    kind: type[Message]
    limit: int  # bytes of the body


TYPES: dict[int, Row] = {
    0x01: Row(Knock, 64),
    0x02: Row(Answer, 40),
    0x03: Row(Hello, 128),
    0x04: Row(Welcome, 1),
    0x05: Row(Bye, 20),
    0x10: Row(EntryFrame, BODY_LIMIT + 128),
    0x11: Row(Pulse, 96),
    0x12: Row(Ask, 16),
    0x13: Row(Private, max(PRIVATE_SIZES) + 8),
    0x20: Row(Claim, 512),
    0x21: Row(Proposal, 10 * 1024),
    0x22: Row(Signature, 128),
    0x23: Row(Enter, 160),
    0x24: Row(Room, 8 * 1024),
    0x25: Row(Talk, 2100),
    0x26: Row(Said, 2160),
}
# 0x14–0x1f ballots and HAVE; 0x27–0x2f lobby; 0x30–0x3f relayed links; 0x40–0x4f spectators
_NUMBER = {row.kind: number for number, row in TYPES.items()}


def write(message: Message) -> bytes:
    """The frame of a message; ValueError if it is longer than its own type allows."""
    number, body = _NUMBER[type(message)], encode(message)
    if len(body) > TYPES[number].limit:
        raise ValueError(f"{type(message).__name__}: {len(body)} bytes")
    return (1 + len(body)).to_bytes(HEAD_LEN, "big") + bytes([number]) + body


class Reader:
    """Cuts a stream into messages. Sans-IO: `feed` bytes, take what `messages` yields."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        self._buffer += data

    def messages(self) -> Iterator[Message]:
        """Every whole message fed so far. Raises Fault: oversized, malformed."""
        while (message := self.next()) is not None:
            yield message

    def next(self) -> Message | None:
        """The next whole message, if it is there. Raises Fault: oversized, malformed."""
        if len(self._buffer) <= HEAD_LEN:
            return None
        length = int.from_bytes(self._buffer[:HEAD_LEN], "big")
        row = _row(self._buffer[HEAD_LEN], length)
        end = HEAD_LEN + length
        if len(self._buffer) < end:
            return None
        body = bytes(self._buffer[HEAD_LEN + 1 : end])
        del self._buffer[:end]
        return _decode(row, body)


def _row(number: int, length: int) -> Row:
    row = TYPES.get(number)
    if row is None or length < 1:
        raise Fault("malformed")
    if length - 1 > row.limit:
        raise Fault("oversized")
    return row


def _decode(row: Row, body: bytes) -> Message:
    try:
        message = strict(row.kind, body, row.limit)
    except Malformed as error:
        raise Fault("malformed") from error
    if isinstance(message, Private) and len(message.payload) not in PRIVATE_SIZES:
        raise Fault("malformed")
    return message


def farewell(message: Bye) -> Reason:
    """The reason the other end gives, if it is one of ours."""
    return cast(Reason, message.reason) if message.reason in REASONS else "lost"


def pad(content: bytes) -> Private:
    """2 bytes of length, the content, zeros up to the smallest fixed size that holds it."""
    for size in PRIVATE_SIZES:
        if len(content) + 2 <= size:
            head = len(content).to_bytes(2, "big")
            return Private((head + content).ljust(size, b"\0"))
    raise ValueError(f"a private message of {len(content)} bytes")


def unpad(private: Private) -> bytes:
    """The content of a private frame. Raises Fault("malformed")."""
    payload = private.payload
    length = int.from_bytes(payload[:2], "big")
    content, rest = payload[2 : 2 + length], payload[2 + length :]
    if len(content) != length or any(rest):
        raise Fault("malformed")
    return content
