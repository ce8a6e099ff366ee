"""Attacks on chain verification: one equation for a whole deal must accept no single bad proof."""

from concurrent.futures import ThreadPoolExecutor
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
    combine,
    hash_to_point,
    mult,
    sub,
    total,
)
from p2ptruco.mental.refused import Refused
from p2ptruco.mental.shuffle import Proof, Shuffled, prove, vector, verify
from p2ptruco.mental.shuffle.statement import Challenger, First, Last, Second
from tests.attacks.dishonest import claim, continued, open_with, sent, shifted, witness
from tests.mental.kit import CARDS, Deal, context, deal, refused, seeded

SHIFT = base_mult(12345)


def _refuse(here: Deal, chain: list[Shuffled], seat: int) -> None:
    with refused("bad_proof", seat):
        shuffle.verify_chain(here.joint, here.start, chain, seeded("v"))


def _false_deck(here: Deal, seat: int) -> Shuffled:
    masks, committed = witness(here, seat)
    before = here.before(seat).masked
    after = shifted(prove.apply_masks(masks, before), 0, SHIFT)
    return claim(here, seat, masks, committed, before, after)


def _spoilt(shuffled: Shuffled, name: str) -> Shuffled:
    last = shuffled.proof.last
    value = getattr(last, name)
    changed = value + 1 if isinstance(value, int) else (value[0] + 1, *value[1:])
    return replace(shuffled, proof=replace(shuffled.proof, last=replace(last, **{name: changed})))


@pytest.mark.parametrize("seats", range(2, 9))
def test_bad_proof_inside_a_good_chain_names_the_right_seat(seats: int) -> None:
    """Gain: if the batch only said no, whoever shuffled a false deck would put the blame on all."""
    here = deal(context(seats), CARDS[: 3 * seats])
    for seat in range(seats):
        _refuse(here, continued(here, _false_deck(here, seat)), seat)
        for name in ("F", "z", "z_delta"):
            chain = list(here.shuffles)
            chain[seat] = _spoilt(chain[seat], name)
            _refuse(here, chain, seat)


def test_the_first_of_several_offenders_is_named() -> None:
    """Gain: a later, cheaper offence must not cover an earlier one."""
    here = deal(context(4), CARDS[:12])
    for first in range(3):
        for later in range(first + 1, 4):
            for early, late in (("z", "F"), ("F", "z"), ("z_delta", "z")):
                chain = list(here.shuffles)
                chain[first] = _spoilt(chain[first], early)
                chain[later] = _spoilt(chain[later], late)
                _refuse(here, chain, first)


def test_chain_that_breaks_off_still_names_who_was_false_before() -> None:
    """Gain: a last seat that sends garbage would cover for a partner who shuffled falsely."""
    here = deal(context(4), CARDS[:12])
    for seat in range(3):
        chain = list(here.shuffles[:3])
        chain[seat] = _spoilt(chain[seat], "z")
        with refused("bad_proof", seat):
            shuffle.verify_prefix(here.joint, here.start, chain, seeded("v"))
    for length in range(5):
        shuffle.verify_prefix(here.joint, here.start, here.shuffles[:length], seeded("v"))


def test_duplicate_first_components_in_a_chain_name_their_seat() -> None:
    """Gain: equal A's in a batch, where each proof alone would be looked at too late."""
    here = deal(context(3), CARDS[:9])
    good = here.shuffles[1].masked
    chain = list(here.shuffles)
    twins = Masked((good.a[1], *good.a[1:]), good.b)
    chain[1] = replace(chain[1], masked=twins)
    _refuse(here, chain, 1)


def test_chains_are_verified_in_threads_at_once() -> None:
    """Verifying shares nothing: a bad chain beside good ones is refused, and only it."""
    here = deal(context(2))
    bad = [here.shuffles[0], _spoilt(here.shuffles[1], "z")]
    chains = [list(here.shuffles), bad] * 6

    def verdict(chain: list[Shuffled]) -> int | None:
        try:
            shuffle.verify_chain(here.joint, here.start, chain, seeded("v", id(chain)))
        except Refused as error:
            return error.seat
        return None

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(verdict, chains)) == [None, 1] * 6


def test_chain_of_other_decks() -> None:
    """Gain: two good proofs that do not meet are no chain; the later seat's base is missing."""
    here, other = deal(context(3), CARDS[:9]), deal(context(3), CARDS[:9], "other")
    swapped = replace(other.shuffles[1], joint=here.joint)
    _refuse(here, [here.shuffles[0], swapped, here.shuffles[2]], 1)
    skipped = replace(here.shuffles[0], seat=1)
    _refuse(here, [here.shuffles[0], skipped, here.shuffles[2]], 1)
    with pytest.raises(ValueError, match="seat order"):
        shuffle.verify_chain(here.joint, here.start, here.shuffles[:2], seeded("v"))
    with pytest.raises(ValueError, match="seat order"):
        shuffle.verify_chain(here.joint, here.start, here.shuffles[::-1], seeded("v"))
    with pytest.raises(ValueError, match="another deal"):
        shuffle.verify_chain(here.joint, here.start, other.shuffles, seeded("v"))
    longer = start_deck(CARDS[:10])
    with pytest.raises(ValueError, match="another deal"):
        shuffle.verify_chain(here.joint, longer, here.shuffles, seeded("v"))
    with pytest.raises(ValueError, match="another deal"):
        shuffle.verify_one(here.joint, longer, here.shuffles[0], seeded("v"))
    turned = replace(here.joint, publics=here.joint.publics[::-1])
    with pytest.raises(ValueError, match="another deal"):
        shuffle.verify_chain(turned, here.start, here.shuffles, seeded("v"))


