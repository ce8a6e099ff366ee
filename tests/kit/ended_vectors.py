"""Records of matches that ended before their time, for the vectors of the table."""

from __future__ import annotations

from collections.abc import Iterator

from p2ptruco.table.dealing import Opening, Shuffling
from p2ptruco.table.entries import Leave, Shuffle
from tests.kit.dictated import Dictated
from tests.kit.pieces import SMALL

Ended = tuple[str, str, bytes]
"""Name, what it is about, the record, which is complete."""


def ended() -> Iterator[Ended]:
    yield (
        "equal-keys-beside-a-leave",
        "seat 1 opens with seat 0's key, seat 2 leaves in the same step: bad_opening",
        equal_keys_beside_a_leave(),
    )
    yield (
        "bad-proof-before-a-leave",
        "seat 1 leaves in its shuffle: the proof of seat 0, which is wrong, was not judged yet",
        bad_proof_before_a_leave(),
    )


def equal_keys_beside_a_leave() -> bytes:
    game = Dictated(SMALL, 4, 1)
    for seat in range(4):
        game.say(seat, game.twin(seat, 0) if seat == 1 else None)
    assert isinstance(game.table.open.phase, Opening)
    return game.close({2: Leave()}).finish().record()


def bad_proof_before_a_leave() -> bytes:
    game = Dictated(SMALL, 2, 2).until(Shuffling)
    made = game.content(0)
    assert isinstance(made, Shuffle)
    game.say(0, Shuffle(made.deck[64:128] + made.deck[:64] + made.deck[128:], made.proof))
    return game.close({1: Leave()}).finish().record()
