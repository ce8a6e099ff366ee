"""The group at its door: canonical, in range, right length, or refused."""

import ctypes
import glob
import hashlib
import subprocess
import sys
import tempfile

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from hypothesis import example, given
from hypothesis import strategies as st

from p2ptruco.mental import group
from p2ptruco.mental.group import IDENTITY, NotInGroup, P, Point, Q
from tests.kit.ed25519 import sign_again
from tests.mental.rfc9496 import (
    HASHED,
    MULTIPLES,
    NEGATIVE,
    NEGATIVE_XY,
    NOT_CANONICAL,
    NOT_SQUARE,
    TOP,
    Y_ZERO,
    aliases,
    decoded,
    disguised,
    number,
)

G = group.base_mult(1)
scalars = st.integers(0, Q - 1)

DISGUISED = [disguised(bytes.fromhex(point)).hex() for point in MULTIPLES[:3]]
"""Points with bit 255 set, the identity first: for libsodium 1.0.18 they are points."""
OURS = [*NOT_CANONICAL, *NEGATIVE, *DISGUISED]
"""What this module refuses before libsodium sees it."""
ITS = [*NOT_SQUARE, *NEGATIVE_XY, *Y_ZERO]
"""What libsodium refuses."""
BAD_POINTS = [*OURS, *ITS]


@pytest.mark.parametrize(("scalar", "encoding"), list(enumerate(MULTIPLES)))
def test_multiples_of_the_base_are_those_of_the_rfc(scalar: int, encoding: str) -> None:
    """RFC 9496 A.1."""
    assert group.base_mult(scalar).hex() == encoding
    assert group.mult(scalar, G).hex() == encoding


def test_hash_to_point_is_the_one_way_map_of_the_rfc() -> None:
    """RFC 9496 A.3, SHA-512 of a label."""
    for label, encoding in HASHED.items():
        assert group.hash_to_point(label.encode()).hex() == encoding


def test_every_encoding_but_one_of_a_point_is_refused() -> None:
    """Gain: two encodings of one key are two keys to whoever compares bytes; two of a card's A get
    past the search for equal ones, and one token opens both."""
    for encoding in MULTIPLES[1:]:
        point = bytes.fromhex(encoding)
        assert group.decode_point(point) == point
        for alias in aliases(point):
            with pytest.raises(NotInGroup):
                group.decode_point(alias)


@given(st.binary(min_size=32, max_size=32) | st.sampled_from(MULTIPLES).map(bytes.fromhex))
@example(bytes(31) + b"\x80")
def test_points_decode_as_the_rfc_says(data: bytes) -> None:
    """RFC 9496 §4.3.1 in plain integers decides the same, the identity apart."""
    for s in (number(data) & ~1 & (TOP - 1), number(data), number(data) | TOP):
        encoding = s.to_bytes(32, "little")
        try:
            accepted = group.decode_point(encoding) == encoding
        except NotInGroup:
            accepted = False
        assert accepted == (decoded(encoding) is not None and encoding != IDENTITY)


