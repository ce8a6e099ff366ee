"""Where a table is reached: a host of one of five kinds and a TCP port (wire.md §3).

Laws:
1. Every address has one text and one encoding.
2. A link-local address has no scope: it is tried on every interface of whoever reads it.
"""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import re
from enum import IntEnum
from typing import NamedTuple


class Kind(IntEnum):
    """The kinds of addresses, in the order in which a ticket has them: short ones first."""

    IPV4 = 1
    LINK_LOCAL = 2
    IPV6 = 3
    NAME = 4
    ONION = 5


RELAYED = 6
"""What stands in front of the address of a relay."""
ONION_SUFFIX = ".onion"
_LINK_LOCAL = ipaddress.IPv6Network("fe80::/64")
_PREFIX = _LINK_LOCAL.network_address.packed[:8]
_FE80 = ipaddress.IPv6Network("fe80::/10")
_LABEL = r"(?!-)[a-z0-9-]{1,63}(?<!-)"
_NAME = re.compile(rf"(?=.{{1,253}}\Z)(?:{_LABEL}\.)*(?=[a-z0-9-]*[a-z]){_LABEL}")
_BRACKETED = re.compile(r"\[([^\[\]]+)\](?::([0-9]{1,5}))?")
_PLAIN = re.compile(r"([^:\[\]]+)(?::([0-9]{1,5}))?")


class Address(NamedTuple):
    """`host`: an IPv4 or IPv6 address in its canonical text, a DNS name in lower case, or an onion
    address of version 3. `port`: of TCP."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def kind(self) -> Kind:
        """ValueError: its host is none that a ticket can name."""
        return kind_of(self.host)


def kind_of(host: str) -> Kind:
    """What a host is; ValueError for what is no host, or is not written in its one way."""
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return _kind_of_name(host)
    if str(ip) != host or "%" in host or ip.is_unspecified or ip.is_multicast:
        raise ValueError("an address that is not canonical, or nobody's")
    if isinstance(ip, ipaddress.IPv4Address):
        return Kind.IPV4
    if ip in _LINK_LOCAL:
        return Kind.LINK_LOCAL
    if ip in _FE80 or ip.ipv4_mapped is not None:
        raise ValueError("an IPv6 address that nobody has")
    return Kind.IPV6


def _kind_of_name(host: str) -> Kind:
    if host.endswith(ONION_SUFFIX):
        if onion_of(_onion_key(host)) != host:
            raise ValueError("an onion address with a slip in it")
        return Kind.ONION
    if not _NAME.fullmatch(host):
        raise ValueError("no name of a host")
    return Kind.NAME


def typed(text: str, port: int = 0) -> Address:
    """An address as a person types it: HOST, HOST:PORT, [IPV6]:PORT; `port` where none is typed.

    ValueError: there is no such host, or no port.
    """
    found = _BRACKETED.fullmatch(text.strip()) or _PLAIN.fullmatch(text.strip())
    host, digits = found.groups() if found else (text.strip(), None)
    address = Address(_canonical(host), port if digits is None else int(digits))
    validate(address)
    return address


def _canonical(host: str) -> str:
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        name = host if host.isascii() else host.encode("idna").decode()
        return name.lower().removesuffix(".")


def validate(address: Address) -> None:
    """ValueError: no ticket can name this."""
    kind_of(address.host)
    if not 0 < address.port < 1 << 16:
        raise ValueError("no port")


# Bytes.


def pack_address(address: Address) -> bytes:
    """Kind, host, port."""
    return bytes([address.kind]) + _packed(address) + address.port.to_bytes(2, "big")


def _packed(address: Address) -> bytes:
    match address.kind:
        case Kind.LINK_LOCAL:
            return ipaddress.ip_address(address.host).packed[8:]
        case Kind.NAME:
            return bytes([len(address.host)]) + address.host.encode()
        case Kind.ONION:
            return _onion_key(address.host)
        case _:
            return ipaddress.ip_address(address.host).packed


class Reader:
    """Takes bytes from the front. ValueError: there are not that many."""

    def __init__(self, blob: bytes) -> None:
        self.rest = blob

    def take(self, count: int) -> bytes:
        taken, self.rest = self.rest[:count], self.rest[count:]
        if len(taken) != count:
            raise ValueError("too short")
        return taken

    def byte(self) -> int:
        return self.take(1)[0]


def read_address(reader: Reader) -> tuple[Address, bool]:
    """An address, and whether it is that of a relay. ValueError."""
    number = reader.byte()
    relayed = number == RELAYED
    kind = Kind(reader.byte() if relayed else number)
    address = Address(_host(kind, reader), int.from_bytes(reader.take(2), "big"))
    validate(address)
    if address.kind is not kind:
        raise ValueError("an address of another kind")
    return address, relayed


def _host(kind: Kind, reader: Reader) -> str:
    match kind:
        case Kind.IPV4:
            return str(ipaddress.IPv4Address(reader.take(4)))
        case Kind.LINK_LOCAL:
            return str(
                ipaddress.IPv6Address(_LINK_LOCAL.network_address.packed[:8] + reader.take(8))
            )
        case Kind.IPV6:
            return str(ipaddress.IPv6Address(reader.take(16)))
        case Kind.NAME:
            return reader.take(reader.byte()).decode("ascii")
        case Kind.ONION:
            return onion_of(reader.take(32))


def onion_of(key: bytes) -> str:
    """The address, of version 3, of an onion service's key (Tor's rend-spec-v3, §6)."""
    check = hashlib.sha3_256(b".onion checksum" + key + b"\x03").digest()[:2]
    return base64.b32encode(key + check + b"\x03").decode().lower() + ONION_SUFFIX


def _onion_key(host: str) -> bytes:
    spelled = host.removesuffix(ONION_SUFFIX)
    if len(spelled) != 56 or not spelled.isascii():
        raise ValueError("an onion address of another length")
    return base64.b32decode(spelled.upper())[:32]
