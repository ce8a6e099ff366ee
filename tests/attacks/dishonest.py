"""Dishonest provers: the honest algorithm, driven with a witness or a deck that is false."""

from __future__ import annotations

from dataclasses import replace

from p2ptruco.mental import shuffle
from p2ptruco.mental.deck import Deck, Masked, Start
from p2ptruco.mental.group import Point, Q, add, mult
from p2ptruco.mental.keys import Joint
from p2ptruco.mental.shuffle import Proof, Shuffled, prove
from p2ptruco.mental.shuffle.prove import Committed, Masks
from p2ptruco.mental.shuffle.vector import commit
from tests.mental.kit import Deal, seeded


def witness(here: Deal, seat: int, seed: str = "") -> tuple[Masks, Committed]:
    """What an honest seat would hold after its offline part."""
    source = seeded("witness", seed, seat, here.context)
    return shuffle.prepare(here.joint, seat, len(here.start), source).take()


def claim(
    here: Deal, seat: int, masks: Masks, committed: Committed, before: Masked, after: Masked
) -> Shuffled:
    """The proof that the honest algorithm makes for `after`, sent and parsed."""
    source = seeded("claim", seat)
    made = prove.prove(here.joint, seat, masks, committed, before, after, source)
    return sent(here.joint, seat, after, made)


def sent(joint: Joint, seat: int, after: Masked, proof: Proof) -> Shuffled:
    """Through the bytes, as a peer would get it."""
    return shuffle.parse(joint, seat, len(after), after.encode(), proof.encode())


def with_order(committed: Committed, order: tuple[int, ...]) -> Committed:
    """Commit to any row of ranks, a permutation or not."""
    c = commit([j + 1 for j in order], committed.blinders.r)
    return replace(committed, points=(c, *committed.points[1:]))


def put(points: tuple[Point, ...], at: int, point: Point) -> tuple[Point, ...]:
    """`points` with another at one place."""
    return (*points[:at], point, *points[at + 1 :])


def shifted(masked: Masked, at: int, by: Point) -> Masked:
    """One card moved by a known point: another message under the same mask."""
    return Masked(masked.a, put(masked.b, at, add(masked.b[at], by)))


def doubled(masked: Masked, at: int, other: int, rho: int, joint: Joint) -> Masked:
    """Place `at` gets a fresh mask of the card at `other`."""
    a = add(masked.a[other], mult(rho, prove.base_mult(1)))
    b = add(masked.b[other], mult(rho, joint.key))
    return Masked(put(masked.a, at, a), put(masked.b, at, b))


def continued(here: Deal, bad: Shuffled) -> list[Shuffled]:
    """The chain in which `bad` stands at its seat and the seats after it shuffle honestly."""
    chain = [*here.shuffles[: bad.seat], bad]
    for seat in range(bad.seat + 1, here.context.seats):
        source = seeded("continued", seat)
        offline = shuffle.prepare(here.joint, seat, len(here.start), source)
        parts = shuffle.shuffle(offline, chain[-1], source)
        chain.append(shuffle.parse(here.joint, seat, len(here.start), *parts))
    return chain


def open_with(here: Deal, deck: Masked, start: Start | None = None) -> list[int | None]:
    """What the whole deck opens to, with all secrets."""
    full = Deck(here.joint, start or here.start, deck)
    secret = sum(pair.secret for pair in here.pairs) % Q
    return [
        full.card_at(prove_sub(b, mult(secret, a))) for a, b in zip(deck.a, deck.b, strict=True)
    ]


def prove_sub(left: Point, right: Point) -> Point:
    """left - right."""
    return add(left, mult(-1, right))
