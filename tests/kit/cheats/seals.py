"""Cheats at the end of a match: seals that say something else, and words that come too late."""

from __future__ import annotations

import trio
import trio.lowlevel

from p2ptruco.table.entries import Entry, Say, Seal
from p2ptruco.table.playing import Choosing
from p2ptruco.table.sealing import Sealing
from p2ptruco.table.table import Open
from tests.kit.cheats.base import Dishonest


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
    """The same, a while before it seals itself: nobody holds all seals yet."""

    title = "two bodies, the second before the last seal"

    async def before_the_seal(self) -> None:
        await trio.sleep(1)


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
