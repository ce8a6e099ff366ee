"""Matches of bots on the bare rules: the cards are known to the test, each bot sees its view."""

from __future__ import annotations

import random
from collections.abc import Sequence

from p2ptruco.hooks import Choose
from p2ptruco.rules.hand import Hand
from p2ptruco.rules.match import Match
from p2ptruco.rules.play import act, audience, show, speaker
from p2ptruco.rules.seating import Seat, Slot, Team
from p2ptruco.rules.variant import Variant
from p2ptruco.rules.view import view_of


def play_match(variant: Variant, bots: Sequence[Choose], seed: int) -> Team:
    """The winner of one match; a seed gives the same match again."""
    chance = random.Random(seed)
    sources = [random.Random(f"{seed}/{seat}") for seat in range(len(bots))]
    match = Match(variant, len(bots), Seat(chance.randrange(len(bots))))
    while match.winner is None:
        match = match.after(play_hand(match, bots, sources, chance))
    return match.winner


def play_hand(
    match: Match, bots: Sequence[Choose], sources: Sequence[random.Random], chance: random.Random
) -> Hand:
    """One hand from a fresh deck to its result."""
    hand = match.hand()
    deck = chance.sample(hand.variant.deck, len(hand.variant.deck))
    while hand.result is None:
        if hand.awaited is not None:
            hand = show(hand, hand.awaited, deck[hand.awaited])
            continue
        seat = speaker(hand)
        assert seat is not None
        dealt = range(3 * len(bots))
        seen = {Slot(slot): deck[slot] for slot in dealt if seat in audience(hand, Slot(slot))}
        view = view_of(hand, seat, seen, rng=sources[seat], match=match)
        hand = act(hand, seat, bots[seat](view))
    return hand
