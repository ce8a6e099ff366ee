"""From commitments to a deck that everybody has verified (deal.md §3 to §5).

commit (all) → open (all) → shuffle of seat 0 … n−1 → ready (all) → `Dealt`. Nothing here looks
at the score or at a card, so the deal of the next hand may run while this one is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...mental import keys, shuffle
from ...mental.chance import Source
from ...mental.context import Context
from ...mental.deck import Deck, start_deck
from ...mental.keys import Joint
from ...mental.refused import Refused
from ...mental.shuffle import Shuffled
from ...rules.seating import Seat
from ..entries import Commit, Content, Open, Ready, Shuffle
from .phases import Duty, Fault, Need, NotDue, Over, Phase, Ruling, everyone, fault


@dataclass(frozen=True, slots=True)
class Committing:
    """Every seat publishes the hash of its key."""

    context: Context
    cards: tuple[str, ...]
    source: Source

    @property
    def needs(self) -> Mapping[Seat, Need]:
        return everyone(self.context.seats, "commit")

    def rule(self, seat: Seat, content: Content) -> Ruling:
        if not isinstance(content, Commit):
            raise NotDue
        return content.commitment

    def close(self, rulings: Mapping[Seat, Ruling]) -> Phase | Fault:
        return Opening(self, tuple(rulings[seat] for seat in sorted(rulings)))


@dataclass(frozen=True, slots=True)
class Opening:
    """All commitments are in: every seat opens its own, with a proof of possession."""

    deal: Committing
    commitments: tuple[bytes, ...]

    @property
    def needs(self) -> Mapping[Seat, Need]:
        return everyone(self.deal.context.seats, "open")

    def rule(self, seat: Seat, content: Content) -> Ruling:
        if not isinstance(content, Open):
            raise NotDue
        commitment = self.commitments[seat]
        try:
            return keys.check_opening(self.deal.context, seat, commitment, content.opening)
        except Refused as refused:
            return fault(refused, "bad_opening", seat)

    def beside(self, rulings: Mapping[Seat, Ruling]) -> Mapping[Seat, Ruling]:
        """The rulings once a key that an earlier seat has is a fault, whatever else was said."""
        good = (ruling for ruling in rulings.values() if isinstance(ruling, keys.Opening))
        later = keys.taken(good)
        if later is None:
            return rulings
        return {**rulings, Seat(later): Fault("bad_opening", later)}

    def close(self, rulings: Mapping[Seat, Ruling]) -> Phase | Fault:
        openings = [rulings[seat] for seat in sorted(rulings)]
        try:
            joint = keys.join(self.deal.context, openings)
        except Refused as refused:
            return fault(refused, "bad_opening", refused.seat)
        return Shuffling(self.deal, joint, ())


@dataclass(frozen=True, slots=True)
class Shuffling:
    """Seats shuffle in turn; the proofs are judged when the last shuffle is in."""

    deal: Committing
    joint: Joint
    shuffles: tuple[Shuffled, ...]

    @property
    def turn(self) -> Seat:
        return Seat(len(self.shuffles))

    @property
    def last(self) -> bool:
        return self.turn == self.deal.context.seats - 1

    @property
    def needs(self) -> Mapping[Seat, Need]:
        return {self.turn: Duty("shuffle")}

    def rule(self, seat: Seat, content: Content) -> Ruling:
        if not isinstance(content, Shuffle):
            raise NotDue
        parsed: Shuffled | Fault
        try:
            parsed = shuffle.parse(
                self.joint, seat, len(self.deal.cards), content.deck, content.proof
            )
        except Refused as refused:
            parsed = fault(refused, "bad_proof", seat)
        if isinstance(parsed, Fault):
            return self._broken_off(parsed)
        return self._judge(parsed) if self.last else parsed

    def _judge(self, parsed: Shuffled) -> Verified | Fault:
        """The whole chain."""
        chain, start = (*self.shuffles, parsed), start_deck(self.deal.cards)
        try:
            return Verified(shuffle.verify_chain(self.joint, start, chain, self.deal.source))
        except Refused as refused:
            return self._behind(refused)

    def _broken_off(self, found: Fault) -> Fault:
        """A shuffle that is none ends the chain: what was built before it is judged first."""
        start = start_deck(self.deal.cards)
        try:
            shuffle.verify_prefix(self.joint, start, self.shuffles, self.deal.source)
        except Refused as refused:
            return self._behind(refused)
        return found

    def _behind(self, refused: Refused) -> Fault:
        return Fault("bad_proof", refused.seat, back=self.turn - refused.seat)

    def close(self, rulings: Mapping[Seat, Ruling]) -> Phase | Fault:
        ruling = rulings[self.turn]
        if isinstance(ruling, Verified):
            return Readying(self.joint, ruling.deck)
        return Shuffling(self.deal, self.joint, (*self.shuffles, ruling))


@dataclass(frozen=True, slots=True)
class Verified:
    """A chain of shuffles that holds."""

    deck: Deck


@dataclass(frozen=True, slots=True)
class Readying:
    """Every seat says on one head that it verified the deck; nothing was released before."""

    joint: Joint
    deck: Deck

    @property
    def needs(self) -> Mapping[Seat, Need]:
        return everyone(len(self.joint.publics), "ready")

    def rule(self, seat: Seat, content: Content) -> Ruling:
        if not isinstance(content, Ready):
            raise NotDue
        return None

    def close(self, rulings: Mapping[Seat, Ruling]) -> Phase | Fault:
        return Dealt(self.joint, self.deck)


@dataclass(frozen=True, slots=True)
class Dealt(Over):
    """The deck of a hand, agreed by all, no card of it opened."""

    joint: Joint
    deck: Deck
