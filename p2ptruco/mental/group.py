"""ristretto255 (RFC 9496), the one group of the deal, from the libsodium that rbcl carries.

Laws
* A `Point` is its canonical 32-byte encoding: equal points are equal bytes. The identity is zeros.
* Nothing from a peer is a Point or a scalar before `decode_point` / `decode_scalar` said so.
* `decode_point` does all of RFC 9496 §4.3.1. We check that there are 32 bytes, that s is even and
  below P, and that it is not the identity; libsodium checks that x² is a square, that xy is not
  negative and that y is not 0. We count bit 255 in s: libsodium 1.0.18 ignores it, so that to it
  every point has a second encoding.
* Multiplication by a scalar takes the same time for every scalar (libsodium's is constant-time).
* libsodium answers -1 both for a bad encoding and for an identity result; zero and identity are
  handled before the call, so here -1 always means a bad encoding.
* Of an Ed25519 point, whose bit 255 is the sign of x, libsodium checks that y is below P, that it
  is on the curve and that its order is not small; we check that it has one encoding and the prime
  order. Of a signature libsodium checks that S is below Q and that R is not the identity, and
  compares R byte by byte.
* This is the only module of the project that imports rbcl, and it leaves no file of it behind.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NewType

from rbcl import _sodium as _lib  # type: ignore[import-untyped]

Point = NewType("Point", bytes)

P = 2**255 - 19
"""The prime of the field."""
Q = 2**252 + 27742317777372353535851937790883648493
"""The order of the group."""
SIZE = 32
IDENTITY = Point(bytes(SIZE))


class NotInGroup(ValueError):
    """Bytes that encode no point (or no scalar) of the group; the message never shows them."""


def _forget_library_file() -> None:
    """rbcl unpacks libsodium into a temporary file and never deletes it (deal.md §2)."""
    with contextlib.suppress(OSError):
        os.unlink(_lib._name)


def _release_and_forget() -> None:
    """Windows deletes no file of a loaded library: let go of it first, as the last thing done."""
    if sys.platform == "win32":
        ctypes.windll.kernel32.FreeLibrary(ctypes.c_void_p(_lib._handle))
    _forget_library_file()


if sys.platform == "win32":
    atexit.register(_release_and_forget)
else:
    _forget_library_file()


def _foreign(name: str, *arguments: Any) -> Any:
    """A function object of our own, so that its types are ours and rbcl's stay untouched."""
    return ctypes.CFUNCTYPE(ctypes.c_int, *arguments)((name, _lib))


_Out = ctypes.c_char * SIZE
_IN, _OUT = ctypes.c_char_p, ctypes.POINTER(ctypes.c_char)
_is_valid = _foreign("crypto_core_ristretto255_is_valid_point", _IN)
_from_hash = _foreign("crypto_core_ristretto255_from_hash", _OUT, _IN)
_add = _foreign("crypto_core_ristretto255_add", _OUT, _IN, _IN)
_sub = _foreign("crypto_core_ristretto255_sub", _OUT, _IN, _IN)
_mult = _foreign("crypto_scalarmult_ristretto255", _OUT, _IN, _IN)
_base = _foreign("crypto_scalarmult_ristretto255_base", _OUT, _IN)
_ed_is_valid = _foreign("crypto_core_ed25519_is_valid_point", _IN)
_ed_add = _foreign("crypto_core_ed25519_add", _OUT, _IN, _IN)
_ed_mult = _foreign("crypto_scalarmult_ed25519_noclamp", _OUT, _IN, _IN)
_ed_verify = _foreign("crypto_sign_ed25519_verify_detached", _IN, _IN, ctypes.c_ulonglong, _IN)
if _foreign("sodium_init")() < 0:  # pragma: no cover
    raise ImportError("libsodium cannot be initialised")


@dataclass(slots=True)
class Counts:
    """Group operations done while counting: by any point, by the base point, additions."""

    mults: int = 0
    bases: int = 0
    adds: int = 0


_counts: ContextVar[Counts | None] = ContextVar("counts", default=None)


@contextlib.contextmanager
def counting() -> Iterator[Counts]:
    """Count the operations of this context (thread or task) until the block ends."""
    token = _counts.set(counts := Counts())
    try:
        yield counts
    finally:
        _counts.reset(token)


def decode_point(data: bytes) -> Point:
    """The Point that `data` encodes; NotInGroup unless canonical, 32 bytes and not the identity."""
    if type(data) is not bytes or data == IDENTITY or not _canonical(data) or not _is_valid(data):
        raise NotInGroup("not the canonical encoding of a point other than the identity")
    return Point(data)


