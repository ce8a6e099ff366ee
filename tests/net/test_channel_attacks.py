"""Attacks on the channel (wire.md §2): each is named after what the attacker tries."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime

import pytest
import trio
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from trio.testing import memory_stream_pair

from p2ptruco.net.transport import certificate, channel
from p2ptruco.net.transport.certificate import Leaf, fresh_leaf
from p2ptruco.net.transport.channel import ALPN, Budget, Channel, open_channel, other_end
from p2ptruco.net.transport.fault import Fault

from .kit import both, channels

V13 = ssl.TLSVersion.TLSv1_3


def context(
    dialling: bool, leaf: Leaf | None, *, alpn: str | None = ALPN, version: ssl.TLSVersion = V13
) -> ssl.SSLContext:
    """An attacker's TLS: verifies nothing, and bends one thing."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT if dialling else ssl.PROTOCOL_TLS_SERVER)
    made.check_hostname = False
    made.verify_mode = ssl.CERT_NONE if dialling else ssl.CERT_OPTIONAL
    made.load_verify_locations(cadata=certificate.authority_pem())
    made.minimum_version = made.maximum_version = version
    if alpn is not None:
        made.set_alpn_protocols([alpn])
    if leaf is not None:
        leaf.load_into(made)
    return made


def forged(
    *,
    key: Ed25519PrivateKey | ec.EllipticCurvePrivateKey | None = None,
    signer: Ed25519PrivateKey | None = None,
    until: datetime = datetime(9999, 12, 31, tzinfo=UTC),
    domain: str = certificate.DOMAIN,
) -> Leaf:
    """A leaf that no honest peer makes; its channel key is not filled in."""
    key = key or Ed25519PrivateKey.generate()
    anchor = certificate.authority_secret()
    made = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "x")]))
        .issuer_name(certificate.authority().subject)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(datetime(1970, 1, 1, tzinfo=UTC))
        .not_valid_after(until)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(domain)]), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(anchor.public_key()), critical=False
        )
        .sign(signer or anchor, None)
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return Leaf(made.public_bytes(Encoding.PEM), b"", secret)


async def attack(dialling: bool, tls: ssl.SSLContext) -> object:
    """What an honest end makes of an attacker with this TLS at the other."""
    near, far = memory_stream_pair()
    evil = trio.SSLStream(far, tls, server_side=not dialling)

    async def attacker() -> None:
        try:
            await evil.do_handshake()
            await evil.receive_some(1)
        except trio.BrokenResourceError:
            pass
        finally:
            await trio.aclose_forcefully(far)

    async def honest() -> object:
        opened = await open_channel(near, fresh_leaf(), dialling=not dialling)
        await opened.aclose()
        return opened

    return (await both(attacker, honest)).accepting


def reason(outcome: object) -> str:
    assert isinstance(outcome, Fault), outcome
    return outcome.reason


ENDS = pytest.mark.parametrize("dialling", [True, False], ids=["by_client", "by_server"])


async def test_both_ends_learn_both_channel_keys() -> None:
    """What HELLO and ticket proof are bound to is the same at both ends."""
    near, far = await channels()
    assert (near.own, near.other) == (far.other, far.own)
    assert near.own != near.other


async def test_the_channel_carries_bytes_both_ways() -> None:
    """Unbent, it carries whatever is sent."""
    near, far = await channels()
    await near.send_all(b"a" * 100_000)
    received = b""
    while len(received) < 100_000:
        near.seated()
        far.seated()
        received += await far.receive_some()
    assert received == b"a" * 100_000


@ENDS
async def test_alpn_absent(dialling: bool) -> None:
    """OpenSSL lets it pass; a service of another protocol could be made to speak to us."""
    assert reason(await attack(dialling, context(dialling, fresh_leaf(), alpn=None))) == (
        "wrong_version"
    )


@ENDS
async def test_alpn_of_another_version(dialling: bool) -> None:
    """Peers of two versions would read each other's bytes by different rules."""
    tls = context(dialling, fresh_leaf(), alpn="p2ptruco/2")
    assert reason(await attack(dialling, tls)) == "wrong_version"


