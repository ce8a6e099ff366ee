"""`mestre`: a strategy learned by self-play, and the score.

| it is asked | it answers |
| --- | --- |
| a special hand | plays if that wins the match more often than refusing does |
| anything | what its table says for the situation, or its rule where the table has nothing |
| a call, where running loses the match | accepts, or raises if the table does |
| whether to call, where losing the hand loses the match anyway | calls |
| whether to call, where the hand won wins the match anyway | does not |
"""

from __future__ import annotations

from random import Random

from p2ptruco import ACCEPT, CALL, PLAY_ON, REFUSE, RUN, Kind, Move, Play, Variant, View

from .keys import Sight, special_key
from .table import Table, names, read

CALLS, FIRST, STRONGEST, HIDDEN = 3, 0, 1, 2
ACCEPTS, RUNS, RAISES = 0, 1, 2


class Mestre:
    """One seat's bot for a match."""

    def __init__(self, skill: float = 1.0) -> None:
        self.skill = skill
        self._table: Table | None = None

    def match_started(self, view: View) -> None:
        """Read the table before the first decision."""
        self._table = table_for(view.variant, view.players)

    def choose(self, view: View) -> Move:
        """The move."""
        if self._table is None:
            self._table = table_for(view.variant, view.players)
        rng = view.rng or Random(0)
        if self.skill < 1 and rng.random() > self.skill:
            return at_ease(view, rng)
        if PLAY_ON in view.legal:
            return decision(self._table, view)
        if view.plays and None in view.cards.values():
            return view.plays[0]
        sight = Sight(view)
        weights = self._table.weights(sight.key(self._table.scores))
        if ACCEPT in view.legal:
            return answer(view, sight, weights, rng)
        return turn(view, sight, weights, rng)


def table_for(variant: Variant, players: int) -> Table:
    """The table of the nearest family: the size first, then the deck, then the scale."""
    steps = [step / variant.scale.base for step in variant.scale.steps]

    def distance(name: str) -> tuple[float, ...]:
        deck, *values, seats = name.split("-")
        scale = [int(value) / int(values[0]) for value in values]
        apart = sum(abs(a - b) for a, b in zip(steps, scale, strict=False))
        wrong_deck = (deck == "vira") != variant.has_vira
        size = int(seats)
        if players == 2 or size == 2:
            return abs(size - players), wrong_deck, abs(len(scale) - len(steps)), apart
        return abs(len(scale) - len(steps)) * 10 + apart, abs(size - players), wrong_deck, 0

    fit = [name for name in names() if (name.endswith("-2")) == (players == 2)]
    return read(min(sorted(fit), key=distance))


def needs(view: View) -> tuple[float, float]:
    """What both teams still need, ours first, on a scale of 12 to a match."""
    size = view.variant.target / 12
    ours, theirs = view.score[view.team], view.score[1 - view.team]
    return (view.variant.target - ours) / size, (view.variant.target - theirs) / size


def decision(table: Table, view: View) -> Move:
    """Whether a special hand is worth playing: by how often such cards win, and the score."""
    wins = table.special(special_key(view))
    if wins is None:
        wins = 0.5
    ours, theirs = needs(view)
    size = view.variant.target / 12
    lost = view.worth(PLAY_ON).lost / size
    refused = view.worth(REFUSE).lost / size
    played = wins + (1 - wins) * table.equity(ours, theirs - lost)
    return PLAY_ON if played >= table.equity(ours, theirs - refused) else REFUSE


def drawn(weights: tuple[int, ...], rng: Random) -> int:
    """An action at random by its weight."""
    place = rng.random() * sum(weights)
    for action, weight in enumerate(weights):
        place -= weight
        if place < 0:
            return action
    return 0


def answer(
    view: View, sight: Sight, weights: tuple[int, int, int, int] | None, rng: Random
) -> Move:
    """What it says to a call."""
    theirs = view.variant.target - view.score[1 - view.team]
    ours = view.variant.target - view.score[view.team]
    pending = view.pending
    assert pending is not None
    lost_anyway = view.stake >= theirs
    if weights is None:
        weights = by_rule(sight)
    accept, run, up, _ = weights
    if CALL not in view.legal or pending.points >= ours:
        accept, up = accept + up, 0
    if lost_anyway:
        run = 0
        if CALL in view.legal and pending.points < ours:
            return CALL
    if not accept and not up:
        return RUN if run else ACCEPT
    return (ACCEPT, RUN, CALL)[drawn((accept, run, up), rng)]


def by_rule(sight: Sight) -> tuple[int, int, int, int]:
    """An answer where the table has none: by the best card, and the trick won."""
    best = max(sight.cards, default=0)
    top = sight.top
    good = best > top - 3 or (best > top - 5 and sight.result(0) == 2)
    return (1, 0, 0, 0) if good else (0, 1, 0, 0)


def turn(view: View, sight: Sight, weights: tuple[int, int, int, int] | None, rng: Random) -> Move:
    """A call or a card."""
    theirs = view.variant.target - view.score[1 - view.team]
    ours = view.variant.target - view.score[view.team]
    can_call = CALL in view.legal and view.kind is Kind.NORMAL
    if can_call and view.stake >= ours:
        can_call = False
    elif can_call and view.stake >= theirs:
        return CALL
    if weights is not None and not can_call:
        weights = (*weights[:3], 0)
    if weights is None or not any(weights):
        return card_by_rule(view, sight)
    action = drawn(weights, rng)
    if action == CALLS:
        return CALL
    return card(view, sight, action)


def card(view: View, sight: Sight, action: int) -> Play:
    """The play that an action of the table means."""
    plays = sight.plays
    if sight.trick != 1:
        return plays[min(action, len(plays) - 1)]
    if action == STRONGEST:
        return plays[-1]
    weakest = plays[0]
    if action == HIDDEN:
        down = Play(weakest.slot, face_down=True)
        return down if down in view.legal else weakest
    return weakest


def card_by_rule(view: View, sight: Sight) -> Play:
    """A card where the table has none: the cheapest that takes the trick, else the weakest."""
    plays = sight.plays
    if not view.table:
        return plays[-1]
    if view.taker() == view.team:
        return plays[0]
    return next((play for play in plays if view.taker(play) == view.team), plays[0])


def at_ease(view: View, rng: Random) -> Move:
    """A move of a beginner: a card it likes, calls now and then, answers by its best card."""
    if PLAY_ON in view.legal:
        return PLAY_ON
    if ACCEPT in view.legal:
        cards = [c for c in view.cards.values() if c is not None]
        best = max(map(view.strength, cards), default=0)
        return ACCEPT if best > len(view.variant.ranks) - 2 else RUN
    if CALL in view.legal and view.kind is Kind.NORMAL and rng.random() < 0.05:
        return CALL
    return rng.choice([play for play in view.plays if not play.face_down])
