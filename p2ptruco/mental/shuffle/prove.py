"""The prover of a shuffle: an offline part while people play, an online part on the real deck.

Laws
* An `Offline` belongs to one deal, one seat and one input deck. Using it takes it out of memory;
  a second use raises: used twice, it gives the permutation to everybody.
* It cannot be copied, pickled or shown, and is never written anywhere.
* Offline: 4N - 1 multiplications. Online: 3N. Witness and blinders die with the call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import NoReturn

from p2ptruco.mental.chance import Source, permutation, scalar
from p2ptruco.mental.deck import Masked, Start
from p2ptruco.mental.group import Point, Q, add, base_mult, combine, encode_scalar, mult
from p2ptruco.mental.keys import Joint
from p2ptruco.mental.shuffle.statement import (
    Before,
    Challenger,
    First,
    Last,
    Proof,
    Second,
    Shuffled,
)
from p2ptruco.mental.shuffle.vector import commit, commit_ranks


class OfflineSpent(RuntimeError):
    """This offline part has been used or thrown away; draw a new one."""


@dataclass(frozen=True, slots=True, repr=False)
class Masks:
    """The witness: order π, ρ_i, and ρ_i(G, PK)."""

    order: tuple[int, ...]
    rho: tuple[int, ...]
    points: Masked

    def secret(self) -> bytes:
        """Bytes that nobody else knows, to hedge the nonces of the proof with."""
        return bytes(self.order) + b"".join(map(encode_scalar, self.rho))


@dataclass(frozen=True, slots=True, repr=False)
class Blinders:
    """d, d', Δ (N values each) and the blinders of the four commitments made from them."""

    d: list[int]
    dd: list[int]
    delta: list[int]
    r: int
    r_d: int
    r_dd: int
    r_delta: int


@dataclass(frozen=True, slots=True, repr=False)
class Committed:
    """What `commit_masks` made: c, c_d, c_d', c_Δ and what they hide."""

    points: tuple[Point, Point, Point, Point]
    blinders: Blinders


class Offline:
    """One use of one prepared shuffle: `joint`, `seat`, `cards` are public, the rest is not."""

    __slots__ = ("_held", "cards", "joint", "seat")

    def __init__(self, joint: Joint, seat: int, masks: Masks, committed: Committed) -> None:
        self.joint, self.seat, self.cards = joint, seat, len(masks.order)
        self._held = [(masks, committed)]

    def take(self) -> tuple[Masks, Committed]:
        """The secret part, once; OfflineSpent ever after, whichever thread comes second."""
        try:
            return self._held.pop()
        except IndexError:
            raise OfflineSpent("an offline part serves one deck") from None

    def discard(self) -> None:
        """Throw the secret part away, as when the hand is given up or taken up again."""
        self._held.clear()

    @property
    def spent(self) -> bool:
        """Whether it has been used or thrown away."""
        return not self._held

    def __repr__(self) -> str:
        return f"Offline(seat={self.seat}, spent={self.spent})"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("an offline part is never copied nor written")


def prepare(joint: Joint, seat: int, cards: int, source: Source) -> Offline:
    """Everything of a shuffle of `cards` cards that needs no input deck."""
    masks = draw_masks(joint, cards, source)
    return Offline(joint, seat, masks, commit_masks(joint, seat, masks, source))


def draw_masks(joint: Joint, cards: int, source: Source) -> Masks:
    """π, ρ and the masks ρ_i(G, PK): N multiplications."""
    order = permutation(source, cards)
    rho = tuple(scalar(source) for _ in range(cards))
    points = Masked(tuple(map(base_mult, rho)), tuple(mult(r, joint.key) for r in rho))
    return Masks(order, rho, points)


def commit_masks(joint: Joint, seat: int, masks: Masks, source: Source) -> Committed:
    """The four commitments that need no deck: 3N - 1 multiplications."""
    hidden = _blinders(joint, seat, masks, source)
    cross = [-left * right for left, right in zip(hidden.delta, hidden.dd[1:], strict=False)]
    points = (
        commit_ranks(masks.order, hidden.r),
        commit([-d for d in hidden.d], hidden.r_d),
        commit(hidden.dd, hidden.r_dd),
        commit(cross, hidden.r_delta),
    )
    return Committed(points, hidden)