def _canonical(data: bytes) -> bool:
    """Whether these are 32 bytes of a field element that is reduced and not negative."""
    s = int.from_bytes(data, "little")
    return len(data) == SIZE and s < P and s % 2 == 0


def decode_scalar(data: bytes) -> int:
    """The scalar that `data` encodes; NotInGroup unless 32 bytes, little-endian, below Q."""
    if type(data) is not bytes or len(data) != SIZE:
        raise NotInGroup("not 32 bytes")
    scalar = int.from_bytes(data, "little")
    if scalar >= Q:
        raise NotInGroup("not a canonical scalar")
    return scalar


def encode_scalar(scalar: int) -> bytes:
    """32 bytes, little-endian, reduced mod Q."""
    return (scalar % Q).to_bytes(SIZE, "little")


def mult(scalar: int, point: Point) -> Point:
    """scalar · point, the scalar taken mod Q; NotInGroup if `point` encodes none."""
    scalar %= Q
    if scalar == 0 or point == IDENTITY:
        return IDENTITY
    if not _canonical(point):
        raise NotInGroup("not a canonical encoding")
    if (counts := _counts.get()) is not None:
        counts.mults += 1
    out = _Out()
    if _mult(out, scalar.to_bytes(SIZE, "little"), point):
        raise NotInGroup("not a canonical encoding")
    return Point(out.raw)


def base_mult(scalar: int) -> Point:
    """scalar · G, the scalar taken mod Q."""
    scalar %= Q
    if scalar == 0:
        return IDENTITY
    if (counts := _counts.get()) is not None:
        counts.bases += 1
    out = _Out()
    if _base(out, scalar.to_bytes(SIZE, "little")):  # pragma: no cover
        raise ArithmeticError("libsodium refused a reduced scalar")
    return Point(out.raw)


def add(left: Point, right: Point) -> Point:
    """left + right, the identity allowed; NotInGroup if either encodes no point."""
    return _combine(_add, left, right)


def sub(left: Point, right: Point) -> Point:
    """left - right, the identity allowed; NotInGroup if either encodes no point."""
    return _combine(_sub, left, right)


def _combine(operation: Any, left: Point, right: Point) -> Point:
    if not _canonical(left) or not _canonical(right):
        raise NotInGroup("not a canonical encoding")
    if (counts := _counts.get()) is not None:
        counts.adds += 1
    out = _Out()
    if operation(out, left, right):
        raise NotInGroup("not a canonical encoding")
    return Point(out.raw)


def total(points: Iterable[Point]) -> Point:
    """The sum of the points; the identity for none."""
    result = None
    for point in points:
        result = point if result is None else add(result, point)
    return IDENTITY if result is None else result


def combine(terms: Iterable[tuple[int, Point]]) -> Point:
    """Σ scalar · point, one multiplication a term."""
    return total(mult(scalar, point) for scalar, point in terms)


@lru_cache(maxsize=4096)
def hash_to_point(label: bytes) -> Point:
    """The one-way map of RFC 9496 on SHA-512(label): nobody knows a relation between two labels."""
    out = _Out()
    _from_hash(out, hashlib.sha512(label).digest())
    return Point(out.raw)


@lru_cache(maxsize=256)
def _of_prime_order(data: bytes) -> bool:
    """Canonical, on the curve, of order Q and no other.

    libsodium up to 1.0.20 also takes P + (0, -1), of order 2Q, for such a point
    (CVE-2025-69277): doubling and halving gives P back only without that part.
    """
    twice, back = _Out(), _Out()
    if not _ed_is_valid(data) or _ed_add(twice, data, data):
        return False
    return _ed_mult(back, encode_scalar((Q + 1) // 2), twice.raw) == 0 and back.raw == data


def ed25519_is_valid_point(data: bytes) -> bool:
    """Whether `data` is a canonical Ed25519 point of prime order (not small, not mixed)."""
    return type(data) is bytes and len(data) == SIZE and _of_prime_order(data)


def ed25519_verify(signature: bytes, message: bytes, key: bytes) -> bool:
    """RFC 8032 §5.1.7 without cofactor, S < Q, R compared byte by byte and not the identity, the
    key of prime order."""
    if type(signature) is not bytes or len(signature) != 64 or type(message) is not bytes:
        return False
    if not ed25519_is_valid_point(key):
        return False
    return bool(_ed_verify(signature, message, len(message), key) == 0)
