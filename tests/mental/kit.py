"""A deal among seats that are all here: seeded sources, whole deals, and asserted refusals."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import pytest

from p2ptruco.mental import keys, shuffle
from p2ptruco.mental.chance import Source
from p2ptruco.mental.context import Context
from p2ptruco.mental.deck import Deck, Start, start_deck
from p2ptruco.mental.keys import Joint, KeyPair
from p2ptruco.mental.refused import Refused
from p2ptruco.mental.shuffle import Shuffled

CARDS = tuple(rank + suit for rank in "4567QJKA23" for suit in "chsd")
CLEAN = CARDS[16:]
FEW = CARDS[:7]

refusals = 0


def seeded(*seed: object) -> Source:
    """SHA-512(seed ‖ 8-byte counter) blocks, one after another."""
    state = hashlib.sha512(repr(seed).encode())
    pool, counter = b"", 0

    def read(size: int) -> bytes:
        nonlocal pool, counter
        while len(pool) < size:
            block = state.copy()
            block.update(counter.to_bytes(8, "big"))
            pool, counter = pool + block.digest(), counter + 1
        taken, pool = pool[:size], pool[size:]
        return taken

    return read


@contextlib.contextmanager
def refused(kind: str, seat: int | None = None) -> Iterator[None]:
    """The block is refused with this word (and seat); counted as one cryptographic negative."""
    global refusals
    with pytest.raises(Refused) as caught:
        yield
    assert caught.value.kind == kind
    assert seat is None or caught.value.seat == seat
    refusals += 1


def context(seats: int = 2, **changes: object) -> Context:
    """The context of the deals here, or one that differs in what is named."""
    here = Context(
        table=hashlib.sha256(b"table").digest(),
        epoch=1,
        hand=2,
        attempt=3,
        identities=tuple(hashlib.sha256(b"seat %d" % i).digest() for i in range(seats)),
    )
    return replace(here, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Deal:
    """Everything of a deal, secrets included."""

    context: Context
    pairs: tuple[KeyPair, ...]
    commitments: tuple[bytes, ...]
    openings: tuple[bytes, ...]
    joint: Joint
    start: Start
    sent: tuple[tuple[bytes, bytes], ...]
    shuffles: tuple[Shuffled, ...]

    @property
    def deck(self) -> Deck:
        """The last deck, taken as verified."""
        return Deck(self.joint, self.start, self.shuffles[-1].masked)

    def before(self, seat: int) -> Start | Shuffled:
        """What this seat shuffled."""
        return self.shuffles[seat - 1] if seat else self.start


def join(here: Context, seed: str = "") -> tuple[tuple[KeyPair, ...], Joint]:
    """Keys of every seat, committed, opened, joined."""
    pairs, _, _, joint = _join(here, seed)
    return pairs, joint


def _join(
    here: Context, seed: str
) -> tuple[tuple[KeyPair, ...], tuple[bytes, ...], tuple[bytes, ...], Joint]:
    source = seeded("keys", seed, here)
    pairs = tuple(keys.draw(source) for _ in range(here.seats))
    commitments = tuple(keys.commit(here, i, pair) for i, pair in enumerate(pairs))
    openings = tuple(keys.open_keys(here, i, pair, source) for i, pair in enumerate(pairs))
    checked = [keys.check_opening(here, i, commitments[i], o) for i, o in enumerate(openings)]
    return pairs, commitments, openings, keys.join(here, checked)


@lru_cache(maxsize=32)
def deal(here: Context, cards: tuple[str, ...] = FEW, seed: str = "") -> Deal:
    """A whole honest deal up to the last shuffle; cached, so treat it as a constant."""
    pairs, commitments, openings, joint = _join(here, seed)
    source = seeded("shuffles", seed, here, len(cards))
    start = start_deck(cards)
    sent: list[tuple[bytes, bytes]] = []
    shuffles: list[Shuffled] = []
    for seat in range(here.seats):
        offline = shuffle.prepare(joint, seat, len(cards), source)
        sent.append(shuffle.shuffle(offline, shuffles[-1] if shuffles else start, source))
        shuffles.append(shuffle.parse(joint, seat, len(cards), *sent[-1]))
    return Deal(here, pairs, commitments, openings, joint, start, tuple(sent), tuple(shuffles))
