"""Bytes at the door: strict MessagePack.

Laws:
1. What is accepted has exactly one encoding: decoded bytes are encoded again and must come
   out the same. That alone stops duplicate keys, padded integers and other spellings.
2. Limits come before allocation: a message is bounded in bytes before it is decoded, and
   every string, tuple and integer in a schema has bounds.
3. Every failure is `Malformed`, whatever library found it.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

import msgpack  # type: ignore[import-untyped]
import msgspec

from ..text import clean
from .extent import Malformed as Malformed
from .extent import extent

T = TypeVar("T")

REASON_LIMIT = 200
"""Bytes of what is said of bytes that are refused: it quotes them, and goes into a log."""

Bytes32 = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
Bytes64 = Annotated[bytes, msgspec.Meta(min_length=64, max_length=64)]
U8 = Annotated[int, msgspec.Meta(ge=0, le=0xFF)]
U16 = Annotated[int, msgspec.Meta(ge=0, le=0xFFFF)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=7)]
TeamNumber = Annotated[int, msgspec.Meta(ge=0, le=1)]
Points = U16


class Wire(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, omit_defaults=False
):
    """Base of everything that travels or is signed: an array, in the order of its fields."""


_encoder = msgspec.msgpack.Encoder()


def encode(value: object) -> bytes:
    """The one encoding of a wire value."""
    return _encoder.encode(value)


def unpack(blob: bytes, limit: int) -> Any:
    """Untyped builtins of at most `limit` bytes."""
    if len(blob) > limit:
        raise Malformed(f"{len(blob)} bytes where {limit} are allowed")
    if extent(blob) != len(blob):
        raise Malformed("not one value")
    return decoded(blob)


def decoded(blob: bytes) -> Any:
    """The builtins of one whole value, as `extent` found it; arrays come out as tuples."""
    return msgpack.unpackb(blob, use_list=False)


def convert(raw: Any, kind: type[T], blob: bytes) -> T:
    """A typed value out of builtins, if its encoding is `blob` byte for byte."""
    try:
        value = msgspec.convert(raw, kind, builtin_types=(bytes,))
    except msgspec.ValidationError as error:
        reason = clean(str(error), REASON_LIMIT, REASON_LIMIT)
        raise Malformed(reason) from error
    if encode(value) != blob:
        raise Malformed("not the canonical encoding")
    return value


def strict(kind: type[T], blob: bytes, limit: int = 1 << 16) -> T:
    """Decode `blob` as `kind`, or raise `Malformed`."""
    return convert(unpack(blob, limit), kind, blob)
