"""Cheats below the log: frames, private frames, links, and when something is sent at all."""

from __future__ import annotations

import random
from dataclasses import replace

import trio
import trio.lowlevel
from trio.testing import lockstep_stream_pair

from p2ptruco.net import frames
from p2ptruco.net.limits import LIMITS
from p2ptruco.net.mesh import Mesh
from p2ptruco.table.dealing import Shuffling
from p2ptruco.table.entries import Entry, Position, Say
from p2ptruco.table.identity import ENTRY
from p2ptruco.table.playing import Choosing, Game
from p2ptruco.table.private import Advice, Cards, Signal, write_private
from p2ptruco.table.table import KEPT_EACH, Open
from tests.kit.cheats.base import Dishonest
from tests.kit.cheats.contents import refuser


class Spits(Dishonest):
    """Sends some bytes once, in the middle of a hand."""

    async def scheme(self) -> None:
        await self.until_others_play()
        self.spit(self.bytes())

    def bytes(self) -> bytes:
        raise NotImplementedError


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
        pulse = self.session._pulse()
        return frames.write(replace_head(pulse)) * 3


def replace_head(pulse: frames.Pulse) -> frames.Pulse:
    return frames.Pulse(pulse.epoch, pulse.hand, pulse.attempt, pulse.step, b"\1" * 32)


# Private frames.


class PrivateGarbage(Spits):
    """A private frame with nothing readable in it."""

    title = "private frame garbage"

    def bytes(self) -> bytes:
        return frames.write(frames.pad(b"\xc1" * 100))


class BadPadding(Spits):
    """A private frame whose padding carries something."""

    title = "private frame with bad padding"

    def bytes(self) -> bytes:
        return frames.write(frames.Private(bytes(1023) + b"\1"))


class PrivateOfOtherTable(Spits):
    """Cards of another table."""

    title = "private frame of another table"

    def bytes(self) -> bytes:
        return frames.write(frames.pad(write_private(Cards(b"\1" * 32, 0, 0, 0, bytes(160)))))


class CardsToOpponents(Dishonest):
    """Sends its own cards' tokens to everybody, opponents included, in every hand."""

    title = "private cards to an opponent"

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        if isinstance(here.phase, Choosing):
            self.show(here.phase)
        return entry

    def show(self, phase: Choosing) -> None:
        game, keeper = phase.game, self.local.keeper
        slots = tuple(range(3 * self.seat, 3 * self.seat + 3))
        blob = keeper._release(game, slots)  # type: ignore[arg-type]
        hand = game.joint.context.hand
        self.send(frames.pad(write_private(Cards(self.agreement.id, 0, hand, 0, blob))))


class SignalsToOpponents(Spits):
    """Sends a partner's signal to everybody."""

    title = "signal to an opponent"

    def bytes(self) -> bytes:
        return frames.write(frames.pad(write_private(Signal(self.agreement.id, 0, "psst"))))


class BadCardsToPartner(Dishonest):
    """Sends tokens that do not hold to whoever might look, right away and in every hand."""

    title = "bad private cards"

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        for hand in (here.position.hand, here.position.hand + 1):
            cards = Cards(self.agreement.id, 0, hand, 0, b"\1" * 160)
            self.send(frames.pad(write_private(cards)))
        return entry


class Hasty(Dishonest):
    """Answers and decides the moment it is asked, before its partner has shown its cards."""

    title = "special hand decided before the cards are shown"
    policy = staticmethod(refuser)

    async def scheme(self) -> None:
        self.local._partners_cards = self.at_once  # type: ignore[method-assign]
        self.mind._pause = (0.0, 0.0)

    async def at_once(self, game: Game) -> None:
        await trio.lowlevel.checkpoint()


class Advises(Dishonest):
    """Presses for others, all the time: whoever is to speak would call or run against its will."""

    title = "advice from whoever may not give it"

    async def scheme(self) -> None:
        while True:
            here = self.table.open
            if self.speaker not in (None, self.seat):
                self.advise(here)
            await self.until(lambda here=here: self.table.open is not here)  # type: ignore[misc]

    def advise(self, here: Open) -> None:
        for word in ("run", "call"):
            advice = Advice(self.agreement.id, 0, *here.position, here.head, word)  # type: ignore[arg-type]
            self.send(frames.pad(write_private(advice)))


