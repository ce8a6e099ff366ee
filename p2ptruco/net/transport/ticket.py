"""Tickets: how a stranger finds a table and proves to have been asked (wire.md §3).

Laws:
1. The secret is never sent. Each side proves it with an HMAC over both channel keys, so a proof
   cannot be carried to another channel; guest first, then host.
2. "watch" is derived one way: who may watch cannot sit.
3. A ticket is one upper-case string that a QR code packs as alphanumeric; every ticket has one
   text, lengths are explicit, three bytes of check catch a slip of the hand.
4. A fingerprint in it binds the host: whoever stands between shows another identity.
5. Addresses stand in the order of their kinds, those of one kind as the host prefers them; relays
   come last.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from .address import RELAYED, Address, Kind, Reader, pack_address, read_address, validate

__all__ = ["Address", "BadTicket", "Ticket", "new_ticket", "parse"]

Purpose = Literal["seat", "watch", "roster"]
Side = Literal["guest", "host"]

PREFIX = "TRUCO:"
VERSION = 2
SECRET_BYTES = 10
FINGERPRINT_BYTES = 16
MOST_ADDRESSES = 8
MOST_CHARACTERS = 512
PROOF_LABEL = b"p2ptruco/1/ticket"
KEY_LABEL = b"p2ptruco/1/ticket-key/"
ANNOUNCED_CHARACTERS = 200
NEARBY = (Kind.IPV4, Kind.LINK_LOCAL, Kind.IPV6)
_CHECK_BYTES = 3
_KINDS: tuple[Purpose, ...] = ("seat", "watch")
_SLIPS = str.maketrans({"0": "O", "1": "I", "8": "B"} | dict.fromkeys(" \t\r\n-"))


class BadTicket(ValueError):
    """Text that is no ticket: `code` is no_ticket, mistyped, wrong_version or malformed."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Ticket:
    """`secret`: 10 random bytes or more (for a watcher, the derived key). `fingerprint`: 16 bytes
    of the host's identity, or empty. `relays`: where a relay forwards to the host.

    Addresses are put in the order of their kinds. ValueError for anything that has no text.
    """

    addresses: tuple[Address, ...]
    fingerprint: bytes
    secret: bytes = field(repr=False)
    purpose: Purpose = "seat"
    relays: tuple[Address, ...] = ()

    def __post_init__(self) -> None:
        if not SECRET_BYTES <= len(self.secret) <= 64:
            raise ValueError("secret: 10 to 64 bytes")
        if len(self.fingerprint) not in (0, FINGERPRINT_BYTES):
            raise ValueError("fingerprint: 16 bytes or none")
        if self.purpose not in _KINDS:
            raise ValueError("purpose: seat or watch")
        for name in ("addresses", "relays"):
            object.__setattr__(self, name, _ordered(getattr(self, name)))
        if len(self.addresses) + len(self.relays) > MOST_ADDRESSES:
            raise ValueError("too many addresses")
        if len(str(self)) > MOST_CHARACTERS:
            raise ValueError("too long")

    def key(self, purpose: Purpose) -> bytes:
        """The proof key for `purpose`, 32 bytes; ValueError if this ticket does not give it."""
        if self.purpose == purpose == "watch":
            return self.secret
        if self.purpose != "seat":
            raise ValueError("a ticket to watch opens no seat")
        return derive(self.secret, purpose)

    def to_watch(self) -> Ticket:
        """The ticket for spectators of the same table."""
        return replace(self, secret=self.key("watch"), purpose="watch")

    def nearby(self, characters: int = ANNOUNCED_CHARACTERS) -> Ticket:
        """What of it is for the local network, in at most so many characters: addresses of
        interfaces only, as many as fit."""
        here = [one for one in self.addresses if one.kind in NEARBY]
        for count in range(len(here), 0, -1):
            short = replace(self, addresses=tuple(here[:count]), relays=())
            if len(str(short)) <= characters:
                return short
        return replace(self, addresses=(), relays=())

    def names(self, identity: bytes) -> bool:
        """Whether the host may be this identity key: a ticket without fingerprint takes any."""
        return not self.fingerprint or self.fingerprint == host_fingerprint(identity)

    def __str__(self) -> str:
        return write(self)


