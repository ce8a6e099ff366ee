"""A key that may sit at a table, and signatures that are good for one purpose."""

from __future__ import annotations

import base64
import hashlib
import pickle
from itertools import permutations

import pytest

from p2ptruco.table import identity
from p2ptruco.table.identity import (
    AGREEMENT,
    ENTRY,
    HELLO,
    TRAILER,
    Identity,
    acceptable,
    fingerprint,
    published_keys,
    published_seed,
    verify,
)

ME = Identity(b"\x07" * 32)
MESSAGE = b"a message"
L = 2**252 + 27742317777372353535851937790883648493
P = 2**255 - 19


def encoded(y: int, sign: int = 0) -> bytes:
    return (y | sign << 255).to_bytes(32, "little")


# The eight points of small order, and their spellings (RFC 7748 §7; Cremers and Jackson, 2019).
SMALL = [
    encoded(1),
    encoded(1, 1),
    encoded(P - 1),
    encoded(P - 1, 1),
    encoded(0),
    encoded(0, 1),
    encoded(P),
    encoded(P, 1),
    encoded(P + 1),
    encoded(P + 1, 1),
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85"),
    bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
    bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa"),
]


def test_no_label_is_the_beginning_of_another():
    """Else a signature of one purpose would pass for one of another."""
    labels = {name: value for name, value in vars(identity).items() if name.isupper()}
    labels = {name: value for name, value in labels.items() if isinstance(value, bytes)}
    assert set(labels) >= {"ENTRY", "AGREEMENT", "TRAILER", "HELLO"}
    for one, other in permutations(labels.values(), 2):
        assert not one.startswith(other)


@pytest.mark.parametrize("label", [ENTRY, AGREEMENT, TRAILER, HELLO])
def test_a_signature_is_good_for_its_own_purpose_only(label: bytes):
    signature = ME.sign(label, MESSAGE)
    for other in (ENTRY, AGREEMENT, TRAILER, HELLO):
        assert verify(ME.public, other, MESSAGE, signature) == (other == label)


def test_a_signature_is_good_for_one_key_and_one_message():
    signature = ME.sign(ENTRY, MESSAGE)
    assert not verify(Identity(b"\x08" * 32).public, ENTRY, MESSAGE, signature)
    assert not verify(ME.public, ENTRY, MESSAGE + b"!", signature)
    assert not verify(ME.public, ENTRY, MESSAGE[1:], signature)


@pytest.mark.parametrize("at", range(64))
def test_every_byte_of_a_signature_counts(at: int):
    signature = bytearray(ME.sign(ENTRY, MESSAGE))
    for bit in range(8):
        signature[at] ^= 1 << bit
        assert not verify(ME.public, ENTRY, MESSAGE, bytes(signature))
        signature[at] ^= 1 << bit


def test_a_second_signature_with_s_plus_l_is_refused():
    """Gain of who could: another record of the same match, or an entry that looks like two."""
    signature = ME.sign(ENTRY, MESSAGE)
    s = int.from_bytes(signature[32:], "little")
    for times in range(1, 9):
        if s + times * L < 2**256:
            other = signature[:32] + (s + times * L).to_bytes(32, "little")
            assert not verify(ME.public, ENTRY, MESSAGE, other)


@pytest.mark.parametrize("length", [0, 1, 31, 33, 63, 65, 128])
def test_lengths_are_exact(length: int):
    assert not acceptable(bytes(length))
    assert not verify(ME.public, ENTRY, MESSAGE, bytes(length))
    assert not verify(bytes(length), ENTRY, MESSAGE, bytes(64))


@pytest.mark.parametrize("key", SMALL, ids=lambda key: key.hex()[:8] + key.hex()[-2:])
def test_a_key_of_small_order_is_nobodys(key: bytes):
    """Gain: with it one signature (R of small order, S = 0) is good for every message."""
    assert not acceptable(key)
    for r in SMALL:
        assert not verify(key, ENTRY, MESSAGE, r + bytes(32))


@pytest.mark.parametrize("y", range(P, 2**255), ids=lambda y: f"p+{y - P}")
def test_a_second_spelling_of_a_key_is_nobodys(y: int):
    """Gain: one key in two seats."""
    assert not acceptable(encoded(y))
    assert not acceptable(encoded(y, 1))


def test_every_published_key_is_nobodys():
    """Gain: who sits with a key that all hold can deny whatever it signed."""
    assert len(published_keys()) == 9
    for key in published_keys():
        assert not acceptable(key)
    assert acceptable(ME.public)
    assert Identity(published_seed("vector-0")).public in published_keys()


def test_an_identity_shows_no_secret():
    for text in (repr(ME), str(ME), f"{ME}"):
        assert ME.seed.hex() not in text
        assert fingerprint(ME.public) in text
    with pytest.raises(TypeError):
        pickle.dumps(ME)
    assert not hasattr(ME, "__dict__")


def test_a_fingerprint_is_eighty_bits_of_a_hash_to_read_aloud():
    hashed = hashlib.sha512(b"p2ptruco/1/fingerprint" + ME.public).digest()
    text = fingerprint(ME.public)
    assert text.count("-") == 3
    assert base64.b32decode(text.replace("-", "")) == hashed[:10]
