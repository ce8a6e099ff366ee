"""Random attacks on records, seeded: each can be made again from its kind, seed and number."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from tests.kit.pieces import pieces
from tests.kit.records import WORDS, match, proved

Record = Callable[[], tuple[bytes, int]]

OPEN: dict[str, Record] = {
    "2 seats": lambda: (match(2), 2),
    "4 seats": lambda: (match(4), 4),
    "6 seats, a vira": lambda: (match(6, name="paulista"), 6),
    "8 seats": lambda: (match(8), 8),
}
REAL: dict[str, Record] = {
    "every kind of hand": lambda: (proved("kinds"), 2),
    "an illegal move": lambda: (proved("illegal-move"), 2),
    "an equivocation": lambda: (proved("equivocation"), 2),
    "a trailer": lambda: (proved("interrupted"), 2),
}


def _change(rng: random.Random, blob: bytes) -> bytes:
    at = rng.randrange(len(blob))
    return blob[:at] + bytes([blob[at] ^ rng.randrange(1, 256)]) + blob[at + 1 :]


def _cut_out(rng: random.Random, blob: bytes) -> bytes:
    at = rng.randrange(len(blob))
    return blob[:at] + blob[at + rng.choice([1, 2, 5, 64, 1000]) :]


def _insert(rng: random.Random, blob: bytes) -> bytes:
    at = rng.randrange(len(blob) + 1)
    return blob[:at] + rng.randbytes(rng.choice([1, 2, 5, 64, 1000])) + blob[at:]


def _repeat(rng: random.Random, blob: bytes) -> bytes:
    at, size = rng.randrange(len(blob)), rng.choice([1, 2, 64, 300])
    return blob[:at] + blob[at : at + size] + blob[at:]


def _truncate(rng: random.Random, blob: bytes) -> bytes:
    return blob[: rng.randrange(len(blob))]


def _whole(rng: random.Random, blob: bytes) -> bytes:
    """Something with whole values: dropped, doubled, swapped, moved."""
    parts = pieces(blob)
    one, other = rng.randrange(len(parts)), rng.randrange(len(parts))
    kind = rng.randrange(4)
    if kind == 0:
        del parts[one]
    elif kind == 1:
        parts.insert(other, parts[one])
    elif kind == 2:
        parts[one], parts[other] = parts[other], parts[one]
    else:
        parts.insert(other, parts.pop(one))
    return b"".join(parts)


def _several(rng: random.Random, blob: bytes) -> bytes:
    for _ in range(rng.randrange(2, 5)):
        blob = rng.choice(BYTEWISE)(rng, blob) or b"\0"
    return blob


BYTEWISE = (_change, _cut_out, _insert, _repeat, _truncate)
KINDS = (*BYTEWISE, _whole, _several)


def attacks(record: bytes, count: int, seed: int) -> Iterator[tuple[tuple[str, int, int], bytes]]:
    """`count` records that are not this one, and how to make each again."""
    made = number = 0
    while made < count:
        rng = random.Random(f"{seed}/{number}")
        kind = rng.choice(KINDS)
        blob = kind(rng, record)
        if blob != record:
            made += 1
            yield (kind.__name__, seed, number), blob
        number += 1


def survives(record: bytes, players: int, blob: bytes, word: str) -> bool:
    """Whether a word is a right one: broken, or unsealed where nothing but seals are missing."""
    if word in WORDS:
        return True
    if word == "unsealed":
        return _but_seals(record, players, blob)
    return False


def _but_seals(record: bytes, players: int, blob: bytes) -> bool:
    whole, left = pieces(record), pieces(blob)
    log = whole[:-players]
    return left[: len(log)] == log and len(left) < len(whole)
