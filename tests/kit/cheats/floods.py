"""Cheats by number: more than anybody needs, or less than anybody reads."""

from __future__ import annotations

from dataclasses import replace

import trio
import trio.lowlevel
from trio.testing import lockstep_stream_pair

from p2ptruco.net.transport import frames
from p2ptruco.net.transport.limits import LIMITS
from p2ptruco.table.entries import Position, Say
from p2ptruco.table.table import KEPT_EACH
from tests.kit.cheats.base import Dishonest


class Hoarder(Dishonest):
    """Fills everybody's memory with signed entries for steps that never come."""

    title = "flood of kept entries"
    many = 3 * KEPT_EACH

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
    """Sends more frames than any peer has reason to: it is read more slowly, and nobody else."""

    title = "flood of frames"
    others = replace(LIMITS, frames_per_second=200.0, frames_burst=2000.0)

    async def scheme(self) -> None:
        await self.until_others_play()
        self.spit(frames.write(self.session._healing.pulse()) * 4000)


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
