"""Attacks on the keys of a hand: rogue, borrowed, doubled, redrawn, opened otherwise."""

import dataclasses
from dataclasses import replace

import pytest

from p2ptruco.mental import keys, tokens
from p2ptruco.mental.context import Context
from p2ptruco.mental.group import (
    IDENTITY,
    Point,
    Q,
    add,
    base_mult,
    encode_scalar,
    mult,
    sub,
    total,
)
from p2ptruco.mental.keys import KeyPair, Opening
from p2ptruco.mental.transcript import Transcript
from tests.mental.kit import context, deal, refused, seeded

HERE = context(4)
OTHERS = {
    "hand": context(4, hand=9),
    "attempt": context(4, attempt=9),
    "epoch": context(4, epoch=9),
    "table": context(4, table=bytes(32)),
}


def _pairs(seed: str = "") -> list[KeyPair]:
    source = seeded("pairs", seed)
    return [keys.draw(source) for _ in range(4)]


def _bind(
    here: Context, seat: int, public: Point, proof: bytes, nonce: bytes = b"n" * 32
) -> tuple[bytes, bytes]:
    """A commitment to `public`, and an opening of it with whatever proof."""
    commitment = keys.commit(here, seat, KeyPair(1, public, nonce))
    return commitment, public + nonce + proof


def _opening(here: Context, seat: int, pair: KeyPair, seed: str = "") -> Opening:
    data = keys.open_keys(here, seat, pair, seeded("open", seed))
    return keys.check_opening(here, seat, keys.commit(here, seat, pair), data)


def test_rogue_key_xG_minus_the_others() -> None:
    """Gain: PK becomes xG, and the last seat opens every card alone (a published hole)."""
    pairs = _pairs()
    others = total(pair.public for pair in pairs[:3])
    x = 424242
    rogue = sub(base_mult(x), others)
    assert total([*(pair.public for pair in pairs[:3]), rogue]) == base_mult(x)
    mine = KeyPair(x, base_mult(x), b"n" * 32)
    proofs = [keys.open_keys(HERE, 3, replace(mine, public=rogue), seeded("r"))[64:]]
    proofs += [
        keys.open_keys(HERE, seat, pair, seeded("r"))[64:] for seat, pair in enumerate(pairs)
    ]
    proofs += [encode_scalar(1) + encode_scalar(x), bytes(64)]
    for proof in proofs:
        with refused("bad_opening", 3):
            keys.check_opening(HERE, 3, *_bind(HERE, 3, rogue, proof))


def test_rogue_key_would_open_every_card() -> None:
    """What the proof of possession keeps from being: no token of another seat is needed."""
    here = deal(context(2))
    x = 31337
    masked, card = base_mult(55), here.start.masked.b[3]
    rogue = sub(base_mult(x), here.pairs[0].public)
    key = add(here.pairs[0].public, rogue)
    sealed = add(card, mult(55, key))
    assert sub(sealed, mult(x, masked)) == card
    assert sub(sealed, mult(x, masked)) == here.start.masked.b[3]


def test_another_seats_key_and_proof_replayed() -> None:
    """Gain: a copied key cancels against its owner's or opens what its owner opens."""
    pairs = _pairs()
    for victim in range(4):
        data = keys.open_keys(HERE, victim, pairs[victim], seeded("v"))
        for thief in (seat for seat in range(4) if seat != victim):
            commitment = keys.commit(HERE, thief, pairs[victim])
            with refused("bad_opening", thief):
                keys.check_opening(HERE, thief, commitment, data)
            with refused("bad_opening", thief):
                keys.check_opening(HERE, thief, keys.commit(HERE, victim, pairs[victim]), data)


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_opening_replayed_elsewhere(other: Context) -> None:
    """Gain: a key whose secret came out in one hand would serve again in another."""
    for seat, pair in enumerate(_pairs()):
        data = keys.open_keys(other, seat, pair, seeded("o"))
        commitment = keys.commit(other, seat, pair)
        assert keys.check_opening(other, seat, commitment, data)
        with refused("bad_opening", seat):
            keys.check_opening(HERE, seat, commitment, data)
        with refused("bad_opening", seat):
            keys.check_opening(HERE, seat, keys.commit(HERE, seat, pair), data)


