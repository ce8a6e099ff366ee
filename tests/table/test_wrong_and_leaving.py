"""What a step with wrong entries and leaves comes to: the first wrong one in seat order, else the
leaves (table.md §6), whatever the others said.

Gain, were it not: a cheat has a friend leave, or a stranger's slip, cover what it did, and takes
the match for its team.
"""

from __future__ import annotations

from contextlib import nullcontext
from itertools import product

import pytest

from p2ptruco.mental.group import Q, base_mult
from p2ptruco.mental.keys import KeyPair
from p2ptruco.table.entries import Content, Leave, Open, Reveal, Tokens
from p2ptruco.table.steps.dealing import Committing, Opening
from p2ptruco.table.steps.playing import Revealing, Tokening
from tests.kit.court import TO_IRON
from tests.kit.dictated import Dictated
from tests.kit.opendeck import open_deck
from tests.kit.pieces import SMALL

GOOD, WRONG, GONE, TWIN = "good", "wrong", "gone", "twin"


@pytest.fixture(autouse=True)
def _open(request: pytest.FixtureRequest):
    with nullcontext() if "real" in request.fixturenames else open_deck():
        yield


@pytest.fixture
def real():
    """Dealt with the real group."""


def outcome(said: tuple[str, ...]) -> tuple[str | None, int | None, int | None]:
    """Word's seat, and the winning team, of a step of all seats; None: nobody, or no end yet."""
    wrong = [seat for seat, word in enumerate(said) if word in (WRONG, TWIN)]
    gone = {seat % 2 for seat, word in enumerate(said) if word == GONE}
    if wrong:
        return wrong[0], 1 - wrong[0] % 2
    return None, 1 - gone.pop() if len(gone) == 1 else None


def content(game: Dictated, word: str) -> Content | None:
    wrong = {Opening: Open(b"\1"), Tokening: Tokens(()), Revealing: Reveal(b"")}
    match word:
        case "gone":
            return Leave()
        case "wrong":
            return wrong[type(game.table.open.phase)]
    return None


def check(game: Dictated, said: tuple[str, ...], word: str) -> None:
    here = game.here
    game.close({seat: made for seat, w in enumerate(said) if (made := content(game, w))})
    seat, winner = outcome(said)
    found = [(v.word, v.hand, v.step, v.seat) for v in game.table.violations]
    assert found == ([] if seat is None else [(word, here.hand, here.step, seat)])
    assert game.table.outcome is not None
    assert game.table.outcome.winner == winner
    assert game.finish().audit().status == "complete"


ENDS = [said for said in product((GOOD, WRONG, GONE), repeat=3) if set(said) != {GOOD}]


@pytest.mark.parametrize("said", ENDS)
def test_in_the_openings(said: tuple[str, ...]):
    check(Dictated(SMALL, 4).until(Opening), (*said, GOOD), "bad_opening")


@pytest.mark.parametrize("said", ENDS)
def test_in_the_tokens(said: tuple[str, ...]):
    check(Dictated(SMALL, 4).until(Tokening), (*said, GOOD), "bad_token")


@pytest.mark.parametrize("said", ENDS)
def test_in_the_tokens_of_a_blind_card(said: tuple[str, ...]):
    game = Dictated(TO_IRON, 4).until(Revealing)
    owners = [seat for seat in range(4) if seat not in game.table.owed]
    told = iter(said)
    check(game, tuple(GOOD if seat in owners else next(told) for seat in range(4)), "bad_token")


TWINS = [
    (one, other, said)
    for one, other in ((0, 1), (0, 2), (1, 3), (2, 3))
    for said in product((GOOD, WRONG, GONE), repeat=2)
]


@pytest.mark.parametrize(("one", "other", "said"), TWINS)
def test_equal_keys_are_wrong_whatever_the_others_said(one: int, other: int, said):
    """The later of the two is at fault; it waits for no joint key."""
    game = Dictated(SMALL, 4)
    for seat in range(4):
        game.say(seat, game.twin(seat, one) if seat == other else None)
    told = iter(said)
    words = [TWIN if s == other else GOOD if s == one else next(told) for s in range(4)]
    check(game, tuple(words), "bad_opening")


@pytest.mark.parametrize("word", [WRONG, GONE])
def test_a_key_is_taken_by_a_good_opening_only(word: str):
    """Beside a seat that left, or whose opening is wrong, its key is nobody's."""
    game = Dictated(SMALL, 4)
    for seat in range(4):
        game.say(seat, game.twin(seat, 1) if seat == 2 else None)
    check(game, (GOOD, word, GOOD, GOOD), "bad_opening")


def cancelling(players: int) -> Dictated:
    """The keys of the last two seats cancel out, and those of any before them do, in pairs."""
    game = Dictated(SMALL, players)
    phase = game.table.open.phase
    assert isinstance(phase, Committing)
    for seat in range(players):
        secret = 7 + seat // 2 if seat % 2 else Q - 7 - seat // 2
        pair = KeyPair(secret, base_mult(secret), bytes(32))
        game.say(seat, game.commit(seat, phase.context, pair))
    return game


@pytest.mark.parametrize("players", [2, 4])
def test_keys_that_cancel_out_are_the_last_seats_fault(players: int, real):
    check(cancelling(players), (*[GOOD] * (players - 1), TWIN), "bad_opening")


def test_without_one_of_the_keys_there_is_no_sum_to_be_wrong(real):
    """Keys of all seats sum up to nothing; whoever leaves, or opens wrongly, opened none."""
    check(cancelling(4), (GONE, GOOD, GOOD, GOOD), "bad_opening")
    check(cancelling(4), (GOOD, GOOD, WRONG, GOOD), "bad_opening")
