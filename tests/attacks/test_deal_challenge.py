"""Attacks on the challenges of a shuffle: what is not bound can be solved for."""

from dataclasses import replace

import pytest

from p2ptruco.mental import shuffle
from p2ptruco.mental.deck import Masked
from p2ptruco.mental.group import Q, add, base_mult, combine, mult, sub
from p2ptruco.mental.shuffle import Proof, Shuffled, prove, verify
from p2ptruco.mental.shuffle.statement import Challenger, First, Last, Second
from tests.attacks.dishonest import open_with, witness
from tests.mental.kit import CARDS, Deal, context, deal, refused, seeded

SHIFT = base_mult(12345)


def _refuse(here: Deal, shuffled: Shuffled) -> None:
    with refused("bad_proof", shuffled.seat):
        shuffle.verify_one(here.joint, here.before(shuffled.seat), shuffled, seeded("v"))


def _copies(here: Deal) -> tuple[prove.Masks, Masked]:
    """A deck of nothing but the first card, each copy under its own mask."""
    masks, _ = witness(here, 0)
    order = tuple(range(len(here.start)))
    same = replace(masks, order=(0,) * len(order))
    return replace(masks, order=order), prove.apply_masks(same, here.start.masked)


def _copies_proof(here: Deal, after: Masked, masks: prove.Masks, ask: Challenger) -> Proof:
    """Honest but for E, which is solved from the equation once t is known."""
    committed = prove.commit_masks(here.joint, 0, masks, seeded("copies"))
    hidden, key, before = committed.blinders, here.joint.key, here.start.masked
    first = First(*committed.points, SHIFT, SHIFT)
    t = ask.t(first)
    f = tuple((a + b) % Q for a, b in zip(t, hidden.d, strict=True))
    Z = 4242
    e_a = sub(
        add(base_mult(Z), combine(zip(t, before.a, strict=True))),
        combine(zip(f, after.a, strict=True)),
    )
    e_b = sub(
        add(mult(Z, key), combine(zip(t, before.b, strict=True))),
        combine(zip(f, after.b, strict=True)),
    )
    second = Second(f, Z)
    lam, x = ask.lambda_x(second)
    m = [(lam * (j + 1) + ti) % Q for j, ti in zip(masks.order, t, strict=True)]
    w = prove._differences(m, x, hidden)
    c_a = prove.commit(w, 5)
    last = prove._last(ask.kappa(c_a), lam, m, w, hidden, 5)
    return Proof(replace(first, e_a=e_a, e_b=e_b), second, c_a, last)


@pytest.mark.parametrize("size", [7, 40])
def test_challenge_computed_without_E(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gain: 40 copies of one card. E chosen after t balances any deck whatever."""
    here = deal(context(2), CARDS[:size])
    masks, after = _copies(here)
    assert open_with(here, after) == [0] * size

    def without_e(self: First) -> bytes:
        return b"".join((self.c, self.c_d, self.c_dd, self.c_delta))

    with monkeypatch.context() as weaker:
        weaker.setattr(First, "encode", without_e)
        ask = Challenger(here.joint, 0, here.start.masked, after)
        proof = _copies_proof(here, after, masks, ask)
        forged = Shuffled(here.joint, 0, after, proof)
        shuffle.verify_one(here.joint, here.start, forged, seeded("v"))
    _refuse(here, forged)
    ask = Challenger(here.joint, 0, here.start.masked, after)
    proof = _copies_proof(here, after, masks, ask)
    _refuse(here, Shuffled(here.joint, 0, after, proof))


def test_challenge_kappa_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gain: with κ = 0 the product check says nothing of F."""
    here = deal(context(2))
    with monkeypatch.context() as weaker:
        weaker.setattr(Challenger, "kappa", lambda self, c_a: 0)
        _refuse(here, here.shuffles[0])


@pytest.mark.parametrize("size", [1, 7, 40])
def test_challenge_kappa_of_zero(size: int) -> None:
    """Gain: κ = 0 takes every card out of the product, so that any deck would do; whoever grinds
    until it comes is refused."""
    last = Last((0,) * size, (0,) * (size - 1), 0, 0)
    asked = verify.Asked(t=[1] * size, lam=2, x=3, kappa=0)
    assert not verify._product_holds(asked, last)
