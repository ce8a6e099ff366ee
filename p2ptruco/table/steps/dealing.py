"""From commitments to a deck that everybody has verified (deal.md §3 to §5).

Nothing here looks at the score or at a card, so the deal of the next hand may run while this one is
played. The order of the steps is in `order`.
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
from ..entries import Commit, Open, Ready, Shuffle
from .phases import Duty, Fault, Needs, Phase, Ruling, everyone, fault

Rulings = Mapping[Seat, Ruling]


@dataclass(frozen=True, slots=True)
class Committing(Phase):
    """Every seat publishes the hash of its key."""

    context: Context
    cards: tuple[str, ...]
    source: Source


@dataclass(frozen=True, slots=True)
class Opening(Phase):
    """All commitments are in: every seat opens its own, with a proof of possession."""

    deal: Committing
    commitments: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Shuffling(Phase):
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


@dataclass(frozen=True, slots=True)
class Readying(Phase):
    """Every seat says on one head that it verified the deck; nothing was released before."""

    joint: Joint
    deck: Deck


@dataclass(frozen=True, slots=True)
class Dealt(Phase):
    """The deck of a hand, agreed by all, no card of it opened."""

    joint: Joint
    deck: Deck


# Commit.


def owed_commitments(phase: Committing) -> Needs:
    return everyone(phase.context.seats, "commit")


def commitment(phase: Committing, seat: Seat, content: Commit) -> Ruling:
    """A hash, which nobody can judge yet."""
    return content.commitment


def committed(phase: Committing, rulings: Rulings) -> Opening:
    """All keys are fixed."""
    return Opening(phase, tuple(rulings[seat] for seat in sorted(rulings)))


# Open.


def owed_openings(phase: Opening) -> Needs:
    return everyone(phase.deal.context.seats, "open")


def opening(phase: Opening, seat: Seat, content: Open) -> Ruling:
    """A `keys.Opening`: the key that was committed to, with its proof."""
    try:
        return keys.check_opening(
            phase.deal.context, seat, phase.commitments[seat], content.opening
        )
    except Refused as refused:
        return fault(refused, "bad_opening", seat)


def openings_together(phase: Opening, rulings: Rulings) -> Rulings:
    """A key that an earlier seat has is a fault, whatever else was said."""
    good = (ruling for ruling in rulings.values() if isinstance(ruling, keys.Opening))
    later = keys.taken(good)
    return rulings if later is None else {**rulings, Seat(later): Fault("bad_opening", later)}


def opened(phase: Opening, rulings: Rulings) -> Shuffling | Fault:
    """The joint key."""
    openings = [rulings[seat] for seat in sorted(rulings)]
    try:
        joint = keys.join(phase.deal.context, openings)
    except Refused as refused:
        return fault(refused, "bad_opening", refused.seat)
    return Shuffling(phase.deal, joint, ())


# Shuffle.


def owed_shuffle(phase: Shuffling) -> Needs:
    return {phase.turn: Duty("shuffle")}


def shuffled(phase: Shuffling, seat: Seat, content: Shuffle) -> Ruling:
    """A `Shuffled`; the `Deck` at the end of the whole chain, which is judged with the last."""
    try:
        parsed = shuffle.parse(
            phase.joint, seat, len(phase.deal.cards), content.deck, content.proof
        )
    except Refused as refused:
        return _broken_off(phase, fault(refused, "bad_proof", seat))
    if not phase.last:
        return parsed
    chain, start = (*phase.shuffles, parsed), start_deck(phase.deal.cards)
    try:
        return shuffle.verify_chain(phase.joint, start, chain, phase.deal.source)
    except Refused as refused:
        return _behind(phase, refused)


def _broken_off(phase: Shuffling, found: Fault) -> Fault:
    """A shuffle that is none ends the chain: what was built before it is judged first."""
    start = start_deck(phase.deal.cards)
    try:
        shuffle.verify_prefix(phase.joint, start, phase.shuffles, phase.deal.source)
    except Refused as refused:
        return _behind(phase, refused)
    return found


def _behind(phase: Shuffling, refused: Refused) -> Fault:
    return Fault("bad_proof", refused.seat, back=phase.turn - refused.seat)


def taken_over(phase: Shuffling, rulings: Rulings) -> Shuffling | Readying:
    """The next seat's turn, or the verified deck."""
    ruling = rulings[phase.turn]
    if phase.last:
        return Readying(phase.joint, ruling)
    return Shuffling(phase.deal, phase.joint, (*phase.shuffles, ruling))


# Ready.


def owed_consents(phase: Readying) -> Needs:
    return everyone(len(phase.joint.publics), "ready")


def consent(phase: Readying, seat: Seat, content: Ready) -> Ruling:
    """That it stands on this head says all."""
    return None


def dealt(phase: Readying, rulings: Rulings) -> Dealt:
    """The deal is over."""
    return Dealt(phase.joint, phase.deck)
