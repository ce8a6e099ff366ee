"""The Fiat-Shamir transcript and the one hash of the project, both SHA-512 (deal.md §2).

Laws
* Everything hashed is a chain of items: kind (1 byte), length of the label (2 bytes, big-endian),
  label, length of the value (8 bytes, big-endian), value. Never a separator: two different chains
  of items are two different strings.
* Kinds: S starts, A absorbs, C asks for a challenge, R absorbs the challenge squeezed.
* A challenge is SHA-512 of all items so far, C included, read little-endian mod Q; its 64 bytes
  are absorbed again before anything else.
* Prover and verifier absorb by calling the same function.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from p2ptruco.mental.chance import Source, take
from p2ptruco.mental.group import Q

Item = tuple[bytes, bytes]


def number(value: int) -> bytes:
    """A count or an index as 8 bytes, big-endian."""
    return value.to_bytes(8, "big")


def _item(kind: bytes, label: bytes, value: bytes) -> bytes:
    return b"".join((kind, len(label).to_bytes(2, "big"), label, number(len(value)), value))


class Transcript:
    """Absorbs labelled items and squeezes challenges that bind all of them."""

    __slots__ = ("_hash",)

    def __init__(self, label: bytes, items: Iterable[Item] = ()) -> None:
        self._hash = hashlib.sha512(_item(b"S", label, b""))
        for name, value in items:
            self.absorb(name, value)

    def absorb(self, label: bytes, value: bytes) -> None:
        """Bind `value` under `label` to every later challenge."""
        self._hash.update(_item(b"A", label, value))

    def challenge(self, label: bytes) -> int:
        """A scalar in 0..Q-1 that nobody could know before all items were fixed."""
        self._hash.update(_item(b"C", label, b""))
        squeezed = self._hash.digest()
        self._hash.update(_item(b"R", label, squeezed))
        return int.from_bytes(squeezed, "little") % Q

    def challenges(self, label: bytes, count: int) -> list[int]:
        """`count` challenges under one label, in order."""
        return [self.challenge(label) for _ in range(count)]

    def state(self) -> bytes:
        """SHA-512 of all items so far, 64 bytes."""
        return self._hash.digest()

    def nonces(self, secret: bytes, source: Source) -> Iterator[int]:
        """Endless proof nonces in 0..Q-1, hedged: a broken source alone repeats none (deal.md §2).

        They depend on the secret, on everything absorbed so far and on 32 fresh bytes.
        """
        fixed = ((b"secret", secret), (b"transcript", self.state()), (b"fresh", take(source, 32)))
        return _nonces(fixed)

    def __repr__(self) -> str:
        return "Transcript()"


def _nonces(fixed: tuple[Item, ...]) -> Iterator[int]:
    counter = 0
    while True:
        state = Transcript(b"p2ptruco/1/nonce", (*fixed, (b"counter", number(counter)))).state()
        yield int.from_bytes(state, "little") % Q
        counter += 1


def digest(label: bytes, *items: Item) -> bytes:
    """32 bytes: SHA-512 of the items under `label`, cut; for commitments, heads and ids."""
    return Transcript(label, items).state()[:32]
