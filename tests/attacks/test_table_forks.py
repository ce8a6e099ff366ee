"""Forks while the table is torn apart: who hears one word only must neither be accused nor stay
alone with it."""

from __future__ import annotations

import random

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.net.mesh.events import Event
from p2ptruco.net.session import Session
from p2ptruco.net.transport import frames
from p2ptruco.table.agreement import Times
from p2ptruco.table.entries import Content, Entry, Say, read_parsed
from p2ptruco.table.steps.playing import Choosing
from p2ptruco.table.table import Open
from tests.kit.cheats.doubles import TwoBodies
from tests.kit.opendeck import open_deck
from tests.kit.tables_over_links import Closed, Evening
from tests.kit.threads import on_the_loop

APART = {(0, 3), (2, 3)}
"""Seat 3 hears nobody but the cheat in seat 1."""


class Straddler(TwoBodies):
    """Tells both parts of a torn table something else, and passes nothing from one to the other.

    Gain: the parts play on, each with a log in which all signatures hold, and meet later with no
    common head; each would take the other for liars, and the cheat would get away.
    """

    first: Content = Say("call")
    other: Content = Say("fold")
    gone = False
    """Whether it says nothing more once it has told both."""

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        if not self.once(here, Choosing):
            return entry
        self.evening.part(APART)
        self.mesh.flood, self.session._hear = self.tell, self.hear  # type: ignore[method-assign]
        await trio.sleep(self.settled)
        self.send(one := self.forge(self.first), [0, 2])
        self.send(self.forge(self.other), [3])
        self.torn.set()
        return one

    async def scheme(self) -> None:
        self.torn = trio.Event()
        await self.torn.wait()
        await trio.sleep(5)
        self.evening.part()

    def tell(self, message: frames.Message, except_: bytes | None = None) -> None:
        """Nothing of others' is passed on, nor what was told to one part."""
        if self.gone or not self.torn.is_set() or not isinstance(message, frames.EntryFrame):
            return
        if read_parsed(message).body.seat == self.seat:  # type: ignore[arg-type]
            self.send(message)

    def hear(self, peer: bytes, event: Event) -> None:
        """No question is answered, and its own second word not heard."""
        own = isinstance(event, frames.EntryFrame) and read_parsed(event).body.seat == self.seat  # type: ignore[arg-type]
        if not own and not isinstance(event, frames.Ask):
            Session._hear(self.session, peer, event)


class AtTheEndOfAHand(Straddler):
    """The two words end the hand with one score: the next deal runs on common heads, and the fork
    shows only in its tokens."""

    first = Say("accept")
    other = Say("fold")


class Gone(Straddler):
    """Says no more: no later entry of its own shows that there is another head."""

    gone = True


@pytest.mark.parametrize("kind", [Straddler, AtTheEndOfAHand, Gone])
async def test_a_fork_across_a_torn_table(kind: type[Straddler], autojump_clock: MockClock) -> None:
    """Gain: the cheat plays two matches and keeps the better; the honest accuse one another."""
    with open_deck():
        evening = await kind.evening(4).play()
        torn = [one for one in evening.closed if one.peer != kind.chair]
        assert torn
        for peer in evening.honest:
            peer.session.closed = [one for one in peer.session.closed if one not in torn]
        evening.check_honest()
        assert evening.words == {"caught equivocation"}


@pytest.mark.parametrize("pause", [0.3, 1.1])
async def test_every_link_cut_again_and_again(pause: float, autojump_clock: MockClock) -> None:
    """Whatever was under way is lost each time; both ends ask and are answered each time.

    Gain, for whoever can cut cables: a table in which both ends wait for what the other has sent.
    """
    evening = Evening(4, seed=3, pause=(0.1, 0.5), times=Times(grace=60))

    async def cutter() -> None:
        for _ in range(12):
            await trio.sleep(pause)
            await evening.village.cut()

    evening.offload = on_the_loop(random.Random(1), 0.01)
    with open_deck():
        async with trio.open_nursery() as tasks:
            tasks.start_soon(cutter)
            await evening.play()
            tasks.cancel_scope.cancel()
        assert evening.ending == "played"
        assert all(isinstance(one, Closed) for one in evening.closed)
        for peer in evening.honest:
            peer.session.closed.clear()
        evening.check_honest()
