"""Hands for minds and bots to decide in: the cards are known to the test, each sees its view."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from p2ptruco.players.mind import Mind
from p2ptruco.rules.cards import Card
from p2ptruco.rules.hand import Hand
from p2ptruco.rules.match import Match
from p2ptruco.rules.moves import FOLD, Move
from p2ptruco.rules.play import act, audience, legal, show, speaker
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.seating import Seat, Slot
from p2ptruco.rules.variant import Variant
from p2ptruco.rules.view import View, view_of


def dealt(variant: Variant, chance: random.Random) -> list[Card]:
    return chance.sample(variant.deck, len(variant.deck))


def shown(hand: Hand, deck: list[Card]) -> Hand:
    """The hand once everything that all must see is seen."""
    while hand.awaited is not None:
        hand = show(hand, hand.awaited, deck[hand.awaited])
    return hand


def view_for(hand: Hand, seat: Seat, deck: list[Card], match: Match | None = None) -> View:
    slots = map(Slot, range(3 * hand.players))
    seen = {slot: deck[slot] for slot in slots if seat in audience(hand, slot)}
    return view_of(hand, seat, seen, rng=random.Random(1), match=match)


def first_view(seed: int = 0) -> View:
    """The eldest's first decision in a fresh hand of two."""
    deck = dealt(MINEIRO, random.Random(seed))
    hand = Match(MINEIRO, 2, Seat(1)).hand()
    return view_for(hand, Seat(0), deck)


def walk(variant: Variant, players: int, chance: random.Random) -> Iterator[View]:
    """The views of everybody, in every state of some random hands at every kind of score."""
    near = variant.special_at
    for score in ((0, 0), (near, 0), (0, near), (near, near)):
        match = Match(variant, players, Seat(chance.randrange(players)), score)
        deck = dealt(variant, chance)
        hand = match.hand()
        while hand.result is None:
            hand = shown(hand, deck)
            yield from (view_for(hand, Seat(seat), deck, match) for seat in range(players))
            seat = speaker(hand)
            if seat is not None:
                moves = [move for move in legal(hand, seat) if move is not FOLD]
                hand = act(hand, seat, chance.choice(moves))
        yield view_for(hand, Seat(0), deck, match.after(hand))


async def decisions(
    mind: Mind, match: Match, seed: int, heard: Callable[[View, Move], Awaitable[None]]
) -> None:
    """A match in which one mind decides for everybody."""
    chance = random.Random(seed)
    while match.winner is None:
        deck = dealt(match.variant, chance)
        hand = match.hand()
        while (hand := shown(hand, deck)).result is None:
            seat = speaker(hand)
            assert seat is not None
            view = view_for(hand, seat, deck, match)
            move = await mind.choose(view)
            await heard(view, move)
            hand = act(hand, seat, move)
        match = match.after(hand)


def write_bot(folder: Path, source: str, name: str = "bot") -> str:
    """A bot's file; its path."""
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    return str(path)
