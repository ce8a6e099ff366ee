"""The channel: TLS 1.3, mutual, over any trio stream.

Laws:
1. TLS 1.3 or nothing; both ends show a leaf of the public authority, the only anchor.
2. Both ends set ALPN `p2ptruco/1` and require it afterwards (OpenSSL lets a mismatch pass).
3. No session tickets, no resumption: every channel has run a whole key exchange.
4. `own` and `other` are digests of the leaves' keys; whatever is said inside is bound to both.
5. Who the other end *is* stays unknown here. The dialling end's handshake is over before the
   accepting end has judged it, so nothing may be acted on before HELLO.
6. Until `seated()` at most `budget` bytes are taken from the network; then as many as the pace
   of the peer allows.

Source: wire.md §2.
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from functools import lru_cache

import trio

from .certificate import BadLeaf, Leaf, authority_pem, channel_key
from .fault import Fault
from .pace import Pace

ALPN = "p2ptruco/1"
HANDSHAKE_BYTES = 16 * 1024
CLOSING_SECONDS = 1.0
CHUNK = 64 * 1024
TAKEN_AT_ONCE = 16 * 1024
"""Bytes that TLS gets in one go: nothing else runs while it works on them."""
_OTHER_TLS = ("UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION")
BROKEN = (trio.BrokenResourceError, trio.ClosedResourceError, ssl.SSLError, OSError)


class Budget(trio.abc.Stream):
    """A stream that takes at most `budget` bytes, until it is lifted; then Fault("oversized").
    With a pace it takes what comes no faster."""

    def __init__(self, stream: trio.abc.Stream, budget: int) -> None:
        self._stream = stream
        self._left: int | None = budget
        self.pace: Pace | None = None

    def lift(self) -> None:
        self._left = None

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        if self._left == 0:
            raise Fault("oversized")
        if self.pace is not None:
            await self.pace.turn()
        most = TAKEN_AT_ONCE if self._left is None else min(TAKEN_AT_ONCE, self._left)
        max_bytes = min(max_bytes or most, most)
        data = bytes(await self._stream.receive_some(max_bytes))
        if self._left is not None:
            self._left -= len(data)
        if self.pace is not None:
            self.pace.raw(len(data))
        return data

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        await self._stream.aclose()


@dataclass(frozen=True, slots=True, eq=False)
class Channel:
    """An encrypted stream between two channel keys (32 bytes each), its owners not yet known."""

    own: bytes
    other: bytes
    _tls: trio.SSLStream[Budget]
    _raw: Budget

    def seated(self) -> None:
        """The handshake is over: lift its budget."""
        self._raw.lift()

    def keep(self, pace: Pace) -> None:
        """Take from the network at this pace from now on."""
        self._raw.pace = pace

    async def send_all(self, data: bytes) -> None:
        await self._tls.send_all(data)

    async def receive_some(self) -> bytes:
        data = bytes(await self._tls.receive_some(CHUNK))
        if self._raw.pace is not None:
            self._raw.pace.content(len(data))
        return data

    async def aclose(self) -> None:
        """Say goodbye if the other end takes it within a second; close in any case."""
        try:
            with trio.move_on_after(CLOSING_SECONDS):
                await self._tls.aclose()
        except BROKEN:
            pass
        finally:
            await trio.aclose_forcefully(self._raw)


async def open_channel(
    stream: trio.abc.Stream, leaf: Leaf, *, dialling: bool, budget: int = HANDSHAKE_BYTES
) -> Channel:
    """Run the TLS handshake over `stream`; the dialling end is TLS's client.

    Raises Fault: wrong_version (no ALPN of ours, no TLS 1.3), malformed (anything else that no
    honest peer does), oversized, lost. The stream is closed whenever it raises,
    cancellation included.
    """
    raw = Budget(stream, budget)
    tls = trio.SSLStream(raw, _context(leaf, dialling), server_side=not dialling)
    try:
        await tls.do_handshake()
        return Channel(leaf.key, other_end(tls), tls, raw)
    except BROKEN as error:
        await trio.aclose_forcefully(raw)
        raise _fault_of(error) from error
    except BaseException:
        await trio.aclose_forcefully(raw)
        raise


def other_end(tls: trio.SSLStream[Budget] | ssl.SSLObject) -> bytes:
    """The other end's channel key, once everything that TLS does not refuse has been refused."""
    if tls.version() != "TLSv1.3" or tls.selected_alpn_protocol() != ALPN:
        raise Fault("wrong_version")
    if tls.session_reused:
        raise Fault("malformed")
    certificate = tls.getpeercert(binary_form=True)
    if certificate is None:
        raise Fault("malformed")
    try:
        return channel_key(certificate)
    except BadLeaf as error:
        raise Fault("malformed") from error


def _fault_of(error: BaseException) -> Fault:
    """What a failed handshake says of the other end: a TLS error is its fault, silence is not."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ssl.SSLError):
        cause = cause.__cause__
    if cause is None or isinstance(cause, ssl.SSLEOFError):
        return Fault("lost")
    return Fault("wrong_version" if cause.reason in _OTHER_TLS else "malformed")


@lru_cache(maxsize=4)
def _context(leaf: Leaf, dialling: bool) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT if dialling else ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False  # no SNI either: nobody here has a name
    context.verify_mode = ssl.CERT_REQUIRED
    context.verify_flags |= ssl.VerifyFlags.VERIFY_X509_STRICT
    context.load_verify_locations(cadata=authority_pem())
    context.set_alpn_protocols([ALPN])
    if not dialling:
        context.num_tickets = 0
    leaf.load_into(context)
    return context