def test_opening_replayed_under_another_identity() -> None:
    """Gain: a substitute would inherit a proof made by the one it replaces."""
    for seat, pair in enumerate(_pairs()):
        swapped = list(HERE.identities)
        swapped[seat] = bytes(32)
        other = replace(HERE, identities=tuple(swapped))
        data = keys.open_keys(other, seat, pair, seeded("o"))
        with refused("bad_opening", seat):
            keys.check_opening(HERE, seat, keys.commit(HERE, seat, pair), data)
        with refused("bad_opening", seat):
            keys.check_opening(HERE, seat, keys.commit(other, seat, pair), data)


def test_duplicate_key_is_the_later_seats_fault() -> None:
    """Gain: two seats with one key are one secret, though both prove to have it."""
    pairs = _pairs()
    for first in range(3):
        for later in range(first + 1, 4):
            drawn = list(pairs)
            drawn[later] = replace(pairs[first], nonce=b"m" * 32)
            openings = [_opening(HERE, seat, pair) for seat, pair in enumerate(drawn)]
            with refused("bad_opening", later):
                keys.join(HERE, openings)


def test_keys_that_cancel_out() -> None:
    """Gain: with PK the identity every card lies open; it takes all seats together."""
    pairs = _pairs()[:3]
    last = KeyPair((-sum(p.secret for p in pairs)) % Q, IDENTITY, b"n" * 32)
    last = replace(last, public=base_mult(last.secret))
    openings = [_opening(HERE, seat, pair) for seat, pair in enumerate([*pairs, last])]
    with refused("bad_opening", 3):
        keys.join(HERE, openings)


def test_opening_that_does_not_match_its_commitment() -> None:
    """Gain: to choose one's key after the others', which is steering the joint key."""
    pairs = _pairs()
    for seat, pair in enumerate(pairs):
        data = keys.open_keys(HERE, seat, pair, seeded("o"))
        commitment = keys.commit(HERE, seat, pair)
        for other in (keys.draw(seeded("other", n)) for n in range(5)):
            later = keys.open_keys(HERE, seat, other, seeded("o"))
            with refused("bad_opening", seat):
                keys.check_opening(HERE, seat, commitment, later)
        renonced = data[:32] + bytes(32) + data[64:]
        with refused("bad_opening", seat):
            keys.check_opening(HERE, seat, commitment, renonced)
        for at in range(32):
            changed = commitment[:at] + bytes([commitment[at] ^ 1]) + commitment[at + 1 :]
            with refused("bad_opening", seat):
                keys.check_opening(HERE, seat, changed, data)


def test_every_field_of_an_opening_changed() -> None:
    """Gain: any second opening of one commitment."""
    for seat, pair in enumerate(_pairs()):
        data = keys.open_keys(HERE, seat, pair, seeded("o"))
        commitment = keys.commit(HERE, seat, pair)
        parts = [data[at : at + 32] for at in range(0, 128, 32)]
        for other in (base_mult(3), add(pair.public, base_mult(1)), mult(Q - 1, pair.public)):
            with refused("bad_opening", seat):
                keys.check_opening(HERE, seat, commitment, b"".join([other, *parts[1:]]))
        for at in (2, 3):
            value = int.from_bytes(parts[at], "little")
            for other_value in (value + 1, value - 1, -value, 0, value * 2):
                changed = list(parts)
                changed[at] = encode_scalar(other_value)
                with refused("bad_opening", seat):
                    keys.check_opening(HERE, seat, commitment, b"".join(changed))
        with refused("bad_opening", seat):
            swapped = b"".join((parts[0], parts[1], parts[3], parts[2]))
            keys.check_opening(HERE, seat, commitment, swapped)


