"""Cheats against the real deck: honest algorithms run on a false witness, proofs out of place."""

from __future__ import annotations

from dataclasses import replace

from p2ptruco.mental import shuffle
from p2ptruco.mental.deck import Masked, Start, start_deck
from p2ptruco.mental.shuffle.prove import apply_masks, prove
from p2ptruco.table.entries import Content, Lay, Shuffle
from p2ptruco.table.steps.dealing import Shuffling
from p2ptruco.table.steps.playing import Choosing
from p2ptruco.table.table import Open
from tests.attacks.dishonest import doubled, with_order
from tests.kit.cheats.base import Dishonest
from tests.kit.cheats.deals import SwappedTokens
from tests.kit.cheats.moves import AnothersFace


class FalseShuffle(Dishonest):
    """A shuffle of its own making, proved with the honest algorithm."""

    real = True

    def content(self, here: Open, content: Content) -> Content:
        if not self.once(here, Shuffling):
            return content
        assert isinstance(here.phase, Shuffling)
        return self.shuffled(here.phase)

    def shuffled(self, phase: Shuffling) -> Shuffle:
        before = phase.shuffles[-1] if phase.shuffles else start_deck(phase.deal.cards)
        joint, source, size = phase.joint, self.rng.randbytes, len(before)
        masks, committed = shuffle.prepare(joint, self.seat, size, source).take()
        after = apply_masks(masks, before.masked)
        order = masks.order
        masks, committed, after = self.lie(phase, before, masks, committed, after)
        assert order != masks.order
        proof = prove(joint, self.seat, masks, committed, before.masked, after, source)
        return Shuffle(after.encode(), proof.encode())

    def lie(self, phase, before, masks, committed, after):  # type: ignore[no-untyped-def]
        raise NotImplementedError


class WrongPermutation(FalseShuffle):
    """Commits to another order than it deals, to know where a card lies."""

    title = "bad shuffle: another order than the one dealt"

    def lie(self, phase, before: Start, masks, committed, after: Masked):  # type: ignore[no-untyped-def]
        order = (masks.order[1], masks.order[0], *masks.order[2:])
        return replace(masks, order=order), with_order(committed, order), after


class DoubledWitness(FalseShuffle):
    """Deals one card twice and proves it with a witness in which it stands twice."""

    title = "bad shuffle: a card twice, in the witness too"

    def lie(self, phase, before: Start, masks, committed, after: Masked):  # type: ignore[no-untyped-def]
        order = (masks.order[1], *masks.order[1:])
        rho = (masks.rho[1] + 99, *masks.rho[1:])
        two = doubled(after, 0, 1, 99, phase.joint)
        return replace(masks, order=order, rho=rho), with_order(committed, order), two


class ReplayedToken(Dishonest):
    """Lays a card of the second hand with the token of one of the first."""

    title = "bad token: of another hand"
    real = True
    old: Lay | None = None

    def content(self, here: Open, content: Content) -> Content:
        if not isinstance(content, Lay):
            return content
        if self.old is None:
            self.old = content
            return content
        if here.position.hand == 0 or not self.once(here, Choosing):
            return content
        return Lay(content.slot, False, self.old.token)


class AnothersFaceForReal(AnothersFace):
    """Lays one card with the proved token of another."""

    title = "bad token: of another card"
    real = True


class SwappedTokensForReal(SwappedTokens):
    """Proved tokens in another order than their slots'."""

    title = "bad token: permuted"
    real = True
