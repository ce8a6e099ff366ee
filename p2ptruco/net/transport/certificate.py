"""Certificates that let strangers speak mutual TLS; they identify nobody.

Laws:
1. The authority's key is derived from a public label, so anybody can sign a leaf: a certificate
   proves nothing but possession of its own channel key. Identity is spoken inside (hello.py).
2. The authority's certificate has the same bytes on every peer.
3. A leaf key is fresh for each run, Ed25519, and never the authority's.
4. Validity is 1970 to 9999: a wrong clock keeps nobody from the table.

Source: wire.md §2.
"""

from __future__ import annotations

import hashlib
import os
import ssl
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from ...table.identity import published_seed

DOMAIN = "p2ptruco.invalid"
DESCRIPTORS = "/proc/self/fd"
ED25519_SPKI = bytes.fromhex("302a300506032b6570032100")
_FROM = datetime(1970, 1, 1, tzinfo=UTC)
_UNTIL = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


class BadLeaf(ValueError):
    """A leaf that no honest peer shows; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Leaf:
    """A channel's certificate and its secret key (PEM, never in repr)."""

    certificate: bytes
    key: bytes  # channel key, 32 bytes: what HELLO and ticket proof are bound to
    secret: bytes = field(repr=False)

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a channel's key does not leave its process")

    def load_into(self, context: ssl.SSLContext) -> None:
        """Give the key to `context` by way of a file, the one road OpenSSL has: in memory, where
        other processes cannot open it (process.py), else for a moment an owner-only one."""
        where = _in_memory if os.path.isdir(DESCRIPTORS) and sys.platform == "linux" else _on_disk
        with where(self.secret + self.certificate) as path:
            context.load_cert_chain(path)


@contextmanager
def _in_memory(content: bytes) -> Iterator[str]:
    assert sys.platform == "linux"
    descriptor = os.memfd_create("p2ptruco")
    try:
        os.write(descriptor, content)
        yield f"{DESCRIPTORS}/{descriptor}"
    finally:
        os.close(descriptor)


@contextmanager
def _on_disk(content: bytes) -> Iterator[str]:
    descriptor, path = tempfile.mkstemp(prefix="p2ptruco-")  # mode 0600
    try:
        try:
            os.write(descriptor, content)
        finally:
            os.close(descriptor)
        yield path
    finally:
        os.unlink(path)


@cache
def authority_secret() -> Ed25519PrivateKey:
    """The authority's key, which everybody holds."""
    return Ed25519PrivateKey.from_private_bytes(published_seed("authority"))


@cache
def authority() -> x509.Certificate:
    """The only anchor: path length 0, names under `DOMAIN` only."""
    key = authority_secret()
    name = _name(f"authority.{DOMAIN}")
    return (
        _builder(name, name, key, serial=1)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.NameConstraints([x509.DNSName(DOMAIN)], None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, None)
    )


def authority_pem() -> str:
    return authority().public_bytes(Encoding.PEM).decode()


def fresh_leaf() -> Leaf:
    """A leaf with a key of its own, for one run of the program."""
    return issue_leaf(Ed25519PrivateKey.generate())


def issue_leaf(key: Ed25519PrivateKey) -> Leaf:
    """The leaf of `key`, signed by the public authority."""
    anchor = authority_secret().public_key()
    certificate = (
        _builder(_name(f"peer.{DOMAIN}"), authority().subject, key, x509.random_serial_number())
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(_BOTH_ENDS, critical=False)
        .add_extension(
            x509.SubjectAlternativeName([x509.DNSName(f"peer.{DOMAIN}")]), critical=False
        )
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(anchor), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(authority_secret(), None)
    )
    return Leaf(
        certificate.public_bytes(Encoding.PEM),
        channel_key(certificate.public_bytes(Encoding.DER)),
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
    )


def channel_key(der: bytes) -> bytes:
    """The 32 bytes that name a channel's end: SHA-512 of its SubjectPublicKeyInfo,
    cut to 32.

    Raises BadLeaf for what no library takes without a warning, for a key that is not Ed25519, and
    for the authority's, which everybody holds.
    """
    try:
        with warnings.catch_warnings(action="error"):  # no library speaks to us of a stranger's
            key = x509.load_der_x509_certificate(der).public_key()
        spki = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    except Exception as error:
        raise BadLeaf("unreadable") from error
    if len(spki) != len(ED25519_SPKI) + 32 or not spki.startswith(ED25519_SPKI):
        raise BadLeaf("not_ed25519")
    if spki[-32:] == authority_secret().public_key().public_bytes_raw():
        raise BadLeaf("authority_key")
    return hashlib.sha512(spki).digest()[:32]


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: Ed25519PrivateKey, serial: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(serial)
        .not_valid_before(_FROM)
        .not_valid_after(_UNTIL)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )


_BOTH_ENDS = x509.ExtendedKeyUsage(
    [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
)
