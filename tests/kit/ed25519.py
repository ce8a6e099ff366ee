"""Ed25519 with a nonce of one's own: what a crook's key can do and no honest library does."""

from __future__ import annotations

import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
BASE_Y = 4 * pow(5, -1, P) % P
BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202

Affine = tuple[int, int]


def add(one: Affine, other: Affine) -> Affine:
    (x1, y1), (x2, y2) = one, other
    t = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + t, -1, P)
    y = (y1 * y2 + x1 * x2) * pow(1 - t, -1, P)
    return x % P, y % P


def mult(scalar: int, point: Affine) -> Affine:
    total = (0, 1)
    while scalar:
        if scalar & 1:
            total = add(total, point)
        point, scalar = add(point, point), scalar >> 1
    return total


def encode(point: Affine) -> bytes:
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def sign_again(seed: bytes, message: bytes, nonce: int = 12345) -> bytes:
    """A valid signature of `seed`'s key with another R than the honest one (RFC 8032 §5.1.6)."""
    hashed = hashlib.sha512(seed).digest()
    secret = int.from_bytes(hashed[:32], "little") & (2**254 - 8) | 2**254
    base = (BASE_X, BASE_Y)
    r, key = encode(mult(nonce, base)), encode(mult(secret, base))
    challenge = int.from_bytes(hashlib.sha512(r + key + message).digest(), "little")
    return r + ((nonce + challenge * secret) % L).to_bytes(32, "little")


def of_mixed_order(key: bytes) -> bytes:
    """A key plus the point (0, -1): canonical, on the curve, of order 2L."""
    number = int.from_bytes(key, "little")
    y, sign = number % 2**255, number >> 255
    return (P - y | (1 - sign) << 255).to_bytes(32, "little")
