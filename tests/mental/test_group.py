"""The group at its door: canonical, in range, right length, or refused."""

import ctypes
import glob
import hashlib
import subprocess
import sys
import tempfile

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from p2ptruco.mental import group
from p2ptruco.mental.group import IDENTITY, NotInGroup, Point, Q

G = group.base_mult(1)
scalars = st.integers(0, Q - 1)

# RFC 9496 appendix A.1 and A.3
MULTIPLES = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76",
    "6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919",
    "94741f5d5d52755ece4f23f044ee27d5d1ea1e2bd196b462166b16152a9d0259",
]
BAD_POINTS = [
    "00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "f3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "ed57ffd8c914fb201471d1c3d245ce3c746fcbe63a3679d51b6a516ebebe0e20",
    "c34c4e1826e5d403b78e246e88aa051c36ccf0aafebffe137d148a2bf9104562",
    "c940e5a4404157cfb1628b108db051a8d439e1a421394ec4ebccb9ec92a8ac78",
    "47cfc5497c53dc8e61c91d17fd626ffb1c49e2bca94eed052281b510b1117a24",
    "f1c6165d33367351b0da8f6e4511010c68174a03b6581212c71c0e1d026c3c72",
    "87260f7a2f12495118360f02c26a470f450dadf34a413d21042b43b9d93e1309",
    "26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371",
    "3eb858e78f5a7254d8c9731174a94f76755fd3941c0ac93735c07ba14579630e",
]
HASHED = (
    "Ristretto is traditionally a short shot of espresso coffee",
    "3066f82a1a747d45120d1740f14358531a8f04bbffe6a819f86dfe50f44a0a46",
)


@pytest.mark.parametrize(("scalar", "encoding"), list(enumerate(MULTIPLES)))
def test_multiples_of_the_base_are_those_of_the_rfc(scalar: int, encoding: str) -> None:
    """RFC 9496 A.1."""
    assert group.base_mult(scalar).hex() == encoding
    assert group.mult(scalar, G).hex() == encoding


def test_hash_to_point_is_the_one_way_map_of_the_rfc() -> None:
    """RFC 9496 A.3, SHA-512 of a label."""
    assert group.hash_to_point(HASHED[0].encode()).hex() == HASHED[1]


@pytest.mark.parametrize("encoding", [*BAD_POINTS, MULTIPLES[0], "", MULTIPLES[1] + "00"])
def test_bad_encodings_and_the_identity_are_no_points(encoding: str) -> None:
    """RFC 9496 A.2, the identity, and wrong lengths."""
    with pytest.raises(NotInGroup):
        group.decode_point(bytes.fromhex(encoding))


@pytest.mark.parametrize("encoding", [*BAD_POINTS, "", MULTIPLES[1] + "00", MULTIPLES[1][:-2]])
def test_operations_refuse_what_is_no_point(encoding: str) -> None:
    """No operation answers anything for bytes that encode no point."""
    bad = Point(bytes.fromhex(encoding))
    for operation in (
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
