"""Cheats at the end of a match: seals that say something else, and words that come too late."""

from __future__ import annotations

import trio
import trio.lowlevel
from msgspec.structs import replace

from p2ptruco.net.transport import frames
from p2ptruco.table.entries import Entry, Say, Seal
from p2ptruco.table.steps.playing import Choosing
from p2ptruco.table.steps.sealing import Sealing
from p2ptruco.table.table import Open
from tests.kit.cheats.base import Dishonest
from tests.kit.tables_over_links import Peer


class OtherBodyAtTheSeals(Dishonest):
    """Shows one peer a second word for an old step as everybody seals, to unmake a lost match."""

    title = "two bodies, the second at the seals"
    old: Entry | None = None

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        if self.once(here, Choosing):
            self.old = self.forge(Say("fold"))
        if isinstance(here.phase, Sealing) and self.old is not None:
            self.send(self.old, self.victims[-1:])
            await self.before_the_seal()
        return entry

    async def before_the_seal(self) -> None:
        await trio.lowlevel.checkpoint()


class OtherBodyBeforeTheSeal(OtherBodyAtTheSeals):
    """The same when all others have sealed, a while before it seals itself: nobody holds all seals
    yet."""

    title = "two bodies, the second before the last seal"

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        if isinstance(here.phase, Sealing):
            await self.until(lambda: len(self.table.sealed_by) == self.evening.size - 1)
            await trio.sleep(self.settled)
        return await super().utter(here, entry)

    async def before_the_seal(self) -> None:
        await trio.sleep(1)


class OtherBodyWhenTheOthersLeft(OtherBodyAtTheSeals):
    """Does not seal, and has one peer wait by false heartbeats until the others have left; then it
    shows a second word for an old step to this one alone."""

    title = "two bodies, the second when the others have left"
    sizes = (4,)
    waits: float = 9
    """Seconds for which it waits, the victim's time being less than a second longer."""

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        if self.once(here, Choosing):
            self.old = self.forge(Say("fold"))
        return None if isinstance(here.phase, Sealing) else entry

    async def play(self) -> None:
        """It goes on when its own session has ended."""
        async with trio.open_nursery() as tasks:
            tasks.start_soon(self.scheme)
            await Peer.play(self)

    async def scheme(self) -> None:
        await self.until(lambda: self.table.outcome is not None)
        victim = self.victims[-1]
        others = [peer for peer in self.evening.honest if peer.seat != victim]
        with trio.move_on_after(self.waits):
            while not all(peer.ended for peer in others):
                self.lie_to(victim)
                await trio.sleep(0.1)
        assert self.old is not None
        self.send(self.old, [victim])

    def lie_to(self, victim: int) -> None:
        """Another head than everybody's in every heartbeat for one peer."""
        false = frames.write(replace(self.session._healing.pulse(), head=b"\1" * 32))
        if link := self.mesh._links.get(self.agreement.identities[victim]):
            link._pulse = lambda: false
            link.send_frame(false)


class OtherBodyAfterTheSeals(OtherBodyAtTheSeals):
    """The same when everybody has sealed: too late."""

    title = "two bodies, the second after the seals"

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        if self.once(here, Choosing):
            self.old = self.forge(Say("fold"))
        return entry

    async def scheme(self) -> None:
        await self.until(lambda: self.table.finished)
        while not all(peer.table.finished for peer in self.evening.honest):
            await trio.lowlevel.checkpoint()
        assert self.old is not None
        self.send(self.old, self.victims[-1:])


class TwoSeals(Dishonest):
    """Seals the true end for one and another end for the rest."""

    title = "two seals"

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        if self.once(here, Sealing):
            self.send(entry)
            self.send(self.forge(Seal(None, (0, 0), (0, 0))), self.victims[:1])
        return entry


class WrongSeal(Dishonest):
    """Seals another end than the log has, to have a record that says so."""

    title = "wrong seal"

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        if not self.once(here, Sealing):
            return entry
        await trio.sleep(self.settled)
        self.send(self.forge(Seal(None, (0, 0), (0, 0))))
        return None


class NoSeal(Dishonest):
    """Does not sign a match that it lost."""

    title = "no seal"

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        return None if isinstance(here.phase, Sealing) else entry
