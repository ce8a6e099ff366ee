"""Turns the hands of a table into events, in the order in which things happened.

Laws:
1. What happened is told once, in the order of the log, however much of it has come since the last
   look. Each event carries the public state behind it, made by playing the hand again.
2. Only public facts come from the hands. One's own cards come from the view of one's seat.
3. What a proof of equivocation takes back is not told again: the end of the match says it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..rules.cards import Card
from ..rules.hand import Hand, Said, Shown, begin
from ..rules.match import Match
from ..rules.moves import CALL, Word
from ..rules.play import act, show
from ..rules.seating import Seat, Slot, owner_of, slots_of
from ..rules.tricks import manilhas, strengths, strongest, taker
from ..rules.view import View
from . import events
from .events import Event, HandScored, Held, OnTable, Shout


class Telling:
    """What is new in the hands of a match since they were last looked at."""

    def __init__(self) -> None:
        self._match: Match | None = None
        """Before the hand that is told now."""
        self._number = 0
        self._told: Hand | None = None
        """The hand under way, as far as it was told."""
        self._course: tuple[HandScored, ...] = ()
        """The hands that are over."""
        self._shouts: tuple[Shout, ...] = ()
        """The calls of the hand under way, as far as it was told."""

    def news(self, done: Sequence[Hand], under_way: Hand | None) -> Iterator[Event]:
        """Everything that happened since, in the finished hands and in the one under way."""
        for hand in done[self._number :]:
            yield from self._play(hand)
            yield self._over(hand)
            yield events.Course(self._course)
        if under_way is not None:
            yield from self._play(under_way)

    def _play(self, hand: Hand) -> Iterator[Event]:
        if self._match is None:
            self._match = Match(hand.variant, hand.players, hand.dealer)
        if self._told is None:
            self._told = begin(hand.variant, hand.players, hand.dealer, hand.score)
            yield events.HandBegun(self._number, self._told, self._match.won)
            if not hand.variant.has_vira:
                yield ranking(self._number, hand)
        for happened in hand.history[len(self._told.history) :]:
            before = self._told
            if isinstance(happened, Shown):
                self._told = show(before, happened.slot, happened.card)
            else:
                self._told = act(before, happened.seat, happened.move)
            for event in _told_of(self._number, before, happened, self._told):
                if isinstance(event, events.Called):
                    shout = Shout(event.seat, event.word, event.points)
                    self._shouts = (*self._shouts, shout)
                yield event

    def _over(self, hand: Hand) -> Event:
        assert self._match is not None
        assert hand.result is not None
        self._match = self._match.after(hand)
        number, score, won = self._number, self._match.score, self._match.won
        over = events.HandOver(number, hand, *hand.result, score, won)
        scored = HandScored(number, *hand.result, score, won, self._shouts)
        self._course = (*self._course, scored)
        self._number, self._told, self._shouts = number + 1, None, ()
        return over


def _told_of(number: int, before: Hand, happened: Said | Shown, hand: Hand) -> Iterator[Event]:
    """The events that one item of a hand's history makes."""
    if isinstance(happened, Said) and isinstance(happened.move, Word):
        yield _word(number, before, happened.seat, happened.move, hand)
    elif isinstance(happened, Shown) and not before.laid:
        yield events.Vira(number, hand, happened.card, manilhas(hand.variant, hand.vira))
        yield ranking(number, hand)
    elif hand.awaited is None:  # else the card's face is still to come
        yield _card(number, hand)
    if len(hand.tricks) > len(before.tricks):
        yield _trick(number, hand)


def _word(number: int, before: Hand, seat: Seat, word: Word, hand: Hand) -> Event:
    if word is not CALL:
        return events.Said(number, hand, seat, word.value)
    call = before.next_call
    assert call is not None
    return events.Called(number, hand, seat, call.word, call.points)


def ranking(number: int, hand: Hand) -> events.Ranking:
    """Which card beats which."""
    strength, strong = strengths(hand.variant, hand.vira), manilhas(hand.variant, hand.vira)
    groups: dict[int, list[Card]] = {}
    for card in sorted(strength, key=lambda card: -strength[card]):
        groups.setdefault(strength[card], []).append(card)
    return events.Ranking(number, tuple(map(tuple, groups.values())), strong)


def _card(number: int, hand: Hand) -> Event:
    """The card that was laid last, once it lies as it will lie."""
    lay, trick = hand.laid[-1], (len(hand.laid) - 1) // hand.players
    lays = hand.laid[trick * hand.players :]
    takes = taker(hand.variant, hand.vira, lays)
    strong = lay.card in manilhas(hand.variant, hand.vira)
    return events.Laid(number, hand, lay.seat, lay.slot, lay.card, strong, trick, takes)


def _trick(number: int, hand: Hand) -> Event:
    """The trick that has just been finished, whole."""
    trick = hand.tricks[-1]
    best = strongest(hand.variant, hand.vira, trick.lays)
    cards = tuple(OnTable(lay.seat, lay.card, lay in best) for lay in trick.lays)
    return events.TrickTaken(number, hand, len(hand.tricks) - 1, cards, trick.winner, trick.lead)


def own_cards(number: int, view: View) -> events.Cards:
    """One's own cards that are left."""
    return events.Cards(number, view.hand, tuple(_held(view, slot) for slot in view.cards))


def partners_cards(number: int, view: View) -> Iterator[events.PartnerCards]:
    """The partners' cards, where the rules show them."""
    for mate in view.partners:
        slots = [slot for slot in view.partner_cards if owner_of(slot) == mate]
        if slots:
            theirs = tuple(_held(view, slot) for slot in slots)
            yield events.PartnerCards(number, view.hand, mate, theirs)


def _held(view: View, slot: Slot) -> Held:
    card, place = view.card(slot), slots_of(owner_of(slot)).index(slot)
    return Held(place, slot, card, card in view.manilhas)
