"""Variants to play with: every preset in every size that it allows, and random toggles."""

from __future__ import annotations

from hypothesis import strategies as st

from p2ptruco.rules.cards import RANKS, Card
from p2ptruco.rules.options import AllTied, CallInSpecial, Iron, PartnersTie
from p2ptruco.rules.presets import CORE
from p2ptruco.rules.scale import SCALES, Scale
from p2ptruco.rules.variant import FIXED, Variant

LIMPO = RANKS[4:]
PRESETS = [(variant, size) for variant in CORE.values() for size in sorted(variant.players)]


@st.composite
def tables(draw: st.DrawFn) -> tuple[Variant, int]:
    """A variant and a size: a preset as it is, or every toggle at random."""
    if draw(st.booleans()):
        return draw(st.sampled_from(PRESETS))
    ranks = draw(st.sampled_from([RANKS, LIMPO]))
    deck = [Card(rank, suit) for rank in ranks for suit in "chsd"]
    fixed = FIXED if ranks == RANKS else tuple(deck[:4])
    manilhas = draw(st.sampled_from([(), fixed, tuple(deck[-3:])]))
    players = draw(st.sampled_from([2, 4, 6, 8]))
    if players * 3 + (not manilhas) > len(deck):
        players = 2
    scale = draw(
        st.sampled_from(
            [*SCALES.values(), Scale.parse("2,truco:4,seis:8"), Scale.parse("1,truco:3")]
        )
    )
    variant = Variant(
        name="random",
        players=frozenset({players}),
        ranks=ranks,
        manilhas=manilhas,
        scale=scale,
        target=draw(st.sampled_from([12, 15])),
        all_tied=draw(st.sampled_from(AllTied)),
        partners_tie=draw(st.sampled_from(PartnersTie)),
        call_in_special=draw(st.sampled_from(CallInSpecial)),
        special_decision=draw(st.booleans()),
        iron=draw(st.sampled_from(Iron)),
        fold=draw(st.booleans()),
        face_down_from=draw(st.sampled_from([1, 2, None])),
        best_of=draw(st.sampled_from([1, 3])),
    )
    return variant, players
