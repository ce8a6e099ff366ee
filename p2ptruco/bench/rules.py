"""How fast the rules alone play: random matches, no cryptography, no player, one core."""

from __future__ import annotations

import random
import time

from p2ptruco.rules.cards import Card
from p2ptruco.rules.hand import Hand
from p2ptruco.rules.match import Match
from p2ptruco.rules.play import act, awaited, legal, show, to_act
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.seating import CARDS_EACH, Seat
from p2ptruco.rules.variant import Variant


def run(seconds: float = 5.0, seed: int = 1) -> dict[str, float]:
    """Matches and moves a second: uniform choice over the legal moves, folds included.

    Mineiro with 2 seats; every choice goes through `legal` and every move through `act`.
    """
    rng = random.Random(seed)
    matches = moves = 0
    began = now = time.perf_counter()
    while now - began < seconds:
        moves += play_match(MINEIRO, 2, rng)
        matches += 1
        now = time.perf_counter()
    return {"matches_per_s": matches / (now - began), "moves_per_s": moves / (now - began)}


def play_match(variant: Variant, players: int, rng: random.Random) -> int:
    """Play one random match to its end; the number of its moves."""
    match = Match(variant, players, Seat(rng.randrange(players)))
    dealt = players * CARDS_EACH + variant.has_vira
    moves = 0
    while match.winner is None:
        hand, made = play_hand(match.hand(), rng.sample(variant.deck, dealt), rng)
        match = match.after(hand)
        moves += made
    return moves


def play_hand(hand: Hand, cards: list[Card], rng: random.Random) -> tuple[Hand, int]:
    """Play a hand to its end, `cards` being the face of each slot; it and its moves' number."""
    moves = 0
    while hand.result is None:
        slot = awaited(hand)
        if slot is not None:
            hand = show(hand, slot, cards[slot])
            continue
        seat = to_act(hand)[0]
        hand = act(hand, seat, rng.choice(legal(hand, seat)))
        moves += 1
    return hand, moves
