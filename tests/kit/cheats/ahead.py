"""Cheats in the deal that runs behind the play, of a hand that goes on and of one that ends the
match: SHORT has two hands, so a deal behind the second is of none.
"""

from __future__ import annotations

from typing import ClassVar

from p2ptruco.table.entries import Commit, Entry, Leave, Position
from p2ptruco.table.entries import Open as OpenKeys
from p2ptruco.table.steps.dealing import Committing, Opening, Readying
from p2ptruco.table.steps.phases import Phase
from p2ptruco.table.steps.playing import Tokening
from p2ptruco.table.table import Open
from tests.kit.cheats.base import Dishonest


class Ahead(Dishonest):
    """Does one thing in the deal behind a hand; `behind`: which hand."""

    ahead = True
    behind: ClassVar[int] = 0
    phase: ClassVar[type[Phase]] = Committing

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        behind = here.position.hand - 1 == self.table.open.position.hand == self.behind
        if behind and self.once(here, self.phase):
            return await self.instead(here, entry)
        return entry

    async def instead(self, here: Open, entry: Entry) -> Entry | None:
        """What it says in place of an honest entry."""
        raise NotImplementedError


class TwoBodiesAhead(Ahead):
    """Commits to two keys, so that part of the table deals by itself when the hand has ended."""

    title = "two bodies in a deal ahead"

    async def instead(self, here: Open, entry: Entry) -> Entry | None:
        other = self.forge(Commit(b"\5" * 32), at=here.position, head=here.head)
        half = len(self.victims) // 2
        self.send(entry, self.victims[:half] or self.victims)
        self.send(other, self.victims[half:])
        return None


class TwoBodiesOfNoHand(TwoBodiesAhead):
    """The same when the match ends, to have its end taken back by a proof."""

    title = "two bodies in a deal ahead, the hand ends the match"
    behind = 1


class LeavesAhead(Ahead):
    """Leaves in the deal, so as to lose the next hand in place of this one, or to end this one."""

    title = "leaving in a deal ahead"

    async def instead(self, here: Open, entry: Entry) -> Entry | None:
        return self.forge(Leave(), at=here.position, head=here.head)


class LeavesNoHand(LeavesAhead):
    """The same when the match ends: a match that is won is not lost by a deal that is not."""

    title = "leaving in a deal ahead, the hand ends the match"
    behind = 1


class BadOpeningAhead(Ahead):
    """Opens a key that it did not commit to, before anybody may judge it."""

    title = "bad opening in a deal ahead"
    phase = Opening

    async def instead(self, here: Open, entry: Entry) -> Entry | None:
        return self.forge(OpenKeys(bytes(128)), at=here.position, head=here.head)


class BadOpeningOfNoHand(BadOpeningAhead):
    """The same when the match ends."""

    title = "bad opening in a deal ahead, the hand ends the match"
    behind = 1


class TokensBeforeTheJoin(Ahead):
    """Gives its tokens for the next hand while this one is played, in the place of its ready and on
    the head behind it: others might answer with theirs, and it sees its cards before it plays."""

    title = "tokens of a deal ahead, before the join"
    phase = Readying

    async def instead(self, here: Open, entry: Entry) -> Entry | None:
        assert isinstance(here.phase, Readying)
        match = self.table.match
        assert match is not None
        tokening = Tokening(here.phase.joint, here.phase.deck, match.hand())
        content = self.local.keeper.pay(tokening)
        hand, attempt, step = here.position
        after = Position(hand, attempt, step + 1)
        for head in (here.head, self.table.open.head):
            self.send(self.forge(content, at=after, head=head))
        return entry
