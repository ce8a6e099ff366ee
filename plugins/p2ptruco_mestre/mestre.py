"""`mestre`: a strategy learned by self-play, shifted by the score and by what the rival does.

| it is asked | it answers |
| --- | --- |
| a special hand | plays if that wins the match more often than refusing does |
| a word, the hand surely won or lost | raises as high as it needs, calls before its last card; runs |
| a call | as its table says, shifted (`prices`); never runs where that loses the match |
| its turn | calls as its table says, shifted; calls where losing the hand loses the match anyway, and not where winning it wins the match anyway; else a card of its table |
| what the table does not hold | by a rule: good cards accept, the cheapest card that takes the trick |
"""  # noqa: E501

from __future__ import annotations

from random import Random

from p2ptruco import ACCEPT, CALL, PLAY_ON, REFUSE, RUN, Kind, Move, View

from .cards import card, card_by_rule
from .ease import at_ease
from .keys import Sight, special_key
from .model import Rival
from .prices import gap_of_accepting, gap_of_calling, linear, shifted, value_at
from .sense import is_lost, is_lost_for_all, is_sure, thrifty, wins_now
from .table import Known, Table, table_for


class Mestre:
    """One seat's bot for a match."""

    def __init__(self, skill: float = 1.0, *, learns: bool = True) -> None:
        self._skill, self._learns = skill, learns
        self._table: Table | None = None
        self._rival = Rival()

    def match_started(self, view: View) -> None:
        """Read the table before the first decision."""
        self._table = table_for(view.variant, view.players)

    def hand_done(self, view: View) -> None:
        """Learn what the rival did."""
        result = view.hand.result
        if self._learns and result is not None:
            ours = view.caller is not None and view.caller % 2 == view.team
            self._rival.hand_done(result.how, result.winner == view.team, ours)

    def choose(self, view: View) -> Move:
        """The move."""
        if self._table is None:
            self._table = table_for(view.variant, view.players)
        rng = view.rng or Random(0)
        if self._skill < 1 and rng.random() > self._skill:
            return at_ease(view, rng)
        if PLAY_ON in view.legal:
            return self._decide(view, self._table)
        if view.plays and None in view.cards.values():
            return view.plays[0]
        sight = Sight(view)
        known = self._table.find(sight.key(self._table.scores))
        if view.kind is Kind.NORMAL and (word := by_sense(view, sight)):
            return word
        if ACCEPT in view.legal:
            return self._answer(view, sight, known, self._table, rng)
        if self._calls(view, sight, known, self._table, rng):
            if known is not None and known.run is not None:
                self._rival.we_called(known.run)
            return CALL
        if known is None or not any(known.weights[:3]):
            return thrifty(view, sight, card_by_rule(view, sight))
        return thrifty(view, sight, card(view, sight, drawn(known.weights[:3], rng)))

    @staticmethod
    def _shifts(view: View) -> bool:
        """Whether choices follow the score and the rival: between two seats only, since with
        partners it was measured to lose more than it gains."""
        return view.players == 2

    def _decide(self, view: View, table: Table) -> Move:
        """Whether a special hand is worth playing."""
        wins = table.special(special_key(view))
        value = value_at(table, view)
        target, lost = view.variant.target, view.worth(PLAY_ON).lost
        played = wins * value(target) + (1 - wins) * value(-lost)
        return PLAY_ON if played >= value(-view.worth(REFUSE).lost) else REFUSE

    def _answer(
        self, view: View, sight: Sight, known: Known | None, table: Table, rng: Random
    ) -> Move:
        """What it says to a call."""
        pending = view.pending
        assert pending is not None
        ours, theirs = needs(view)
        can_raise = CALL in view.legal and pending.points < ours
        if view.stake >= theirs:
            return CALL if can_raise else ACCEPT
        accept, run, up, _ = known.weights if known is not None else by_rule(sight)
        share = (accept + up) / (accept + run + up or 1)
        if self._shifts(view) and known is not None and known.kept is not None:
            value, stake, called = value_at(table, view), view.stake, pending.points
            before = gap_of_accepting(linear, known.kept, stake, called)
            won = self._rival.wins.of(known.kept)
            share = shifted(share, before, gap_of_accepting(value, won, stake, called))
        if rng.random() >= share:
            return RUN
        if known is not None and known.kept is not None:
            self._rival.we_accepted(known.kept)
        return CALL if can_raise and rng.random() * (accept + up) < up else ACCEPT

    def _calls(
        self, view: View, sight: Sight, known: Known | None, table: Table, rng: Random
    ) -> bool:
        """Whether it calls on its turn."""
        coming = view.next_call
        ours, theirs = needs(view)
        if CALL not in view.legal or view.kind is not Kind.NORMAL or coming is None:
            return False
        if view.stake >= ours or is_lost_for_all(view, sight):
            return False
        if view.stake >= theirs:
            return True
        if known is None:
            return False
        share = known.weights[3] / (sum(known.weights) or 1)
        if (
            self._shifts(view)
            and known.kept is not None
            and known.run is not None
            and known.accepted is not None
        ):
            value, stake, called = value_at(table, view), view.stake, coming.points
            before = gap_of_calling(linear, known.kept, known.run, known.accepted, stake, called)
            run = self._rival.runs.of(known.run)
            gap = gap_of_calling(value, known.kept, run, known.accepted, stake, called)
            share = shifted(share, before, gap)
        return rng.random() < share


def by_sense(view: View, sight: Sight) -> Move | None:
    """The word for a hand that is surely won, or lost before everybody's eyes; None: no such word.

    On its turn it calls a sure hand at the last chance only: before, the others may call.
    """
    ours, _ = needs(view)
    if ACCEPT in view.legal:
        pending = view.pending
        enough = pending is not None and pending.points >= ours
        if is_sure(view, sight):
            return CALL if CALL in view.legal and not enough else ACCEPT
        return RUN if is_lost(view, sight) else None
    if CALL in view.legal and view.stake < ours and wins_now(view, sight):
        return CALL
    return None


def needs(view: View) -> tuple[int, int]:
    """The points that we and they still need."""
    target = view.variant.target
    return target - view.score[view.team], target - view.score[1 - view.team]


def drawn(weights: tuple[int, ...], rng: Random) -> int:
    """An action at random by its weight."""
    place = rng.random() * sum(weights)
    for action, weight in enumerate(weights):
        place -= weight
        if place < 0:
            return action
    return 0


def by_rule(sight: Sight) -> tuple[int, int, int, int]:
    """An answer where the table has none: by the best card, and the trick won."""
    best = max(sight.cards, default=0)
    good = best > sight.top - 3 or (best > sight.top - 5 and sight.result(0) == 2)
    return (1, 0, 0, 0) if good else (0, 1, 0, 0)
