"""Forged shuffles: whoever gets one accepted knows, or has doubled, or has lost, a card.

Each class changes one step of an honest proof, and mends all that can be mended afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator

from .disguises import fields
from .prover import Deal, H, Pair, Shuffler, labelled, scalar
from .ristretto import ZERO, G, Point, Q

ITEMS = [
    *(b"suite", b"table", b"epoch", b"hand", b"attempt", b"seat", b"hand-nonce", b"joint-key"),
    *(b"before", b"after", b"first", b"second", b"c_a"),
]
"""What a shuffle's transcript absorbs."""


class Doubled(Shuffler):
    """The same card twice, another one gone."""

    def masked(self) -> list[Pair]:
        order, self.pi = self.pi, [self.pi[0], self.pi[0], *self.pi[2:]]
        after, self.pi = super().masked(), order
        return after


class Planted(Shuffler):
    """A card of its own in the place of one."""

    def masked(self) -> list[Pair]:
        after = super().masked()
        planted = labelled(b"p2ptruco/1/card/4c")
        after[0] = self.rho[0] * G, planted + self.rho[0] * self.deal.key
        return after


class Shifted(Shuffler):
    """One message moved by a point that it knows."""

    def masked(self) -> list[Pair]:
        (a, b), *rest = super().masked()
        return [(a, b + G), *rest]


class Scaled(Shuffler):
    """One pair doubled."""

    def masked(self) -> list[Pair]:
        (a, b), *rest = super().masked()
        return [(2 * a, 2 * b), *rest]


class TwoMasks(Shuffler):
    """One ρ for A and another for B."""

    def masked(self) -> list[Pair]:
        (a, b), *rest = super().masked()
        return [(a, b + self.deal.key), *rest]


class SumKept(Shuffler):
    """Two cards changed so that the sum of the deck is the same."""

    def masked(self) -> list[Pair]:
        (a, b), (c, d), *rest = super().masked()
        return [(a + G, b + H(0)), (c - G, d - H(0)), *rest]


class EqualA(Shuffler):
    """Two cards under one mask: a token of one opens both. Only of the first seat."""

    def masked(self) -> list[Pair]:
        self.rho[1] = self.rho[0]
        return super().masked()


class Mixed(Shuffler):
    """A card is the sum of two: all equations hold but the product."""

    def masked(self) -> list[Pair]:
        (a, b), *rest = super().masked()
        more_a, more_b = self.before[self.pi[1]]
        return [(a + more_a, b + more_b), *rest]

    def second(self) -> tuple[list[int], int]:
        f, _ = super().second()
        f[1] -= self.t[self.pi[0]]
        moved = zip(f, self.d, self.rho, strict=True)
        return f, sum((one - d) * rho for one, d, rho in moved) + self.R_d

    def m(self) -> list[int]:
        both = zip(self.pi, self.f, self.d, strict=True)
        return [self.lam * (at + 1) + f - d for at, f, d in both]

    def lacks(self) -> int:
        """What F_Δ's last must grow by for the product to hold."""
        k, y = self.kappa, self.F[0] - self.kappa * self.x
        for F, delta in zip(self.F[1:], self.F_delta, strict=True):
            y = (y * (F - k * self.x) + delta) * pow(k, -1, Q) % Q
        return k * (k * self.product() - y) % Q


class MixedSolved(Mixed):
    """The product solved for F_Δ, so that it is (b) that fails."""

    def mend(self) -> None:
        self.F_delta[-1] += self.lacks()


class DeltaLate(Mixed):
    """(b) solved for c_Δ once κ is known; its own challenges leave c_Δ out."""

    def mend(self) -> None:
        more = self.lacks()
        self.F_delta[-1] += more
        self.first[3] = self.first[3] + more * H(self.n - 2)


class CaLate(Mixed):
    """(b) solved for c_a once κ is known."""

    def mend(self) -> None:
        more = self.lacks()
        self.F_delta[-1] += more
        self.ca = self.ca + more * pow(self.kappa, -1, Q) * H(self.n - 2)


class DLate(Mixed):
    """The product solved for F, and (a) for c_d′ once κ is known."""

    def mend(self) -> None:
        k, y = self.kappa, self.F[0] - self.kappa * self.x
        for F, delta in zip(self.F[1:-1], self.F_delta, strict=False):
            y = (y * (F - k * self.x) + delta) * pow(k, -1, Q) % Q
        more = self.lacks() * pow(y, -1, Q)
        self.F[-1] += more
        self.first[2] = self.first[2] + more * H(self.n - 1)


