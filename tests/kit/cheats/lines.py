"""Cheats in frames: bytes that no honest peer sends over a link."""

from __future__ import annotations

from msgspec.structs import replace

from p2ptruco.net.transport import frames
from p2ptruco.table.entries import Say
from p2ptruco.table.identity import ENTRY
from tests.kit.cheats.base import Dishonest, Spits


class Garbage(Spits):
    """Bytes that are no frame's body."""

    title = "garbage"

    def bytes(self) -> bytes:
        return (101).to_bytes(4, "big") + b"\x10" + b"\xc1" * 100


class GarbageEntry(Spits):
    """A well-formed frame around an entry that is none."""

    title = "garbage in an entry"

    def bytes(self) -> bytes:
        return frames.write(frames.EntryFrame(b"\xc1" * 100, bytes(64)))


class Oversized(Spits):
    """Announces 16 MB, for the receiver to make room."""

    title = "oversized"

    def bytes(self) -> bytes:
        return (1 << 24).to_bytes(4, "big") + b"\x10" + bytes(64)


class UnknownType(Spits):
    """A frame of a type that does not exist."""

    title = "unknown frame type"

    def bytes(self) -> bytes:
        return (2).to_bytes(4, "big") + b"\x7f\x90"


class SecondHandshake(Spits):
    """Introduces itself again, as another."""

    title = "handshake frame on a link"

    def bytes(self) -> bytes:
        identity = self.agreement.identities[self.victims[0]]
        return frames.write(frames.Hello(identity, "dialling", bytes(64)))


class LobbyFrame(Spits):
    """Claims a seat in the middle of a match."""

    title = "lobby frame in a match"

    def bytes(self) -> bytes:
        return frames.write(frames.Claim(0, "p1", None, bytes(32), ()))


class WrongVersion(Spits):
    """An entry of another protocol, well signed."""

    title = "wrong version"

    def bytes(self) -> bytes:
        body = self.forge(Say("call")).body.replace(b"p2ptruco/1", b"p2ptruco/2")
        return frames.write(frames.EntryFrame(body, self.identity.sign(ENTRY, body)))


class FalseFork(Spits):
    """Says in its heartbeats that it stands on another head."""

    title = "heartbeat with a false head"

    def bytes(self) -> bytes:
        pulse = self.session._healing.pulse()
        return frames.write(replace(pulse, head=b"\1" * 32)) * 3


class FalseKnowledge(Dishonest):
    """Says in every heartbeat that it knows other proofs and seals than everybody, to keep the
    others waiting once the match is over."""

    title = "heartbeat with a false hash of proofs and seals"

    async def scheme(self) -> None:
        healing = self.session._healing
        true = healing.pulse
        healing.pulse = lambda: replace(true(), known=self.rng.randbytes(32))  # type: ignore[method-assign]
        self.acted = True
