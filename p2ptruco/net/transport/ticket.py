"""Tickets: how a stranger finds a table and proves to have been asked (wire.md §3).

Laws:
1. The secret is never sent. Each side proves it with an HMAC over both channel keys, so a proof
   cannot be carried to another channel; guest first, then host.
2. "watch" is derived one way: who may watch cannot sit.
3. A ticket is one upper-case string that a QR code packs as alphanumeric; every ticket has one
   text, lengths are explicit, four digits of check catch a slip of the hand.
4. A fingerprint in it binds the host: whoever stands between shows another identity.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import ipaddress
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

Purpose = Literal["seat", "watch", "roster"]
Side = Literal["guest", "host"]

PREFIX = "TRUCO:"
VERSION = 1
SECRET_BYTES = 10
FINGERPRINT_BYTES = 16
MOST_ADDRESSES = 3
MOST_CHARACTERS = 512
PROOF_LABEL = b"p2ptruco/1/ticket"
KEY_LABEL = b"p2ptruco/1/ticket-key/"
_CHECK_BYTES = 3
_KINDS: tuple[Purpose, ...] = ("seat", "watch")
_SLIPS = str.maketrans({"0": "O", "1": "I", "8": "B"} | dict.fromkeys(" \t\r\n-"))
_FAMILIES = {4: 4, 6: 16}


class BadTicket(ValueError):
    """Text that is no ticket: `code` is no_ticket, mistyped, wrong_version or malformed."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Address(NamedTuple):
    """An IPv4 or IPv6 address in its canonical text, and a TCP port."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Ticket:
    """`secret`: 10 random bytes or more (for a watcher, the derived key). `fingerprint`: 16 bytes
    of the host's identity, or empty. ValueError for anything that has no text."""

    addresses: tuple[Address, ...]
    fingerprint: bytes
    secret: bytes = field(repr=False)
    purpose: Purpose = "seat"

    def __post_init__(self) -> None:
        if not SECRET_BYTES <= len(self.secret) <= 64:
            raise ValueError("secret: 10 to 64 bytes")
        if len(self.fingerprint) not in (0, FINGERPRINT_BYTES):
            raise ValueError("fingerprint: 16 bytes or none")
        if self.purpose not in _KINDS or len(self.addresses) > MOST_ADDRESSES:
            raise ValueError("purpose or number of addresses")
        for host, port in self.addresses:
            if str(ipaddress.ip_address(host)) != host or not 0 < port < 1 << 16:
                raise ValueError("an address that is not canonical")

    def key(self, purpose: Purpose) -> bytes:
        """The proof key for `purpose`, 32 bytes; ValueError if this ticket does not give it."""
        if self.purpose == purpose == "watch":
            return self.secret
        if self.purpose != "seat":
            raise ValueError("a ticket to watch opens no seat")
        return derive(self.secret, purpose)

    def to_watch(self) -> Ticket:
        """The ticket for spectators of the same table."""
        return Ticket(self.addresses, self.fingerprint, self.key("watch"), "watch")

    def names(self, identity: bytes) -> bool:
        """Whether the host may be this identity key: a ticket without fingerprint takes any."""
        return not self.fingerprint or self.fingerprint == host_fingerprint(identity)

    def __str__(self) -> str:
        return write(self)


def new_ticket(
    addresses: tuple[Address, ...], identity: bytes, source: Callable[[int], bytes]
) -> Ticket:
    return Ticket(addresses, host_fingerprint(identity), source(SECRET_BYTES))


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
    parts = [bytes([VERSION, _KINDS.index(ticket.purpose), len(ticket.addresses)])]
    for host, port in ticket.addresses:
        address = ipaddress.ip_address(host)
        parts.append(bytes([address.version]) + address.packed + port.to_bytes(2, "big"))
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
        return _ticket(_Reader(content[1:]))
    except (ValueError, IndexError, KeyError) as error:
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


class _Reader:
    def __init__(self, blob: bytes) -> None:
        self.rest = blob

    def take(self, count: int) -> bytes:
        taken, self.rest = self.rest[:count], self.rest[count:]
        if len(taken) != count:
            raise ValueError("too short")
        return taken

    def byte(self) -> int:
        return self.take(1)[0]


def _ticket(reader: _Reader) -> Ticket:
    purpose = _KINDS[reader.byte()]
    addresses = tuple(_address(reader) for _ in range(reader.byte()))
    fingerprint = reader.take(reader.byte())
    secret = reader.take(reader.byte())
    if reader.rest:
        raise ValueError("too long")
    return Ticket(addresses, fingerprint, secret, purpose)


def _address(reader: _Reader) -> Address:
    packed = reader.take(_FAMILIES[reader.byte()])
    return Address(str(ipaddress.ip_address(packed)), int.from_bytes(reader.take(2), "big"))
