"""Variants and hands at random, and a referee written a second time, as plainly as the pages."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from p2ptruco.rules.cards import RANKS, Card, parse_cards
from p2ptruco.rules.hand import Hand
from p2ptruco.rules.match import Match
from p2ptruco.rules.moves import Move, Play, Word
from p2ptruco.rules.play import act, awaited, legal, show, to_act
from p2ptruco.rules.presets import CORE
from p2ptruco.rules.scale import SCALES, Scale
from p2ptruco.rules.seating import Seat, Slot
from p2ptruco.rules.variant import FIXED, Variant

SCALE_LIST = (*SCALES.values(), Scale.parse("1,truco:2,retruco:3,vale:4"), Scale.parse("5,tudo:12"))


def _sizes(ranks: str, has_vira: bool) -> st.SearchStrategy[frozenset[int]]:
    fit = [size for size in (2, 4, 6, 8) if size * 3 + has_vira <= 4 * len(ranks)]
    return st.frozensets(st.sampled_from(fit), min_size=1)


@st.composite
def variants(draw: st.DrawFn) -> Variant:
    """Any variant: presets, and toggles as they fall."""
    if draw(st.integers(0, 2)) == 0:
        return draw(st.sampled_from(list(CORE.values())))
    ranks = draw(st.sampled_from([RANKS, "QJKA23", "4567JQKA23"]))
    fixed = FIXED if "4" in ranks else parse_cards("Qc 2h As 3d")
    manilhas = draw(st.sampled_from([(), fixed]))
    return Variant(
        name="house",
        players=draw(_sizes(ranks, not manilhas)),
        ranks=ranks,
        manilhas=manilhas,
        scale=draw(st.sampled_from(SCALE_LIST)),
        target=draw(st.sampled_from([12, 15, 24])),
        all_tied=draw(st.sampled_from(["nobody", "dealer", "eldest"])),
        partners_tie=draw(st.sampled_from(["trick", "tie"])),
        call_in_special=draw(st.sampled_from(["illegal", "forfeit"])),
        special_decision=draw(st.booleans()),
        iron=draw(st.sampled_from(["blind", "open"])),
        fold=draw(st.booleans()),
        face_down_from=draw(st.sampled_from([1, 2, None])),
        best_of=draw(st.sampled_from([1, 3])),
    )


@dataclass(frozen=True)
class Dealt:
    """A hand before its first event, the face of every slot, and a source of choices."""

    hand: Hand
    faces: dict[Slot, Card]
    rng: random.Random


@st.composite
def deals(draw: st.DrawFn) -> Dealt:
    """A hand of any variant, size, dealer and score; special and iron ones not rare."""
    variant = draw(variants())
    players = draw(st.sampled_from(sorted(variant.players)))
    near = st.integers(variant.special_at, variant.target - 1)
    points = st.one_of(st.integers(0, variant.target - 1), near)
    match = Match(
        variant, players, Seat(draw(st.integers(0, players - 1))), (draw(points), draw(points))
    )
    rng = random.Random(draw(st.integers(0, 2**32)))
    return Dealt(match.hand(), shuffled(variant, players, rng), rng)


def shuffled(variant: Variant, players: int, rng: random.Random) -> dict[Slot, Card]:
    cards = rng.sample(variant.deck, players * 3 + variant.has_vira)
    return {Slot(slot): card for slot, card in enumerate(cards)}


def walk(dealt: Dealt, *, folds: bool = False) -> Iterator[Hand]:
    """The hand before every event and at its end; any seat that may act does, at random.

    Hands are played out more often than uniform choice would: folds and runs are rarer.
    """
    hand = dealt.hand
    while hand.result is None:
        yield hand
        hand = step(hand, dealt, folds)
    yield hand


def step(hand: Hand, dealt: Dealt, folds: bool = False) -> Hand:
    slot = awaited(hand)
    if slot is not None:
        return show(hand, slot, dealt.faces[slot])
    seat = dealt.rng.choice(to_act(hand))
    moves = legal(hand, seat)
    patient = [move for move in moves if move not in (Word.FOLD, Word.RUN, Word.REFUSE)]
    again = folds or dealt.rng.random() < 0.05
    return act(hand, seat, dealt.rng.choice(moves if again else patient))


def every_move(hand: Hand) -> list[Move]:
    """Every move that could be written at this table, and one from no slot at all."""
    slots = [Slot(slot) for slot in (*range(-1, hand.players * 3 + 1),)]
    return [*[Play(slot, down) for slot in slots for down in (False, True)], *Word]


# The second referee: lists and loops, nothing shared with the first.


def naive_strength(variant: Variant, vira: Card | None, card: Card | None) -> tuple[int, int]:
    if card is None:
        return (-1, 0)
    if vira is None:
        top = list(variant.manilhas)
    else:
        doubled = variant.ranks + variant.ranks
        rank = doubled[doubled.find(vira.rank) + 1]
        top = [Card(rank, suit) for suit in ("c", "h", "s", "d")]
    if card in top:
        return (1, -top.index(card))
    return (0, variant.ranks.find(card.rank))


def naive_trick(
    variant: Variant, vira: Card | None, lays: Sequence[tuple[int, Card | None]]
) -> tuple[int | None, int]:
    """Winner (0, 1 or None) and the seat that leads next."""
    best: list[int] = []
    best_strength = (-2, 0)
    for seat, card in lays:
        strength = naive_strength(variant, vira, card)
        if strength > best_strength:
            best, best_strength = [seat], strength
        elif strength == best_strength:
            best.append(seat)
    odd = [seat for seat in best if seat % 2]
    if odd and len(odd) < len(best):
        return None, best[0]
    if len(best) > 1 and variant.partners_tie == "tie":
        return None, best[0]
    return best[0] % 2, best[0]


def naive_winner(tricks: Sequence[int | None]) -> int | str | None:
    """0 or 1, "all tied", or None while the hand is open: the table of the rules, row by row."""
    if tricks.count(0) == 2:
        return 0
    if tricks.count(1) == 2:
        return 1
    rows = list(tricks) + ["-"] * (3 - len(tricks))
    match rows:
        case [None, None, None]:
            return "all tied"
        case [None, None, 0 | 1 as third]:
            return int(third)
        case [None, 0 | 1 as second, "-"]:
            return int(second)
        case [0 | 1 as first, None, "-"]:
            return int(first)
        case [0 | 1 as first, 0 | 1, None]:
            return int(first)
    return None
