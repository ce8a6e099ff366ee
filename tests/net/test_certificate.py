"""Certificates that let strangers speak TLS (wire.md §2)."""

from __future__ import annotations

import os
import pickle
import re
import ssl
import stat
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding

from p2ptruco.net.transport import certificate
from p2ptruco.net.transport.certificate import BadLeaf, channel_key, fresh_leaf, issue_leaf

WIRE = Path(__file__).parents[2] / "protocol" / "wire.md"


def test_the_authority_has_the_bytes_that_the_specification_prints() -> None:
    """A second implementation can build the same anchor, or paste it."""
    block = re.search(
        r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n", WIRE.read_text(), re.S
    )
    assert block is not None
    assert block.group() == certificate.authority_pem()


def test_the_authority_signs_one_level_and_one_domain() -> None:
    extensions = certificate.authority().extensions
    basic = extensions.get_extension_for_class(x509.BasicConstraints)
    names = extensions.get_extension_for_class(x509.NameConstraints)
    assert (basic.critical, basic.value.ca, basic.value.path_length) == (True, True, 0)
    assert names.critical
    assert names.value.permitted_subtrees == [x509.DNSName("p2ptruco.invalid")]


@pytest.mark.parametrize("which", ["authority", "leaf"])
def test_a_wrong_clock_keeps_nobody_away(which: str) -> None:
    leaf = x509.load_pem_x509_certificate(fresh_leaf().certificate)
    shown = {"authority": certificate.authority(), "leaf": leaf}[which]
    assert shown.not_valid_before_utc == datetime(1970, 1, 1, tzinfo=UTC)
    assert shown.not_valid_after_utc == datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


def test_every_run_has_a_key_of_its_own() -> None:
    assert len({fresh_leaf().key for _ in range(8)}) == 8


def test_the_key_file_is_the_owners_and_is_gone_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system has no files in memory."""
    monkeypatch.setattr(certificate, "DESCRIPTORS", str(tmp_path / "nowhere"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    seen: list[int] = []

    class Context:
        def load_cert_chain(self, path: str) -> None:
            seen.append(stat.S_IMODE(os.stat(path).st_mode))
            raise OSError("even if loading fails")

    with pytest.raises(OSError, match="even if"):
        fresh_leaf().load_into(Context())  # type: ignore[arg-type]
    assert seen == [0o600]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="Linux only")
def test_the_key_is_on_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever runs as the same user would wait for the file, and then speak on our channels."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    leaf = fresh_leaf()
    leaf.load_into(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER))
    seen: list[bytes] = []

    class Context:
        def load_cert_chain(self, path: str) -> None:
            assert os.path.islink(path)
            seen.append(Path(path).read_bytes())

    leaf.load_into(Context())  # type: ignore[arg-type]
    assert seen == [leaf.secret + leaf.certificate]


def test_the_secret_is_not_shown() -> None:
    leaf = fresh_leaf()
    assert "PRIVATE" not in repr(leaf)
    with pytest.raises(TypeError):
        pickle.dumps(leaf)


def test_the_authority_key_is_nobodys_channel_key() -> None:
    """Everybody holds it: a channel that ends in it can be carried on by anyone."""
    with pytest.raises(BadLeaf, match="authority_key"):
        issue_leaf(certificate.authority_secret())


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"", "unreadable"), (b"0\x82" + bytes(300), "unreadable"), (b"\xff" * 2000, "unreadable")],
)
def test_what_is_no_certificate_is_refused(content: bytes, code: str) -> None:
    with pytest.raises(BadLeaf, match=code):
        channel_key(content)


def test_only_ed25519_names_a_channel() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([])
    shown = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(datetime(1970, 1, 1))
        .not_valid_after(datetime(2100, 1, 1))
        .sign(Ed25519PrivateKey.generate(), None)
    )
    with pytest.raises(BadLeaf, match="not_ed25519"):
        channel_key(shown.public_bytes(Encoding.DER))
