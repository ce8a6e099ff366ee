"""How fast the rules alone play: random matches, no cryptography, no player, one core.

The fast game is measured beside them, and OpenSpiel's leduc poker as a yardstick of the field.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from p2ptruco.rules.cards import Card
from p2ptruco.rules.fast import FastRules
from p2ptruco.rules.hand import Hand
from p2ptruco.rules.match import Match
from p2ptruco.rules.play import act, awaited, legal, show, to_act
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.seating import CARDS_EACH, Seat
from p2ptruco.rules.variant import Variant


def run(seconds: float = 5.0, seed: int = 1) -> dict[str, Any]:
    """Matches and moves a second of the rules, of the fast game, and moves of OpenSpiel's leduc.

    Uniform choice over the legal moves, folds included; Mineiro with 2 seats. A third of the time
    goes to each; `openspiel_moves_per_s` is None where that package is not installed.
    """
    rules = FastRules(MINEIRO, 2)
    share = seconds / 3
    slow = _rates(lambda rng: play_match(MINEIRO, 2, rng), share, seed)
    fast = _rates(lambda rng: play_fast_match(rules, rng), share, seed)
    leduc = _leduc()
    stepped = _rates(leduc, share, seed)["moves_per_s"] if leduc is not None else None
    return {**slow, "fast": fast, "openspiel_moves_per_s": stepped}


def _rates(play: Callable[[random.Random], int], seconds: float, seed: int) -> dict[str, float]:
    """Matches and moves a second of what plays a match and says how many moves it had."""
    rng = random.Random(seed)
    matches = moves = 0
    began = now = time.perf_counter()
    while now - began < seconds:
        moves += play(rng)
        matches += 1
        now = time.perf_counter()
    return {"matches_per_s": matches / (now - began), "moves_per_s": moves / (now - began)}


def _leduc() -> Callable[[random.Random], int] | None:
    """Plays a hand of OpenSpiel's leduc poker; a deal of chance counts as no move."""
    try:
        pyspiel = import_module("pyspiel")
    except ImportError:
        return None
    game = pyspiel.load_game("leduc_poker")

    def play(rng: random.Random) -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                cards, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(cards, odds)[0])
                continue
            actions = state.legal_actions()
            state.apply_action(actions[int(rng.random() * len(actions))])
            moves += 1
        return moves

    return play


def play_fast_match(rules: FastRules, rng: random.Random) -> int:
    """Play one random match of the fast game to its end; the number of its moves."""
    chance, players, dealt, target = rng.random, rules.players, rules.dealt, rules.target
    deck = list(range(len(rules.deck)))
    swaps = [(slot, len(deck) - slot) for slot in range(dealt)]
    dealer = rng.randrange(players)
    score = (0, 0)
    moves = 0
    while True:
        for slot, rest in swaps:
            other = slot + int(chance() * rest)
            deck[slot], deck[other] = deck[other], deck[slot]
        hand = rules.deal(deck[:dealt], dealer, score)
        while menu := hand.legal():
            hand.act(menu[int(chance() * len(menu))])
            moves += 1
        if hand.winner == 0:
            score = (score[0] + hand.points, score[1])
        elif hand.winner == 1:
            score = (score[0], score[1] + hand.points)
        if score[0] >= target or score[1] >= target:
            return moves
        dealer = (dealer + 1) % players


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
