"""Cheats in a duty of the deal: openings, shuffles, tokens."""

from __future__ import annotations

from p2ptruco.players import keeper
from p2ptruco.rules.seating import Slot, next_seat, slots_of
from p2ptruco.table.entries import Content, Reveal, Shuffle, Tokens
from p2ptruco.table.entries import Open as OpenKeys
from p2ptruco.table.steps.dealing import Opening, Shuffling
from p2ptruco.table.steps.playing import Revealing, Tokening
from p2ptruco.table.table import Open
from tests.kit.cheats.base import Dishonest
from tests.kit.cheats.policies import refuser
from tests.kit.tables_over_links import BLIND


class SwappedTokens(Dishonest):
    """Gives every receiver the tokens of the one after it: everybody would see wrong cards."""

    title = "bad tokens of others' cards"

    def content(self, here: Open, content: Content) -> Content:
        if not self.once(here, Tokening):
            return content
        assert isinstance(content, Tokens)
        turned = [batch[32:64] + batch[:32] + batch[64:] for batch in content.batches]
        return Tokens(tuple(turned))


def released(cheat: Dishonest, here: Open, *slots: int) -> bytes:
    """Our proved tokens of any slots, due or not."""
    phase = here.phase
    assert isinstance(phase, Tokening)
    mine = cheat.local.keeper._of(phase.joint.context).keys
    source = cheat.rng.randbytes
    batch = tuple(map(Slot, slots))
    return keeper.tokens.release(phase.joint, cheat.seat, mine, phase.deck, batch, source)


class OwnTokens(Dishonest):
    """Opens its own cards to everybody as they are dealt: its partner would see them."""

    title = "own-slot token before the tokens step closed"

    def content(self, here: Open, content: Content) -> Content:
        if not self.once(here, Tokening):
            return content
        assert isinstance(content, Tokens)
        return Tokens((*content.batches, released(self, here, *slots_of(self.seat))))


class FewTokens(Dishonest):
    """Withholds the tokens of one receiver, who would not see its cards."""

    title = "a batch of tokens withheld"

    def content(self, here: Open, content: Content) -> Content:
        if not self.once(here, Tokening):
            return content
        assert isinstance(content, Tokens)
        return Tokens(content.batches[1:])


class BlindTokens(Dishonest):
    """Opens cards in the blind hand, in which nobody may see any."""

    title = "token for a slot outside the audience"
    variant = BLIND
    policy = staticmethod(refuser)

    def content(self, here: Open, content: Content) -> Content:
        blind = isinstance(here.phase, Tokening) and content == Tokens(())
        if not blind or not self.once(here, Tokening):
            return content
        other = slots_of(next_seat(self.seat, self.evening.size))
        return Tokens((released(self, here, *other),))


class RevealsAnother(Dishonest):
    """Opens another card of the blind hand than the one that was laid."""

    title = "token for another slot than the one laid"
    variant = BLIND
    policy = staticmethod(refuser)

    def content(self, here: Open, content: Content) -> Content:
        if not self.once(here, Revealing):
            return content
        assert isinstance(here.phase, Revealing)
        other = next(
            slot
            for seat in self.victims
            for slot in slots_of(seat)  # type: ignore[arg-type]
            if slot != here.phase.slot
        )
        return Reveal(self.local.keeper._release(here.phase.game, (other,)))


class AnothersOpening(Dishonest):
    """Waits for another's key and opens it as its own, to cancel or double it."""

    title = "bad opening"

    async def wait_for_one(self) -> bytes:
        await self.until(lambda: bool(self.table.paid))
        content = self.table.paid[0].body.content
        assert isinstance(content, OpenKeys)
        return content.opening

    async def utter(self, here, entry):  # type: ignore[no-untyped-def]
        if not self.once(here, Opening):
            return entry
        return self.forge(OpenKeys(await self.wait_for_one()))


class ShortOpening(Dishonest):
    """An opening of the wrong length."""

    title = "opening of a wrong length"

    def content(self, here: Open, content: Content) -> Content:
        return OpenKeys(b"\1" * 31) if self.once(here, Opening) else content


class TwiceOneCard(Dishonest):
    """Shuffles a deck in which its favourite card stands twice."""

    title = "bad shuffle: a card twice"

    def content(self, here: Open, content: Content) -> Content:
        if not self.once(here, Shuffling):
            return content
        assert isinstance(content, Shuffle)
        size = len(content.deck) // 40
        return Shuffle(content.deck[:size] * 2 + content.deck[2 * size :], content.proof)


class FirstOfTheChain(TwiceOneCard):
    """The same by the seat that shuffles first: those after it shuffle a bad deck honestly."""

    title = "bad shuffle by the first seat"
    chair = 0


class BadProof(Dishonest):
    """A shuffle whose proof is not one."""

    title = "bad shuffle proof"

    def content(self, here: Open, content: Content) -> Content:
        if not self.once(here, Shuffling):
            return content
        assert isinstance(content, Shuffle)
        return Shuffle(content.deck, content.proof[:-1] + bytes([content.proof[-1] ^ 1]))


class ShortDeck(Dishonest):
    """A deck with one card fewer."""

    title = "shuffle of a wrong length"

    def content(self, here: Open, content: Content) -> Content:
        if not self.once(here, Shuffling):
            return content
        assert isinstance(content, Shuffle)
        return Shuffle(content.deck[: -(len(content.deck) // 40)], content.proof)
