"""Bytes in the place of a value: points and scalars in disguise, values next to the right one."""

from __future__ import annotations

import random
from collections.abc import Iterator

from .ristretto import G, P, Q, decode

IN_DISGUISE = {
    "the identity": bytes(32),
    "the identity in disguise": bytes(31) + b"\x80",
    "the field's order": P.to_bytes(32, "little"),
    "all bits": b"\xff" * 32,
    "one": (1).to_bytes(32, "little"),
}


def points(data: bytes, rng: random.Random) -> Iterator[tuple[str, bytes]]:
    """What is no right point in the place of this one."""
    yield from IN_DISGUISE.items()
    s = int.from_bytes(data, "little")
    yield "bit 255", data[:31] + bytes([data[31] | 0x80])
    yield "negative", ((P - s) % P).to_bytes(32, "little")
    if s + P < 2**255:
        yield "not reduced", (s + P).to_bytes(32, "little")
    yield "no point", _no_point(rng)
    point = decode(data)
    yield "another point", (point + G).encode()
    yield "its negative", (-point).encode()


def scalars(data: bytes) -> Iterator[tuple[str, bytes]]:
    value = int.from_bytes(data, "little")
    yield "q more", (value + Q).to_bytes(32, "little")
    yield "q", Q.to_bytes(32, "little")
    yield "all bits", b"\xff" * 32
    yield "bit 255", data[:31] + bytes([data[31] | 0x80])
    for name, other in (("one more", value + 1), ("negated", -value), ("zero", 0)):
        yield name, (other % Q).to_bytes(32, "little")


def lengths(data: bytes) -> Iterator[tuple[str, bytes]]:
    yield "empty", b""
    yield "a byte less", data[:-1]
    yield "a byte more", data + b"\0"
    yield "a value less", data[:-32]
    yield "a value more", data + data[-32:]


def fields(data: bytes, shape: str, rng: random.Random) -> Iterator[tuple[str, bytes]]:
    """Each value of a message of this shape (p, s, or b for any bytes), in every disguise; and
    each two neighbours of one kind in each other's place."""
    parts = [data[at : at + 32] for at in range(0, len(data), 32)]

    def put(at: int, *values: bytes) -> bytes:
        return b"".join([*parts[:at], *values, *parts[at + len(values) :]])

    for at, (part, kind) in enumerate(zip(parts, shape, strict=True)):
        others = {"p": points(part, rng) if kind == "p" else (), "s": scalars(part)}
        for name, other in others.get(kind, [("other bytes", bytes(31) + b"\1")]):
            if other != part:
                yield f"{name} as value {at}", put(at, other)
        if at and shape[at - 1] == kind and parts[at - 1] != part:
            yield f"values {at - 1} and {at} exchanged", put(at - 1, part, parts[at - 1])
    for name, other in lengths(data):
        yield name, other


def _no_point(rng: random.Random) -> bytes:
    """An even number below the field's order that encodes nothing."""
    while True:
        data = (rng.randrange(P // 2) * 2).to_bytes(32, "little")
        try:
            decode(data)
        except ValueError:
            return data
