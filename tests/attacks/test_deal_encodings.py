"""The identity, non-canonical values and wrong lengths, everywhere a peer's bytes arrive.

Gain: two encodings of one value are two histories that both verify; an identity is a card without
a mask, a key without a secret, a token that opens nothing.
"""

from collections.abc import Callable

import pytest

from p2ptruco.mental import keys, shuffle, tokens
from p2ptruco.mental.group import Point, Q
from tests.mental.kit import context, deal, refused, seeded
from tests.mental.rfc9496 import NEGATIVE_XY, NOT_SQUARE, Y_ZERO, disguised
from tests.mental.test_group import OURS

HERE = deal(context(2))
IDENTITY = bytes(32)
NO_POINTS = [
    IDENTITY,
    *map(bytes.fromhex, (*OURS, NOT_SQUARE[0], NEGATIVE_XY[0], *Y_ZERO)),
]
NO_SCALARS = [n.to_bytes(32, "little") for n in (Q, Q + 1, Q + 2**200, 2**253, 2**255, 2**256 - 1)]


def _with(data: bytes, at: int, value: bytes) -> bytes:
    return data[: 32 * at] + value + data[32 * (at + 1) :]


def _opening(data: bytes) -> object:
    return keys.check_opening(HERE.context, 1, HERE.commitments[1], data)


def _deck(data: bytes) -> object:
    return shuffle.parse(HERE.joint, 1, 7, data, HERE.sent[1][1])


def _proof(data: bytes) -> object:
    return shuffle.parse(HERE.joint, 1, 7, HERE.sent[1][0], data)


def _token(data: bytes) -> object:
    return tokens.check(HERE.joint, 1, HERE.deck, [0, 1, 2], data)


TOKENS = tokens.release(HERE.joint, 1, HERE.pairs[1], HERE.deck, [0, 1, 2], seeded("t"))
DOORS: dict[str, tuple[Callable[[bytes], object], bytes, list[int], list[int]]] = {
    "opening": (_opening, HERE.openings[1], [0], [2, 3]),
    "deck": (_deck, HERE.sent[1][0], list(range(14)), []),
    "proof": (_proof, HERE.sent[1][1], [*range(6), 14], [*range(6, 14), *range(15, 30)]),
    "token": (_token, TOKENS, [0, 1, 2], [3, 4]),
}


@pytest.mark.parametrize("door", DOORS)
def test_honest_bytes_pass(door: str) -> None:
    """What is refused below is refused for what was changed; and every value is covered."""
    receive, data, points, scalars = DOORS[door]
    assert receive(data) is not None
    covered = len(points) + len(scalars) + (1 if door == "opening" else 0)
    assert covered == len(data) // 32


@pytest.mark.parametrize("door", DOORS)
def test_identity_and_non_canonical_points(door: str) -> None:
    """Every place of a point refuses the identity and every kind of bad encoding."""
    receive, data, points, _ = DOORS[door]
    for at in points:
        for bad in NO_POINTS:
            with refused("not_in_group", 1):
                receive(_with(data, at, bad))


def test_key_of_another_seat_in_disguise() -> None:
    """Gain: a key that is there already, with bit 255 set, committed to and proved by a team that
    holds one secret: no comparison of bytes finds it."""
    taken = HERE.pairs[0]
    pair = keys.KeyPair(taken.secret, Point(disguised(taken.public)), taken.nonce)
    opening = keys.open_keys(HERE.context, 1, pair, seeded("disguise"))
    with refused("not_in_group", 1):
        keys.check_opening(HERE.context, 1, keys.commit(HERE.context, 1, pair), opening)


def test_first_component_twice_in_disguise() -> None:
    """Gain: two cards with one A, once with bit 255 set: one token opens both, unasked."""
    data = HERE.sent[1][0]
    with refused("not_in_group", 1):
        _deck(_with(data, 2, disguised(data[:32])))


@pytest.mark.parametrize("door", DOORS)
def test_non_canonical_scalars(door: str) -> None:
    """Every place of a scalar refuses q and more; s + q for the honest s above all."""
    receive, data, _, scalars = DOORS[door]
    for at in scalars:
        honest = int.from_bytes(data[32 * at : 32 * at + 32], "little")
        for bad in (*NO_SCALARS, (honest + Q).to_bytes(32, "little")):
            with refused("not_in_group", 1):
                receive(_with(data, at, bad))


@pytest.mark.parametrize("door", DOORS)
def test_wrong_lengths_and_types(door: str) -> None:
    """Short, long, empty, doubled, or not bytes at all."""
    receive, data, _, _ = DOORS[door]
    for bad in (
        b"",
        data[:-1],
        data + b"\0",
        data[32:],
        data * 2,
        data[:-32],
        bytes(len(data) + 32),
    ):
        with refused("malformed", 1):
            receive(bad)
    for wrong in (bytearray(data), data.hex(), None, list(data), memoryview(data)):
        with refused("malformed", 1):
            receive(wrong)  # type: ignore[arg-type]


def test_commitment_of_wrong_length() -> None:
    """A commitment is 32 bytes."""
    for bad in (b"", HERE.commitments[1][:31], HERE.commitments[1] + b"\0"):
        with refused("malformed", 1):
            keys.check_opening(HERE.context, 1, bad, HERE.openings[1])


def test_lengths_of_another_number_of_cards() -> None:
    """A deck of fewer or more cards than the variant has is malformed, proof and all."""
    deck, proof = HERE.sent[1]
    for cards in (6, 8, 40):
        with refused("malformed", 1):
            shuffle.parse(HERE.joint, 1, cards, deck, proof)
