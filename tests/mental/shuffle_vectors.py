"""The vectors of shuffles: one good one, and one for each way of being wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace

import pytest

from p2ptruco.mental import shuffle
from p2ptruco.mental.deck import Masked, start_deck
from p2ptruco.mental.group import (
    IDENTITY,
    Point,
    Q,
    add,
    base_mult,
    decode_scalar,
    encode_scalar,
    mult,
    sub,
)
from p2ptruco.mental.keys import Joint
from p2ptruco.mental.shuffle import prove
from p2ptruco.mental.shuffle.prove import Blinders, Committed, Masks
from p2ptruco.mental.shuffle.vector import commit
from p2ptruco.mental.transcript import Transcript
from tests.mental.kit import FEW, Deal, context, deal, seeded
from tests.mental.rfc9496 import disguised, taking_bit_255
from tests.mental.vector import Json, Named, vector


def _sent(shuffles: list[tuple[bytes, bytes]]) -> Json:
    sent = [{"deck": deck.hex(), "proof": proof.hex()} for deck, proof in shuffles]
    return {"cards": list(FEW), "shuffles": sent}


def shuffle_vectors() -> Iterator[Named]:
    here = deal(context(2))
    first, (deck, proof) = here.sent
    yield "shuffle/prove", vector("a shuffle made from given values", "prove", _prover(here), here)
    yield "shuffle/chain", vector("both seats' shuffles", "chain", _sent(list(here.sent)), here)
    for name, (about, bad_deck, bad_proof) in _bad_shuffles(here, deck, proof).items():
        given = _sent([first, (bad_deck, bad_proof)])
        yield f"shuffle/{name}", vector(about, "chain", given, here)
    given = _sent([(deck, proof), first])
    yield "shuffle/seats-swapped", vector("each other's shuffle", "chain", given, here)
    for name, there in {
        "hand": {"hand": 9},
        "attempt": {"attempt": 9},
        "epoch": {"epoch": 9},
        "table": {"table": bytes(32).hex()},
    }.items():
        given = _sent(list(here.sent))
        about = f"proved for another {name}"
        yield f"shuffle/other-{name}", vector(about, "chain", given, here, **there)


def _bad_shuffles(here: Deal, deck: bytes, proof: bytes) -> dict[str, tuple[str, bytes, bytes]]:
    """Seat 1's shuffle, wrong in one way each."""
    size = len(FEW)
    shift = base_mult(12345)

    def point(data: bytes, at: int) -> bytes:
        return _at(data, at, add(Point(data[32 * at : 32 * at + 32]), shift))

    def scalar(at: int) -> bytes:
        value = decode_scalar(proof[32 * at : 32 * at + 32])
        return _at(proof, at, encode_scalar(value + 1))

    twin = _at(deck, 0, deck[64:96])
    lies = {
        name: _lie(here, name)
        for name in ("duplicated", "shifted", "sum-preserving", "order", "bit-255")
    }
    twin_in_disguise = _at(deck, 0, disguised(deck[64:96]))
    return {
        "deck-short": ("a byte is missing", deck[:-1], proof),
        "proof-short": ("a byte is missing", deck, proof[:-1]),
        "deck-identity": ("an A that is the identity", _at(deck, 0, bytes(32)), proof),
        "deck-bit-255": ("an A with bit 255 set, proved as it stands", *lies["bit-255"]),
        "deck-identity-bit-255": (
            "an A that is the identity with bit 255 set",
            _at(deck, 0, disguised(IDENTITY)),
            proof,
        ),
        "equal-a-bit-255": ("two A's are equal but for bit 255", twin_in_disguise, proof),
        "proof-bit-255": ("c with bit 255 set", deck, _at(proof, 0, disguised(proof[:32]))),
        "proof-identity": ("E that is the identity", deck, _at(proof, 4, bytes(32))),
        "proof-scalar-q": ("f_0 that is q", deck, _at(proof, 6, Q.to_bytes(32, "little"))),
        "equal-a": ("two A's are equal", twin, proof),
        "changed-card": ("a card moved after the proof", point(deck, 1), proof),
        "changed-c": ("c moved", deck, point(proof, 0)),
        "changed-c-d": ("c_d moved", deck, point(proof, 1)),
        "changed-c-dd": ("c_d' moved", deck, point(proof, 2)),
        "changed-c-delta": ("c_Δ moved", deck, point(proof, 3)),
        "changed-e-a": ("E's first component moved", deck, point(proof, 4)),
        "changed-e-b": ("E's second component moved", deck, point(proof, 5)),
        "changed-f": ("f_0 plus 1", deck, scalar(6)),
        "changed-big-z": ("Z plus 1", deck, scalar(6 + size)),
        "changed-c-a": ("c_a moved", deck, point(proof, 7 + size)),
        "changed-big-f": ("F_0 plus 1", deck, scalar(8 + size)),
        "changed-f-delta": ("F_Δ,0 plus 1", deck, scalar(8 + 2 * size)),
        "changed-z": ("z plus 1", deck, scalar(7 + 3 * size)),
        "changed-z-delta": ("z_Δ plus 1", deck, scalar(8 + 3 * size)),
        "duplicated-card": ("the honest algorithm on a doubled card", *lies["duplicated"]),
        "shifted-card": ("the honest algorithm on a shifted card", *lies["shifted"]),
        "sum-preserving": ("two cards changed, their sum is not", *lies["sum-preserving"]),
        "other-order": ("another order committed to than dealt", *lies["order"]),
    }


