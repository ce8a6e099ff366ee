"""Attacks on the proof of a shuffle: false decks, false witnesses, changed proofs."""

from dataclasses import replace

import pytest

from p2ptruco.mental import shuffle, tokens
from p2ptruco.mental.deck import Deck, Masked
from p2ptruco.mental.group import Q, add, base_mult, mult, sub, total
from p2ptruco.mental.shuffle import Proof, Shuffled, prove, verify
from p2ptruco.mental.shuffle.statement import First, Last, Second
from tests.attacks.dishonest import (
    claim,
    doubled,
    open_with,
    put,
    sent,
    shifted,
    with_order,
    witness,
)
from tests.mental.kit import CARDS, Deal, context, deal, refused, seeded

SHIFT = base_mult(12345)
PLACES = range(7)


@pytest.fixture(params=[0, 1], ids=["first-seat", "second-seat"])
def seat(request: pytest.FixtureRequest) -> int:
    """Whoever shuffles the starting deck, and whoever shuffles another's."""
    return int(request.param)


def _refuse(here: Deal, shuffled: Shuffled) -> None:
    with refused("bad_proof", shuffled.seat):
        shuffle.verify_one(here.joint, here.before(shuffled.seat), shuffled, seeded("v"))


def _honest(here: Deal, seat: int) -> tuple[prove.Masks, prove.Committed, Masked, Masked]:
    masks, committed = witness(here, seat)
    before = here.before(seat).masked
    return masks, committed, before, prove.apply_masks(masks, before)


def test_the_honest_algorithm_is_accepted(seat: int) -> None:
    """What follows fails for the lie in it, not for the way it is driven."""
    here = deal(context(2))
    made = claim(here, seat, *_honest(here, seat))
    shuffle.verify_one(here.joint, here.before(seat), made, seeded("v"))


@pytest.mark.parametrize("at", range(6))
def test_wrong_permutation_commitment(seat: int, at: int) -> None:
    """Gain: to commit to one order and deal another, and so choose it after the challenge."""
    here = deal(context(2))
    masks, committed, before, after = _honest(here, seat)
    order = list(masks.order)
    order[at], order[at + 1] = order[at + 1], order[at]
    _refuse(here, claim(here, seat, masks, with_order(committed, tuple(order)), before, after))
    lie = replace(masks, order=tuple(order))
    _refuse(here, claim(here, seat, lie, committed, before, after))
    _refuse(here, claim(here, seat, lie, with_order(committed, lie.order), before, after))


@pytest.mark.parametrize("at", PLACES)
def test_duplicated_card(seat: int, at: int) -> None:
    """Gain: two of the best card, one of them in one's own hand."""
    here = deal(context(2))
    masks, committed, before, after = _honest(here, seat)
    for other in (o for o in PLACES if o != at):
        two = doubled(after, at, other, 99, here.joint)
        _refuse(here, claim(here, seat, masks, committed, before, two))
        order = tuple(masks.order[other] if i == at else j for i, j in enumerate(masks.order))
        rho = tuple(masks.rho[other] + 99 if i == at else r for i, r in enumerate(masks.rho))
        lie = replace(masks, order=order, rho=rho)
        _refuse(here, claim(here, seat, lie, with_order(committed, order), before, two))


@pytest.mark.parametrize("at", PLACES)
def test_replaced_card(seat: int, at: int) -> None:
    """Gain: a card of one's choice, of the deck or not, in a slot of one's choice."""
    here = deal(context(2))
    masks, committed, before, after = _honest(here, seat)
    for card in (*here.start.masked.b[:3], here.joint.key, SHIFT):
        b = add(mult(77, here.joint.key), card)
        swapped = Masked(put(after.a, at, base_mult(77)), put(after.b, at, b))
        _refuse(here, claim(here, seat, masks, committed, before, swapped))


