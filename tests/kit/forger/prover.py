"""The prover of deal.md: keys, shuffles, tokens, their steps apart so that one can be forged.

Laws
* A statement is what the page's table of absorbed items says, computed here and nowhere else.
* Whoever forges overrides a step, or leaves an item out of its own transcript (`omit`).
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from .ristretto import ZERO, G, Point, Q, from_hash

Item = tuple[bytes, bytes]
Pair = tuple[Point, Point]
LABEL = b"p2ptruco/1/"


def number(value: int) -> bytes:
    return value.to_bytes(8, "big")


def item(kind: bytes, label: bytes, value: bytes = b"") -> bytes:
    return kind + len(label).to_bytes(2, "big") + label + number(len(value)) + value


class Transcript:
    """deal.md §2. `omit`: items that a forger leaves out."""

    def __init__(self, name: bytes, items: Sequence[Item], omit: Collection[bytes] = ()) -> None:
        self.said, self.omit = item(b"S", LABEL + name), omit
        for label, value in items:
            self.absorb(label, value)

    def absorb(self, label: bytes, value: bytes) -> None:
        if label not in self.omit:
            self.said += item(b"A", label, value)

    def challenge(self, label: bytes) -> int:
        self.said += item(b"C", label)
        squeezed = hashlib.sha512(self.said).digest()
        self.said += item(b"R", label, squeezed)
        return int.from_bytes(squeezed, "little") % Q


def digest(name: bytes, items: Sequence[Item]) -> bytes:
    return hashlib.sha512(Transcript(name, items).said).digest()[:32]


def scalar(value: int) -> bytes:
    return (value % Q).to_bytes(32, "little")


def points(pairs: Sequence[Pair]) -> bytes:
    return b"".join(a.encode() + b.encode() for a, b in pairs)


@lru_cache(maxsize=512)
def labelled(label: bytes) -> Point:
    return from_hash(hashlib.sha512(label).digest())


def H(i: int) -> Point:
    return labelled(b"p2ptruco/1/H/%d" % i)


def com(values: Sequence[int], blinder: int) -> Point:
    total = blinder * G
    for i, value in enumerate(values):
        total = total + value * H(i)
    return total


@dataclass(frozen=True)
class Deal:
    """Which deal it is, the cards, and every seat's secrets: a forger may be any of them."""

    table: bytes
    identities: tuple[bytes, ...]
    cards: tuple[str, ...]
    epoch: int = 0
    hand: int = 0
    attempt: int = 0
    seed: object = 0
    secrets: tuple[int, ...] = field(default=(), repr=False)

    @property
    def size(self) -> int:
        return len(self.identities)

    @cached_property
    def rng(self) -> random.Random:
        return random.Random(f"forger/{self.seed}")

    def draw(self) -> int:
        return self.rng.randrange(1, Q)

    @cached_property
    def x(self) -> tuple[int, ...]:
        return self.secrets or tuple(self.draw() for _ in self.identities)

    @cached_property
    def nonces(self) -> tuple[bytes, ...]:
        return tuple(self.rng.randbytes(32) for _ in self.identities)

    @cached_property
    def publics(self) -> tuple[Point, ...]:
        return tuple(x * G for x in self.x)

    @cached_property
    def key(self) -> Point:
        return sum(self.publics, ZERO)

    @cached_property
    def start(self) -> list[Pair]:
        return [(ZERO, labelled(b"p2ptruco/1/card/" + card.encode())) for card in self.cards]

    def other(self, **changes: object) -> Deal:
        """The same secrets in another deal."""
        made = replace(self, secrets=self.x, **changes)  # type: ignore[arg-type]
        made.__dict__["nonces"] = self.nonces
        return made

    def says_the_same(self, other: Deal, seat: int) -> bool:
        """Whether what is proved after the openings is the same statement in another deal."""
        same = self.publics[seat].encode() == other.publics[seat].encode()
        return same and self.joined(b"", seat).said == other.joined(b"", seat).said

    def items(self) -> list[Item]:
        return [
            (b"suite", b"ristretto255-sha512"),
            (b"table", self.table),
            (b"epoch", number(self.epoch)),
            (b"hand", number(self.hand)),
            (b"attempt", number(self.attempt)),
        ]

    @cached_property
    def hand_nonce(self) -> bytes:
        both = zip(self.publics, self.nonces, strict=True)
        named = [one for X, n in both for one in ((b"public", X.encode()), (b"nonce", n))]
        return digest(b"hand-nonce", [*self.items(), *named])

    def joined(self, role: bytes, seat: int, omit: Collection[bytes] = ()) -> Transcript:
        named = [(b"hand-nonce", self.hand_nonce), (b"joint-key", self.key.encode())]
        return Transcript(role, [*self.items(), (b"seat", number(seat)), *named], omit)

    # Keys.

    def commitment(self, seat: int, public: bytes, nonce: bytes) -> bytes:
        who = [(b"seat", number(seat)), (b"identity", self.identities[seat])]
        return digest(b"commit", [*self.items(), *who, (b"public", public), (b"nonce", nonce)])

    def possession(
        self, seat: int, public: bytes, omit: Collection[bytes] = (), role: bytes = b"possession"
    ) -> Transcript:
        who = [(b"seat", number(seat)), (b"identity", self.identities[seat])]
        return Transcript(role, [*self.items(), *who, (b"public", public)], omit)

    def opening(
        self,
        seat: int,
        omit: Collection[bytes] = (),
        role: bytes = b"possession",
        x: int | None = None,
    ) -> bytes:
        public = self.publics[seat].encode()
        bound, k = self.possession(seat, public, omit, role), self.draw()
        bound.absorb(b"first", (k * G).encode())
        gamma = bound.challenge(b"challenge")
        x = self.x[seat] if x is None else x
        return public + self.nonces[seat] + scalar(gamma) + scalar(k + gamma * x)

    # Tokens.

    def token_statement(
        self,
        seat: int,
        deck: Sequence[Pair],
        slots: Sequence[int],
        tokens: Sequence[bytes],
        omit: Collection[bytes] = (),
        role: bytes = b"token",
    ) -> Transcript:
        bound = self.joined(role, seat, omit)
        bound.absorb(b"public", self.publics[seat].encode())
        bound.absorb(b"slots", b"".join(map(number, slots)))
        bound.absorb(b"masked", b"".join(deck[slot][0].encode() for slot in slots))
        bound.absorb(b"tokens", b"".join(tokens))
        return bound

    def release(
        self,
        seat: int,
        deck: Sequence[Pair],
        slots: Sequence[int],
        omit: Collection[bytes] = (),
        role: bytes = b"token",
        x: int | None = None,
        spoil: Callable[[list[Point], list[int]], None] = lambda tokens, weights: None,
    ) -> bytes:
        """`spoil` changes the tokens; a forger that leaves `tokens` out knows the weights then."""
        x = self.x[seat] if x is None else x
        tokens = [x * deck[slot][0] for slot in slots]
        if b"tokens" in omit:
            early = self.token_statement(seat, deck, slots, [], omit, role)
            spoil(tokens, [1, *(early.challenge(b"weight") for _ in slots[1:])])
        else:
            spoil(tokens, [1] * len(slots))
        encoded = [token.encode() for token in tokens]
        bound = self.token_statement(seat, deck, slots, encoded, omit, role)
        weights = [1, *(bound.challenge(b"weight") for _ in slots[1:])]
        star = sum((w * deck[s][0] for w, s in zip(weights, slots, strict=True)), ZERO)
        u = self.draw()
        bound.absorb(b"first", (u * G).encode() + (u * star).encode())
        gamma = bound.challenge(b"challenge")
        return b"".join(encoded) + scalar(gamma) + scalar(u + gamma * x)


