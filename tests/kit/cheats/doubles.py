"""Cheats with two words for one place: one for some peers, another for the rest.

The third peer, who acts on the body that it got, stands on a head that the others do not know: it
must not look guilty.
"""

from __future__ import annotations

from itertools import cycle

from p2ptruco.rules.seating import slots_of
from p2ptruco.table.entries import Commit, Content, Entry, Lay, Leave, Ready, Say, read_parsed
from p2ptruco.table.identity import ENTRY
from p2ptruco.table.steps.dealing import Committing, Opening, Shuffling
from p2ptruco.table.steps.phases import Phase
from p2ptruco.table.steps.playing import Choosing, Revealing, Tokening
from p2ptruco.table.table import Open
from tests.kit.cheats.base import Dishonest
from tests.kit.cheats.policies import refuser
from tests.kit.ed25519 import sign_again
from tests.kit.tables_over_links import BLIND


class TwoBodies(Dishonest):
    """Plays one card to some and another to the rest, and keeps whichever wins."""

    title = "two bodies, a choice"
    phase: type[Phase] = Choosing

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        if not self.once(here, self.phase):
            return entry
        self.share(entry, self.forge(self.second(here, read_parsed(entry).body.content)))
        return None

    def second(self, here: Open, first: Content) -> Content:
        """Another content for the same place."""
        return Say("fold")

    def share(self, first: Entry, second: Entry) -> None:
        """The first to the lower half of the others, the second to the upper; to one, both."""
        half = len(self.victims) // 2
        self.send(first, self.victims[:half] or self.victims)
        self.send(second, self.victims[half:])


class TwoCommitments(TwoBodies):
    """Commits to two keys, to open the better one."""

    title = "two bodies, a commitment"
    phase = Committing

    def second(self, here: Open, first: Content) -> Content:
        return Commit(b"\5" * 32)


class PaidTwice(TwoBodies):
    """A second proof of the same thing is another body."""

    def second(self, here: Open, first: Content) -> Content:
        return self.local.keeper.pay(here.phase)


class TwoOpenings(PaidTwice):
    """Opens one key with two proofs, both good."""

    title = "two bodies, an opening"
    phase = Opening
    real = True


class TwoShuffles(TwoBodies):
    """Shuffles twice, and has each part of the table go on with another deck."""

    title = "two bodies, a shuffle"
    phase = Shuffling

    def second(self, here: Open, first: Content) -> Content:
        return self.local.keeper.pay(here.phase)


class TwoTokens(PaidTwice):
    """Gives tokens with two proofs, both good."""

    title = "two bodies, tokens"
    phase = Tokening
    real = True

    def second(self, here: Open, first: Content) -> Content:
        for held in (self.local.keeper._held, self.local.keeper._ahead):
            if held is not None:
                held.tokens.clear()  # what was made beforehand would be the same
        return super().second(here, first)


class TwoReveals(PaidTwice):
    """Opens a card laid blind with two proofs, both good."""

    title = "two bodies, a token of the blind hand"
    phase = Revealing
    variant = BLIND
    policy = staticmethod(refuser)
    real = True


class LeavesForSome(TwoBodies):
    """Goes home for some, who give its team's hand away, and stays for the rest."""

    title = "two bodies, leaving"

    def second(self, here: Open, first: Content) -> Content:
        return Leave()


class TwoLastWords(TwoBodies):
    """Leaves for some, and gives a bad token to the rest: each ends the match, with another result,
    and whoever hears it seals it at once."""

    title = "two bodies, both of which end the match"
    sizes = (4,)

    def share(self, first: Entry, second: Entry) -> None:
        super().share(
            self.forge(Leave()), self.forge(Lay(slots_of(self.seat)[0], False, bytes(96)))
        )


class OnlyOneHearsTheOther(TwoBodies):
    """Tells all but one the first, so that the last one stands alone."""

    title = "two bodies, one peer apart"
    sizes = (4,)

    def share(self, first: Entry, second: Entry) -> None:
        self.send(first, self.victims[:-1])
        self.send(second, self.victims[-1:])


class SecondNotDue(TwoBodies):
    """Signs what is not due beside what is, for one peer: who gets it from that one alone closes
    an honest link."""

    title = "two bodies, the second not due"
    phase = Shuffling

    def second(self, here: Open, first: Content) -> Content:
        return Ready()

    def share(self, first: Entry, second: Entry) -> None:
        self.send(first)
        self.send(second, self.victims[:1])


class ThreeBodies(TwoBodies):
    """Tells each of three peers something else: each pair of bodies is a proof."""

    title = "three bodies"
    forks_records = True
    sizes = (4,)

    def share(self, first: Entry, second: Entry) -> None:
        third = self.forge(Say("call"))
        bodies = cycle((first, second, third))
        for seat, entry in zip(self.victims, bodies, strict=False):
            self.send(entry, [seat])


class OtherBodyLater(TwoBodies):
    """Signs another word for the first hand when that is long played and lost."""

    title = "two bodies, the second a hand later"
    old: Entry | None = None

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        if self.once(here, Choosing):
            self.old = self.forge(Say("fold"))
        return entry

    async def scheme(self) -> None:
        await self.until(lambda: len(self.table.hands) == 1 and self.choosing is not None)
        assert self.old is not None
        self.send(self.old, self.victims[-1:])


class TwoPlacesLater(Dishonest):
    """Doubles itself in two places and shows each to another peer: the earlier one counts."""

    title = "two bodies in two places"

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        if isinstance(here.phase, (Choosing, Committing)):
            content = read_parsed(entry).body.content
            other = Say("fold") if isinstance(content, (Lay, Say)) else Commit(b"\6" * 32)
            self.olds.append(self.forge(other))
        return entry

    async def scheme(self) -> None:
        self.olds: list[Entry] = []
        await self.until(lambda: len(self.table.hands) == 1 and self.choosing is not None)
        self.send(self.olds[-1], self.victims[:1])
        self.send(self.olds[0], self.victims[-1:])


class TwoSignatures(Dishonest):
    """Two valid signatures on one body, one for each half of the table: a fork with no proof."""

    title = "two signatures on one body"
    forks_records = True

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        if not self.once(here, Choosing):
            return entry
        again = Entry(entry.body, sign_again(self.identity.seed, ENTRY + entry.body))
        self.send(again, self.victims[-1:])
        return entry
