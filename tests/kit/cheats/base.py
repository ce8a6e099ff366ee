"""What a cheat is made of: an honest peer with four places to change one thing each.

| place | what goes through it |
| --- | --- |
| `content` | what an own entry says, before it is signed |
| `utter` | an own signed entry, before it takes the honest road; None: it does not |
| `scheme` | nothing: runs beside the session |
| `send`, `spit` | an entry, a message or raw bytes to chosen peers |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, ClassVar

import trio
from trio.testing import memory_stream_pair

from p2ptruco.net.transport import frames
from p2ptruco.net.transport.limits import LIMITS, Limits
from p2ptruco.players.local import LocalSeat
from p2ptruco.rules.seating import Seat
from p2ptruco.rules.variant import Variant
from p2ptruco.table.entries import Content, Entry, Position, write
from p2ptruco.table.steps.phases import Phase
from p2ptruco.table.steps.playing import Choosing
from p2ptruco.table.table import Open
from tests.kit.tables_over_links import SHORT, Evening, Peer, Policy, first_card
from tests.net.kit import Pair


class Mouth(LocalSeat):
    """Speaks as an honest seat does, by way of its cheat."""

    def __init__(self, cheat: Dishonest, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._cheat = cheat

    async def _duty(self, here: Open) -> Content:
        return self._content_of_cheat(here, await super()._duty(here))

    async def _choice(self, here: Open) -> Content:
        return self._content_of_cheat(here, await super()._choice(here))

    def _content_of_cheat(self, here: Open, honest: Content) -> Content:
        content = self._cheat.content(here, honest)
        self._cheat.acted |= content != honest
        return content

    async def speak(self, here: Open) -> Entry | None:
        honest = await super().speak(here)
        if honest is None:
            return None
        entry = await self._cheat.utter(here, honest)
        self._cheat.acted |= entry is not honest
        return entry


class Dishonest(Peer):
    """A cheat; its row in `protocol/table.md` is `title`, what it wants its docstring."""

    honest = False
    title: ClassVar[str]
    sizes: ClassVar[tuple[int, ...]] = (2, 4)
    chair: ClassVar[int] = 1
    """Its seat."""
    variant: ClassVar[Variant] = SHORT
    policy: ClassVar[Policy] = staticmethod(first_card)
    """How everybody at its table plays."""
    real: ClassVar[bool] = False
    """Whether it needs the real deck."""
    pause: ClassVar[tuple[float, float]] = (0.2, 0.2)
    """Seconds that everybody takes to choose: more than `settled`."""
    others: ClassVar[Limits] = LIMITS
    """The honest peers' limits."""
    pair: ClassVar[Pair] = staticmethod(memory_stream_pair)
    ahead: ClassVar[bool] = False
    """Whether it needs a table that deals behind the play."""
    done = False
    acted = False
    """Whether it has done anything that no honest peer does: what never happened proves nothing."""
    settled = 0.05
    """Seconds in which whatever is under way arrives."""

    @classmethod
    def evening(cls, size: int, **more: Any) -> Evening:
        """A table at which it sits among honest peers, as it likes it."""
        given = {"variant": cls.variant, "policy": cls.policy, "pause": cls.pause}
        given |= {"limits": cls.others, "pair": cls.pair, "cheats": {cls.chair: cls}}
        given |= {"ahead": True} if cls.ahead else {}
        return Evening(size, **(given | more))

    @property
    def limits(self) -> Limits:
        return LIMITS

    def mouth(self) -> Callable[..., LocalSeat]:
        return partial(Mouth, self)

    def content(self, here: Open, content: Content) -> Content:
        return content

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        return entry

    async def scheme(self) -> None:
        """What it does beside playing."""

    async def play(self) -> None:
        async with trio.open_nursery() as tasks:
            tasks.start_soon(self.scheme)
            await super().play()
            tasks.cancel_scope.cancel()

    # Means.

    @property
    def victims(self) -> list[int]:
        """The other seats."""
        return [seat for seat in range(self.evening.size) if seat != self.seat]

    @property
    def rivals(self) -> list[int]:
        return [seat for seat in self.victims if seat % 2 != self.seat % 2]

    def once(self, here: Open, *kinds: type[Phase]) -> bool:
        """Whether this is the first own turn in a phase of one of these kinds."""
        if self.done or not isinstance(here.phase, kinds):
            return False
        self.done = True
        return True

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something at the own table."""
        await self.session._until(condition)

    async def until_others_play(self) -> None:
        """Wait until another seat is to choose, and everybody's table has come so far."""
        here = None
        while here is not self.table.open:
            await self.until(lambda: self.speaker not in (None, self.seat))
            here = self.table.open
            await trio.sleep(self.settled)

    @property
    def choosing(self) -> Choosing | None:
        phase = self.table.open.phase
        return phase if isinstance(phase, Choosing) else None

    @property
    def speaker(self) -> Seat | None:
        return self.choosing.speaker if self.choosing else None

    def forge(
        self,
        content: Content,
        *,
        at: Position | None = None,
        head: bytes | None = None,
        seat: int | None = None,
    ) -> Entry:
        """Any content anywhere, with our own signature; by default in the open step."""
        here = self.table.open
        place = here.position if at is None else at
        head = here.head if head is None else head
        seat = self.seat if seat is None else seat
        return write(self.agreement, place, seat, head, content, self.identity)

    def send(self, thing: Entry | frames.Message, to: Iterable[int] | None = None) -> None:
        """An entry or a message to some seats, all others by default."""
        if isinstance(thing, Entry):
            thing = frames.EntryFrame(thing.body, thing.signature)
        self.spit(frames.write(thing), to)

    def spit(self, data: bytes, to: Iterable[int] | None = None) -> None:
        """Raw bytes into the links to some seats."""
        for seat in self.victims if to is None else to:
            link = self.mesh._links.get(self.agreement.identities[seat])
            if link is not None:
                link.send_frame(data)
                self.acted = True


class Spits(Dishonest):
    """Sends some bytes once, in the middle of a hand."""

    async def scheme(self) -> None:
        await self.until_others_play()
        self.spit(self.bytes())

    def bytes(self) -> bytes:
        raise NotImplementedError


def cheated(evening: Evening) -> bool:
    """Whether every cheat at this table did what it came for."""
    return all(peer.acted for peer in evening.peers if isinstance(peer, Dishonest))
