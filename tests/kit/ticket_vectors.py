"""Vectors of tickets (wire.md §3): what is read, and why anything else is not."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator

from tests.kit.vector import Named, vector

IPV4 = b"\x01\xc0\xa8\x01\x14\x9c\xbb"
LINK_LOCAL = b"\x02" + bytes(7) + b"\x01\x9c\xbb"
IPV6 = b"\x03\x20\x01\x0d\xb8" + bytes(11) + b"\x01\x9c\xbb"
NAME = b"\x04\x10casa.example.org\x9c\xbb"
ONION = b"\x05" + bytes(range(32)) + b"\x9c\xbb"
RELAY = b"\x06\x01\xc6\x33\x64\x07\x10\x92"
NAMED_RELAY = b"\x06\x04\x11relay.example.org\x10\x92"
SECRET = b"\x0a" + bytes(range(10))
SLIPS = str.maketrans("oib", "018")
PRINT = b"\x10" + bytes(range(16, 32))


def tickets() -> Iterator[Named]:
    yield from _accepted()
    yield from _refused()


def _accepted() -> Iterator[Named]:
    bare = "no address, no fingerprint"
    yield _read("bare", bare, content([], b"\0"))
    yield _read("ipv4", "one IPv4 address", content([IPV4]))
    yield _read(
        "watch", "to watch, with a secret of 32", content([IPV4], end=b"\x20" + b"k" * 32, to=1)
    )
    yield _read("link-local", "fe80::1, on whichever interface", content([LINK_LOCAL]))
    yield _read("ipv6", "one IPv6 address", content([IPV6]))
    yield _read("name", "a name", content([NAME]))
    yield _read("onion", "an onion address", content([ONION]))
    yield _read("relay", "reached by a relay alone", content([RELAY]))
    whole = [IPV4, LINK_LOCAL, IPV6, NAME, ONION, RELAY, NAMED_RELAY]
    yield _read("every-kind", "an address of each kind, two relays", content(whole))
    yield _read("eight", "eight addresses", content([_ipv4(n) for n in range(8)]))
    other = [IPV4[:3] + b"\0\1\x9c\xbb", IPV4]
    yield _read("preferred", "of one kind the first is preferred", content(other))
    typed = text(content([IPV4])).removeprefix("TRUCO:").lower().translate(SLIPS)
    hand = f" truco:{typed[:9]} -\t{typed[9:]}\n"
    yield "by-hand", vector("as a hand types it", "ticket", {"text": hand}, "accepted")


def _refused() -> Iterator[Named]:
    good = content([IPV4])
    rows = {
        "version-1": ("the version before", b"\x01" + good[1:], "wrong_version"),
        "purpose": ("a purpose that is none", good[:1] + b"\x02" + good[2:], "malformed"),
        "nine": ("nine addresses", content([_ipv4(n) for n in range(9)]), "malformed"),
        "kind-0": ("a kind that is none", content([b"\0" + IPV4[1:]]), "malformed"),
        "kind-7": ("a kind that is none yet", content([b"\x07" + IPV4[1:]]), "malformed"),
        "port-0": ("port 0", content([IPV4[:5] + b"\0\0"]), "malformed"),
        "twice": ("an address twice", content([IPV4, IPV4]), "malformed"),
        "order": ("IPv6 before IPv4", content([IPV6, IPV4]), "malformed"),
        "relay-first": ("a relay before an address", content([RELAY, IPV4]), "malformed"),
        "relay-of-relay": ("a relay by a relay", content([b"\x06" + RELAY]), "malformed"),
        "unspecified": ("0.0.0.0", content([b"\x01\0\0\0\0\x9c\xbb"]), "malformed"),
        "multicast": ("224.0.0.1", content([b"\x01\xe0\0\0\x01\x9c\xbb"]), "malformed"),
        "long-link-local": (
            "a link-local address as an IPv6 address",
            content([b"\x03\xfe\x80" + bytes(13) + b"\x01\x9c\xbb"]),
            "malformed",
        ),
        "mapped": (
            "an IPv4 address as an IPv6 address",
            content([b"\x03" + bytes(10) + b"\xff\xff\xc0\xa8\x01\x14\x9c\xbb"]),
            "malformed",
        ),
        "name-empty": ("an empty name", _named(b""), "malformed"),
        "name-capital": ("a name with a capital", _named(b"Casa.example"), "malformed"),
        "name-number": ("a name that reads as IPv4", _named(b"10.1"), "malformed"),
        "name-hyphen": ("a label that begins with a hyphen", _named(b"-a.example"), "malformed"),
        "name-dots": ("an empty label", _named(b"a..example"), "malformed"),
        "name-label": ("a label of 64", _named(b"a" * 64), "malformed"),
        "name-onion": ("an onion address as a name", _named(b"a" * 56 + b".onion"), "malformed"),
        "name-cut": ("a name that is cut", content([b"\x04\x20casa\x9c\xbb"]), "malformed"),
        "fingerprint": ("a fingerprint of 15", content([], b"\x0f" + b"f" * 15), "malformed"),
        "secret-short": ("a secret of 9", content([], end=b"\x09" + b"s" * 9), "malformed"),
        "secret-long": ("a secret of 65", content([], end=b"\x41" + b"s" * 65), "malformed"),
        "byte-too-few": ("a byte too few", good[:-1], "malformed"),
        "byte-too-many": ("a byte too many", good + b"\0", "malformed"),
    }
    for name, (about, blob, word) in rows.items():
        yield name, vector(about, "ticket", {"text": text(blob)}, word)
    right = text(good)
    slip = right[:-1] + ("A" if right[-1] != "A" else "B")
    others = {
        "slip": ("a letter is another one", right[:20] + _next(right[20]) + right[21:], "mistyped"),
        "cut": ("the last letter is missing", right[:-1], "no_ticket"),
        "last-bits": ("bits that no byte needs", slip, "mistyped"),
        "empty": ("nothing", "", "mistyped"),
        "letters": ("a letter that base32 lacks", right[:20] + "9" + right[21:], "no_ticket"),
        "long": ("513 characters", "A" * 513, "no_ticket"),
        "not-ascii": (
            "a letter whose capital is an S",
            right.replace("S", "\u017f", 1),
            "no_ticket",
        ),
    }
    for name, (about, typed, word) in others.items():
        yield name, vector(about, "ticket", {"text": typed}, word)


def _read(name: str, about: str, blob: bytes) -> Named:
    return name, vector(about, "ticket", {"text": text(blob)}, "accepted")


def content(
    addresses: list[bytes], middle: bytes = PRINT, end: bytes = SECRET, to: int = 0
) -> bytes:
    """A ticket's bytes but for the check."""
    return bytes([2, to, len(addresses)]) + b"".join(addresses) + middle + end


def text(blob: bytes) -> str:
    """With its check, in base32."""
    check = hashlib.sha512(b"p2ptruco/1/ticket-check" + blob).digest()[:3]
    return "TRUCO:" + base64.b32encode(blob + check).decode().rstrip("=")


def _ipv4(n: int) -> bytes:
    return b"\x01\x0a\0\0" + bytes([n + 1]) + b"\x9c\xbb"


def _named(name: bytes) -> bytes:
    return content([b"\x04" + bytes([len(name)]) + name + b"\x9c\xbb"])


def _next(letter: str) -> str:
    return "A" if letter != "A" else "B"