def _linear_proof(
    here: Deal, after: Masked, f: list[list[int]], c: Point, ranks: list[int]
) -> Proof:
    """A proof for e' = M e + ρ(G, PK), M invertible: f = M^-T t solves the deck's equation.

    F is what the linear equations ask for, so that only the product check is in the way.
    """
    size = len(after)
    ask = Challenger(here.joint, 0, here.start.masked, after)
    h = vector.generators(size)
    first = First(
        c,
        base_mult(2),
        base_mult(3),
        base_mult(4),
        *prove._blinded_sum(here.joint, [0] * size, after, 6),
    )
    t = ask.t(first)
    answer = [sum(row[j] * t[j] for j in range(size)) % Q for row in f]
    mask = sum(a * r for a, r in zip(answer, RHO, strict=False)) + 6
    second = Second(tuple(answer), mask % Q)
    lam, _ = ask.lambda_x(second)
    c_a = base_mult(5)
    kappa = ask.kappa(c_a)
    big = tuple(kappa * (lam * rank + a) % Q for rank, a in zip(ranks, answer, strict=True))
    assert len(h) == size
    z = (kappa * (lam * 1 + 2) + 3) % Q
    last = Last(big, (0,) * (size - 1), z, (kappa * 5 + 4) % Q)
    return Proof(first, second, c_a, last)


RHO = [1000 + i for i in range(40)]


def test_chain_check_without_the_product_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gain: every linear mix of cards passes for a shuffle; a seat deals what is no card at all.

    e'_0 = e_0 + e_1, the others in place, so f_1 = t_1 - t_0 and f_i = t_i otherwise.
    """
    here = deal(context(2))
    size = len(here.start)
    mixed = list(here.start.masked.b)
    mixed[0] = add(mixed[0], mixed[1])
    after = Masked(
        tuple(base_mult(r) for r in RHO[:size]),
        tuple(add(card, mult(r, here.joint.key)) for card, r in zip(mixed, RHO, strict=False)),
    )
    f = [[int(i == j) for j in range(size)] for i in range(size)]
    f[1][0] = -1
    ranks = list(range(1, size + 1))
    proof = _linear_proof(here, after, f, vector.commit(ranks, 1), ranks)
    forged = sent(here.joint, 0, after, proof)
    assert open_with(here, after)[0] is None
    chain = continued(here, forged)
    _refuse(here, chain, 0)
    monkeypatch.setattr(verify, "_product_holds", lambda asked, last: True)
    shuffle.verify_chain(here.joint, here.start, chain, seeded("v"))


def _constant(size: int) -> bytes:
    return bytes(range(1, size + 1))


def _pairs_error(here: Deal, made: Shuffled, before: Masked) -> tuple[Point, Point]:
    """By how much the two equations of the deck are wrong, A and B."""
    ask = Challenger(here.joint, made.seat, before, made.masked)
    t = ask.t(made.proof.first)
    wrong = []
    for row in ("a", "b"):
        mask = base_mult(made.proof.second.Z)
        if row == "b":
            mask = mult(made.proof.second.Z, here.joint.key)
        first = made.proof.first.e_a if row == "a" else made.proof.first.e_b
        left = add(combine(zip(made.proof.second.f, getattr(made.masked, row), strict=True)), first)
        right = add(mask, combine(zip(t, getattr(before, row), strict=True)))
        wrong.append(sub(left, right))
    return wrong[0], wrong[1]


def test_predictable_batch_weights() -> None:
    """Gain: two colluding seats deal 40 copies of one card.

    The first proves it wrongly; the second, who knows the weights that the victim will draw, moves
    its own c_d' by just the weighted error. With weights from the victim's source it fails.
    """
    here = deal(context(3), CARDS)
    masks, committed = witness(here, 0)
    copies = prove.apply_masks(replace(masks, order=(0,) * 40), here.start.masked)
    assert open_with(here, copies) == [0] * 40
    false = claim(here, 0, masks, committed, here.start.masked, copies)
    error_a, error_b = _pairs_error(here, false, here.start.masked)
    assert error_a == IDENTITY
    weights = [verify._weights(_constant) for _ in range(2)]
    masks, committed = witness(here, 1)
    shift = mult(-weights[0][3] * pow(weights[1][0], -1, Q), error_b)
    c, c_d, c_dd, c_delta = committed.points
    bent = replace(committed, points=(c, c_d, add(c_dd, shift), c_delta))
    helper = claim(here, 1, masks, bent, copies, prove.apply_masks(masks, copies))
    chain = continued(here, helper)[1:]
    chain = [false, *chain]
    assert set(open_with(here, chain[-1].masked)) == {0}
    shuffle.verify_chain(here.joint, here.start, chain, _constant)
    for attempt in range(5):
        with refused("bad_proof", 0):
            shuffle.verify_chain(here.joint, here.start, chain, seeded("v", attempt))


def test_weights_are_drawn_afresh_for_every_proof() -> None:
    """Gain: a weight that comes again, or from fewer bytes, can be guessed; four of 128 bits."""
    here = deal(context(3), CARDS[:9])
    asked: list[int] = []

    def watched(size: int) -> bytes:
        asked.append(size)
        return seeded("w", len(asked))(size)

    shuffle.verify_chain(here.joint, here.start, here.shuffles, watched)
    assert asked == [64] * 3
    assert verify._weights(lambda size: bytes(range(size))) == tuple(
        int.from_bytes(bytes(range(16 * i, 16 * i + 16)), "big") for i in range(4)
    )


def test_one_weight_for_all_equations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gain: with equal weights the error of one commitment is cancelled by another of one's own."""
    here = deal(context(2))
    masks, committed = witness(here, 0)
    c, c_d, c_dd, c_delta = committed.points
    bent = replace(committed, points=(c, c_d, add(c_dd, SHIFT), sub(c_delta, SHIFT)))
    after = prove.apply_masks(masks, here.start.masked)
    made = claim(here, 0, masks, bent, here.start.masked, after)
    with refused("bad_proof", 0):
        shuffle.verify_one(here.joint, here.start, made, seeded("v"))
    monkeypatch.setattr(verify, "_weights", lambda source: (1, 1, 1, 1))
    shuffle.verify_one(here.joint, here.start, made, seeded("v"))


