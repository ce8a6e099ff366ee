"""What a seat says at a table: a signed body that names its exact place (table.md §1).

Laws:
1. A body names protocol, purpose, table, epoch, hand, attempt, step, seat and head: it cannot
   be meant for any other place.
2. An entry's identity is its body, never its signature.
3. Order at the door: length, shape, version, table, roster seat, signature.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

import msgspec

from .agreement import PROTOCOL, Agreement
from .codec import (
    U8,
    U16,
    Bytes32,
    Bytes64,
    Malformed,
    Points,
    SeatNumber,
    TeamNumber,
    Wire,
    convert,
    encode,
    strict,
    unpack,
)
from .identity import ENTRY, Identity, verify
from .violation import LinkFault

BODY_LIMIT = 8192
ENTRY_LIMIT = BODY_LIMIT + 80
"""Bytes; the largest body is a shuffle of 40 cards, about 6,850."""

TokenBytes = Annotated[bytes, msgspec.Meta(max_length=256)]
SlotNumber = Annotated[int, msgspec.Meta(ge=0, le=24)]


class Commit(Wire, frozen=True, tag="commit"):
    """The hash of a key that will be opened (deal.md §3)."""

    commitment: Bytes32


class Open(Wire, frozen=True, tag="open"):
    """Key, nonce and proof of possession (deal.md §3)."""

    opening: Annotated[bytes, msgspec.Meta(max_length=256)]


class Shuffle(Wire, frozen=True, tag="shuffle"):
    """A masked, permuted deck and the proof that it is one (deal.md §4)."""

    deck: Annotated[bytes, msgspec.Meta(max_length=64 * 40)]
    proof: Annotated[bytes, msgspec.Meta(max_length=5120)]


class Ready(Wire, frozen=True, tag="ready"):
    """I have verified the chain behind this head (deal.md §5)."""


class Tokens(Wire, frozen=True, tag="tokens"):
    """One proved batch a receiver, in seat order, then the vira's (deal.md §6)."""

    batches: Annotated[tuple[TokenBytes, ...], msgspec.Meta(max_length=8)]


class Lay(Wire, frozen=True, tag="play"):
    """A card laid; open, it carries its owner's proved token."""

    slot: SlotNumber
    face_down: bool
    token: TokenBytes


class Say(Wire, frozen=True, tag="say"):
    """Every other choice, by its word."""

    word: Literal["call", "accept", "run", "fold", "play", "refuse"]


class Reveal(Wire, frozen=True, tag="reveal"):
    """A token owed for a card laid in a blind iron hand (deal.md §6)."""

    token: TokenBytes


class Leave(Wire, frozen=True, tag="leave"):
    """Going home politely, in place of whatever this seat owes next (table.md §2)."""


class Seal(Wire, frozen=True, tag="seal"):
    """The end as this seat saw it: winning team, last score, matches won (record.md).

    No team wins a match that both teams left at once.
    """

    winner: TeamNumber | None
    score: tuple[Points, Points]
    won: tuple[Points, Points]


Content = Commit | Open | Shuffle | Ready | Tokens | Lay | Say | Reveal | Leave | Seal


class Body(Wire, frozen=True):
    """What is signed, after the label `p2ptruco/1/entry`."""

    protocol: Literal["p2ptruco/1"]
    purpose: Literal["entry"]
    table: Bytes32
    epoch: U8
    hand: U16
    attempt: U8
    step: U16
    seat: SeatNumber
    head: Bytes32
    content: Content


class Entry(Wire, frozen=True):
    """A body's bytes and its author's signature, as they travel and are kept."""

    body: Annotated[bytes, msgspec.Meta(max_length=BODY_LIMIT)]
    signature: Bytes64


class Position(NamedTuple):
    """Where in a match a step stands; ordered as the log is."""

    hand: int
    attempt: int
    step: int


Place = tuple[Position, bytes]
"""A step, and the head that it stands on."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """An entry whose shape, table, seat and signature hold."""

    entry: Entry
    body: Body

    @property
    def position(self) -> Position:
        return Position(self.body.hand, self.body.attempt, self.body.step)

    @property
    def place(self) -> Place:
        """What it was said in."""
        return self.position, self.body.head

    @property
    def is_seal(self) -> bool:
        return isinstance(self.body.content, Seal)

    @property
    def key(self) -> Key:
        return Key(self.position, self.body.head, self.body.seat)


class Key(NamedTuple):
    """Where one seat may say one thing: two bodies with one key are equivocation."""

    position: Position
    head: bytes
    seat: int


def write(
    agreement: Agreement,
    position: Position,
    seat: int,
    head: bytes,
    content: Content,
    identity: Identity,
) -> Entry:
    """A signed entry of `seat` at this place."""
    body = encode(
        Body(
            PROTOCOL,
            "entry",
            agreement.id,
            agreement.terms.epoch,
            *position,
            seat,
            head,
            content,
        )
    )
    return Entry(body, identity.sign(ENTRY, body))


def read_entry(blob: bytes) -> Entry:
    """An entry off the wire, not yet checked against any table."""
    return strict(Entry, blob, ENTRY_LIMIT)


def parse(agreement: Agreement, entry: Entry) -> Parsed:
    """Check an entry in the order of the third law, or raise `LinkFault`."""
    body = _body(entry.body)
    if body.table != agreement.id or body.epoch != agreement.terms.epoch:
        raise LinkFault("wrong_table")
    if body.seat >= agreement.players:
        raise LinkFault("malformed", "no such seat")
    if not verify(agreement.identities[body.seat], ENTRY, entry.body, entry.signature):
        raise LinkFault("bad_signature")
    return Parsed(entry, body)


def read_parsed(entry: Entry) -> Parsed:
    """An entry's shape alone, or `LinkFault`: `parse` has accepted it before, or is yet to."""
    return Parsed(entry, _body(entry.body))


def _body(blob: bytes) -> Body:
    try:
        raw = unpack(blob, BODY_LIMIT)
        if isinstance(raw, tuple) and raw and isinstance(raw[0], str) and raw[0] != PROTOCOL:
            if encode(raw) != blob:
                raise Malformed("not the canonical encoding")
            raise LinkFault("wrong_version", "another protocol")
        return convert(raw, Body, blob)
    except Malformed as error:
        raise LinkFault("malformed", str(error)) from error
