"""A record taken to pieces: its values as bytes, and entries signed anew."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import msgpack
import msgspec

from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.scale import Scale
from p2ptruco.table.codec import encode, strict
from p2ptruco.table.entries import Body, Entry
from p2ptruco.table.identity import ENTRY, TRAILER, Identity
from p2ptruco.table.record.file import Item, Said, Trailed, Trailer

SMALL = replace(
    MINEIRO,
    name="small",
    players=frozenset({2, 4}),
    ranks="QJKA23",
    manilhas=(),
    scale=Scale.parse("1,truco:2"),
    target=2,
)
"""24 cards and two points: records of one hand in 13 KB, of three with every kind of hand."""


def pieces(record: bytes) -> list[bytes]:
    """The values of a record, each as it stands there."""
    unpacker = msgpack.Unpacker(max_buffer_size=len(record))
    unpacker.feed(record)
    ends = [0]
    while ends[-1] < len(record):
        unpacker.skip()
        ends.append(unpacker.tell())
    return [record[a:b] for a, b in pairwise(ends)]


def item(piece: bytes) -> Item:
    return strict(Item, piece, 1 << 16)  # type: ignore[arg-type]


def body_of(piece: bytes) -> Body:
    said = item(piece)
    assert isinstance(said, Said)
    return strict(Body, said.body)


def said(body: bytes, identity: Identity) -> bytes:
    """A value of a record: this body, signed by this key."""
    return encode(Said(body, identity.sign(ENTRY, body)))


def changed(piece: bytes, identity: Identity, **fields: object) -> bytes:
    """The same entry with some fields of its body changed, signed again."""
    return said(encode(msgspec.structs.replace(body_of(piece), **fields)), identity)


def entry_of(piece: bytes) -> Entry:
    found = item(piece)
    assert isinstance(found, Said)
    return Entry(found.body, found.signature)


def trailed(piece: bytes, identity: Identity, **fields: object) -> bytes:
    """A trailer with some fields changed, signed again."""
    found = item(piece)
    assert isinstance(found, Trailed)
    body = encode(msgspec.structs.replace(strict(Trailer, found.body), **fields))
    return encode(Trailed(body, identity.sign(TRAILER, body)))