class Shuffler:
    """One shuffle and its proof (deal.md §4), step by step; `made` is deck and proof."""

    def __init__(
        self, deal: Deal, seat: int, before: list[Pair], omit: Collection[bytes] = ()
    ) -> None:
        self.deal, self.seat, self.before, self.omit = deal, seat, before, omit
        self.n = len(before)
        draws = lambda count: [deal.draw() for _ in range(count)]  # noqa: E731
        self.pi = deal.rng.sample(range(self.n), self.n)
        self.rho = draws(self.n)
        self.r, self.r_d, self.r_dd, self.r_delta, self.r_a, self.R_d = draws(6)
        self.d, self.dd = draws(self.n), draws(self.n)
        self.delta = [self.dd[0], *draws(self.n - 2), 0]

    # Steps that a forger overrides.

    def masked(self) -> list[Pair]:
        deal = self.deal
        moved = zip((self.before[at] for at in self.pi), self.rho, strict=True)
        return [(a + rho * G, b + rho * deal.key) for (a, b), rho in moved]

    def committed(self) -> list[Point]:
        """c, c_d, c_d′, c_Δ."""
        pairs = zip(self.delta[:-1], self.dd[1:], strict=True)
        return [
            com([rank + 1 for rank in self.pi], self.r),
            com([-one for one in self.d], self.r_d),
            com(self.dd, self.r_dd),
            com([-one * dd for one, dd in pairs], self.r_delta),
        ]

    def E(self) -> Pair:
        a, b = self.R_d * G, self.R_d * self.deal.key
        for d, (after_a, after_b) in zip(self.d, self.after, strict=True):
            a, b = a - d * after_a, b - d * after_b
        return a, b

    def second(self) -> tuple[list[int], int]:
        """f and Z."""
        moved = [self.t[at] for at in self.pi]
        Z = sum(t * rho for t, rho in zip(moved, self.rho, strict=True)) + self.R_d
        return [t + d for t, d in zip(moved, self.d, strict=True)], Z

    def m(self) -> list[int]:
        lam = self.lam
        return [lam * (at + 1) + self.t[at] for at in self.pi]

    def W(self) -> list[int]:
        products, a = [], 1
        for m in self.ms:
            a = a * (m - self.x) % Q
            products.append(a)
        return [
            self.delta[i + 1]
            - (self.ms[i + 1] - self.x) * self.delta[i]
            - products[i] * self.dd[i + 1]
            for i in range(self.n - 1)
        ]

    def c_a(self) -> Point:
        return com(self.Ws, self.r_a)

    def last(self) -> tuple[list[int], list[int], int, int]:
        """F, F_Δ, z, z_Δ."""
        k = self.kappa
        F = [k * m + dd for m, dd in zip(self.ms, self.dd, strict=True)]
        F_delta = [
            k * w - one * dd for w, one, dd in zip(self.Ws, self.delta, self.dd[1:], strict=False)
        ]
        z = k * (self.lam * self.r + self.r_d) + self.r_dd
        return F, F_delta, z, k * self.r_a + self.r_delta

    def mend(self) -> None:
        """A last look at what is about to be sent."""

    # The whole.

    def made(self) -> tuple[bytes, bytes]:
        self.after = self.masked()
        bound = self.deal.joined(b"shuffle", self.seat, self.omit)
        bound.absorb(b"before", points(self.before))
        bound.absorb(b"after", points(self.after))
        self.first = [*self.committed(), *self.E()]
        bound.absorb(b"first", b"".join(p.encode() for p in self._absorbed()))
        self.t = [bound.challenge(b"t") for _ in range(self.n)]
        self.f, self.Z = self.second()
        bound.absorb(b"second", b"".join(map(scalar, [*self.f, self.Z])))
        self.lam, self.x = bound.challenge(b"lambda"), bound.challenge(b"x")
        self.ms = self.m()
        self.Ws = self.W()
        self.ca = self.c_a()
        bound.absorb(b"c_a", self.ca.encode())
        self.kappa = bound.challenge(b"kappa")
        self.F, self.F_delta, self.z, self.z_delta = self.last()
        self.mend()
        return points(self.after), self.encoded()

    def _absorbed(self) -> list[Point]:
        """The first message as the forger's own challenge has it: `omit` of E, c_dd, c_delta."""
        names = (b"c", b"c_d", b"c_dd", b"c_delta", b"E", b"E")
        kept = zip(self.first, names, strict=True)
        return [ZERO if name in self.omit else point for point, name in kept]

    def encoded(self) -> bytes:
        first = b"".join(point.encode() for point in self.first)
        scalars = [*self.F, *self.F_delta, self.z, self.z_delta]
        second = b"".join(map(scalar, [*self.f, self.Z]))
        return first + second + self.ca.encode() + b"".join(map(scalar, scalars))

    def product(self) -> int:
        """What y_{N-1} must be, over κ."""
        value = 1
        for i, t in enumerate(self.t):
            value = value * (self.lam * (i + 1) + t - self.x) % Q
        return value
