"""Cheats in where an entry is put: signed, but not for the place that is open."""

from __future__ import annotations

import msgspec
import trio

from p2ptruco.rules.seating import slots_of
from p2ptruco.table.chain import next_head
from p2ptruco.table.entries import (
    Content,
    Entry,
    Lay,
    Leave,
    Position,
    Ready,
    Say,
    read_parsed,
)
from p2ptruco.table.identity import ENTRY
from p2ptruco.table.steps.dealing import Committing, Readying
from p2ptruco.table.steps.order import close
from p2ptruco.table.steps.phases import Phase
from p2ptruco.table.steps.playing import Choosing, Tokening
from p2ptruco.table.table import Open
from tests.kit.cheats.base import Dishonest


class OutOfTurn(Dishonest):
    """Lays a card while another seat is to speak."""

    title = "out of turn"

    async def scheme(self) -> None:
        await self.until_others_play()
        self.send(self.forge(Lay(slots_of(self.seat)[0], False, b"\1" * 96)))


class LeavesOutOfStep(Dishonest):
    """Goes home while another seat is to speak, and plays on if that suits it better."""

    title = "leaving out of its step"

    async def scheme(self) -> None:
        await self.until_others_play()
        self.send(self.forge(Leave()))


class WrongDuty(Dishonest):
    """Says ready without having looked, while commitments are due."""

    title = "another duty than the one due"

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        if self.once(here, Committing):
            self.send(self.forge(Ready()))
        return entry


class TokensForReady(Dishonest):
    """Sends its tokens in place of its ready: others might answer with theirs before all agree."""

    title = "token before ready, in its step"

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        if self.once(here, Readying):
            assert isinstance(here.phase, Readying)
            await trio.sleep(self.settled)
            self.send(self.forge(self.tokens(here.phase)))
        return entry

    def tokens(self, phase: Readying) -> Content:
        course = self.table._course
        match = course.match or course._first_match(close(phase, {}))
        return self.local.keeper.pay(Tokening(phase.joint, phase.deck, match.hand()))


class TokensBeforeReady(TokensForReady):
    """Sends its tokens for a step ahead: others might answer with theirs before all agree."""

    title = "token before ready, ahead of its step"

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        if self.once(here, Readying):
            assert isinstance(here.phase, Readying)
            ahead = here.position._replace(step=here.position.step + 1)
            self.send(self.forge(self.tokens(here.phase), at=ahead))
        return entry


class TokensBeforeTheEnd(Dishonest):
    """Sends tokens for the next hand while this one is played, before its score is known."""

    title = "token before the previous hand ended"

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        if self.once(here, Choosing):
            assert isinstance(here.phase, Choosing)
            game = here.phase.game
            content = self.local.keeper.pay(Tokening(game.joint, game.deck, game.hand))
            hand, attempt, _ = here.position
            step = self.evening.size + 3
            self.send(self.forge(content, at=Position(hand + 1, attempt, step)))
        return entry


class Replayed(Dishonest):
    """Sends each of its entries again in the next step."""

    title = "replayed entry, the same"
    last: Entry | None = None

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        if self.last is not None:
            self.send(self.last)
        self.last = entry
        return entry


class ReplayedLater(Dishonest):
    """Sends in the second hand what everybody said in the first."""

    title = "replayed entry, of another hand"

    async def scheme(self) -> None:
        await self.until(lambda: len(self.table.hands) == 1 and self.choosing is not None)
        for step in self.table.steps:
            for parsed in step.entries:
                if parsed.position.hand == 0:
                    self.send(parsed.entry)


class MovedToNow(Dishonest):
    """Signs another seat's play of the first hand again, as its own of the second."""

    title = "entry of another hand, signed again"

    async def scheme(self) -> None:
        await self.until(lambda: len(self.table.hands) == 1 and self.choosing is not None)
        for step in self.table.steps:
            for parsed in step.entries:
                self.send(self.forge(parsed.body.content, at=parsed.position, head=b"\1" * 32))


class OtherTable(Dishonest):
    """Brings an entry that it signed at another table."""

    title = "entry of another table"

    async def scheme(self) -> None:
        await self.until_others_play()
        entry = self.forge(Say("call"))
        body = entry.body.replace(self.agreement.id, b"\7" * 32)
        self.send(Entry(body, self.identity.sign(ENTRY, body)))


class OtherEpoch(Dishonest):
    """Brings an entry of another roster of the same table."""

    title = "entry of another epoch"

    async def scheme(self) -> None:
        await self.until_others_play()
        raw = msgspec.msgpack.decode(self.forge(Say("call")).body)
        raw[3] += 1
        body = msgspec.msgpack.encode(raw)
        self.send(Entry(body, self.identity.sign(ENTRY, body)))


class OtherChain(Dishonest):
    """Brings entries of hands and steps that are not there."""

    title = "entry of another chain"

    async def scheme(self) -> None:
        await self.until_others_play()
        for place in (Position(0, 1, 0), Position(9, 0, 0), Position(0xFFFF, 0xFF, 0xFFFF)):
            self.send(self.forge(Say("call"), at=place))


class Forged(Dishonest):
    """Speaks for another seat with a signature of its own."""

    title = "forged signature"

    async def scheme(self) -> None:
        await self.until_others_play()
        self.send(self.forge(Say("fold"), seat=self.speaker))


class NoSuchSeat(Dishonest):
    """Speaks for a seat that is not at the table."""

    title = "entry of no seat"

    async def scheme(self) -> None:
        await self.until_others_play()
        self.send(self.forge(Say("fold"), seat=self.evening.size))


class WrongHead(Dishonest):
    """Says that it was told something else than everybody else."""

    title = "wrong head"
    phase: type[Phase] = Choosing

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        if not self.once(here, self.phase):
            return entry
        self.send(self.forge(read_parsed(entry).body.content, head=b"\1" * 32))
        return None


class WrongHeadInDuty(WrongHead):
    """The same where it owes a duty: everybody's commitment but its own stands on one head."""

    title = "wrong head in a duty step"
    phase = Committing


class WrongThenRight(WrongHead):
    """Says it on a false head first, then on the true one."""

    title = "wrong head, then the right one"

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        await super().utter(here, entry)
        return entry


class Ahead(Dishonest):
    """Has one peer keep what will not be due, and pass it on to those for whom it already is not.

    Whoever passed it on would be blamed by an honest peer for what only the author did.
    """

    title = "entry not due, ahead of its step"

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        if not isinstance(here.phase, Choosing):
            return entry
        after = next_head(here.head, here.position.step, [entry.body])
        step = here.position._replace(step=here.position.step + 1)
        self.send(self.forge(Ready(), at=step, head=after), self.victims[:1])
        self.send(entry, self.victims[1:])
        await trio.sleep(0.1)
        return entry
