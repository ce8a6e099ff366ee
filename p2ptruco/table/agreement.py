"""What everybody signs before the first card: the agreement (table.md §2).

Laws:
1. The variant travels by value, every toggle written out: no peer needs the plugin that named it.
2. The table's id is the hash of the agreement; every later signature names the id.
3. Roster keys are distinct, canonical, of prime order, and not published by this package.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Final, Literal

import msgspec

from ..mental.transcript import digest
from ..rules.variant import MAX_TEXT, Variant, from_toggles, toggles
from ..text import is_clean
from .codec import U16, Bytes32, Malformed, SeatNumber, Wire, encode, strict
from .identity import AGREEMENT, Identity, acceptable, verify

PROTOCOL: Final = "p2ptruco/1"
SUITE: Final = "ristretto255-sha512-ed25519"
LIMIT = 8192
"""Bytes of an encoded agreement."""

SIGNATURE_SIZE = 64

ShortText = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
ToggleText = Annotated[str, msgspec.Meta(max_length=MAX_TEXT)]
Toggles = Annotated[tuple[tuple[ShortText, ToggleText], ...], msgspec.Meta(max_length=32)]


class Place(Wire, frozen=True):
    """One seat of the roster. `operator` is the seat whose machine runs it."""

    identity: Bytes32
    name: ShortText
    operator: SeatNumber
    nonce: Bytes32


class Times(Wire, frozen=True):
    """Seconds: to move (0: no clock), of grace after that, for a step of the deal."""

    move: U16 = 0
    grace: U16 = 15
    deal: U16 = 60


Roster = Annotated[tuple[Place, ...], msgspec.Meta(min_length=2, max_length=8)]


class Terms(Wire, frozen=True):
    """The body of an agreement, as it is hashed and signed."""

    protocol: Literal["p2ptruco/1"]
    purpose: Literal["agreement"]
    suite: Literal["ristretto255-sha512-ed25519"]
    epoch: Literal[0]
    """Later epochs, of a roster that changed, are to come."""
    variant: ShortText
    toggles: Toggles
    times: Times
    spectators: bool
    roster: Roster


@dataclass(frozen=True)
class Agreement:
    """Checked terms: a variant that exists, a size it allows, keys that may sit down."""

    terms: Terms

    @cached_property
    def blob(self) -> bytes:
        return encode(self.terms)

    @cached_property
    def id(self) -> bytes:
        """The table's id, 32 bytes."""
        return digest(b"agreement", (b"terms", self.blob))

    @cached_property
    def variant(self) -> Variant:
        return from_toggles(self.terms.variant, dict(self.terms.toggles))

    @property
    def players(self) -> int:
        return len(self.terms.roster)

    @cached_property
    def identities(self) -> tuple[bytes, ...]:
        return tuple(place.identity for place in self.terms.roster)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the players are called, by seat."""
        return tuple(place.name for place in self.terms.roster)

    def sign(self, identity: Identity) -> bytes:
        return identity.sign(AGREEMENT, self.id)

    def signed_by(self, seat: int, signature: bytes) -> bool:
        return verify(self.identities[seat], AGREEMENT, self.id, signature)


class Signed(Wire, frozen=True):
    """An agreement and every seat's signature, as a record begins with it."""

    protocol: Literal["p2ptruco/1"]
    purpose: Literal["signed"]
    agreement: Annotated[bytes, msgspec.Meta(max_length=LIMIT)]
    signatures: tuple[Annotated[bytes, msgspec.Meta(max_length=LIMIT)], ...]
    """One of 64 bytes for each seat, once `read_signed` says so."""


def propose(
    variant: Variant,
    roster: Sequence[Place],
    *,
    times: Times | None = None,
    spectators: bool = False,
) -> Agreement:
    """An agreement to be signed, or ValueError with the reason."""
    terms = Terms(
        PROTOCOL,
        "agreement",
        SUITE,
        0,
        variant.name,
        tuple(toggles(variant).items()),
        times or Times(),
        spectators,
        tuple(roster),
    )
    return read_agreement(encode(terms))


def read_agreement(blob: bytes) -> Agreement:
    """Parse and check an agreement; `Malformed` says what is wrong with it."""
    terms = strict(Terms, blob, LIMIT)
    agreement = Agreement(terms)
    _check_variant(agreement)
    _check_roster(terms.roster)
    return agreement


def signed(agreement: Agreement, signatures: Sequence[bytes]) -> Signed:
    return Signed(PROTOCOL, "signed", agreement.blob, tuple(signatures))


def read_signed(wire: Signed) -> Agreement:
    """The agreement, if every seat signed it; `BadSignature` names one that did not.

    `Malformed` for another number of signatures, or one that is none.
    """
    agreement = read_agreement(wire.agreement)
    if [len(signature) for signature in wire.signatures] != agreement.players * [SIGNATURE_SIZE]:
        raise Malformed("one signature for each seat")
    for seat, signature in enumerate(wire.signatures):
        if not agreement.signed_by(seat, signature):
            raise BadSignature(seat)
    return agreement


class BadSignature(ValueError):
    """A seat's signature on the agreement does not hold."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"seat {seat} did not sign this agreement")
        self.seat = seat


def _check_variant(agreement: Agreement) -> None:
    terms = agreement.terms
    try:
        variant = agreement.variant
    except ValueError as error:
        raise Malformed(f"variant: {error}") from error
    if tuple(toggles(variant).items()) != terms.toggles:
        raise Malformed("variant: every toggle once, in the order of the rules")
    if len(terms.roster) not in variant.players:
        raise Malformed(f"variant: not for {len(terms.roster)} seats")


def _check_roster(roster: Sequence[Place]) -> None:
    if len({place.identity for place in roster}) != len(roster):
        raise Malformed("roster: one key in two seats")
    for place in roster:
        if not acceptable(place.identity):
            raise Malformed("roster: a key that is nobody's")
        if not is_clean(place.name):
            raise Malformed("roster: a name with unprintable characters")
        if place.operator >= len(roster):
            raise Malformed("roster: an operator that is not at the table")