def _blinders(joint: Joint, seat: int, masks: Masks, source: Source) -> Blinders:
    cards = len(masks.order)
    nonces = joint.transcript(b"shuffle-offline", seat).nonces(masks.secret(), source)
    d, dd = list(islice(nonces, cards)), list(islice(nonces, cards))
    delta = [dd[0], *islice(nonces, cards - 2), 0]
    return Blinders(d, dd, delta, *islice(nonces, 4))


def shuffle(offline: Offline, before: Before, source: Source) -> tuple[bytes, bytes]:
    """Shuffle `before` (the start, or the shuffle of the seat before): deck bytes, proof bytes.

    OfflineSpent on a second use; ValueError if `before` is not what this seat shuffles.
    """
    _check_before(offline, before)
    masks, committed = offline.take()
    after = apply_masks(masks, before.masked)
    proof = prove(offline.joint, offline.seat, masks, committed, before.masked, after, source)
    return after.encode(), proof.encode()


def _check_before(offline: Offline, before: Before) -> None:
    if len(before) != offline.cards:
        raise ValueError("an offline part for another number of cards")
    match before:
        case Start() if offline.seat == 0:
            return
        case Shuffled(joint=joint, seat=seat) if seat + 1 == offline.seat:
            if joint == offline.joint:
                return
    raise ValueError("not the deck that this seat shuffles")


def apply_masks(masks: Masks, before: Masked) -> Masked:
    """e'_i = e_π(i) + ρ_i(G, PK): 2N additions, no multiplication."""
    a = (add(before.a[j], mask) for j, mask in zip(masks.order, masks.points.a, strict=True))
    b = (add(before.b[j], mask) for j, mask in zip(masks.order, masks.points.b, strict=True))
    return Masked(tuple(a), tuple(b))


def prove(
    joint: Joint,
    seat: int,
    masks: Masks,
    committed: Committed,
    before: Masked,
    after: Masked,
    source: Source,
) -> Proof:
    """That `after` is `before` shuffled by `masks`: 3N multiplications."""
    ask = Challenger(joint, seat, before, after)
    hidden = committed.blinders
    nonces = ask.bound.nonces(masks.secret() + encode_scalar(hidden.r), source)
    r_e, r_a = next(nonces), next(nonces)
    first = First(*committed.points, *_blinded_sum(joint, hidden.d, after, r_e))

    t = ask.t(first)
    t_order = [t[j] for j in masks.order]
    f = tuple((a + b) % Q for a, b in zip(t_order, hidden.d, strict=True))
    second = Second(f, (_inner(t_order, masks.rho) + r_e) % Q)

    lam, x = ask.lambda_x(second)
    m = [(lam * (j + 1) + ti) % Q for j, ti in zip(masks.order, t_order, strict=True)]
    w = _differences(m, x, hidden)
    c_a = commit(w, r_a)

    kappa = ask.kappa(c_a)
    return Proof(first, second, c_a, _last(kappa, lam, m, w, hidden, r_a))


def _blinded_sum(joint: Joint, d: Sequence[int], after: Masked, r: int) -> tuple[Point, Point]:
    """E = r(G, PK) + Σ (-d_i) e'_i: 2N + 1 multiplications."""
    minus = [-v for v in d]
    e_a = add(base_mult(r), combine(zip(minus, after.a, strict=True)))
    e_b = add(mult(r, joint.key), combine(zip(minus, after.b, strict=True)))
    return e_a, e_b


def _differences(m: Sequence[int], x: int, hidden: Blinders) -> list[int]:
    """W_i = Δ_{i+1} - (m_{i+1} - x) Δ_i - a_i d'_{i+1}, with a_i = Π_{j<=i} (m_j - x)."""
    w, a = [], 1
    for i, (delta, following) in enumerate(pairwise(hidden.delta)):
        a = a * (m[i] - x) % Q
        w.append((following - (m[i + 1] - x) * delta - a * hidden.dd[i + 1]) % Q)
    return w


def _last(
    kappa: int, lam: int, m: Sequence[int], w: Sequence[int], hidden: Blinders, r_a: int
) -> Last:
    return Last(
        F=tuple((kappa * mi + ddi) % Q for mi, ddi in zip(m, hidden.dd, strict=True)),
        F_delta=tuple(
            (kappa * wi - hidden.delta[i] * hidden.dd[i + 1]) % Q for i, wi in enumerate(w)
        ),
        z=(kappa * (lam * hidden.r + hidden.r_d) + hidden.r_dd) % Q,
        z_delta=(kappa * r_a + hidden.r_delta) % Q,
    )


def _inner(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(left, right, strict=True)) % Q
