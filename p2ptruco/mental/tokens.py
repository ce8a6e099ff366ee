"""Tokens: xA_s, which takes one seat's mask off slot s, with a proof (deal.md §6).

Laws
* Tokens come from a verified Deck only. Who is entitled to which is the rules' to say and the
  table's to keep; here slots beyond the vira's place (3n) are nobody's and always refused.
* One composite Chaum-Pedersen proof covers all slots of one message: a random combination whose
  coefficients bind the deal, the seat, the hand nonce, its key, the slots, all A and all tokens.
* A message is 32 bytes a token, in the order of the slots, then challenge and response.
* "It decrypts to a valid card" is never taken for a proof.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2ptruco.mental.chance import Source
from p2ptruco.mental.deck import Deck
from p2ptruco.mental.group import (
    SIZE,
    NotInGroup,
    Point,
    base_mult,
    combine,
    decode_point,
    decode_scalar,
    encode_scalar,
    mult,
    sub,
    total,
)
from p2ptruco.mental.keys import Joint, KeyPair
from p2ptruco.mental.refused import Refused
from p2ptruco.mental.transcript import Transcript, number

PROOF_SIZE = 2 * SIZE


def message_size(slots: int) -> int:
    """Bytes of the tokens of so many slots with their proof."""
    return SIZE * slots + PROOF_SIZE


def release(
    joint: Joint, seat: int, keys: KeyPair, deck: Deck, slots: Sequence[int], source: Source
) -> bytes:
    """`message_size` bytes: this seat's tokens of `slots` and the proof; 2 multiplications a slot.

    ValueError if the deck, the key or a slot is not of this deal.
    """
    _check_asked(joint, deck, slots)
    if joint.publics[seat] != keys.public:
        raise ValueError("not this seat's key")
    tokens = [mult(keys.secret, deck.masked.a[slot]) for slot in slots]
    bound = _statement(joint, seat, deck, slots, tokens)
    k = next(bound.nonces(encode_scalar(keys.secret), source))
    weights = _weights(bound, len(slots))
    blinded = combine(
        (k * weight, deck.masked.a[slot]) for weight, slot in zip(weights, slots, strict=True)
    )
    challenge = _ask(bound, base_mult(k), blinded)
    response = k + challenge * keys.secret
    return b"".join((*tokens, encode_scalar(challenge), encode_scalar(response)))


def check(
    joint: Joint, seat: int, deck: Deck, slots: Sequence[int], data: bytes
) -> tuple[Point, ...]:
    """The tokens in `data`, in the order of `slots`; 2k + 1 multiplications for k slots.

    Refused malformed, not_in_group, bad_token, in that order; bad_token also for a slot that is
    nobody's or named twice.
    """
    if type(data) is not bytes or not slots or len(data) != message_size(len(slots)):
        raise Refused("malformed", seat)
    try:
        _check_asked(joint, deck, slots)
    except SlotError:
        raise Refused("bad_token", seat) from None
    tokens, challenge, response = _parse(seat, len(slots), data)
    bound = _statement(joint, seat, deck, slots, tokens)
    weights = _weights(bound, len(slots))
    first = sub(base_mult(response), mult(challenge, joint.publics[seat]))
    terms = [(response * w, deck.masked.a[s]) for w, s in zip(weights, slots, strict=True)]
    terms += [(-challenge * w, token) for w, token in zip(weights, tokens, strict=True)]
    if _ask(bound, first, combine(terms)) != challenge:
        raise Refused("bad_token", seat)
    return tokens


class SlotError(ValueError):
    """A slot that is nobody's, or named twice."""


def _check_asked(joint: Joint, deck: Deck, slots: Sequence[int]) -> None:
    if deck.joint != joint:
        raise ValueError("the deck of another deal")
    last = min(3 * joint.context.seats, len(deck) - 1)
    if not slots or any(not 0 <= slot <= last for slot in slots):
        raise SlotError("no such slot")
    if len(set(slots)) != len(slots):
        raise SlotError("a slot named twice")


def _parse(seat: int, count: int, data: bytes) -> tuple[tuple[Point, ...], int, int]:
    parts = [data[at : at + SIZE] for at in range(0, len(data), SIZE)]
    try:
        tokens = tuple(map(decode_point, parts[:count]))
        return tokens, decode_scalar(parts[count]), decode_scalar(parts[count + 1])
    except NotInGroup:
        raise Refused("not_in_group", seat) from None


def _statement(
    joint: Joint, seat: int, deck: Deck, slots: Sequence[int], tokens: Sequence[Point]
) -> Transcript:
    """ "Each of these tokens is x times the A of its slot, with the x of X_seat"."""
    bound = joint.transcript(b"token", seat)
    bound.absorb(b"public", joint.publics[seat])
    bound.absorb(b"slots", b"".join(map(number, slots)))
    bound.absorb(b"masked", b"".join(deck.masked.a[slot] for slot in slots))
    bound.absorb(b"tokens", b"".join(tokens))
    return bound


def _weights(bound: Transcript, count: int) -> list[int]:
    """Coefficients of the combination: 1 for the first slot, a challenge for each other."""
    return [1, *bound.challenges(b"weight", count - 1)]


def _ask(bound: Transcript, first: Point, blinded: Point) -> int:
    bound.absorb(b"first", first + blinded)
    return bound.challenge(b"challenge")


def own(keys: KeyPair, deck: Deck, slot: int) -> Point:
    """The owner's own token of a slot, for its own eyes: 1 multiplication, no proof."""
    return mult(keys.secret, deck.masked.a[slot])


def face(deck: Deck, slot: int, tokens: Sequence[Point]) -> int | None:
    """Index of the card in `slot` once all n seats' tokens are there, checked or one's own.

    None cannot happen with checked tokens: it is a fault of the program and accuses nobody.
    """
    if len(tokens) != deck.joint.context.seats:
        raise ValueError("one token for each seat")
    return deck.card_at(sub(deck.masked.b[slot], total(tokens)))
