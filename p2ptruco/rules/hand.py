"""One hand as the whole table knows it: a value that is the same on every peer.

It never holds a hidden card: only what was laid, shown and said. What may happen to it is in
`play`; it is made by `begin` and by nothing else but the moves there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

from p2ptruco.rules.cards import Card
from p2ptruco.rules.facts import How as How
from p2ptruco.rules.facts import Kind as Kind
from p2ptruco.rules.facts import Pending as Pending
from p2ptruco.rules.facts import Phase as Phase
from p2ptruco.rules.facts import Result as Result
from p2ptruco.rules.facts import Said as Said
from p2ptruco.rules.facts import Shown as Shown
from p2ptruco.rules.facts import Terms as Terms
from p2ptruco.rules.scale import Call
from p2ptruco.rules.seating import TEAMS, Seat, Slot, Team, next_seat, slots_of, vira_slot
from p2ptruco.rules.tricks import Laid, Trick
from p2ptruco.rules.variant import Variant


class Change(TypedDict, total=False):
    """The fields of a hand that a move gives new values."""

    phase: Phase
    step: int
    caller: Seat
    vira: Card
    laid: tuple[Laid, ...]
    tricks: tuple[Trick, ...]
    result: Result


@dataclass(frozen=True, slots=True)
class Hand:
    """The state of a hand; equal if the same happened under the same terms."""

    terms: Terms
    phase: Phase
    step: int
    """The step of the scale in force."""
    caller: Seat | None = None
    """The seat of the last call, answered or not."""
    vira: Card | None = None
    laid: tuple[Laid, ...] = ()
    """Every card laid, in order."""
    tricks: tuple[Trick, ...] = ()
    history: tuple[Said | Shown, ...] = ()
    """All that happened in public, in order."""
    result: Result | None = None

    @property
    def variant(self) -> Variant:
        return self.terms.variant

    @property
    def players(self) -> int:
        return self.terms.players

    @property
    def dealer(self) -> Seat:
        return self.terms.dealer

    @property
    def score(self) -> tuple[int, int]:
        """Points of team A and team B before the hand."""
        return self.terms.score

    @property
    def kind(self) -> Kind:
        return self.terms.kind

    @property
    def special(self) -> Team | None:
        return self.terms.special

    @property
    def eldest(self) -> Seat:
        return next_seat(self.terms.dealer, self.terms.players)

    @property
    def leader(self) -> Seat:
        """Who leads the trick in progress, or would."""
        return self.tricks[-1].lead if self.tricks else self.eldest

    @property
    def table(self) -> tuple[Laid, ...]:
        """The cards of the trick in progress."""
        return self.laid[len(self.tricks) * self.terms.players :]

    @property
    def faces(self) -> Mapping[Slot, Card]:
        """Every face that the table has seen, by slot."""
        return {event.slot: event.card for event in self.history if isinstance(event, Shown)}

    @property
    def value(self) -> int:
        """What the hand is worth now, in points."""
        return _points(self.terms.variant, self.step)

    @property
    def pending(self) -> Pending | None:
        """The call that awaits an answer."""
        if self.phase is not Phase.ANSWERING or self.caller is None:
            return None
        call = self.terms.variant.scale.calls[self.step]
        return Pending(call.word, self.caller, call.points)

    @property
    def next_call(self) -> Call | None:
        """The call that comes next, whoever may make it; None at the top.

        In a special hand it is the first one: where it can be made at all, it loses the match.
        """
        calls = self.terms.variant.scale.calls
        if self.terms.special is not None:
            return calls[0]
        place = self.step + (self.phase is Phase.ANSWERING)
        return calls[place] if place < len(calls) else None

    @property
    def awaited(self) -> Slot | None:
        """The slot that everybody must see before anything else."""
        if self.phase is not Phase.SHOWING:
            return None
        return self.laid[-1].slot if self.laid else vira_slot(self.terms.players)


def changed(hand: Hand, change: Change, *events: Said | Shown) -> Hand:
    """The hand with some fields new and some events more in its history."""
    return Hand(
        hand.terms,
        change.get("phase", hand.phase),
        change.get("step", hand.step),
        change.get("caller", hand.caller),
        change.get("vira", hand.vira),
        change.get("laid", hand.laid),
        change.get("tricks", hand.tricks),
        hand.history + events,
        change.get("result", hand.result),
    )


def _points(variant: Variant, step: int) -> int:
    return variant.scale.calls[step - 1].points if step else variant.scale.base


def begin(variant: Variant, players: int, dealer: Seat, score: tuple[int, int] = (0, 0)) -> Hand:
    """A hand before its first event. ValueError for a size, dealer or score that cannot be."""
    if players not in variant.players:
        raise ValueError(f"{variant.name} is not for {players} players")
    if not 0 <= dealer < players:
        raise ValueError(f"no dealer {dealer} among {players} seats")
    if len(score) != 2 or not all(0 <= points < variant.target for points in score):
        raise ValueError(f"not a score before a hand: {score}")
    near = [team for team in TEAMS if score[team] >= variant.special_at]
    kind = (Kind.NORMAL, Kind.SPECIAL, Kind.IRON)[len(near)]
    special = near[0] if kind is Kind.SPECIAL else None
    terms = Terms(variant, players, dealer, score, kind, special)
    return Hand(terms, opening(terms), step=_first_step(terms))


def opening(terms: Terms, *, vira_is_out: bool = False) -> Phase:
    """What the hand waits for before the first card."""
    if terms.variant.has_vira and not vira_is_out:
        return Phase.SHOWING
    asks = terms.special is not None and terms.variant.special_decision
    return Phase.DECIDING if asks else Phase.PLAYING


def _first_step(terms: Terms) -> int:
    return int(terms.special is not None and not terms.variant.special_decision)


def unplayed(hand: Hand, seat: Seat) -> tuple[Slot, ...]:
    """A seat's slots that are not on the table yet, in the order dealt."""
    gone = {lay[0] for lay in hand.laid}
    return tuple([slot for slot in slots_of(seat) if slot not in gone])