class ELate(Shuffler):
    """Every card the same, and (c) solved for E once t is known."""

    def masked(self) -> list[Pair]:
        planted = labelled(b"p2ptruco/1/card/4c")
        return [(rho * G, planted + rho * self.deal.key) for rho in self.rho]

    def mend(self) -> None:
        a, b = self.Z * G, self.Z * self.deal.key
        for t, (before_a, before_b) in zip(self.t, self.before, strict=True):
            a, b = a + t * before_a, b + t * before_b
        for f, (after_a, after_b) in zip(self.f, self.after, strict=True):
            a, b = a - f * after_a, b - f * after_b
        self.first[4:] = [a, b]


class ERight(ELate):
    """The same, E absorbed: the challenges then are others than those that it was solved for."""

    def E(self) -> Pair:
        return G, G


class ECancels(Shuffler):
    """E wrong for A and for B by opposite errors: they cancel under equal weights."""

    def E(self) -> Pair:
        a, b = super().E()
        return a + H(1), b - H(1)


class NoBlinders(Shuffler):
    """c_d is the identity: no point that may be received."""

    def committed(self) -> list[Point]:
        self.d, self.r_d = [0] * self.n, 0
        return super().committed()


class NoE(Shuffler):
    """E is the identity, twice."""

    def E(self) -> Pair:
        self.d, self.R_d = [0] * self.n, 0
        return ZERO, ZERO


def zs(weight: int, weight_delta: int) -> type[Shuffler]:
    """z and z_Δ wrong by errors that cancel under two guessed weights."""

    class Guessed(Shuffler):
        def mend(self) -> None:
            self.z += weight_delta
            self.z_delta -= weight

    return Guessed


WHOLE: list[tuple[type[Shuffler], tuple[bytes, ...]]] = [
    *((kind, ()) for kind in (Doubled, Planted, Shifted, Scaled, TwoMasks, SumKept)),
    *((kind, ()) for kind in (Mixed, MixedSolved, DeltaLate, CaLate, DLate, ELate, ERight)),
    (DeltaLate, (b"c_delta",)),
    (CaLate, (b"c_a",)),
    (DLate, (b"c_dd",)),
    (ELate, (b"E",)),
    *((kind, ()) for kind in (ECancels, NoBlinders, NoE)),
]
GUESSES = [(1, 1), (1, 2), (2, 1), (2**127, 1), (2**128 - 1, 2**128 - 1), (1, 2**64), (3, 5)]


def forged(
    deal: Deal, seat: int, before: list[Pair], others: list[Deal]
) -> Iterator[tuple[str, bytes, bytes]]:
    """Name, deck and proof of each kind. `others`: deals whose proofs do not belong here."""
    for kind, omit in WHOLE:
        left = b", ".join(omit).decode()
        name = f"{kind.__name__}{f' without {left}' if left else ''}"
        yield name, *kind(deal, seat, before, omit).made()
    if seat == 0:
        yield "EqualA", *EqualA(deal, seat, before).made()
    for guess in GUESSES:
        yield f"weights guessed {guess}", *zs(*guess)(deal, seat, before).made()
    for left_out in ITEMS:
        yield (
            f"challenge without {left_out.decode()}",
            *Shuffler(deal, seat, before, (left_out,)).made(),
        )
    for other in others:
        if not other.says_the_same(deal, seat):
            yield f"of another deal ({other.seed})", *Shuffler(other, seat, before).made()
    yield "by another seat", *Shuffler(deal, 1 - seat, before).made()
    honest = Shuffler(deal, seat, before)
    deck, proof = honest.made()
    yield "of another deck", *Shuffler(deal, seat, honest.after).made()
    yield "another shuffle's proof", deck, Shuffler(deal, seat, before).made()[1]
    yield "another shuffle's deck", Shuffler(deal, seat, before).made()[0], proof
    yield from _moved(deck, proof)
    n = honest.n
    for name, changed in fields(deck, "p" * 2 * n, deal.rng):
        yield f"deck: {name}", changed, proof
    for name, changed in fields(proof, "p" * 6 + "s" * (n + 1) + "p" + "s" * (2 * n + 1), deal.rng):
        yield f"proof: {name}", deck, changed


def _moved(deck: bytes, proof: bytes) -> Iterator[tuple[str, bytes, bytes]]:
    """A good proof under a deck put into another order."""
    pairs = [deck[at : at + 64] for at in range(0, len(deck), 64)]
    yield "cards turned round", b"".join(reversed(pairs)), proof
    yield "A and B exchanged", b"".join(pair[32:] + pair[:32] for pair in pairs), proof
    yield "a card twice", b"".join([pairs[1], *pairs[1:]]), proof
    yield "deck and proof of zeros", scalar(0) * (len(deck) // 32), scalar(0) * (len(proof) // 32)
