"""Random values from a byte source that the caller passes in.

Laws
* A source is `source(n) -> n bytes`: the system's in production, a seeded one in tests.
* Nothing here or elsewhere in the ring has a source of its own.
* Uniform means uniform: scalars from 64 bytes mod Q, everything small by rejection.
"""

from __future__ import annotations

from collections.abc import Callable

from p2ptruco.mental.group import Q

Source = Callable[[int], bytes]


def take(source: Source, size: int) -> bytes:
    """`size` bytes; ValueError if the source gives another number or another type."""
    data = source(size)
    if type(data) is not bytes or len(data) != size:
        raise ValueError("the byte source is broken")
    return data


def scalar(source: Source) -> int:
    """Uniform in 0..Q-1."""
    return int.from_bytes(take(source, 64), "little") % Q


def nonzero_scalar(source: Source) -> int:
    """Uniform in 1..Q-1."""
    return 1 + int.from_bytes(take(source, 64), "little") % (Q - 1)


def below(source: Source, bound: int) -> int:
    """Uniform in 0..bound-1 by rejection; bound at most 256."""
    if not 1 <= bound <= 256:
        raise ValueError("bound")
    limit = 256 - 256 % bound
    while (byte := take(source, 1)[0]) >= limit:
        pass
    return byte % bound


def permutation(source: Source, size: int) -> tuple[int, ...]:
    """A uniform permutation of 0..size-1 (Fisher-Yates)."""
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        other = below(source, last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)