@pytest.mark.parametrize("encoding", OURS)
def test_what_is_ours_to_refuse_is_refused_whatever_the_library_says(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """s is below p in all its 256 bits, and even: no version of a library is trusted with that."""
    monkeypatch.setattr(group, "_is_valid", lambda data: 1)
    with pytest.raises(NotInGroup):
        group.decode_point(bytes.fromhex(encoding))


@pytest.mark.parametrize("encoding", ITS)
def test_what_is_left_to_the_library_is_refused_by_it(encoding: str) -> None:
    """No square, xy negative, y zero: another binding is held against the same."""
    assert not group._is_valid(bytes.fromhex(encoding))


@pytest.mark.parametrize("encoding", [*BAD_POINTS, MULTIPLES[0], "", MULTIPLES[1] + "00"])
def test_bad_encodings_and_the_identity_are_no_points(encoding: str) -> None:
    """RFC 9496 A.2, the identity, points in disguise, wrong lengths."""
    with pytest.raises(NotInGroup):
        group.decode_point(bytes.fromhex(encoding))


@pytest.mark.parametrize("encoding", [*BAD_POINTS, "", MULTIPLES[1] + "00", MULTIPLES[1][:-2]])
def test_operations_refuse_what_is_no_point(encoding: str) -> None:
    """No operation answers anything for bytes that encode no point."""
    bad = Point(bytes.fromhex(encoding))
    for operation in (
        lambda: group.mult(1, bad),
        lambda: group.mult(2, bad),
        lambda: group.add(bad, G),
        lambda: group.add(G, bad),
        lambda: group.sub(G, bad),
    ):
        with pytest.raises(NotInGroup):
            operation()


@pytest.mark.parametrize("value", [Q, Q + 1, 2**252 * 2, 2**255, 2**255 + 5, 2**256 - 1])
def test_scalars_from_q_up_are_refused(value: int) -> None:
    """libsodium would mask bit 255 and reduce the rest: two encodings of one scalar."""
    with pytest.raises(NotInGroup):
        group.decode_scalar(value.to_bytes(32, "little"))


@pytest.mark.parametrize("data", [b"", bytes(31), bytes(33), bytearray(32), "0" * 32, None])
def test_only_32_bytes_are_decoded(data: bytes) -> None:
    """Wrong lengths and types are refused before libsodium reads a byte."""
    with pytest.raises(NotInGroup):
        group.decode_scalar(data)
    with pytest.raises(NotInGroup):
        group.decode_point(data)


@given(scalars, scalars)
def test_points_add_as_their_scalars(a: int, b: int) -> None:
    """The group is Z_q under addition, the identity and zero included."""
    left, right = group.base_mult(a), group.base_mult(b)
    assert group.add(left, right) == group.base_mult(a + b)
    assert group.sub(left, right) == group.base_mult(a - b)
    assert group.mult(a, right) == group.base_mult(a * b)
    assert group.decode_scalar(group.encode_scalar(a)) == a


@pytest.mark.parametrize("scalar", [0, Q, -Q])
def test_zero_and_the_identity_give_the_identity(scalar: int) -> None:
    """libsodium reports both as failures; here they are results."""
    assert group.mult(scalar, G) == group.base_mult(scalar) == group.mult(5, IDENTITY) == IDENTITY
    assert group.combine([]) == IDENTITY
    assert group.combine([(1, G), (-1, G)]) == IDENTITY


def test_counting_sees_only_its_own_block() -> None:
    """Counts end with the block and start at zero in each."""
    with group.counting() as first:
        group.mult(2, G)
        with group.counting() as inner:
            group.add(G, G)
        group.base_mult(3)
    group.base_mult(3)
    assert (first.mults, first.bases, first.adds) == (1, 1, 0)
    assert (inner.mults, inner.bases, inner.adds) == (0, 0, 1)


def test_no_file_of_the_library_stays_behind() -> None:
    """rbcl unpacks libsodium into the temporary folder; the group leaves nothing there."""
    with tempfile.TemporaryDirectory() as folder:
        code = f"import tempfile; tempfile.tempdir = {folder!r}; import p2ptruco.mental.group"
        subprocess.run([sys.executable, "-c", code], check=True)
        if sys.platform != "win32":
            assert glob.glob(f"{folder}/*") == []


def _torsion_sum(point: bytes, torsion: bytes) -> bytes:
    out = ctypes.create_string_buffer(32)
    assert group._lib.crypto_core_ed25519_add(out, point, torsion) == 0
    return out.raw


SMALL_ORDER = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
]


def _signed() -> tuple[bytes, bytes, bytes]:
    private = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    return private.sign(b"text"), b"text", private.public_key().public_bytes_raw()


