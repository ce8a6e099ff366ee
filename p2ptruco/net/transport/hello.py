"""The handshake inside the channel: ticket proof, then who is who.

    dialling                    accepting
    Knock(purpose, proof)  →
                           ←    Answer(proof), Hello     (or Bye: wrong proof, closed table)
    Hello                  →
                           ←    Welcome                  (or Bye: not in the roster, no place)

Laws:
1. A HELLO signs its role and both channel keys, so it is worth nothing on another channel, to
   the same side of another one, or mirrored to its author.
2. The accepting side speaks its name only to who has proved to be asked; the dialling side
   speaks its own only to the host it was told of, and acts on nothing before.
3. A wrong secret, a closed table and a key that is not in the roster get the same word.
4. TLS, proofs and HELLOs together have `handshake_seconds` and `handshake_bytes`.

Source: wire.md §3.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeVar

import trio

from ...table.identity import HELLO, acceptable, verify
from ..wall import walled
from . import frames, ticket
from .certificate import Leaf
from .channel import BROKEN, Channel, open_channel
from .fault import Fault, Reason
from .limits import LIMITS, Limits

Role = Literal["accepting", "dialling"]
M = TypeVar("M", bound=frames.Message)


class Signer(Protocol):
    """An identity: its public key, and signatures over label ‖ message."""

    @property
    def public(self) -> bytes: ...

    def sign(self, label: bytes, message: bytes) -> bytes: ...


class Door(Protocol):
    """What the accepting side lets in."""

    def key(self, purpose: ticket.Purpose) -> bytes:
        """The proof key for a purpose; 32 random bytes where nobody is let in."""

    def judge(self, purpose: ticket.Purpose, identity: bytes) -> Reason | None:
        """Why this identity, which has proved the purpose, may not come in; or None."""


@dataclass(frozen=True, slots=True, eq=False)
class Acquainted:
    """A channel whose other end is known by its identity key (32 bytes), checked."""

    identity: bytes
    purpose: ticket.Purpose
    dialled_by: bytes  # the identity key of the dialling side
    channel: Channel
    reader: frames.Reader = field(repr=False)


@dataclass(frozen=True, slots=True)
class Errand:
    """Why one dials: the purpose, its proof key, and whether a host may be this identity."""

    purpose: ticket.Purpose
    key: bytes = field(repr=False)
    expects: Callable[[bytes], bool]


_Talk = Callable[[Channel, "_Line"], Awaitable[Acquainted]]


async def dial(
    stream: trio.abc.Stream, leaf: Leaf, me: Signer, errand: Errand, limits: Limits = LIMITS
) -> Acquainted:
    """Run the whole handshake as the dialling side. Raises Fault; then the stream is closed."""

    async def talk(channel: Channel, line: _Line) -> Acquainted:
        return await _introduce(line, channel, me, errand)

    return await _bounded(stream, leaf, limits, talk, dialling=True)


async def accept(
    stream: trio.abc.Stream, leaf: Leaf, me: Signer, door: Door, limits: Limits = LIMITS
) -> Acquainted:
    """Run the whole handshake as the accepting side. Raises Fault; then the stream is closed."""

    async def talk(channel: Channel, line: _Line) -> Acquainted:
        return await _receive(line, channel, me, door)

    return await _bounded(stream, leaf, limits, talk, dialling=False)


async def _introduce(line: _Line, channel: Channel, me: Signer, errand: Errand) -> Acquainted:
    host, guest = channel.other, channel.own
    await line.say(frames.Knock(errand.purpose, ticket.proof(errand.key, "guest", host, guest)))
    answer = await line.hear(frames.Answer)
    if not ticket.proves(answer.proof, errand.key, "host", host, guest):
        raise Fault("bad_ticket")
    peer = await _hear_hello(line, channel, me, "accepting")
    if not errand.expects(peer):
        raise Fault("wrong_peer")
    await line.say(_hello(me, "dialling", channel))
    await line.hear(frames.Welcome)
    return Acquainted(peer, errand.purpose, me.public, channel, line.reader)


async def _receive(line: _Line, channel: Channel, me: Signer, door: Door) -> Acquainted:
    host, guest = channel.own, channel.other
    knock = await line.hear(frames.Knock)
    key = door.key(knock.purpose)
    if not ticket.proves(knock.proof, key, "guest", host, guest):
        raise Fault("bad_ticket")
    answer = frames.Answer(ticket.proof(key, "host", host, guest))
    await line.say(answer, _hello(me, "accepting", channel))
    peer = await _hear_hello(line, channel, me, "dialling")
    if (reason := door.judge(knock.purpose, peer)) is not None:
        raise Fault(reason)
    await line.say(frames.Welcome())
    return Acquainted(peer, knock.purpose, peer, channel, line.reader)


def _hello(me: Signer, role: Role, channel: Channel) -> frames.Hello:
    message = _statement(role, channel.own, channel.other)
    return frames.Hello(me.public, role, me.sign(HELLO, message))


async def _hear_hello(line: _Line, channel: Channel, me: Signer, role: Role) -> bytes:
    hello = await line.hear(frames.Hello)
    if hello.role != role:
        raise Fault("malformed")
    statement = _statement(role, channel.other, channel.own)
    if not acceptable(hello.identity):
        raise Fault("bad_signature")
    if not verify(hello.identity, HELLO, statement, hello.signature):
        raise Fault("bad_signature")
    if hello.identity == me.public:
        raise Fault("wrong_peer")
    return hello.identity


def _statement(role: Role, speaker: bytes, listener: bytes) -> bytes:
    """What a HELLO signs behind its label: the role, and the channel keys of both ends."""
    return role.encode() + speaker + listener


class _Line:
    """One message at a time over a channel that is not a link yet."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self.reader = frames.Reader()

    async def say(self, *messages: frames.Message) -> None:
        await self._channel.send_all(b"".join(map(frames.write, messages)))

    async def hear(self, kind: type[M]) -> M:
        """The next message, if it is of this kind. Raises Fault, the other end's Bye included."""
        message = await self._next()
        if isinstance(message, frames.Bye):
            raise Fault(frames.farewell(message), theirs=True)
        if not isinstance(message, kind):
            raise Fault("malformed")
        return message

    async def _next(self) -> frames.Message:
        while (message := self.reader.next()) is None:
            data = await self._channel.receive_some()
            if not data:
                raise Fault("lost", theirs=True)
            self.reader.feed(data)
        return message


async def _bounded(
    stream: trio.abc.Stream, leaf: Leaf, limits: Limits, talk: _Talk, *, dialling: bool
) -> Acquainted:
    try:
        with trio.fail_after(limits.handshake_seconds), walled("a handshake"):
            budget = limits.handshake_bytes
            channel = await open_channel(stream, leaf, dialling=dialling, budget=budget)
            return await _talk_or_close(channel, talk)
    except trio.TooSlowError as error:
        raise Fault("too_late") from error


async def _talk_or_close(channel: Channel, talk: _Talk) -> Acquainted:
    line = _Line(channel)
    try:
        peer = await talk(channel, line)
    except Fault as fault:
        await _part(channel, line, fault)
        raise
    except BROKEN as error:
        await channel.aclose()
        raise Fault("lost") from error
    except BaseException:
        await channel.aclose()
        raise
    channel.seated()
    return peer


async def _part(channel: Channel, line: _Line, fault: Fault) -> None:
    try:
        if not fault.theirs:
            await line.say(frames.Bye(fault.reason))
    except BROKEN:
        pass
    finally:
        await channel.aclose()
