"""Cheats in private frames: what partners tell each other, told to others or falsely."""

from __future__ import annotations

import trio
import trio.lowlevel

from p2ptruco.net.transport import frames
from p2ptruco.rules.hand import Phase as HandPhase
from p2ptruco.table.entries import Entry
from p2ptruco.table.private import Advice, Cards, Signal, write_private
from p2ptruco.table.steps.playing import Choosing, Game
from p2ptruco.table.table import Open
from tests.kit.cheats.base import Dishonest, Spits
from tests.kit.cheats.policies import refuser


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


class PrivateOfOtherEpoch(Spits):
    """Advice of another roster of the same table."""

    title = "private frame of another epoch"

    def bytes(self) -> bytes:
        advice = Advice(
            self.agreement.id, 1, *self.table.open.position, self.table.open.head, "run"
        )
        return frames.write(frames.pad(write_private(advice)))


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
            self.show(hand)
        return entry

    def show(self, hand: int) -> None:
        cards = Cards(self.agreement.id, 0, hand, 0, b"\1" * 160)
        self.send(frames.pad(write_private(cards)))


class Hasty(Dishonest):
    """Answers and decides the moment it is asked, before its partner has shown its cards."""

    title = "special hand decided before the cards are shown"
    sizes = (4,)
    chair = 3
    policy = staticmethod(refuser)

    async def scheme(self) -> None:
        self.local._partners_cards = self.at_once  # type: ignore[method-assign]
        self.mind._pause = (0.0, 0.0)

    async def at_once(self, game: Game) -> None:
        self.acted |= game.hand.phase is HandPhase.DECIDING
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