def _at(data: bytes, at: int, value: bytes) -> bytes:
    return data[: 32 * at] + value + data[32 * (at + 1) :]


def _lie(here: Deal, name: str) -> tuple[bytes, bytes]:
    """The honest algorithm, run by seat 1 on something false."""
    source = seeded("lie", name)
    masks, committed = shuffle.prepare(here.joint, 1, len(FEW), source).take()
    before, shift = here.shuffles[0].masked, base_mult(12345)
    after = prove.apply_masks(masks, before)
    a, b = after.a, after.b
    match name:
        case "duplicated":
            a = (add(a[1], shift), *a[1:])
            b = (add(b[1], mult(12345, here.joint.key)), *b[1:])
        case "shifted":
            b = (add(b[0], shift), *b[1:])
        case "sum-preserving":
            b = (add(b[0], shift), sub(b[1], shift), *b[2:])
        case "order":
            turned = replace(masks, order=masks.order[1:] + masks.order[:1])
            other = prove.apply_masks(turned, before)
            a, b = other.a, other.b
        case "bit-255":
            a = (Point(disguised(a[0])), *a[1:])
    after = Masked(a, b)
    with taking_bit_255() if name == "bit-255" else nullcontext():
        proof = prove.prove(here.joint, 1, masks, committed, before, after, source)
    return after.encode(), proof.encode()


def _prover(here: Deal) -> Json:
    """Every value that a prover draws, for the first shuffle of this deal."""
    source = seeded("prover")
    masks, committed = shuffle.prepare(here.joint, 0, len(FEW), source).take()
    hidden = committed.blinders

    def row(values: list[int] | tuple[int, ...]) -> list[str]:
        return [encode_scalar(value).hex() for value in values]

    return {
        "cards": list(FEW),
        "seat": 0,
        "order": list(masks.order),
        "rho": row(masks.rho),
        "d": row(hidden.d),
        "d'": row(hidden.dd),
        "delta": row(hidden.delta),
        "r, r_d, r_d', r_delta": row([hidden.r, hidden.r_d, hidden.r_dd, hidden.r_delta]),
        "R_d, r_a": row([1234567, 7654321]),
    }


def prove_with(joint: Joint, given: Json) -> tuple[bytes, bytes]:
    """Deck and proof from the values of a `prove` vector, the hedge replaced by them."""

    def row(name: str) -> list[int]:
        return [decode_scalar(bytes.fromhex(value)) for value in given[name]]

    rho, order = tuple(row("rho")), tuple(given["order"])
    points = Masked(tuple(map(base_mult, rho)), tuple(mult(r, joint.key) for r in rho))
    masks = Masks(order, rho, points)
    hidden = Blinders(row("d"), row("d'"), row("delta"), *row("r, r_d, r_d', r_delta"))
    with pytest.MonkeyPatch.context() as given_values:
        given_values.setattr(prove, "_blinders", lambda *_: hidden)
        committed: Committed = prove.commit_masks(joint, given["seat"], masks, seeded())
        given_values.setattr(Transcript, "nonces", lambda *_: iter(row("R_d, r_a")))
        before = start_deck(given["cards"]).masked
        after = prove.apply_masks(masks, before)
        proof = prove.prove(joint, given["seat"], masks, committed, before, after, seeded())
    assert committed.points[0] == commit([j + 1 for j in order], hidden.r)
    return after.encode(), proof.encode()
