"""What was proved once proves nothing elsewhere: other hand, attempt, epoch, table, seat, role."""

from dataclasses import replace

import pytest

from p2ptruco.mental import shuffle, tokens
from p2ptruco.mental.context import Context
from p2ptruco.mental.deck import Deck
from p2ptruco.mental.keys import Joint, KeyPair
from tests.mental.kit import FEW, context, deal, refused, seeded

HERE = deal(context(2))
ELSEWHERE = {
    "hand": context(2, hand=77),
    "attempt": context(2, attempt=77),
    "epoch": context(2, epoch=77),
    "table": context(2, table=b"t" * 32),
}


def _moved(there: Context) -> Joint:
    """The very same keys and nonce, in another place."""
    return replace(HERE.joint, context=there)


JOINTS = {
    **{name: _moved(there) for name, there in ELSEWHERE.items()},
    "hand-nonce": replace(HERE.joint, nonce=bytes(32)),
    "joint-key": replace(HERE.joint, key=HERE.pairs[0].public),
}


@pytest.mark.parametrize("joint", JOINTS.values(), ids=JOINTS)
def test_shuffle_replayed_elsewhere(joint: Joint) -> None:
    """Gain: a deck whose order is known already, from a hand that is over."""
    for seat, parts in enumerate(HERE.sent):
        moved = shuffle.parse(joint, seat, len(FEW), *parts)
        before = replace(HERE.shuffles[0], joint=joint) if seat else HERE.start
        with refused("bad_proof", seat):
            shuffle.verify_one(joint, before, moved, seeded("v"))
    chain = [shuffle.parse(joint, seat, len(FEW), *parts) for seat, parts in enumerate(HERE.sent)]
    with refused("bad_proof", 0):
        shuffle.verify_chain(joint, HERE.start, chain, seeded("v"))


def test_shuffle_replayed_by_another_seat() -> None:
    """Gain: to pass another's shuffle on as one's own, and so know what one should not."""
    for seat in range(2):
        moved = shuffle.parse(HERE.joint, 1 - seat, len(FEW), *HERE.sent[seat])
        with refused("bad_proof", 1 - seat):
            shuffle.verify_one(HERE.joint, HERE.before(seat), moved, seeded("v"))


def test_last_deck_sent_again() -> None:
    """Gain: to shuffle nothing: the deck of the seat before, with its proof or one's own."""
    again = shuffle.parse(HERE.joint, 1, len(FEW), *HERE.sent[0])
    with refused("bad_proof", 1):
        shuffle.verify_chain(HERE.joint, HERE.start, [HERE.shuffles[0], again], seeded("v"))
    mixed = shuffle.parse(HERE.joint, 1, len(FEW), HERE.sent[0][0], HERE.sent[1][1])
    with refused("bad_proof", 1):
        shuffle.verify_chain(HERE.joint, HERE.start, [HERE.shuffles[0], mixed], seeded("v"))


def test_other_cards_under_the_same_proof() -> None:
    """Gain: to say afterwards that another deck was meant."""
    other = deal(context(2), FEW[::-1]).start
    with refused("bad_proof", 0):
        shuffle.verify_chain(HERE.joint, other, HERE.shuffles, seeded("v"))


def _tokens(joint: Joint, seat: int, pair: KeyPair, slots: list[int]) -> bytes:
    deck = Deck(joint, HERE.start, HERE.shuffles[-1].masked)
    return tokens.release(joint, seat, pair, deck, slots, seeded("t"))


@pytest.mark.parametrize("joint", [j for n, j in JOINTS.items()], ids=JOINTS)
@pytest.mark.parametrize("slots", [[0], [0, 1, 2], [6]])
def test_token_replayed_elsewhere(joint: Joint, slots: list[int]) -> None:
    """Gain: a token paid in one hand taken for payment in another."""
    for seat, pair in enumerate(HERE.pairs):
        data = _tokens(joint, seat, pair, slots)
        with refused("bad_token", seat):
            tokens.check(HERE.joint, seat, HERE.deck, slots, data)


def test_token_replayed_by_another_seat() -> None:
    """Gain: the one token that is missing, copied from a seat that did pay."""
    for seat, pair in enumerate(HERE.pairs):
        data = _tokens(HERE.joint, seat, pair, [0, 1])
        with refused("bad_token", 1 - seat):
            tokens.check(HERE.joint, 1 - seat, HERE.deck, [0, 1], data)


def test_token_of_another_deck() -> None:
    """Gain: to have tokens of a deck that nobody verified taken for tokens of this one."""
    other = deal(context(2), FEW, "other")
    deck = Deck(HERE.joint, HERE.start, other.shuffles[-1].masked)
    for seat, pair in enumerate(HERE.pairs):
        data = tokens.release(HERE.joint, seat, pair, deck, [0, 1], seeded("t"))
        with refused("bad_token", seat):
            tokens.check(HERE.joint, seat, HERE.deck, [0, 1], data)


def test_proof_in_another_role(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gain: swapped roles; a proof made as one thing is read as another."""
    with monkeypatch.context() as other:
        plain = Joint.transcript
        other.setattr(Joint, "transcript", lambda self, role, seat: plain(self, b"shuffle", seat))
        data = _tokens(HERE.joint, 0, HERE.pairs[0], [0])
    with refused("bad_token", 0):
        tokens.check(HERE.joint, 0, HERE.deck, [0], data)


def test_mixing_deals_up_is_a_fault_of_the_program() -> None:
    """Wrong joint, deck, key or seat in a call accuses nobody."""
    other = deal(context(2), FEW, "other")
    with pytest.raises(ValueError, match="another deal"):
        tokens.check(HERE.joint, 0, other.deck, [0], bytes(96))
    with pytest.raises(ValueError, match="another deal"):
        tokens.release(HERE.joint, 0, HERE.pairs[0], other.deck, [0], seeded("t"))
    with pytest.raises(ValueError, match="key"):
        tokens.release(HERE.joint, 1, HERE.pairs[0], HERE.deck, [0], seeded("t"))
    with pytest.raises(ValueError, match="another deal"):
        shuffle.verify_one(HERE.joint, HERE.start, other.shuffles[0], seeded("v"))
    with pytest.raises(ValueError, match="seat"):
        HERE.joint.transcript(b"token", 2)
