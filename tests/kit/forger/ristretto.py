"""ristretto255 (RFC 9496) in Python's integers: slow, not constant-time, for forging only."""

from __future__ import annotations

from typing import NamedTuple

P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
I = pow(2, (P - 1) // 4, P)  # noqa: E741
"""The square root of -1."""


def _root(u: int, v: int) -> tuple[bool, int]:
    """SQRT_RATIO_M1 of RFC 9496 §4.2: whether u/v is a square, and the root of it or of I u/v."""
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * r * r % P
    right, flipped, turned = check == u % P, check == -u % P, check == -u * I % P
    if flipped or turned:
        r = r * I % P
    return right or flipped, min(r, P - r) if min(r, P - r) % 2 == 0 else max(r, P - r)


def _even(x: int) -> int:
    """The one of x and -x that is not negative, that is, even."""
    x %= P
    return P - x if x % 2 else x


AD_1 = 25063068953384623474111414158702152701244531502492656460079210482610430750235
"""The square root of -D - 1 that RFC 9496 §4.1 chose."""
A_D = _root(1, -1 - D)[1]


class Point(NamedTuple):
    """Extended coordinates: x = X/Z, y = Y/Z, xy = T/Z."""

    X: int
    Y: int
    Z: int
    T: int

    def __add__(self, other: Point) -> Point:  # type: ignore[override]
        a = (self.Y - self.X) * (other.Y - other.X)
        b = (self.Y + self.X) * (other.Y + other.X)
        c = 2 * self.T * other.T * D
        d = 2 * self.Z * other.Z
        e, f, g, h = (b - a) % P, (d - c) % P, (d + c) % P, (b + a) % P
        return Point(e * f % P, g * h % P, f * g % P, e * h % P)

    def __neg__(self) -> Point:
        return Point(-self.X % P, self.Y, self.Z, -self.T % P)

    def __sub__(self, other: Point) -> Point:
        return self + -other

    def __rmul__(self, scalar: int) -> Point:  # type: ignore[override]
        scalar %= Q
        table = [ZERO]
        for _ in range(15):
            table.append(table[-1] + self)
        total = ZERO
        for nibble in scalar.to_bytes(32, "big").hex():
            for _ in range(4):
                total = total.twice()
            total = total + table[int(nibble, 16)]
        return total

    def twice(self) -> Point:
        a, b, c = self.X * self.X, self.Y * self.Y, 2 * self.Z * self.Z
        e, g = ((self.X + self.Y) ** 2 - a - b) % P, (b - a) % P
        f, h = (g - c) % P, (-a - b) % P
        return Point(e * f % P, g * h % P, f * g % P, e * h % P)

    def encode(self) -> bytes:
        """RFC 9496 §4.3.2."""
        x, y, z, t = self
        u1, u2 = (z + y) * (z - y) % P, x * y % P
        inverse = _root(1, u1 * u2 * u2)[1]
        den1, den2 = inverse * u1 % P, inverse * u2 % P
        z_inverse = den1 * den2 * t % P
        den = den2
        if t * z_inverse % P % 2:
            x, y, den = y * I % P, x * I % P, den1 * A_D % P
        if x * z_inverse % P % 2:
            y = -y
        return _even(den * (z - y)).to_bytes(32, "little")


ZERO = Point(0, 1, 1, 0)


def decode(data: bytes) -> Point:
    """RFC 9496 §4.3.1; ValueError for what encodes nothing."""
    s = int.from_bytes(data, "little")
    if len(data) != 32 or s >= P or s % 2:
        raise ValueError("not canonical")
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    square, inverse = _root(1, v * u2 * u2)
    den = inverse * u2 % P
    x, y = _even(2 * s * den), u1 * inverse * den * v % P
    if not square or x * y % P % 2 or y == 0:
        raise ValueError("no point")
    return Point(x, y, 1, x * y % P)


def _mapped(half: bytes) -> Point:
    """MAP of RFC 9496 §4.3.4."""
    t = int.from_bytes(half, "little") % 2**255 % P
    r = I * t * t % P
    u, v = (r + 1) * (1 - D * D) % P, (-1 - r * D) * (r + D) % P
    square, s = _root(u, v)
    c = P - 1 if square else r
    if not square:
        s = -_even(s * t) % P
    n = (c * (r - 1) * (D - 1) ** 2 - v) % P
    w0, w1, w2, w3 = 2 * s * v % P, n * AD_1 % P, (1 - s * s) % P, (1 + s * s) % P
    return Point(w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P)


def from_hash(data: bytes) -> Point:
    """The one-way map, of 64 bytes."""
    return _mapped(data[:32]) + _mapped(data[32:])


_Y = 4 * pow(5, -1, P) % P
_X = _even(_root(_Y * _Y - 1, D * _Y * _Y + 1)[1])
G = Point(_X, _Y, 1, _X * _Y % P)