def test_trapdoor_among_generators(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gain: who knows the logarithms of the H_i opens a commitment to whatever suits it.

    The prover of the mixed deck above then satisfies the product check too, with the F of an
    honest order, and solves z from the logarithms. With hashed generators it has none to solve.
    """
    here = deal(context(2))
    size = len(here.start)
    logs = [900 + 7 * i for i in range(size)]
    mixed = list(here.start.masked.b)
    mixed[0] = add(mixed[0], mixed[1])
    after = Masked(
        tuple(base_mult(r) for r in RHO[:size]),
        tuple(add(card, mult(r, here.joint.key)) for card, r in zip(mixed, RHO, strict=False)),
    )

    def forge() -> Shuffled:
        zero = [0] * size
        e_a, e_b = prove._blinded_sum(here.joint, zero, after, 6)
        first = First(base_mult(1), base_mult(2), base_mult(3), base_mult(4), e_a, e_b)
        ask = Challenger(here.joint, 0, here.start.masked, after)
        t = ask.t(first)
        f = [t[0], t[1] - t[0], *t[2:]]
        mask = sum(a * r for a, r in zip(f, RHO, strict=False)) + 6
        second = Second(tuple(v % Q for v in f), mask % Q)
        lam, _ = ask.lambda_x(second)
        kappa = ask.kappa(base_mult(5))
        big = [kappa * (lam * (i + 1) + t[i]) % Q for i in range(size)]
        inner = sum(h * (kappa * a - b) for h, a, b in zip(logs, f, big, strict=True))
        z = kappa * (lam + 2) + 3 + inner
        last = Last(tuple(big), (0,) * (size - 1), z % Q, (kappa * 5 + 4) % Q)
        return sent(here.joint, 0, after, Proof(first, second, base_mult(5), last))

    forged = forge()
    with refused("bad_proof", 0):
        shuffle.verify_one(here.joint, here.start, forged, seeded("v"))
    monkeypatch.setattr(
        verify, "generators", lambda size: tuple(base_mult(log) for log in logs[:size])
    )
    shuffle.verify_one(here.joint, here.start, forge(), seeded("v"))


def test_generators_are_hashes_and_unrelated() -> None:
    """Gain: a generator chosen by anybody is a trapdoor; these are SHA-512 of public labels."""
    points = vector.generators(40)
    assert points[7] == hash_to_point(b"p2ptruco/1/H/7")
    assert len(set(points)) == 40
    assert not set(points) & {base_mult(n) for n in range(100)}


def test_cards_with_known_relations() -> None:
    """Gain: were card i the point iG, adding G to a masked card would turn a four into a five.

    A known break. With hashed points no card is a small multiple of G, and no two differences of
    cards agree, so no shift known in advance leads from a card to a card.
    """
    cards = [hash_to_point(b"p2ptruco/1/card/" + card.encode()) for card in CARDS]
    assert cards == list(deal(context(2), CARDS).start.masked.b)
    related = [base_mult(i + 1) for i in range(40)]
    assert sub(related[7], related[3]) == sub(related[8], related[4])
    assert not set(cards) & {base_mult(i) for i in range(1000)}
    differences = [sub(a, b) for a in cards for b in cards if a != b]
    assert len(set(differences)) == len(differences)
    assert total(cards) not in cards