@pytest.mark.parametrize("at", PLACES)
def test_shifted_card(seat: int, at: int) -> None:
    """Gain: where cards have known relations a shift turns one's four into a three."""
    here = deal(context(2))
    masks, committed, before, after = _honest(here, seat)
    cards = here.start.masked.b
    for by in (SHIFT, sub(cards[at], cards[at - 1]), mult(-1, SHIFT)):
        _refuse(here, claim(here, seat, masks, committed, before, shifted(after, at, by)))
        moved = Masked(put(after.a, at, add(after.a[at], by)), after.b)
        _refuse(here, claim(here, seat, masks, committed, before, moved))


@pytest.mark.parametrize("at", range(6))
def test_sum_preserving_change_of_two_cards(seat: int, at: int) -> None:
    """Gain: two cards changed so that every check of sums still holds."""
    here = deal(context(2))
    masks, committed, before, after = _honest(here, seat)
    for by in (SHIFT, sub(here.start.masked.b[at], here.start.masked.b[at + 1])):
        two = shifted(shifted(after, at, by), at + 1, mult(-1, by))
        _refuse(here, claim(here, seat, masks, committed, before, two))


def test_proof_that_compares_only_sums() -> None:
    """Gain: a proof that Σe' - Σe is a mask lets any sum-preserving deck pass (a known break)."""
    here = deal(context(2))
    masks, committed, before, after = _honest(here, 0)
    two = shifted(shifted(after, 0, SHIFT), 1, mult(-1, SHIFT))
    mask = sum(masks.rho)
    assert sub(total(two.a), total(before.a)) == base_mult(mask)
    assert sub(total(two.b), total(before.b)) == mult(mask, here.joint.key)
    assert None in open_with(here, two)
    _refuse(here, claim(here, 0, masks, committed, before, two))


@pytest.mark.parametrize("at", PLACES)
def test_scaled_card(seat: int, at: int) -> None:
    """Gain: to spoil a card so that it opens to nothing, in somebody else's hand."""
    here = deal(context(2))
    masks, committed, before, after = _honest(here, seat)
    for factor in (2, Q - 1, 3):
        a, b = mult(factor, after.a[at]), mult(factor, after.b[at])
        scaled = Masked(put(after.a, at, a), put(after.b, at, b))
        _refuse(here, claim(here, seat, masks, committed, before, scaled))


def test_unequal_masks(seat: int) -> None:
    """Gain: a card masked with two different ρ opens to nothing whatever is paid for it."""
    here = deal(context(2))
    masks, committed, before, _ = _honest(here, seat)
    points = Masked(masks.points.a, masks.points.b[1:] + masks.points.b[:1])
    after = prove.apply_masks(replace(masks, points=points), before)
    _refuse(here, claim(here, seat, masks, committed, before, after))


def test_equal_first_components() -> None:
    """Gain: two slots with one A have one token, so a card paid for opens another as well."""
    here = deal(context(2))
    masks, _ = witness(here, 0)
    rho = (masks.rho[0], masks.rho[0], *masks.rho[2:])
    points = Masked(tuple(map(base_mult, rho)), tuple(mult(r, here.joint.key) for r in rho))
    lie = prove.Masks(masks.order, rho, points)
    committed = prove.commit_masks(here.joint, 0, lie, seeded("c"))
    after = prove.apply_masks(lie, here.start.masked)
    deck = Deck(here.joint, here.start, after)
    assert tokens.own(here.pairs[1], deck, 0) == tokens.own(here.pairs[1], deck, 1)
    made = claim(here, 0, lie, committed, here.start.masked, after)
    _refuse(here, made)
    with pytest.MonkeyPatch.context() as weaker:
        weaker.setattr(verify, "_distinct", lambda masked: True)
        shuffle.verify_one(here.joint, here.start, made, seeded("v"))


def _changed_scalars(values: tuple[int, ...], at: int) -> list[tuple[int, ...]]:
    moved = [(values[at] + step) % Q for step in (1, Q - 1)] + [0, (-values[at]) % Q]
    changed = [(*values[:at], value, *values[at + 1 :]) for value in moved]
    if at + 1 < len(values):
        changed.append((*values[:at], values[at + 1], values[at], *values[at + 2 :]))
    return changed


