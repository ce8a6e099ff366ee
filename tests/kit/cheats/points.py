"""Cheats with bytes that are no point of the group, or a point in a second encoding."""

from __future__ import annotations

from dataclasses import replace

from p2ptruco.mental import keys
from p2ptruco.mental.group import IDENTITY, Point
from p2ptruco.table.entries import Commit, Content, Lay, Reveal, Shuffle, Tokens
from p2ptruco.table.entries import Open as OpenKeys
from p2ptruco.table.steps.dealing import Committing, Opening, Shuffling
from p2ptruco.table.steps.phases import Phase
from p2ptruco.table.steps.playing import Choosing, Revealing, Tokening
from p2ptruco.table.table import Open
from tests.kit.cheats.base import Dishonest
from tests.kit.cheats.policies import refuser
from tests.kit.tables_over_links import BLIND
from tests.mental.rfc9496 import disguised

NO_POINT = b"\xff" * 32
NOBODY = disguised(IDENTITY)
"""31 zeros and 80: a valid point for whoever ignores bit 255, and nothing can be made of it."""


class NotInGroup(Dishonest):
    """Lays `bad` bytes in the place of a point, once, in the first step of a kind."""

    real = True
    phase: type[Phase]
    bad: bytes

    def content(self, here: Open, content: Content) -> Content:
        return self.spoilt(content) if self.once(here, self.phase) else content

    def spoilt(self, content: Content) -> Content:
        """The content with the bytes at the first place of a point."""
        match content:
            case OpenKeys(opening=data):
                return OpenKeys(self.bad + data[32:])
            case Shuffle(deck=deck, proof=proof):
                return Shuffle(deck[:640] + self.bad + deck[672:], proof)
            case Tokens(batches=(first, *rest)):
                return Tokens((self.bad + first[32:], *rest))
            case Lay(slot=slot, token=token):
                return Lay(slot, False, self.bad + token[32:])
            case Reveal(token=token):
                return Reveal(self.bad + token[32:])
        raise AssertionError(content)


class NoPointInOpening(NotInGroup):
    """A key that is no canonical point: implementations might read it differently."""

    title = "not in group: a key"
    phase, bad = Opening, NO_POINT


class NoKey(NotInGroup):
    """The identity as a key: a mask that hides nothing."""

    title = "not in group: the identity as a key"
    phase, bad = Opening, IDENTITY


class NoPointInDeck(NotInGroup):
    """A card that is no point, in the middle of a deck."""

    title = "not in group: a card"
    phase, bad = Shuffling, NO_POINT


class NoPointInToken(NotInGroup):
    """A token that is no point: a card that nobody can open."""

    title = "not in group: a token"
    phase, bad = Tokening, NO_POINT


class KeyInDisguise(Dishonest):
    """A key with bit 255 set, committed to and proved: one that another seat has may come again,
    and no comparison of bytes finds it."""

    title = "not in group: a key with bit 255 set"
    real = True

    def content(self, here: Open, content: Content) -> Content:
        if not self.once(here, Committing):
            return content
        assert isinstance(here.phase, Committing)
        held = self.local.keeper._held
        assert held is not None
        held.keys = replace(held.keys, public=Point(disguised(held.keys.public)))
        return Commit(keys.commit(here.phase.context, self.seat, held.keys))


class CardTwiceInDisguise(NotInGroup):
    """A deck with two equal A's, one of them with bit 255 set: its token opens both cards."""

    title = "not in group: an A twice, once with bit 255 set"
    phase = Shuffling

    def spoilt(self, content: Content) -> Content:
        assert isinstance(content, Shuffle)
        self.bad = disguised(content.deck[:32])
        return super().spoilt(content)


class NobodyInOpening(NotInGroup):
    """The identity in disguise as a key: whoever calculates with it, fails."""

    title = "not in group: the identity in disguise as a key"
    phase, bad = Opening, NOBODY


class NobodyInDeck(NotInGroup):
    """The identity in disguise as a card's A: whoever calculates with it, fails."""

    title = "not in group: the identity in disguise as a card"
    phase, bad = Shuffling, NOBODY


class NobodyInTokens(NotInGroup):
    """The identity in disguise as a token: whoever calculates with it, fails."""

    title = "not in group: the identity in disguise as a token"
    phase, bad = Tokening, NOBODY


class NobodyLaid(NotInGroup):
    """The identity in disguise as the token of a card laid open."""

    title = "not in group: the identity in disguise, laid open"
    phase, bad = Choosing, NOBODY


class NobodyRevealed(NotInGroup):
    """The identity in disguise as a token of the blind iron hand."""

    title = "not in group: the identity in disguise in the blind hand"
    phase, bad = Revealing, NOBODY
    variant = BLIND
    policy = staticmethod(refuser)
