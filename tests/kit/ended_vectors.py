"""Records of matches that ended before their time, for the vectors of the table."""

from __future__ import annotations

from collections.abc import Iterator

from p2ptruco.table.dealing import Opening, Shuffling
from p2ptruco.table.entries import Leave, Say, Shuffle, Tokens
from p2ptruco.table.phases import Phase
from p2ptruco.table.playing import Choosing, Tokening
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

    yield (
        "illegal-move-before-a-leave",
        "an illegal move in hand 0, seat 0 leaves in hand 1: the leave ended it, nothing is named",
        illegal_moves(Dictated(SMALL, 2, 3), 1).close({0: Leave()}).finish().record(),
    )
    yield (
        "illegal-moves",
        "an illegal move in each of two hands: the second loses the match in its time",
        illegal_moves(Dictated(SMALL, 2, 4), 2).finish().record(),
    )
    yield (
        "tokens-of-no-bytes",
        "both batches of seat 1 are empty: bad_token, and no tokens are counted",
        Dictated(SMALL, 2, 5).until(Tokening).close({1: Tokens((b"", b""))}).finish().record(),
    )


def illegal_moves(game: Dictated, hands: int) -> Dictated:
    """Seat 1 answers a call that nobody made, each time that it speaks."""

    def speaks(phase: Phase) -> bool:
        return isinstance(phase, Choosing) and phase.speaker == 1

    for hand in range(hands):
        game.until(speaks, hand).close({1: Say("accept")})
    return game


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