@pytest.mark.parametrize("torsion", SMALL_ORDER)
def test_identity_keys_of_small_or_mixed_order_are_refused(torsion: str) -> None:
    """A key with a small part has several signatures, or signs everything at once."""
    signature, text, key = _signed()
    assert not group.ed25519_is_valid_point(bytes.fromhex(torsion))
    assert not group.ed25519_verify(signature, text, bytes.fromhex(torsion))
    if torsion != SMALL_ORDER[0]:
        mixed = _torsion_sum(key, bytes.fromhex(torsion))
        assert not group.ed25519_is_valid_point(mixed)
        assert not group.ed25519_verify(signature, text, mixed)


def test_signature_of_a_key_of_mixed_order() -> None:
    """Gain: a key of order 2q verifies for some texts only, so peers of other programs disagree.

    The forger, who knows the secret of the prime part, tries texts until the hash is even.
    """
    wide = hashlib.sha512(bytes(range(32))).digest()
    secret = int.from_bytes(wide[:32], "little") & ((1 << 254) - 8) | (1 << 254)
    key = _torsion_sum(_signed()[2], bytes.fromhex(SMALL_ORDER[1]))
    first = Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key().public_bytes_raw()
    seed = hashlib.sha512(bytes(32)).digest()
    r = int.from_bytes(seed[:32], "little") & ((1 << 254) - 8) | (1 << 254)
    accepted = 0
    for text in (bytes([n]) for n in range(20)):
        h = int.from_bytes(hashlib.sha512(first + key + text).digest(), "little") % Q
        signature = first + ((r + h * secret) % Q).to_bytes(32, "little")
        accepted += group._ed_verify(signature, text, len(text), key) == 0
        assert not group.ed25519_verify(signature, text, key)
    assert accepted > 0


@pytest.mark.parametrize("y", [0, 1, 2, P - 2, P - 1, P, P + 1, P + 2, P + 18])
@pytest.mark.parametrize("sign", [0, 1])
def test_no_key_at_the_edges_of_the_field(y: int, sign: int) -> None:
    """y = p and up is another spelling, y = 1 and p - 1 have x = 0, which has no sign."""
    assert not group.ed25519_is_valid_point((y | sign << 255).to_bytes(32, "little"))


def test_each_key_has_one_encoding_and_its_negative_is_another_key() -> None:
    """Bit 255 of a key is the sign of x: set or not, both decode, and they are two keys."""
    signature, text, key = _signed()
    negative = (number(key) ^ TOP).to_bytes(32, "little")
    assert group.ed25519_is_valid_point(negative)
    assert not group.ed25519_verify(signature, text, negative)


def test_signature_whose_r_is_the_identity() -> None:
    """Gain: RFC 8032 takes it, other libraries do not, so peers of other programs disagree."""
    text, key = _signed()[1:]
    seed = bytes(range(32))
    for nonce in (0, Q):
        signature = sign_again(seed, text, nonce)
        Ed25519PublicKey.from_public_bytes(key).verify(signature, text)
        assert not group.ed25519_verify(signature, text, key)
    assert group.ed25519_verify(sign_again(seed, text, 1), text, key)


def test_signatures_are_strict() -> None:
    """One encoding of S, nothing but 64 bytes, another text or key refused."""
    signature, text, key = _signed()
    assert group.ed25519_verify(signature, text, key)
    order = Q  # the group of Ed25519 has the same prime order
    other_s = (int.from_bytes(signature[32:], "little") + order).to_bytes(32, "little")
    for changed in (signature[:32] + other_s, signature[:63], signature + b"\0", bytes(64)):
        assert not group.ed25519_verify(changed, text, key)
    assert not group.ed25519_verify(signature, b"Text", key)
    assert not group.ed25519_verify(signature, text, key[:31])
    assert not group.ed25519_verify(signature, text, bytes(31) + b"\xff")
    for wrong in (bytearray, memoryview, repr):
        assert not group.ed25519_verify(wrong(signature), text, key)  # type: ignore[arg-type]
        assert not group.ed25519_verify(signature, wrong(text), key)  # type: ignore[arg-type]
        assert not group.ed25519_verify(signature, text, wrong(key))  # type: ignore[arg-type]
