"""Keys of one hand: commit, then reveal, then join (deal.md §3).

Laws
* Every seat draws a fresh x for every hand. While the others know only its hash, nobody can make
  his key depend on it; with its proof of possession nobody can cancel it out.
* The hand nonce hashes committed values only, so that the last to open cannot redraw it.
* An opening is X, nonce, challenge, response: 4 x 32 bytes.
* x alone opens every unseen card of its hand: in no repr, in no file, dropped when that is over.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from p2ptruco.mental.chance import Source, nonzero_scalar, take
from p2ptruco.mental.context import Context
from p2ptruco.mental.group import (
    IDENTITY,
    SIZE,
    NotInGroup,
    Point,
    base_mult,
    decode_point,
    decode_scalar,
    encode_scalar,
    mult,
    sub,
    total,
)
from p2ptruco.mental.refused import Refused
from p2ptruco.mental.transcript import Transcript, digest

COMMITMENT_SIZE = 32
OPENING_SIZE = 4 * SIZE


@dataclass(frozen=True, slots=True)
class KeyPair:
    """One seat's key of one hand: secret x (1..Q-1), X = xG, and the nonce of its commitment."""

    secret: int = field(repr=False)
    public: Point
    nonce: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Opening:
    """A checked opening: the key is in the group, committed to, and its secret known to `seat`."""

    context: Context
    seat: int
    public: Point
    nonce: bytes


@dataclass(frozen=True, slots=True)
class Joint:
    """All keys of a hand: X_i in seat order, their sum, and the hand nonce (32 bytes)."""

    context: Context
    publics: tuple[Point, ...]
    key: Point
    nonce: bytes

    def transcript(self, role: bytes, seat: int) -> Transcript:
        """Where every proof made after the openings begins (deal.md, table of absorbed items)."""
        bound = Transcript(b"p2ptruco/1/" + role, self.context.seat_items(seat))
        bound.absorb(b"hand-nonce", self.nonce)
        bound.absorb(b"joint-key", self.key)
        return bound


def draw(source: Source) -> KeyPair:
    """A fresh key and commitment nonce."""
    secret = nonzero_scalar(source)
    return KeyPair(secret, base_mult(secret), take(source, 32))


def commit(context: Context, seat: int, keys: KeyPair) -> bytes:
    """The 32 bytes to publish first; they hide X and bind the seat to it."""
    return _commitment(context, seat, keys.public, keys.nonce)


def _commitment(context: Context, seat: int, public: Point, nonce: bytes) -> bytes:
    items = (
        *context.seat_items(seat),
        (b"identity", context.identities[seat]),
        (b"public", public),
        (b"nonce", nonce),
    )
    return digest(b"p2ptruco/1/commit", *items)


def _possession(context: Context, seat: int, public: Point) -> Transcript:
    """The statement "seat knows x with X = xG" of the Schnorr proof."""
    bound = Transcript(b"p2ptruco/1/possession", context.seat_items(seat))
    bound.absorb(b"identity", context.identities[seat])
    bound.absorb(b"public", public)
    return bound


def _ask(bound: Transcript, first: Point) -> int:
    bound.absorb(b"first", first)
    return bound.challenge(b"challenge")


def open_keys(context: Context, seat: int, keys: KeyPair, source: Source) -> bytes:
    """The opening of `commit`, to publish when all commitments are in: OPENING_SIZE bytes."""
    bound = _possession(context, seat, keys.public)
    k = next(bound.nonces(encode_scalar(keys.secret), source))
    challenge = _ask(bound, base_mult(k))
    response = encode_scalar(k + challenge * keys.secret)
    return keys.public + keys.nonce + encode_scalar(challenge) + response


def check_opening(context: Context, seat: int, commitment: bytes, data: bytes) -> Opening:
    """The opening in `data`; Refused: malformed, not_in_group, bad_opening, in that order."""
    if type(data) is not bytes or len(data) != OPENING_SIZE or len(commitment) != COMMITMENT_SIZE:
        raise Refused("malformed", seat)
    nonce = data[SIZE : 2 * SIZE]
    try:
        public = decode_point(data[:SIZE])
        challenge = decode_scalar(data[2 * SIZE : 3 * SIZE])
        response = decode_scalar(data[3 * SIZE :])
    except NotInGroup:
        raise Refused("not_in_group", seat) from None
    if not hmac.compare_digest(commitment, _commitment(context, seat, public, nonce)):
        raise Refused("bad_opening", seat)
    first = sub(base_mult(response), mult(challenge, public))
    if _ask(_possession(context, seat, public), first) != challenge:
        raise Refused("bad_opening", seat)
    return Opening(context, seat, public, nonce)


def taken(openings: Iterable[Opening]) -> int | None:
    """The first seat whose key an earlier one of these, in seat order, has; None: all differ."""
    seen: set[Point] = set()
    for opening in openings:
        if opening.public in seen:
            return opening.seat
        seen.add(opening.public)
    return None


def join(context: Context, openings: Sequence[Opening]) -> Joint:
    """The joint key of all seats' openings, in seat order.

    Refused bad_opening for a key already taken (the later seat's fault) and for a sum that is the
    identity (the last seat's; while one seat is honest it cannot come about).
    """
    if [o.seat for o in openings] != list(range(context.seats)):
        raise ValueError("one opening for each seat, in seat order")
    if any(o.context != context for o in openings):
        raise ValueError("an opening of another deal")
    later = taken(openings)
    if later is not None:
        raise Refused("bad_opening", later)
    publics = tuple(o.public for o in openings)
    key = total(publics)
    if key == IDENTITY:
        raise Refused("bad_opening", context.seats - 1)
    return Joint(context, publics, key, _hand_nonce(context, openings))


def _hand_nonce(context: Context, openings: Sequence[Opening]) -> bytes:
    committed = (item for o in openings for item in ((b"public", o.public), (b"nonce", o.nonce)))
    return digest(b"p2ptruco/1/hand-nonce", *context.items(), *committed)
