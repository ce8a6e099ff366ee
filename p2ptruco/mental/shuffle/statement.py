"""What a shuffle proves, its bytes, and its challenges: one place for prover and verifier.

Laws
* The prover's first message is (c, c_d, c_d', c_Δ, E), its second (f, Z), its third c_a, its last
  (F, F_Δ, z, z_Δ); the wire has them in this order, 32 bytes a value.
* Each challenge binds the deal, the seat, the hand nonce, the joint key, both decks and every
  message before it: `Challenger` is the only place that absorbs, and both sides drive it.
* Nothing of a peer is used before `parse`: lengths, then points (no identity) and scalars.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2ptruco.mental.deck import Masked, Start
from p2ptruco.mental.group import SIZE, NotInGroup, Point, decode_point, decode_scalar
from p2ptruco.mental.group import encode_scalar as encode
from p2ptruco.mental.keys import Joint
from p2ptruco.mental.refused import Refused


@dataclass(frozen=True, slots=True)
class First:
    """Commitments made before any challenge; E is the pair (e_a, e_b)."""

    c: Point
    c_d: Point
    c_dd: Point
    c_delta: Point
    e_a: Point
    e_b: Point

    def encode(self) -> bytes:
        """6 points."""
        return b"".join((self.c, self.c_d, self.c_dd, self.c_delta, self.e_a, self.e_b))


@dataclass(frozen=True, slots=True)
class Second:
    """Answer to t: f_i = t_π(i) + d_i and Z = Σ t_π(i) ρ_i + R_d."""

    f: tuple[int, ...]
    Z: int

    def encode(self) -> bytes:
        """N + 1 scalars."""
        return b"".join(map(encode, (*self.f, self.Z)))


@dataclass(frozen=True, slots=True)
class Last:
    """Answer to κ: F (N scalars), F_delta (N - 1), z, z_delta."""

    F: tuple[int, ...]
    F_delta: tuple[int, ...]
    z: int
    z_delta: int

    def encode(self) -> bytes:
        """2N + 1 scalars."""
        return b"".join(map(encode, (*self.F, *self.F_delta, self.z, self.z_delta)))


@dataclass(frozen=True, slots=True)
class Proof:
    """The four messages of one proof: checked shapes, nothing proved."""

    first: First
    second: Second
    c_a: Point
    last: Last

    def encode(self) -> bytes:
        """`proof_size(N)` bytes."""
        return self.first.encode() + self.second.encode() + self.c_a + self.last.encode()


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A seat's deck and proof as they came: points, scalars and shapes hold, nothing else does."""

    joint: Joint
    seat: int
    masked: Masked
    proof: Proof

    def __len__(self) -> int:
        return len(self.masked)


Before = Start | Shuffled


def deck_size(cards: int) -> int:
    """Bytes of a masked deck."""
    return 2 * SIZE * cards


def proof_size(cards: int) -> int:
    """Bytes of a proof: 7 points and 3N + 2 scalars."""
    return SIZE * (3 * cards + 9)


class Challenger:
    """Fiat-Shamir of one proof: absorbs a message, squeezes what answers it, in this order."""

    __slots__ = ("bound", "cards")

    def __init__(self, joint: Joint, seat: int, before: Masked, after: Masked) -> None:
        self.cards = len(after)
        self.bound = joint.transcript(b"shuffle", seat)
        self.bound.absorb(b"before", before.encode())
        self.bound.absorb(b"after", after.encode())

    def t(self, first: First) -> list[int]:
        """t_0 .. t_{N-1}, once all commitments and E are fixed."""
        self.bound.absorb(b"first", first.encode())
        return self.bound.challenges(b"t", self.cards)

    def lambda_x(self, second: Second) -> tuple[int, int]:
        """λ and x, once f and Z are fixed."""
        self.bound.absorb(b"second", second.encode())
        return self.bound.challenge(b"lambda"), self.bound.challenge(b"x")

    def kappa(self, c_a: Point) -> int:
        """κ, once c_a is fixed; a proof with κ = 0 is refused."""
        self.bound.absorb(b"c_a", c_a)
        return self.bound.challenge(b"kappa")


def parse(joint: Joint, seat: int, cards: int, deck: bytes, proof: bytes) -> Shuffled:
    """A seat's shuffle from its bytes; Refused malformed (lengths), not_in_group (values)."""
    if type(deck) is not bytes or type(proof) is not bytes:
        raise Refused("malformed", seat)
    if len(deck) != deck_size(cards) or len(proof) != proof_size(cards):
        raise Refused("malformed", seat)
    try:
        points = [decode_point(part) for part in _parts(deck)]
        return Shuffled(joint, seat, _masked(points), _proof(cards, _parts(proof)))
    except NotInGroup:
        raise Refused("not_in_group", seat) from None


def _parts(data: bytes) -> list[bytes]:
    return [data[at : at + SIZE] for at in range(0, len(data), SIZE)]


def _masked(points: list[Point]) -> Masked:
    return Masked(tuple(points[::2]), tuple(points[1::2]))


def _proof(cards: int, parts: list[bytes]) -> Proof:
    """In the order of the wire: 6 points, N + 1 scalars, a point, 2N + 1 scalars."""
    first = First(*map(decode_point, parts[:6]))
    *f, Z = map(decode_scalar, parts[6 : 7 + cards])
    c_a = decode_point(parts[7 + cards])
    *rest, z, z_delta = map(decode_scalar, parts[8 + cards :])
    last = Last(tuple(rest[:cards]), tuple(rest[cards:]), z, z_delta)
    return Proof(first, Second(tuple(f), Z), c_a, last)