@ENDS
async def test_tls_1_2(dialling: bool) -> None:
    """A downgrade brings back renegotiation, static keys and certificates in the clear."""
    tls = context(dialling, fresh_leaf(), version=ssl.TLSVersion.TLSv1_2)
    expected = "wrong_version" if dialling else "lost"  # an old server hangs up by itself
    assert reason(await attack(dialling, tls)) == expected


async def test_no_client_certificate() -> None:
    """Without a channel key on both sides a HELLO is bound to one end only, and can be relayed."""
    assert reason(await attack(True, context(True, None))) == "malformed"


@ENDS
async def test_foreign_authority(dialling: bool) -> None:
    """A leaf of another authority was made for another purpose."""
    leaf = forged(signer=Ed25519PrivateKey.generate())
    assert reason(await attack(dialling, context(dialling, leaf))) == "malformed"


@ENDS
async def test_authority_key_as_leaf(dialling: bool) -> None:
    """Its secret is published: anyone on the path could take over such a channel."""
    leaf = forged(key=certificate.authority_secret())
    assert reason(await attack(dialling, context(dialling, leaf))) == "malformed"


@ENDS
async def test_authority_certificate_as_leaf(dialling: bool) -> None:
    """Anybody holds its key: such an end could be anybody's."""
    secret = certificate.authority_secret().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    leaf = Leaf(certificate.authority_pem().encode(), b"", secret)
    assert reason(await attack(dialling, context(dialling, leaf))) == "malformed"


@ENDS
async def test_leaf_of_another_kind_of_key(dialling: bool) -> None:
    """Another curve is another library's code before anybody has said who they are."""
    leaf = forged(key=ec.generate_private_key(ec.SECP256R1()))
    assert reason(await attack(dialling, context(dialling, leaf))) == "malformed"


@ENDS
async def test_leaf_outside_the_domain(dialling: bool) -> None:
    """The public authority must be worth nothing for a name that anybody uses elsewhere."""
    leaf = forged(domain="bank.example")
    assert reason(await attack(dialling, context(dialling, leaf))) == "malformed"


@ENDS
async def test_expired_leaf(dialling: bool) -> None:
    """TLS's own checks stay on: a leaf is one that an honest peer makes, or none."""
    leaf = forged(until=datetime(1999, 1, 1, tzinfo=UTC))
    assert reason(await attack(dialling, context(dialling, leaf))) == "malformed"


def renumbered(leaf: Leaf, serial: int) -> Leaf:
    """The same leaf with another serial number of one byte, which no library would write."""
    made = x509.load_pem_x509_certificate(leaf.certificate)
    was, now = b"\x02\x01\x07", b"\x02\x01" + bytes([serial])
    signed = made.tbs_certificate_bytes.replace(was, now, 1)
    der = made.public_bytes(Encoding.DER).replace(made.tbs_certificate_bytes, signed)
    der = der.replace(made.signature, certificate.authority_secret().sign(signed))
    return Leaf(ssl.DER_cert_to_PEM_cert(der).encode(), b"", leaf.secret)


@ENDS
@pytest.mark.parametrize("serial", [0, 0xF9], ids=["nil", "negative"])
async def test_leaf_with_a_serial_that_is_none(
    dialling: bool, serial: int, recwarn: pytest.WarningsRecorder
) -> None:
    """A library that only warns of it writes on the screen of whoever is dialled."""
    leaf = renumbered(forged(), serial)
    assert reason(await attack(dialling, context(dialling, leaf))) == "malformed"
    assert not recwarn.list


async def test_no_session_tickets_are_given() -> None:
    """With a ticket the next channel could skip the certificates, and with them the keys."""
    near, far = memory_stream_pair()
    evil = trio.SSLStream(near, context(True, fresh_leaf()), server_side=False)

    async def client() -> ssl.SSLSession | None:
        await evil.do_handshake()
        await evil.receive_some(1)
        return evil.session

    async def server() -> Channel:
        opened = await open_channel(far, fresh_leaf(), dialling=False)
        await opened.send_all(b"x")
        return opened

    session = (await both(client, server)).dialling
    assert session is None or not session.has_ticket


def test_resumed_session() -> None:
    """An end that gives tickets all the same, and a client that uses one: refused afterwards."""
    serving = context(False, fresh_leaf())
    dialling = context(True, fresh_leaf())
    first, _ = _in_memory(dialling, serving, None)
    client, server = _in_memory(dialling, serving, first.session)
    assert client.session_reused
    for end in (client, server):
        with pytest.raises(Fault, match="malformed"):
            other_end(end)


