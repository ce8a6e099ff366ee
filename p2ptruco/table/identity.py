"""Who somebody is: an Ed25519 key, and signatures that say what they are for.

Laws:
1. Nothing is signed without the label of its own purpose in front; no label is a prefix of
   another, so a signature never passes for one of another purpose.
2. Verification is libsodium's strict one (RFC 8032 §5.1.7 with S < L, no cofactor, R compared
   byte by byte), after the key itself was found canonical and of prime order.
3. A key that the package publishes is nobody's.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from functools import cache

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ..mental.group import ed25519_is_valid_point, ed25519_verify

ENTRY = b"p2ptruco/1/entry"
AGREEMENT = b"p2ptruco/1/agreement"
TRAILER = b"p2ptruco/1/trailer"
HELLO = b"p2ptruco/1/hello"

PUBLISHED_NAMES = ("authority", *(f"vector-{n}" for n in range(8)))
"""Keys anyone can derive: the certificate authority's and those of the test vectors."""


class Identity:
    """A signing key and its public half. Neither repr nor pickle shows the secret."""

    __slots__ = ("_key", "public")

    def __init__(self, seed: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    @classmethod
    def generate(cls, source: Callable[[int], bytes]) -> Identity:
        """A new identity from 32 bytes of `source`."""
        return cls(source(32))

    @classmethod
    def from_seed(cls, seed: bytes) -> Identity:
        return cls(seed)

    @property
    def seed(self) -> bytes:
        """The secret itself, 32 bytes: for the owner-only file and nothing else."""
        return self._key.private_bytes_raw()

    def sign(self, label: bytes, message: bytes) -> bytes:
        """64 bytes over label ‖ message."""
        return self._key.sign(label + message)

    def __repr__(self) -> str:
        return f"Identity({fingerprint(self.public)})"

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("an identity does not leave its process")


def verify(public: bytes, label: bytes, message: bytes, signature: bytes) -> bool:
    """Whether `signature` is this key's on label ‖ message, by the strict rule."""
    return ed25519_verify(signature, label + message, public)


def acceptable(public: bytes) -> bool:
    """Whether a key may sit at a table: canonical, of prime order, and not a published one."""
    return ed25519_is_valid_point(public) and public not in published_keys()


def published_seed(name: str) -> bytes:
    """The seed of a key that is public on purpose (wire.md: the authority; vectors)."""
    return hashlib.sha512(b"p2ptruco/1/published/" + name.encode()).digest()[:32]


@cache
def published_keys() -> frozenset[bytes]:
    return frozenset(Identity(published_seed(name)).public for name in PUBLISHED_NAMES)


def fingerprint(public: bytes) -> str:
    """80 bits of a key to read aloud: four groups of four letters or digits."""
    return spelled(hashlib.sha512(b"p2ptruco/1/fingerprint" + public).digest())


def spelled(digest: bytes) -> str:
    """A fingerprint as people see it, of a key's digest or of the part of it in a ticket."""
    text = base64.b32encode(digest[:10]).decode()
    return "-".join(text[i : i + 4] for i in range(0, 16, 4))
