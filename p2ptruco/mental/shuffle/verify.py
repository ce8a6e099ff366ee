"""The verifier of shuffles: one proof, or a whole chain with one equation (deal.md §4).

Laws
* Per proof, first: distinct A's and the product check. Then the linear equations.
* The four equations of each proof enter with independent 128-bit weights, drawn from the
  verifier's own source after the proofs arrived: nobody who made a proof knew its weights.
* A chain of n proofs costs (2N + 7)n + 2N + 1 multiplications: neighbours share a deck, all share
  the H_i, the joint key and the base point.
* Only `verify_chain` makes a Deck. If it refuses, it names the first seat whose proof is bad.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2ptruco.mental.chance import Source, take
from p2ptruco.mental.deck import Deck, Masked, Start
from p2ptruco.mental.group import IDENTITY, Point, Q, add, base_mult, combine
from p2ptruco.mental.keys import Joint
from p2ptruco.mental.refused import Refused
from p2ptruco.mental.shuffle.statement import Before, Challenger, Last, Proof, Shuffled
from p2ptruco.mental.shuffle.vector import generators

WEIGHT_SIZE = 16


@dataclass(frozen=True, slots=True)
class Asked:
    """The challenges of one proof."""

    t: list[int]
    lam: int
    x: int
    kappa: int


def verify_chain(joint: Joint, start: Start, shuffles: Sequence[Shuffled], source: Source) -> Deck:
    """The deck after all seats' shuffles of `start`, in seat order.

    Refused bad_proof, naming the first seat whose proof does not hold. Pure: different chains may
    be verified in several threads at once.
    """
    if len(shuffles) != joint.context.seats:
        raise ValueError("one shuffle for each seat, in seat order")
    verify_prefix(joint, start, shuffles, source)
    return Deck(joint, start, shuffles[-1].masked)


def verify_prefix(joint: Joint, start: Start, shuffles: Sequence[Shuffled], source: Source) -> None:
    """That the shuffles of the first seats hold, none or all of them; Refused as `verify_chain`.

    For a chain that breaks off: what came before the break may be somebody's fault as well.
    """
    _check_chain(joint, start, shuffles)
    if not _holds(joint, start, shuffles, source):
        _accuse(joint, start, shuffles, source)


def verify_one(joint: Joint, before: Before, shuffled: Shuffled, source: Source) -> None:
    """That `shuffled` is a shuffle of `before`: 5N + 8 multiplications; Refused bad_proof."""
    if shuffled.joint != joint or len(shuffled) != len(before):
        raise ValueError("a shuffle of another deal")
    if not _holds(joint, before, [shuffled], source):
        raise Refused("bad_proof", shuffled.seat)


def _check_chain(joint: Joint, start: Start, shuffles: Sequence[Shuffled]) -> None:
    if [s.seat for s in shuffles] != list(range(len(shuffles))):
        raise ValueError("one shuffle for each seat, in seat order")
    if any(s.joint != joint or len(s) != len(start) for s in shuffles):
        raise ValueError("a shuffle of another deal")


def _accuse(joint: Joint, start: Start, shuffles: Sequence[Shuffled], source: Source) -> None:
    before: Before = start
    for shuffled in shuffles:
        verify_one(joint, before, shuffled, source)
        before = shuffled
    raise ArithmeticError("each proof holds but the chain does not")  # pragma: no cover


def _holds(joint: Joint, before: Before, shuffles: Sequence[Shuffled], source: Source) -> bool:
    decks = [before.masked, *(s.masked for s in shuffles)]
    asked = []
    for previous, shuffled in zip(decks, shuffles, strict=False):
        challenges = _ask(joint, previous, shuffled)
        if not _distinct(shuffled.masked) or not _product_holds(challenges, shuffled.proof.last):
            return False
        asked.append(challenges)
    equation = Equation(joint.key, decks)
    for place, (shuffled, challenges) in enumerate(zip(shuffles, asked, strict=True)):
        equation.include(place, shuffled.proof, challenges, _weights(source))
    return equation.holds()


def _ask(joint: Joint, before: Masked, shuffled: Shuffled) -> Asked:
    ask = Challenger(joint, shuffled.seat, before, shuffled.masked)
    proof = shuffled.proof
    t = ask.t(proof.first)
    lam, x = ask.lambda_x(proof.second)
    return Asked(t, lam, x, ask.kappa(proof.c_a))


def _distinct(masked: Masked) -> bool:
    return len(set(masked.a)) == len(masked.a)


def _product_holds(asked: Asked, last: Last) -> bool:
    """y_0 = F_0 - κx, y_{i+1} = (y_i (F_{i+1} - κx) + F_Δ,i)/κ, y_{N-1} = κ Π(λ(i+1) + t_i - x)."""
    kappa, kx = asked.kappa, asked.kappa * asked.x
    if kappa == 0:
        return False
    inverse = pow(kappa, -1, Q)
    y = (last.F[0] - kx) % Q
    for value, delta in zip(last.F[1:], last.F_delta, strict=True):
        y = (y * (value - kx) + delta) * inverse % Q
    product = kappa
    for i, t in enumerate(asked.t):
        product = product * (asked.lam * (i + 1) + t - asked.x) % Q
    return y == product


def _weights(source: Source) -> tuple[int, int, int, int]:
    drawn = take(source, 4 * WEIGHT_SIZE)
    a, b, c, d = (
        int.from_bytes(drawn[at : at + WEIGHT_SIZE], "big")
        for at in range(0, len(drawn), WEIGHT_SIZE)
    )
    return a, b, c, d


class Equation:
    """Σ scalar · point = 0 over G, PK, H, all decks of a chain and the points of its proofs."""

    def __init__(self, key: Point, decks: Sequence[Masked]) -> None:
        size = len(decks[0])
        self._key, self._decks = key, decks
        self._g = self._pk = 0
        self._h = [0] * size
        self._a = [[0] * size for _ in decks]
        self._b = [[0] * size for _ in decks]
        self._own: list[tuple[int, Point]] = []

    def include(
        self, place: int, proof: Proof, asked: Asked, weights: tuple[int, int, int, int]
    ) -> None:
        """Add the four linear equations of the proof that leads from deck `place` to the next."""
        first, second, last = proof.first, proof.second, proof.last
        w, w_delta, w_a, w_b = weights
        kappa = asked.kappa
        # κ(λc + c_d) + κ Σ f_i H_i + c_d' = zG + Σ F_i H_i
        # κ c_a + c_Δ = z_Δ G + Σ F_Δ,i H_i
        # Σ f_i e'_i + E = Z(G, PK) + Σ t_i e_i, for A with w_a and for B with w_b
        self._own += (
            (w * kappa * asked.lam, first.c),
            (w * kappa, first.c_d),
            (w, first.c_dd),
            (w_delta * kappa, proof.c_a),
            (w_delta, first.c_delta),
            (w_a, first.e_a),
            (w_b, first.e_b),
        )
        self._g -= w * last.z + w_delta * last.z_delta + w_a * second.Z
        self._pk -= w_b * second.Z
        for i, (f, big) in enumerate(zip(second.f, last.F, strict=True)):
            self._h[i] += w * (kappa * f - big)
        for i, delta in enumerate(last.F_delta):
            self._h[i] -= w_delta * delta
        for coefficients, weight in ((self._a, w_a), (self._b, w_b)):
            _accumulate(coefficients[place], -weight, asked.t)
            _accumulate(coefficients[place + 1], weight, second.f)

    def holds(self) -> bool:
        """Whether the sum is the identity; a point that is the identity costs nothing."""
        terms = [(self._pk, self._key), *self._own]
        terms += zip(self._h, generators(len(self._h)), strict=True)
        for masked, a, b in zip(self._decks, self._a, self._b, strict=True):
            terms += zip(a, masked.a, strict=True)
            terms += zip(b, masked.b, strict=True)
        return add(base_mult(self._g), combine(terms)) == IDENTITY


def _accumulate(coefficients: list[int], weight: int, values: Sequence[int]) -> None:
    for i, value in enumerate(values):
        coefficients[i] = (coefficients[i] + weight * value) % Q
