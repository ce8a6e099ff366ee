"""A match whose cards are all known to whoever plays it: no cryptography, no processes.

`course` is the match without its players. It yields every moment in which a seat is told or asked
something, in the order of a real table, and is sent the move that the seat makes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from p2ptruco.hooks import Make, find_bot
from p2ptruco.rules.cards import Card
from p2ptruco.rules.hand import Hand
from p2ptruco.rules.match import Match
from p2ptruco.rules.moves import Move
from p2ptruco.rules.play import act, audience, show, speaker
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.seating import (
    CARDS_EACH,
    Seat,
    Slot,
    Team,
    seats_at,
    seats_of,
    slots_of,
    team_of,
)
from p2ptruco.rules.variant import Variant
from p2ptruco.rules.view import View, view_of


class Moment(NamedTuple):
    """A seat is told an event (`hooks.specs`), or asked to `choose`."""

    call: str
    seat: Seat
    view: View
    deck: Mapping[Slot, Card]
    """Every card dealt, hidden from the seat or not."""


Course = Generator[Moment, Move | None, Match]


def course(variant: Variant, players: int, seed: object, score: tuple[int, int] = (0, 0)) -> Course:
    """A match from a score on; the seed deals it, and draws the first dealer."""
    chance = random.Random(f"course/{seed}")
    match = Match(variant, players, Seat(chance.randrange(players)), score)
    past: tuple[Hand, ...] = ()
    started = False
    while match.winner is None:
        deck = _dealt(variant, players, chance)
        hand = _shown(match.hand(), deck)
        if not started:
            yield from _told("match_started", hand, match, deck, past)
            started = True
        yield from _told("hand_started", hand, match, deck, past)
        hand = yield from _hand(hand, match, deck, past)
        match, past = match.after(hand), (*past, hand)
        yield from _told("hand_done", hand, match, deck, past)
    yield from _told("match_done", hand, match, deck, past)
    return match


def _hand(
    hand: Hand, match: Match, deck: Mapping[Slot, Card], past: tuple[Hand, ...]
) -> Generator[Moment, Move | None, Hand]:
    while hand.result is None:
        seat = speaker(hand)
        assert seat is not None
        move = yield Moment("choose", seat, _view(hand, seat, match, deck, past), deck)
        assert move is not None
        tricks = len(hand.tricks)
        hand = _shown(act(hand, seat, move), deck)
        if len(hand.tricks) > tricks:
            yield from _told("trick_done", hand, match, deck, past)
    return hand


def play_match(
    makes: Sequence[str | Make],
    variant: Variant = MINEIRO,
    seed: object = 1,
) -> Team:
    """The team that wins a match between bots: what makes one, or its name, for each seat.

    An error of a bot is raised.
    """
    bots = [find_bot(make).make() if isinstance(make, str) else make() for make in makes]
    sources = [random.Random(f"{seed}/{seat}") for seat in range(len(bots))]
    match = course(variant, len(bots), seed)
    move: Move | None = None
    while True:
        try:
            moment = match.send(move)
        except StopIteration as end:
            winner: Team = end.value.winner
            return winner
        bot, view = bots[moment.seat], replace(moment.view, rng=sources[moment.seat])
        move = _ask(bot, moment.call, view)


def _ask(bot: Any, call: str, view: View) -> Move | None:
    if call == "choose":
        choose: Callable[[View], Move] = getattr(bot, "choose", bot)
        return choose(view)
    listener = getattr(bot, call, None)
    if listener is not None:
        listener(view)
    return None


def _dealt(variant: Variant, players: int, chance: random.Random) -> Mapping[Slot, Card]:
    cards = chance.sample(variant.deck, players * CARDS_EACH + variant.has_vira)
    return {Slot(slot): card for slot, card in enumerate(cards)}


def _shown(hand: Hand, deck: Mapping[Slot, Card]) -> Hand:
    """The hand once everything is seen that all must see."""
    while hand.awaited is not None:
        hand = show(hand, hand.awaited, deck[hand.awaited])
    return hand


def _view(
    hand: Hand, seat: Seat, match: Match, deck: Mapping[Slot, Card], past: tuple[Hand, ...]
) -> View:
    """What the seat may see of its own cards, and in a special hand of its partners'."""
    seats = seats_of(team_of(seat), hand.players) if hand.special == team_of(seat) else (seat,)
    slots = [slot for other in seats for slot in slots_of(other)]
    seen = {slot: deck[slot] for slot in slots if seat in audience(hand, slot)}
    return view_of(hand, seat, seen, match=match, past=past)


def _told(
    event: str, hand: Hand, match: Match, deck: Mapping[Slot, Card], past: tuple[Hand, ...]
) -> Iterator[Moment]:
    for seat in seats_at(hand.players):
        yield Moment(event, seat, _view(hand, seat, match, deck, past), deck)
