"""All that a player may look at. There is no way from here to a hidden card, key or table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from p2ptruco.rules.cards import Card
from p2ptruco.rules.hand import Hand, Kind, Pending, Said, Shown, unplayed
from p2ptruco.rules.match import Match
from p2ptruco.rules.moves import Move, Play
from p2ptruco.rules.prices import Worth, worth
from p2ptruco.rules.scale import Call
from p2ptruco.rules.seating import Seat, Slot, Team, seats_at, seats_of, team_of
from p2ptruco.rules.simulation import Simulation
from p2ptruco.rules.tricks import UNSEEN, Laid, Trick, manilhas, strengths, taker
from p2ptruco.rules.turns import legal
from p2ptruco.rules.variant import Variant

if TYPE_CHECKING:
    import random


@dataclass(frozen=True, slots=True)
class View:
    """What one seat knows: the table, its own cards, and in a special hand its partners'."""

    hand: Hand
    """The public facts, the same for everybody."""
    seat: Seat
    own: tuple[tuple[Slot, Card | None], ...]
    mates: tuple[tuple[Slot, Card], ...]
    match: Match | None = None
    """The match so far, where the hand is part of one."""
    budget_ms: int | None = None
    """Time for this decision; None: no limit."""
    rng: random.Random | None = field(default=None, compare=False)
    """A seeded source of the bot's own."""
    down: tuple[tuple[Slot, Card], ...] = ()
    past: tuple[Hand, ...] = ()
    """The hands played so far, in order; over several matches where the table plays a set."""
    names: tuple[str, ...] = ()
    """What the players are called, by seat; empty where nobody said."""

    @property
    def cards(self) -> Mapping[Slot, Card | None]:
        """Slot → card, one's own unplayed in the order dealt; `.values()` are the cards, `plays`
        the moves. None: not to be seen (blind iron hand)."""
        return MappingProxyType(dict(self.own))

    @property
    def partner_cards(self) -> Mapping[Slot, Card]:
        """Partners' unplayed cards, where the rules show them."""
        return MappingProxyType(dict(self.mates))

    @property
    def hidden(self) -> Mapping[Slot, Card]:
        """Slot → card, one's own cards on the table face down; in a special hand partners' too."""
        return MappingProxyType(dict(self.down))

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards that may still be anywhere for this seat: in a hand, face down, in the deck."""
        seen = {*dict(self.own).values(), *dict(self.mates).values(), *dict(self.down).values()}
        seen |= {self.vira, *self.hand.faces.values()}
        return tuple([card for card in self.variant.deck if card not in seen])

    @property
    def unknown(self) -> tuple[Slot, ...]:
        """The slots in hand whose cards this seat does not know: what `simulate` must be told."""
        known = {*[slot for slot, card in self.own if card], *dict(self.mates)}
        left = [slot for seat in seats_at(self.players) for slot in unplayed(self.hand, seat)]
        return tuple([slot for slot in left if slot not in known])

    def simulate(self, cards: Mapping[Slot, Card]) -> Simulation:
        """The game from here with a guess of the hidden cards, to play out; the match is not told.

        `cards`: slot → card for each of `unknown`, of the cards `unseen`. ValueError for other
        slots, a card that is not there or twice, and while the hand waits for a face.
        """
        if set(cards) != set(self.unknown):
            raise ValueError("a card for each of the unknown slots, and no other")
        if len(set(cards.values())) < len(cards) or not set(cards.values()) <= set(self.unseen):
            raise ValueError("each card once, and only cards that may be anywhere")
        known = {slot: card for slot, card in (*self.own, *self.mates) if card is not None}
        return Simulation(self.hand, known | dict(cards))

    @property
    def caller(self) -> Seat | None:
        """The seat that called last in this hand, answered or not."""
        return self.hand.caller

    @property
    def next_call(self) -> Call | None:
        """The call that comes next, its word and points, whoever may make it; None at the top."""
        return self.hand.next_call

    @property
    def variant(self) -> Variant:
        return self.hand.variant

    @property
    def players(self) -> int:
        return self.hand.players

    @property
    def team(self) -> Team:
        return team_of(self.seat)

    @property
    def partners(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in seats_of(self.team, self.players) if seat != self.seat)

    @property
    def dealer(self) -> Seat:
        return self.hand.dealer

    @property
    def eldest(self) -> Seat:
        return self.hand.eldest

    @property
    def leader(self) -> Seat:
        return self.hand.leader

    @property
    def kind(self) -> Kind:
        return self.hand.kind

    @property
    def vira(self) -> Card | None:
        return self.hand.vira

    @property
    def manilhas(self) -> tuple[Card, ...]:
        """Strongest first; none before the vira that names them is out."""
        return manilhas(self.variant, self.vira)

    @property
    def table(self) -> tuple[Laid, ...]:
        return self.hand.table

    @property
    def tricks(self) -> tuple[Trick, ...]:
        return self.hand.tricks

    @property
    def history(self) -> tuple[Said | Shown, ...]:
        return self.hand.history

    @property
    def score(self) -> tuple[int, int]:
        """Points of team A and team B before the hand."""
        return self.hand.score

    @property
    def stake(self) -> int:
        """What the hand is worth now."""
        return self.hand.value

    @property
    def pending(self) -> Pending | None:
        return self.hand.pending

    @property
    def legal(self) -> tuple[Move, ...]:
        """What this seat may do now; empty while it is not asked."""
        return legal(self.hand, self.seat)

    @property
    def plays(self) -> tuple[Play, ...]:
        """The legal plays of a card, open ones first."""
        return tuple(move for move in self.legal if isinstance(move, Play))

    def card(self, slot: Slot) -> Card | None:
        """The face of a slot, as far as this seat may know it."""
        own = dict((*self.own, *self.mates, *self.down)).get(slot)
        return own or self.hand.faces.get(slot)

    def strength(self, card: Card | Play | None) -> int:
        """0 for face down or unknown, from 1 for the weakest common card; equal means tied."""
        if isinstance(card, Play):
            card = None if card.face_down else self.card(card.slot)
        return UNSEEN if card is None else strengths(self.variant, self.vira)[card]

    def taker(self, play: Play | None = None) -> Team | None:
        """The team (0 or 1, not a seat: compare with `team`) whose the trick in progress is as it
        stands, or would be with this card; None for a tie and for an empty table."""
        lays = self.table
        if play is not None:
            card = None if play.face_down else self.card(play.slot)
            lays = (*lays, Laid(play.slot, play.face_down, card))
        return taker(self.variant, self.vira, lays)

    def worth(self, move: Move) -> Worth:
        """The points at stake with a move; ValueError for a call that cannot come next."""
        return worth(self.hand, self.seat, move)


def view_of(
    hand: Hand,
    seat: Seat,
    seen: Mapping[Slot, Card],
    *,
    rng: random.Random | None = None,
    budget_ms: int | None = None,
    match: Match | None = None,
    past: tuple[Hand, ...] = (),
    names: tuple[str, ...] = (),
) -> View:
    """The view of a seat that was shown the faces `seen`.

    Only its own slots, and its partners' in a special hand, are taken from `seen`.
    """
    own = tuple((slot, seen.get(slot)) for slot in unplayed(hand, seat))
    mates, down = _mates(hand, seat, seen), _down(hand, seat, seen)
    return View(hand, seat, own, mates, match, budget_ms, rng, down, past, names)


def _down(hand: Hand, seat: Seat, seen: Mapping[Slot, Card]) -> tuple[tuple[Slot, Card], ...]:
    ours = seats_of(team_of(seat), hand.players) if team_of(seat) == hand.special else (seat,)
    slots = [lay.slot for lay in hand.laid if lay.face_down and lay.seat in ours]
    return tuple([(slot, seen[slot]) for slot in slots if slot in seen])


def _mates(hand: Hand, seat: Seat, seen: Mapping[Slot, Card]) -> tuple[tuple[Slot, Card], ...]:
    if team_of(seat) != hand.special:
        return ()
    mates = [mate for mate in seats_of(team_of(seat), hand.players) if mate != seat]
    left = [slot for mate in mates for slot in unplayed(hand, mate)]
    return tuple((slot, seen[slot]) for slot in left if slot in seen)
