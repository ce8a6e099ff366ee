"""Forged openings: whoever gets one accepted has a key that depends on the others' keys."""

from __future__ import annotations

from collections.abc import Iterator

from .disguises import fields
from .prover import Deal, scalar
from .ristretto import ZERO, G, Point

ITEMS = [
    *(b"suite", b"table", b"epoch", b"hand", b"attempt", b"seat", b"identity", b"public"),
    b"first",
]


def forged(deal: Deal, seat: int, others: list[Deal]) -> Iterator[tuple[str, bytes, bytes]]:
    """Name, commitment and opening of each kind."""
    nonce = deal.nonces[seat]
    public = deal.publics[seat].encode()
    good, opening = deal.commitment(seat, public, nonce), deal.opening(seat)
    for name, changed in fields(opening, "pbss", deal.rng):
        yield name, good, changed
        if len(changed) == len(opening):
            fits = deal.commitment(seat, changed[:32], changed[32:64])
            if fits != good and "exchanged" not in name and "bytes" not in name:
                yield f"{name}, committed to", fits, changed
    for left_out in ITEMS:
        yield f"challenge without {left_out.decode()}", good, deal.opening(seat, (left_out,))
    for role in (b"token", b"shuffle", b"commit"):
        yield f"in the role of {role.decode()}", good, deal.opening(seat, (), role)
    for other in others:
        theirs = other.opening(seat)
        elsewhere = other.commitment(seat, public, nonce)
        if theirs[:64] != opening[:64] or elsewhere != good:
            yield f"of another deal ({other.seed})", good, theirs
        if elsewhere != good:
            yield f"committed to in another deal ({other.seed})", elsewhere, opening
    yield "with another key's answer", good, deal.opening(seat, x=deal.x[seat] + 1)
    before = 1 - seat
    theirs = deal.opening(before)
    yield "another's opening", deal.commitment(seat, theirs[:32], theirs[32:64]), theirs
    yield "another's commitment", deal.commitment(before, public, nonce), opening
    yield from _rogue(deal, seat)


def _rogue(deal: Deal, seat: int) -> Iterator[tuple[str, bytes, bytes]]:
    """X = xG less the others' keys, so that x alone opens everything."""
    x = deal.draw()
    others = sum((X for at, X in enumerate(deal.publics) if at != seat), ZERO)
    rogue = x * G - others
    nonce, encoded = deal.nonces[seat], rogue.encode()
    committed = deal.commitment(seat, encoded, nonce)

    def sent(gamma: int, s: int) -> bytes:
        return encoded + nonce + scalar(gamma) + scalar(s)

    def asked(first: Point, omit: tuple[bytes, ...] = ()) -> int:
        bound = deal.possession(seat, encoded, omit)
        bound.absorb(b"first", first.encode())
        return bound.challenge(b"challenge")

    k = deal.draw()
    gamma = asked(k * G)
    yield "rogue key, answered with its x", committed, sent(gamma, k + gamma * x)
    yield "rogue key, drawn at random", committed, sent(deal.draw(), deal.draw())
    s, gamma = deal.draw(), asked(G, (b"first",))
    yield "rogue key, R left out of the challenge", committed, sent(gamma, s)
    gamma, s = deal.draw(), deal.draw()
    first = s * G - gamma * rogue
    yield "rogue key, R solved for", committed, sent(asked(first), s)
    yield "rogue key, γ of R", committed, sent(gamma, s)
    yield "rogue key, γ = 0", committed, sent(0, s)
