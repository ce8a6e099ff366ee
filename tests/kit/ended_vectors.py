"""Records of matches that ended before their time, for the vectors of the table."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from p2ptruco.rules.moves import FOLD, PLAY_ON, Move, Play
from p2ptruco.rules.play import legal
from p2ptruco.rules.seating import Seat
from p2ptruco.table.entries import Commit, Leave, Say, Shuffle, Tokens
from p2ptruco.table.steps.dealing import Committing, Opening, Readying, Shuffling
from p2ptruco.table.steps.phases import Phase
from p2ptruco.table.steps.playing import Choosing, Game, Tokening
from tests.kit.crooks import last_bit, no_point
from tests.kit.dictated import Dictated
from tests.kit.pieces import SMALL


class Ended(NamedTuple):
    """A record that is complete; it begins as that of `like`, if there is one."""

    name: str
    about: str
    made: Callable[[], Dictated]
    like: str | None = None


def ended() -> Iterator[tuple[Ended, bytes]]:
    for one in ENDED:
        yield one, one.made().finish().record()


# Wrong entries, and leaves beside them.


def equal_keys_beside_a_leave() -> Dictated:
    game = Dictated(SMALL, 4, 1)
    for seat in range(4):
        game.say(seat, game.twin(seat, 0) if seat == 1 else None)
    assert isinstance(game.table.open.phase, Opening)
    return game.close({2: Leave()})


def bad_proof_before_a_leave() -> Dictated:
    game = Dictated(SMALL, 2, 2).until(Shuffling)
    made = game.content(0)
    assert isinstance(made, Shuffle)
    game.say(0, Shuffle(made.deck[64:128] + made.deck[:64] + made.deck[128:], made.proof))
    return game.close({1: Leave()})


def illegal_moves(hands: int) -> Dictated:
    """Seat 1 answers a call that nobody made, each time that it speaks."""

    def speaks(phase: Phase) -> bool:
        return isinstance(phase, Choosing) and phase.speaker == 1

    game = Dictated(SMALL, 2, 4)
    for hand in range(hands):
        game.until(speaks, hand).close({1: Say("accept")})
    return game


def two_batches(change: Callable[[bytes, bytes], tuple[bytes, ...]]) -> Dictated:
    """Seat 1's tokens: for the other seat's cards, then for the vira."""
    game = Dictated(SMALL, 2, 5).until(Tokening)
    made = game.content(1)
    assert isinstance(made, Tokens)
    one, other = made.batches
    return game.close({1: Tokens(change(one, other))})


# Leaving.


def left(kind: type[Phase], *seats: int) -> Dictated:
    game = Dictated(SMALL, 2, 6).until(kind)
    return game.close(dict.fromkeys(seats, Leave()))


def left_at_the_target() -> Dictated:
    """One point short of the target, a hand's worth is given away."""
    game = Dictated(SMALL, 2, 7).until(Committing, 1)
    assert game.table.match is not None
    ahead = game.table.match.score.index(1)
    return game.close({1 - ahead: Leave()})


SET = replace(SMALL, best_of=3)


def gives_up(game: Game, seat: Seat, rng: random.Random) -> Move:
    """Seat 1 folds, seat 0 plays on: a match of two hands."""
    moves = legal(game.hand, seat)
    for move in (FOLD, PLAY_ON):
        if move in moves and (seat == 1 or move is PLAY_ON):
            return move
    return next(move for move in moves if isinstance(move, Play))


def second_match() -> Dictated:
    """A set after its first match, which seat 0 won."""
    game = Dictated(SET, 2, 8, gives_up).until(Committing, 2)
    assert game.table.match is not None
    assert game.table.match.won == (1, 0)
    return game


def set_left(*seats: int) -> Dictated:
    return second_match().close(dict.fromkeys(seats, Leave()))


def set_cut() -> Dictated:
    game = second_match()
    first = game.content(1)
    assert isinstance(first, Commit)
    game.say(1, first)
    game.say(1, Commit(bytes(32)))
    return game


ENDED = (
    Ended(
        "equal-keys-beside-a-leave",
        "seat 1 opens with seat 0's key, seat 2 leaves in the same step: bad_opening",
        equal_keys_beside_a_leave,
    ),
    Ended(
        "bad-proof-before-a-leave",
        "seat 1 leaves in its shuffle: the proof of seat 0, which is wrong, was not judged yet",
        bad_proof_before_a_leave,
    ),
    Ended(
        "illegal-moves",
        "two illegal moves: the first is named, the second loses the match in its time",
        lambda: illegal_moves(2),
    ),
    Ended(
        "illegal-move-before-a-leave",
        "an illegal move in hand 0, seat 0 leaves in hand 1: the leave ended it, nothing is named",
        lambda: illegal_moves(1).close({0: Leave()}),
        like="illegal-moves",
    ),
    Ended(
        "tokens-of-no-bytes",
        "both batches of seat 1 are empty: bad_token, and no tokens are counted",
        lambda: two_batches(lambda one, other: (b"", b"")),
    ),
    Ended(
        "tokens-batch-by-batch",
        "the proof of the first batch is wrong, the second begins with no point: bad_token",
        lambda: two_batches(lambda one, other: (last_bit(one), no_point(other))),
        like="tokens-of-no-bytes",
    ),
    Ended(
        "left-in-a-first-shuffle",
        "seat 0 leaves before a dealer is drawn: there is no hand to give",
        lambda: left(Shuffling, 0),
    ),
    Ended(
        "left-in-the-first-ready",
        "seat 0 leaves in the step whose close draws the dealer: there is no hand to give",
        lambda: left(Readying, 0),
    ),
    Ended(
        "left-in-the-first-tokens",
        "seat 0 leaves when the dealer is drawn: the hand goes to the other team",
        lambda: left(Tokening, 0),
        like="left-in-the-first-ready",
    ),
    Ended(
        "left-at-the-target",
        "the hand that is given away reaches the target: the match counts as won",
        left_at_the_target,
    ),
    Ended(
        "set-left-by-both",
        "both leave in the first hand of a second match: nobody wins, the score is the first's",
        lambda: set_left(0, 1),
    ),
    Ended(
        "set-left",
        "seat 0 leaves in the first hand of a second match: its score, from nil",
        lambda: set_left(0),
        like="set-left-by-both",
    ),
    Ended(
        "set-cut",
        "seat 1 equivocates in the first hand of a second match: the score is the first's",
        set_cut,
        like="set-left-by-both",
    ),
)