def test_proof_of_possession_redrawn_by_the_last_opener() -> None:
    """Gain: a hand nonce that hashed the proof would give the last opener the dealer it likes."""
    pairs = _pairs()
    first = [_opening(HERE, seat, pair) for seat, pair in enumerate(pairs[:3])]
    seen, nonces = set(), set()
    for attempt in range(20):
        data = keys.open_keys(HERE, 3, pairs[3], seeded("redraw", attempt))
        last = keys.check_opening(HERE, 3, keys.commit(HERE, 3, pairs[3]), data)
        seen.add(data)
        nonces.add(keys.join(HERE, [*first, last]).nonce)
    assert len(seen) == 20
    assert len(nonces) == 1


def test_hand_nonce_depends_on_every_committed_value() -> None:
    """Gain: a seat whose value does not count cannot keep the coin fair."""
    pairs = _pairs()
    openings = [_opening(HERE, seat, pair) for seat, pair in enumerate(pairs)]
    nonces = {keys.join(HERE, openings).nonce}
    for seat in range(4):
        for changed in (replace(pairs[seat], nonce=b"m" * 32), keys.draw(seeded("new", seat))):
            moved = [*openings]
            moved[seat] = _opening(HERE, seat, changed)
            nonces.add(keys.join(HERE, moved).nonce)
    for other in OTHERS.values():
        moved = [_opening(other, seat, pair) for seat, pair in enumerate(pairs)]
        nonces.add(keys.join(other, moved).nonce)
    assert len(nonces) == 1 + 8 + len(OTHERS)


def test_challenge_that_leaves_out_the_first_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gain: a proof of possession of a key whose secret nobody has (a known break)."""
    pairs = _pairs()
    rogue = sub(base_mult(7), total(pair.public for pair in pairs[:3]))

    def weak(bound: Transcript, first: Point) -> int:
        return bound.challenge(b"challenge")

    challenge = weak(keys._possession(HERE, 3, rogue), IDENTITY)
    forged = encode_scalar(challenge) + encode_scalar(99)
    with refused("bad_opening", 3):
        keys.check_opening(HERE, 3, *_bind(HERE, 3, rogue, forged))
    monkeypatch.setattr(keys, "_ask", weak)
    opening = keys.check_opening(HERE, 3, *_bind(HERE, 3, rogue, forged))
    openings = [_opening(HERE, seat, pair) for seat, pair in enumerate(pairs[:3])]
    assert keys.join(HERE, [*openings, opening]).key == base_mult(7)


def test_proof_of_another_statement_is_no_proof_of_possession() -> None:
    """Gain: swapped roles; a token proof is a Schnorr proof for the same key."""
    here = deal(context(2))
    data = tokens.release(here.joint, 0, here.pairs[0], here.deck, [0], seeded("t"))
    commitment = here.commitments[0]
    stolen = here.openings[0][:64] + data[32:]
    with refused("bad_opening", 0):
        keys.check_opening(here.context, 0, commitment, stolen)


def test_openings_of_other_deals_are_not_joined() -> None:
    """A table that mixes deals up is a fault of the program, told as such."""
    pairs = _pairs()
    openings = [_opening(HERE, seat, pair) for seat, pair in enumerate(pairs)]
    other = OTHERS["hand"]
    mixed = [*openings[:3], _opening(other, 3, pairs[3])]
    for wrong in (openings[:3], openings[::-1], mixed, [*openings, openings[0]]):
        with pytest.raises(ValueError, match="opening"):
            keys.join(HERE, wrong)


def test_checked_openings_are_not_made_from_bytes() -> None:
    """An Opening holds no proof: what came off the wire has another type."""
    fields = {field.name for field in dataclasses.fields(Opening)}
    assert fields == {"context", "seat", "public", "nonce"}