def _variants(proof: Proof) -> list[Proof]:
    """Each field of a proof changed, a few values each."""
    first, second, last = proof.first, proof.second, proof.last
    changed = []
    for name in First.__slots__:
        point = getattr(first, name)
        for other in (add(point, SHIFT), mult(Q - 1, point), mult(2, point), proof.c_a):
            changed.append(replace(proof, first=replace(first, **{name: other})))
    for other in (add(proof.c_a, SHIFT), mult(Q - 1, proof.c_a), first.c):
        changed.append(replace(proof, c_a=other))
    for at in range(len(second.f)):
        for f in _changed_scalars(second.f, at):
            changed.append(replace(proof, second=Second(f, second.Z)))
    for name in ("F", "F_delta"):
        row = getattr(last, name)
        for at in range(len(row)):
            for values in _changed_scalars(row, at):
                changed.append(replace(proof, last=replace(last, **{name: values})))
    for (value,) in _changed_scalars((second.Z,), 0):
        changed.append(replace(proof, second=Second(second.f, value)))
    for name in ("z", "z_delta"):
        for (value,) in _changed_scalars((getattr(last, name),), 0):
            changed.append(replace(proof, last=replace(last, **{name: value})))
    return changed


def test_every_proof_field_changed_one_by_one(seat: int) -> None:
    """Gain: any freedom in a finished proof is a start for a forged one."""
    here = deal(context(2))
    good = here.shuffles[seat]
    variants = _variants(good.proof)
    assert len(variants) > 130
    for proof in variants:
        assert proof != good.proof
        _refuse(here, sent(here.joint, seat, good.masked, proof))


def test_every_proof_field_of_a_whole_deck_changed() -> None:
    """The same with 40 cards: every one of the 129 values, moved by one or by a point."""
    here = deal(context(2), CARDS)
    good = here.shuffles[1]
    deck, data = here.sent[1]
    for at in range(0, len(data), 32):
        value = data[at : at + 32]
        is_point = at // 32 in (0, 1, 2, 3, 4, 5, 47)
        other = (
            add(prove.Point(value), SHIFT)
            if is_point
            else prove.encode_scalar(int.from_bytes(value, "little") + 1)
        )
        changed = data[:at] + other + data[at + 32 :]
        _refuse(here, shuffle.parse(here.joint, 1, 40, deck, changed))
    assert good.proof.encode() == data


def test_every_deck_point_changed_under_a_good_proof(seat: int) -> None:
    """Gain: a card moved after the proof was made."""
    here = deal(context(2))
    good = here.shuffles[seat]
    for at in PLACES:
        for other in (SHIFT, good.masked.a[at - 1], good.masked.b[at - 1]):
            for row in ("a", "b"):
                points = put(
                    getattr(good.masked, row), at, add(getattr(good.masked, row)[at], other)
                )
                _refuse(here, replace(good, masked=replace(good.masked, **{row: points})))
    for row in ("a", "b"):
        points = getattr(good.masked, row)
        swapped = (points[1], points[0], *points[2:])
        _refuse(here, replace(good, masked=replace(good.masked, **{row: swapped})))
    turned = Masked(good.masked.b, good.masked.a)
    _refuse(here, replace(good, masked=turned))


def test_order_of_last_message_matters() -> None:
    """Gain: rows of scalars that could be read two ways would be two proofs in one."""
    here = deal(context(2))
    good = here.shuffles[0]
    last = good.proof.last
    moved = Last(last.F_delta + last.F[:1], last.F[1:], last.z, last.z_delta)
    _refuse(here, sent(here.joint, 0, good.masked, replace(good.proof, last=moved)))
    twisted = replace(last, z=last.z_delta, z_delta=last.z)
    _refuse(here, sent(here.joint, 0, good.masked, replace(good.proof, last=twisted)))