def _in_memory(
    dialling: ssl.SSLContext, serving: ssl.SSLContext, session: ssl.SSLSession | None
) -> tuple[ssl.SSLObject, ssl.SSLObject]:
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = dialling.wrap_bio(down, up, session=session)
    server = serving.wrap_bio(up, down, server_side=True)
    done: set[ssl.SSLObject] = set()
    while len(done) < 2:
        for end in (client, server):
            try:
                end.do_handshake()
                done.add(end)
            except ssl.SSLWantReadError:
                pass
    server.write(b"x")
    client.read(1)  # the ticket comes with it
    return client, server


@pytest.mark.parametrize(
    ("sent", "word"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "malformed"),
        (b"\x16\x03\x01\xff\xff" + bytes(70_000), "malformed"),
        (bytes(20_000), "malformed"),
        (b"", "lost"),
    ],
)
@pytest.mark.parametrize("dialling", [True, False])
async def test_garbage(sent: bytes, word: str, dialling: bool) -> None:
    """Whatever a port scanner says ends its own stream and nothing else."""
    near, far = memory_stream_pair()
    await far.send_all(sent)
    await far.send_eof()
    with pytest.raises(Fault) as caught:
        await open_channel(near, fresh_leaf(), dialling=dialling)
    assert caught.value.reason == word
    with pytest.raises(trio.ClosedResourceError):
        await near.send_all(b"x")


@ENDS
async def test_oversized_handshake(dialling: bool) -> None:
    """OpenSSL takes a certificate of 100 KB from anybody; we hold 16 KiB for a stranger."""
    leaf = forged(domain=".".join(["x" * 60] * 400 + [certificate.DOMAIN]))
    assert reason(await attack(dialling, context(dialling, leaf))) == "oversized"


async def test_oversized_talk_before_hello() -> None:
    """A stranger would make us hold what he likes before he has said who he is."""
    near, far = await channels()
    await near.send_all(bytes(channel.HANDSHAKE_BYTES))

    async def drain() -> None:
        while await far.receive_some():
            pass

    with pytest.raises(Fault, match="oversized"):
        await drain()


async def test_the_budget_is_exact() -> None:
    """A stranger's byte too many is held by nobody."""
    near, far = memory_stream_pair()
    await far.send_all(b"x" * 11)
    budget = Budget(near, 10)
    assert await budget.receive_some(100) == b"x" * 10
    with pytest.raises(Fault, match="oversized"):
        await budget.receive_some(1)
    budget.lift()
    assert await budget.receive_some() == b"x"


@pytest.mark.parametrize("dialling", [True, False])
async def test_a_cancelled_handshake_closes_its_stream(
    dialling: bool, autojump_clock: trio.testing.MockClock
) -> None:
    """Strangers who hang up in the middle would leave sockets behind, until there are none."""
    near, far = memory_stream_pair()
    with trio.move_on_after(1):
        await open_channel(near, fresh_leaf(), dialling=dialling)
    with trio.fail_after(1):
        while await far.receive_some():
            pass


async def test_closing_waits_for_nobody(autojump_clock: trio.testing.MockClock) -> None:
    """A peer that reads nothing would hold our last word, and with it the program's end."""
    near, _ = await channels()

    async def stuck() -> None:
        await trio.sleep_forever()

    near._raw._stream.send_stream.send_all_hook = stuck  # type: ignore[attr-defined]
    before = trio.current_time()
    await near.aclose()
    assert trio.current_time() - before <= channel.CLOSING_SECONDS


def test_every_attack_has_its_honest_counterpart() -> None:
    """The attacker's TLS, unbent, is accepted: the refusals above are for what was bent."""

    async def run(dialling: bool) -> object:
        return await attack(dialling, context(dialling, fresh_leaf()))

    for dialling in (True, False):
        assert isinstance(trio.run(run, dialling), Channel)


def test_an_honest_leaf_of_the_forger_is_accepted() -> None:
    """The forger's leaves are refused for what is bent in them."""

    async def run() -> object:
        return await attack(True, context(True, forged()))

    assert isinstance(trio.run(run), Channel)