def _ordered(addresses: Iterable[Address]) -> tuple[Address, ...]:
    """In the order of their kinds, each once; those of one kind stay as they stand."""
    for one in addresses:
        validate(one)
    return tuple(sorted(dict.fromkeys(addresses), key=lambda one: one.kind))


def new_ticket(
    addresses: tuple[Address, ...],
    identity: bytes,
    source: Callable[[int], bytes],
    relays: tuple[Address, ...] = (),
) -> Ticket:
    return Ticket(addresses, host_fingerprint(identity), source(SECRET_BYTES), relays=relays)


def host_fingerprint(identity: bytes) -> bytes:
    """16 bytes of an identity key, for tickets."""
    return hashlib.sha512(b"p2ptruco/1/fingerprint" + identity).digest()[:FINGERPRINT_BYTES]


def derive(secret: bytes, purpose: Purpose) -> bytes:
    """HKDF-SHA256 of a ticket's secret, or of a table's id for its roster; 32 bytes."""
    info = KEY_LABEL + purpose.encode()
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(secret)


def proof(key: bytes, side: Side, host: bytes, guest: bytes) -> bytes:
    """What `side` shows the other on the channel between the keys of host and guest."""
    message = PROOF_LABEL + side.encode() + host + guest
    return hmac.digest(key, message, "sha256")


def proves(shown: bytes, key: bytes, side: Side, host: bytes, guest: bytes) -> bool:
    """Whether `shown` is that proof, in constant time."""
    return hmac.compare_digest(shown, proof(key, side, host, guest))


def write(ticket: Ticket) -> str:
    """The ticket as one string of A–Z, 2–7 and a colon."""
    count = len(ticket.addresses) + len(ticket.relays)
    parts = [bytes([VERSION, _KINDS.index(ticket.purpose), count])]
    parts += map(pack_address, ticket.addresses)
    parts += [bytes([RELAYED]) + pack_address(relay) for relay in ticket.relays]
    parts += [bytes([len(ticket.fingerprint)]), ticket.fingerprint]
    parts += [bytes([len(ticket.secret)]), ticket.secret]
    content = b"".join(parts)
    return PREFIX + base64.b32encode(content + _check(content)).decode().rstrip("=")


def parse(text: str) -> Ticket:
    """Read what a person typed: any case, blanks and hyphens anywhere, 0 1 8 for O I B."""
    if len(text) > MOST_CHARACTERS:
        raise BadTicket("no_ticket")
    text = text.strip()
    if not text.isascii():  # other alphabets have letters whose capitals are those of base32
        raise BadTicket("no_ticket")
    code = text.upper().removeprefix(PREFIX).translate(_SLIPS)
    blob = _unbase32(code)
    content, check = blob[:-_CHECK_BYTES], blob[-_CHECK_BYTES:]
    if len(content) < 4 or not hmac.compare_digest(check, _check(content)):
        raise BadTicket("mistyped")
    if content[0] != VERSION:
        raise BadTicket("wrong_version")
    try:
        return _ticket(Reader(content[1:]))
    except (ValueError, IndexError) as error:
        raise BadTicket("malformed") from error


def _check(content: bytes) -> bytes:
    return hashlib.sha512(b"p2ptruco/1/ticket-check" + content).digest()[:_CHECK_BYTES]


def _unbase32(code: str) -> bytes:
    try:
        blob = base64.b32decode(code + "=" * (-len(code) % 8))
    except (binascii.Error, ValueError) as error:
        raise BadTicket("no_ticket") from error
    if base64.b32encode(blob).decode().rstrip("=") != code:
        raise BadTicket("mistyped")
    return blob


def _ticket(reader: Reader) -> Ticket:
    purpose = _KINDS[reader.byte()]
    found = [read_address(reader) for _ in range(reader.byte())]
    fingerprint = reader.take(reader.byte())
    secret = reader.take(reader.byte())
    if reader.rest:
        raise ValueError("too long")
    addresses = tuple(address for address, relayed in found if not relayed)
    relays = tuple(address for address, relayed in found if relayed)
    ticket = Ticket(addresses, fingerprint, secret, purpose, relays)
    in_order = [(one, False) for one in ticket.addresses] + [(one, True) for one in ticket.relays]
    if found != in_order:
        raise ValueError("addresses twice, or not in the order of their kinds")
    return ticket
