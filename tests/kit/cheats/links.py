"""Cheats in when and to whom something is sent, and which links there are."""

from __future__ import annotations

import random

import trio
import trio.lowlevel

from p2ptruco.net.mesh.mesh import Mesh
from p2ptruco.net.transport import frames
from p2ptruco.table.entries import Entry, Position
from p2ptruco.table.steps.dealing import Shuffling
from p2ptruco.table.steps.playing import Choosing
from p2ptruco.table.table import Open
from tests.kit.cheats.base import Dishonest


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
                self.acted = True
                await trio.sleep(1)
            tasks.cancel_scope.cancel()


class Flapper(Dishonest):
    """Hangs up in the middle of a hand and comes back, several times."""

    title = "closing and coming back"

    async def scheme(self) -> None:
        for _ in range(5):
            await self.until_others_play()
            self.hang_up()
            await trio.sleep(0.3)

    def hang_up(self) -> None:
        for peer in self.mesh.linked:
            self.mesh.close(peer, "leaving")
            self.acted = True


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


class Runaway(Flapper):
    """Closes every link and lets nobody in again."""

    title = "closing for good"

    async def scheme(self) -> None:
        await self.until(lambda: len(self.table.hands) == 1)
        self.mesh.set_roster(self.agreement.id, {})
        self.hang_up()
