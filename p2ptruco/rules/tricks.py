"""Which card beats which, who takes a trick, and when the tricks decide the hand.

The strongest card takes the trick; shown by both teams, nobody does. Whoever laid it leads next,
of several the first. Two tricks take the hand; once any trick has tied, the first trick won does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from p2ptruco.rules.cards import SUITS, Card
from p2ptruco.rules.options import PartnersTie
from p2ptruco.rules.seating import TEAMS, Seat, Slot, Team, owner_of, team_of
from p2ptruco.rules.variant import Variant

UNSEEN: Final = 0
"""The strength of a face-down card: below every open one, and equal to its like."""


class Laid(NamedTuple):
    """A card on the table; `card` is None while, or because, it is not shown."""

    slot: Slot
    face_down: bool
    card: Card | None

    @property
    def seat(self) -> Seat:
        return owner_of(self.slot)


class Trick(NamedTuple):
    """A finished trick: who won it (None: a tie) and who leads the next one, or would."""

    lays: tuple[Laid, ...]
    winner: Team | None
    lead: Seat


def manilhas(variant: Variant, vira: Card | None) -> tuple[Card, ...]:
    """The manilhas, strongest first; none where the vira that names them is not out yet."""
    if vira is None or not variant.has_vira:
        return variant.manilhas
    after = (variant.ranks.index(vira.rank) + 1) % len(variant.ranks)
    return tuple(Card(variant.ranks[after], suit) for suit in SUITS)


@lru_cache(maxsize=1024)
def strengths(variant: Variant, vira: Card | None) -> Mapping[Card, int]:
    """How strong each card of the deck is, from 1 for the weakest rank; equal numbers tie."""
    common = {card: variant.ranks.index(card.rank) + 1 for card in variant.deck}
    above = len(variant.ranks) + 1
    order = reversed(manilhas(variant, vira))
    return MappingProxyType(common | {card: above + place for place, card in enumerate(order)})


def strongest(variant: Variant, vira: Card | None, lays: Sequence[Laid]) -> list[Laid]:
    """The strongest of some cards on the table, in the order laid; ValueError for no card."""
    strength = strengths(variant, vira)
    worth = [UNSEEN if lay.card is None else strength[lay.card] for lay in lays]
    best = max(worth)
    return [lay for lay, own in zip(lays, worth, strict=True) if own == best]


def taker(variant: Variant, vira: Card | None, lays: Sequence[Laid]) -> Team | None:
    """The team whose trick this is as it stands; None for a tie or an empty table."""
    return _team_of(variant, strongest(variant, vira, lays)) if lays else None


def finish(variant: Variant, vira: Card | None, lays: tuple[Laid, ...]) -> Trick:
    """The trick that a card of every seat makes, in the order laid."""
    best = strongest(variant, vira, lays)
    return Trick(lays, _team_of(variant, best), owner_of(best[0].slot))


def _team_of(variant: Variant, best: Sequence[Laid]) -> Team | None:
    first = team_of(owner_of(best[0].slot))
    if len(best) == 1:
        return first
    of_one_team = all(team_of(owner_of(lay.slot)) == first for lay in best)
    return first if of_one_team and variant.partners_tie is PartnersTie.TRICK else None


def hand_winner(winners: Sequence[Team | None]) -> Team | None:
    """The team that the winners of the tricks so far give the hand to; None: not decided."""
    for team in TEAMS:
        if winners.count(team) == 2:
            return team
    return next((team for team in winners if team is not None), None) if None in winners else None
