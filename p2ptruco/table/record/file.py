"""A match as a file that anyone can verify (record.md).

signed agreement, entries in the order of the log (seat order within a step), the proof of an
equivocation where one ended the match, the seals in seat order; a log that does not reach the
end carries a trailer instead of seals. MessagePack values one after the other, each in its one
encoding, so the same sealed match gives the same bytes on every peer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, BinaryIO, Literal

import msgspec

from ..agreement import PROTOCOL, Signed, signed
from ..codec import (
    U8,
    U16,
    Bytes32,
    Bytes64,
    Malformed,
    SeatNumber,
    Wire,
    convert,
    decoded,
    encode,
    strict,
)
from ..entries import BODY_LIMIT, Entry
from ..extent import extent
from ..identity import TRAILER, Identity
from ..table import Table

ITEM_LIMIT = 2 * BODY_LIMIT + 512
"""Bytes of one value of a record."""
TEXT_LIMIT = 256
"""Bytes of a text in it."""
RECORD_LIMIT = 64 << 20
"""Bytes of a whole record."""

Body = Annotated[bytes, msgspec.Meta(max_length=BODY_LIMIT)]


class Said(Wire, frozen=True, tag="entry"):
    """An entry of the log, or a seal."""

    body: Body
    signature: Bytes64


class Proof(Wire, frozen=True, tag="equivocation"):
    """Two signed bodies of one seat in one place: the log was cut before it."""

    first: Entry
    second: Entry


class Trailed(Wire, frozen=True, tag="trailer"):
    """The end of a log that does not reach the end of the match."""

    body: Annotated[bytes, msgspec.Meta(max_length=512)]
    signature: Bytes64


Item = Said | Proof | Trailed


class Trailer(Wire, frozen=True):
    """Signed by the seat that wrote the file: here its log ends, these seats owe."""

    protocol: Literal["p2ptruco/1"]
    purpose: Literal["trailer"]
    table: Bytes32
    epoch: U8
    seat: SeatNumber
    hand: U16
    attempt: U8
    step: U16
    head: Bytes32
    owing: Annotated[tuple[SeatNumber, ...], msgspec.Meta(max_length=8)]


def write_record(
    table: Table, signatures: Sequence[bytes], seat: int, identity: Identity
) -> Iterator[bytes]:
    """The record of a table as `seat` holds it; a trailer is signed where one is needed."""
    yield encode(signed(table.agreement, signatures))
    log, seals = list(table.steps), []
    if table.equivocation:
        cut = table.equivocation.first.position
        log, seals = [s for s in log if s.position < cut], [s for s in log if s.position > cut]
    yield from (_said(parsed.entry) for step in log for parsed in step.entries)
    if table.equivocation:
        first, second = sorted((p.entry for p in table.equivocation), key=lambda e: e.body)
        yield encode(Proof(first, second))
    yield from (_said(parsed.entry) for step in seals for parsed in step.entries)
    yield from (_said(parsed.entry) for parsed in table.paid)
    if table.outcome is None:
        yield encode(_trailer(table, seat, identity))


def _said(entry: Entry) -> bytes:
    return encode(Said(entry.body, entry.signature))


def trailer_of(table: Table, seat: int) -> Trailer:
    """What a trailer of this log must say."""
    position, head, _ = table.open
    agreement = table.agreement
    return Trailer(
        PROTOCOL,
        "trailer",
        agreement.id,
        agreement.terms.epoch,
        seat,
        *position,
        head,
        tuple(sorted(table.owed)),
    )


def _trailer(table: Table, seat: int, identity: Identity) -> Trailed:
    body = encode(trailer_of(table, seat))
    return Trailed(body, identity.sign(TRAILER, body))


class NoRecord(ValueError):
    """No agreement can be decoded at the start of the file."""


class Cut(ValueError):
    """The file ends in the middle of a value."""


class Reader:
    """The values of a record, one at a time, each checked to be in its one encoding.

    `file` is read once, from where it stands: it may be a pipe.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._behind = bytearray()
        self._taken = 0
        """Bytes of whole values so far."""

    def signed(self) -> Signed:
        """The signed agreement at the start; `NoRecord` for anything else."""
        try:
            blob, raw = self._next()
            return convert(raw, Signed, blob)
        except (Malformed, Cut, StopIteration) as error:
            raise NoRecord("this file does not begin with an agreement") from error

    def __iter__(self) -> Iterator[Item]:
        """The items that follow; `Malformed` or `Cut` where they end in disorder."""
        while True:
            try:
                blob, raw = self._next()
            except StopIteration:
                return
            yield convert(raw, Item, blob)  # type: ignore[arg-type]

    def _next(self) -> tuple[bytes, Any]:
        while (size := extent(self._behind, BODY_LIMIT, TEXT_LIMIT)) is None:
            self._feed()
        if size > ITEM_LIMIT:
            raise Malformed("a value over its limit")
        self._taken += size
        if self._taken > RECORD_LIMIT:
            raise Malformed("a record over its limit")
        blob = bytes(self._behind[:size])
        del self._behind[:size]
        return blob, decoded(blob)

    def _feed(self) -> None:
        if len(self._behind) > ITEM_LIMIT:
            raise Malformed("a value over its limit")
        chunk = self._file.read(ITEM_LIMIT)
        if not chunk and self._behind:
            raise Cut("the file ends in the middle of a value")
        if not chunk:
            raise StopIteration
        self._behind += chunk


def read_trailer(trailed: Trailed) -> Trailer:
    return strict(Trailer, trailed.body, 512)