# Floods.


class Hoarder(Dishonest):
    """Fills everybody's memory with signed entries for steps that never come."""

    title = "flood of kept entries"
    many = 10 * KEPT_EACH

    async def scheme(self) -> None:
        await self.until_others_play()
        for step in range(self.many):
            self.send(self.forge(Say("call"), at=Position(5, 0, step)))
            await trio.sleep(0.01)


class Chatterbox(Dishonest):
    """Fills everybody's screen."""

    title = "flood of talk"

    async def scheme(self) -> None:
        await self.until_others_play()
        for number in range(200):
            self.send(frames.Talk(f"\x1b[2J\u202e{number}"))


class LobbyFlood(Dishonest):
    """Talks of the next match all the time."""

    title = "flood of lobby frames"

    async def scheme(self) -> None:
        await self.until_others_play()
        for number in range(500):
            self.send(frames.Enter(f"p{number}", None, None, False, False))


class Asker(Dishonest):
    """Asks for the whole log, again and again."""

    title = "flood of asks"

    async def scheme(self) -> None:
        await self.until_others_play()
        for _ in range(1000):
            self.send(frames.Ask(0, 0, 0, 0))
        await trio.lowlevel.checkpoint()


class Drummer(Dishonest):
    """Sends more frames than any peer has reason to."""

    title = "flood of frames"
    others = replace(LIMITS, frames_per_second=200.0, frames_burst=2000.0)

    async def scheme(self) -> None:
        await self.until_others_play()
        self.spit(frames.write(self.session._pulse()) * 4000)


class Deaf(Dishonest):
    """Reads nothing any more, and asks for everything: the others' queues grow."""

    title = "slow reader"
    others = replace(LIMITS, queue_bytes=64 * 1024)
    pair = staticmethod(lockstep_stream_pair)

    async def scheme(self) -> None:
        await self.until_others_play()
        self.mesh._deliver, _ = trio.open_memory_channel(0)  # nobody reads
        while True:
            self.send(frames.Ask(0, 0, 0, 0))
            await trio.sleep(1)


# Links.


class Twin(Dishonest):
    """Links a second time under the same identity, from elsewhere."""

    title = "second link of one identity"

    async def scheme(self) -> None:
        await self.until_others_play()
        twin = Mesh(self.identity, self.evening.network(100), chance=random.Random(1))
        async with trio.open_nursery() as tasks:
            await tasks.start(twin.run)
            everybody = {peer.identity.public: peer.mesh.addresses for peer in self.evening.peers}
            twin.set_roster(self.agreement.id, everybody)
            with trio.move_on_after(3):
                await twin.all_linked()
                await trio.sleep(1)
            tasks.cancel_scope.cancel()


class Flapper(Dishonest):
    """Hangs up in the middle of a hand and comes back, several times."""

    title = "closing and coming back"

    async def scheme(self) -> None:
        for _ in range(5):
            await self.until_others_play()
            for peer in self.mesh.linked:
                self.mesh.close(peer, "leaving")
            await trio.sleep(0.3)


class Whisperer(Dishonest):
    """Tells its entries to one peer only, so that the others think it silent."""

    title = "entries to one peer only"

    async def scheme(self) -> None:
        self.mesh.flood = self.whisper  # type: ignore[method-assign]

    def whisper(self, message: frames.Message, except_: bytes | None = None) -> None:
        self.send(message, self.victims[:1])


class Resender(Dishonest):
    """Sends everything it has, again and again."""

    title = "messages resent"

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        if isinstance(here.phase, (Choosing, Shuffling)):
            for held in self.table.held(Position(0, 0, 0)):
                self.send(held)
        return entry


class Silent(Dishonest):
    """Says nothing any more, to keep a lost match from ending."""

    title = "silence"

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        return None if isinstance(here.phase, Choosing) and self.table.hands else entry


class SilentInTheDeal(Silent):
    """The same before the first card."""

    title = "silence in the deal"

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        return None if isinstance(here.phase, Shuffling) else entry


class Runaway(Dishonest):
    """Closes every link and lets nobody in again."""

    title = "closing for good"

    async def scheme(self) -> None:
        await self.until(lambda: len(self.table.hands) == 1)
        self.mesh.set_roster(self.agreement.id, {})
        for peer in self.mesh.linked:
            self.mesh.close(peer, "leaving")
