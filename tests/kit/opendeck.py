"""An open deck: the interface of `mental` with nothing hidden and nothing proved.

For tests of the table that want thousands of hands. It lives here only: the program has no way
to play with it. `open_deck()` puts it in the place of the real one for the time of a block.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from unittest import mock

from p2ptruco.mental.keys import taken
from p2ptruco.mental.refused import Refused
from p2ptruco.mental.tokens import PROOF_SIZE


def H(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(len(p).to_bytes(4, "big") + p for p in parts)).digest()


@dataclass(frozen=True)
class KeyPair:
    secret: bytes


@dataclass(frozen=True)
class Opening:
    seat: int
    public: bytes


@dataclass(frozen=True)
class Joint:
    context: object
    publics: tuple[bytes, ...]
    nonce: bytes


@dataclass(frozen=True)
class Shuffled:
    joint: Joint
    seat: int
    order: bytes
    proved: bool


@dataclass(frozen=True)
class Deck:
    joint: Joint
    order: bytes


def draw(source) -> KeyPair:
    return KeyPair(source(32))


def commit(context, seat, keys) -> bytes:
    return H(b"commit", keys.secret)


def open_keys(context, seat, keys, source) -> bytes:
    return keys.secret


def check_opening(context, seat, commitment, opening) -> Opening:
    if H(b"commit", opening) != commitment:
        raise Refused("bad_opening", seat)
    return Opening(seat, opening)


def join(context, openings: Sequence[Opening]) -> Joint:
    publics = tuple(opening.public for opening in openings)
    return Joint(context, publics, H(context.table, bytes([context.hand % 256]), *publics))


def prepare(joint, seat, cards, source) -> list[int]:
    order = list(range(cards))
    for i in range(cards - 1, 0, -1):
        j = int.from_bytes(source(8), "big") % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def shuffle(offline, before, source) -> tuple[bytes, bytes]:
    deck = before.order if isinstance(before, Shuffled) else bytes(range(len(before)))
    return bytes(deck[i] for i in offline), b"honest"


def parse(joint, seat, cards, deck, proof) -> Shuffled:
    if len(deck) != cards:
        raise Refused("malformed", seat)
    return Shuffled(joint, seat, deck, proof == b"honest")


def verify_prefix(joint, start, shuffles, source) -> None:
    if shuffles:
        verify_chain(joint, start, shuffles, source)


def verify_chain(joint, start, shuffles, source) -> Deck:
    for shuffled in shuffles:
        if not shuffled.proved or sorted(shuffled.order) != list(range(len(start))):
            raise Refused("bad_proof", shuffled.seat)
    return Deck(joint, shuffles[-1].order)


def _token(joint, seat, slot) -> bytes:
    return H(b"token", joint.nonce, joint.publics[seat], bytes([slot]))


def release(joint, seat, keys, deck, slots, source) -> bytes:
    assert joint.publics[seat] == keys.secret
    return b"".join(_token(joint, seat, slot) for slot in slots) + bytes(64)


def check(joint, seat, deck, slots, blob) -> tuple[bytes, ...]:
    expected = tuple(_token(joint, seat, slot) for slot in slots)
    if blob != b"".join(expected) + bytes(64):
        raise Refused("bad_token", seat)
    return expected


def own(keys, deck, slot) -> bytes:
    return _token(deck.joint, deck.joint.publics.index(keys.secret), slot)


def face(deck, slot, tokens) -> int:
    assert sorted(tokens) == sorted(
        _token(deck.joint, seat, slot) for seat in range(len(deck.joint.publics))
    )
    return deck.order[slot]


def start_deck(cards) -> tuple[str, ...]:
    return tuple(cards)


KEYS = SimpleNamespace(
    Opening=Opening,
    draw=draw,
    commit=commit,
    open_keys=open_keys,
    check_opening=check_opening,
    taken=taken,
    join=join,
)
SHUFFLE = SimpleNamespace(
    prepare=prepare,
    shuffle=shuffle,
    parse=parse,
    verify_chain=verify_chain,
    verify_prefix=verify_prefix,
)
TOKENS = SimpleNamespace(PROOF_SIZE=PROOF_SIZE, release=release, check=check, own=own, face=face)


@contextmanager
def open_deck() -> Iterator[None]:
    """Deal with the open deck inside this block."""
    from p2ptruco.players import keeper
    from p2ptruco.table.steps import dealing, playing

    with (
        mock.patch.multiple(dealing, keys=KEYS, shuffle=SHUFFLE, start_deck=start_deck),
        mock.patch.multiple(playing, tokens=TOKENS),
        mock.patch.multiple(
            keeper, keys=KEYS, shuffle=SHUFFLE, tokens=TOKENS, start_deck=start_deck
        ),
    ):
        yield
