"""What a seat knows, folded into the number under which its strategy was learned.

`key_of` in p2ptruco/arena/train/cfr.c folds the same facts in the same order. Two seats: own cards,
the card to beat, the calls and the tricks so far. More seats: how many unseen cards beat each own
card, where the trick stands, and the calls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from p2ptruco import Card, Kind, Play, Variant, View

FACE_DOWN, OWN, LOCKED, NOT_YET = 31, 28, 15, 3
WEAKEST = 1
"""A card face down in the first trick counts as this class: nobody lays one so in training."""


def classes(view: View) -> Mapping[Card, int]:
    """The strength class of every card of the deck: as in the deck of 40 from the top down."""
    found = _CLASSES.get((view.variant, view.vira))
    if found is None:
        if len(_CLASSES) > 200:
            _CLASSES.clear()
        found = _CLASSES[view.variant, view.vira] = _classes(view)
    return found


_CLASSES: dict[tuple[Variant, Card | None], Mapping[Card, int]] = {}


def _classes(view: View) -> Mapping[Card, int]:
    strength = {card: view.strength(card) for card in view.variant.deck}
    top = 13 if view.variant.has_vira else 14
    commons = len(view.variant.ranks)
    manilhas = sorted({s for s in strength.values() if s > commons}, reverse=True)
    others = sorted({s for s in strength.values() if s <= commons}, reverse=True)
    of = {s: max(top - 3, top - place) for place, s in enumerate(manilhas)}
    of |= {s: max(1, top - 4 - place) for place, s in enumerate(others)}
    return {card: of[s] for card, s in strength.items()}


class Sight:
    """A view in the words of the tables; made for every decision."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.top = 13 if view.variant.has_vira else 14
        of = self.of = classes(view)
        held = [(of[card], slot) for slot, card in view.cards.items() if card is not None]
        self.held = sorted(held)
        """Own cards by class, weakest first, with their slots."""
        self.cards = [strength for strength, _ in self.held]
        self.table = [0 if lay.card is None else of[lay.card] for lay in view.table]
        self.best = max(self.table, default=0)
        self.trick = len(view.tricks)

    @cached_property
    def plays(self) -> Sequence[Play]:
        """The open plays of the cards, weakest first."""
        return [Play(slot) for _, slot in self.held]

    @property
    def level(self) -> int:
        """The step of the scale in force."""
        return self.view.variant.scale.steps.index(self.view.stake)

    @property
    def ours(self) -> bool:
        """Whether our team called last."""
        caller = self.view.hand.caller
        return caller is not None and caller % 2 == self.view.team

    @property
    def betting(self) -> int:
        """The calls so far, seen from this seat."""
        if self.view.kind is not Kind.NORMAL:
            return LOCKED
        if self.view.pending is not None:
            return 9 + min(self.level, 3)
        level = min(self.level, 4)
        return 2 * level - 1 + self.ours if level else 0

    def result(self, trick: int) -> int:
        """Who won a trick: 0 they, 1 nobody, 2 we, 3 not played yet."""
        if self.trick <= trick:
            return NOT_YET
        winner = self.view.tricks[trick].winner
        return 1 if winner is None else 2 * (winner == self.view.team)

    def key(self, scores: bool) -> int:
        """The number of the situation; with how close both teams are to the target if so asked."""
        key = self._exact() if self.view.players == 2 else self._many()
        return (
            key << 4 | self.close(self.view.team) << 2 | self.close(1 - self.view.team)
            if scores
            else key
        )

    def close(self, team: int) -> int:
        """2: the first call wins a team the match, 1: the second does, 0: neither."""
        if self.view.kind is not Kind.NORMAL:
            return 0
        need = self.view.variant.target - self.view.score[team]
        steps = self.view.variant.scale.steps
        return 2 if need <= steps[1] else 1 if len(steps) > 2 and need <= steps[2] else 0

    def _exact(self) -> int:
        key = 4 | self.trick
        for card in (*self.cards, 0, 0, 0)[:3]:
            key = key << 5 | card
        lay = 0
        if self.table:
            mine = self.view.leader == self.view.seat
            lay = (
                OWN + self.three(self.best)
                if mine
                else self.best or (FACE_DOWN if self.trick else WEAKEST)
            )
        key = key << 5 | lay
        key = key << 4 | self.betting
        key = key << 2 | self.result(0)
        for trick in range(2):
            them = us = 0
            if trick < self.trick:
                for lay_ in self.view.tricks[trick].lays:
                    strength = 0 if lay_.card is None else self.of[lay_.card]
                    if lay_.seat == self.view.seat:
                        us = self.three(strength)
                    else:
                        them = self.six(strength if trick else strength or WEAKEST)
            key = key << 3 | them
            key = key << 2 | us
        return key

    def six(self, strength: int) -> int:
        """A card of the other seat, in six kinds and face down."""
        if not strength:
            return 6
        above = self.top - strength
        if above < 2:
            return 5
        return 4 if above < 4 else 3 if above == 4 else 2 if above < 7 else 1 if above < 10 else 0

    def three(self, strength: int) -> int:
        """An own card that the other seat has seen."""
        above = self.top - strength
        return 0 if not strength else 2 if above < 4 else 1 if above < 7 else 0

    def above(self, strength: int) -> int:
        """How many cards that this seat has not seen beat one of a class; the vira counts."""
        return sum(count for c, count in self._unseen.items() if c > strength)

    def at_least(self, strength: int) -> int:
        """How many cards that this seat has not seen beat one of a class or tie with it."""
        return self.above(strength - 1)

    @cached_property
    def _unseen(self) -> dict[int, int]:
        left: dict[int, int] = {}
        for strength in self.of.values():
            left[strength] = left.get(strength, 0) + 1
        for strength in self.cards:
            left[strength] -= 1
        for lay in self.view.hand.laid:
            if lay.card is not None:
                left[self.of[lay.card]] -= 1
        return left

    def _many(self) -> int:
        view = self.view
        key = 4 | self.trick
        kinds = [kind(self.above(card)) for card in self.cards]
        for k in (*kinds, 0, 0, 0)[:3]:
            key = key << 4 | k
        place = (view.seat - view.leader) % view.players
        after = 4 if place < len(self.table) else min(3, view.players - 1 - place)
        key = key << 3 | after
        if self.table:
            taker = view.taker()
            key = key << 2 | (1 if taker is None else 2 if taker == view.team else 3)
            key = key << 3 | coarse(self.above(self.best))
            key = key << 2 | sum(card > self.best for card in self.cards)
        else:
            key = key << 7
        key = key << 4 | self.betting
        return key << 2 | self.result(0)


def kind(above: int) -> int:
    """How good a card is by how many unseen ones beat it: 9 the best, 1 the weakest."""
    if above < 4:
        return 9 - above
    return 5 if above < 6 else 4 if above < 10 else 3 if above < 14 else 2 if above < 22 else 1


def coarse(above: int) -> int:
    """The same of the card to beat."""
    return 4 if above < 1 else 3 if above < 4 else 2 if above < 8 else 1 if above < 14 else 0


def special_key(view: View) -> int:
    """The cards of the team in a special hand: all of one seat's, or the three best of several."""
    of = classes(view)
    own = [card for card in view.cards.values() if card is not None]
    if view.players == 2:
        cards = sorted(of[card] for card in own)
    else:
        known = [*own, *view.partner_cards.values()]
        deck = list(of.values())
        for card in known:
            deck.remove(of[card])
        best = sorted((of[card] for card in known), reverse=True)[:3]
        cards = sorted(kind(sum(other > mine for other in deck)) for mine in best)
    key = 1
    for strength in cards:
        key = key << 5 | strength
    return key
