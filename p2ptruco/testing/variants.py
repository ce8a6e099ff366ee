"""Checking a variant: that it can be agreed on, written down, and played to the end."""

from __future__ import annotations

import random
from collections.abc import Iterator

from p2ptruco.rules.moves import FOLD, Move
from p2ptruco.rules.notation.judge import judge
from p2ptruco.rules.notation.writing import spell, write
from p2ptruco.rules.presets import CORE
from p2ptruco.rules.variant import Variant, from_toggles, toggles
from p2ptruco.testing.checks import Check, demand
from p2ptruco.testing.course import Moment, course
from p2ptruco.ui.words import _

MATCHES = 6
"""Random matches of every size."""
LONGEST = 20_000
"""Decisions of a match that goes on for too long."""


def check_variant(variant: Variant) -> None:
    """AssertionError unless peers can agree on the variant, write it, and play it to the end."""
    demand(variant.name, examine_variant(variant))


def examine_variant(variant: Variant) -> list[Check]:
    """The checks of `check_variant`, good and bad."""
    return [_travels(variant), _is_written(variant), *_is_played(variant)]


def _travels(variant: Variant) -> Check:
    """A peer without the plugin reads the same variant from its toggles."""
    same = from_toggles(variant.name, toggles(variant)) == variant
    good = _("a peer without the plugin can sit down to it")
    return Check("travels", same, good if same else _("its toggles do not give it back"))


def _is_written(variant: Variant) -> Check:
    """The notation spells it as a core preset and toggles, and reads it back."""
    spelt = spell(variant)
    name, *pairs = spelt.split()
    read = from_toggles(name, dict(pair.split("=", 1) for pair in pairs), CORE[name])
    return Check("written", toggles(read) == toggles(variant), spelt)


def _is_played(variant: Variant) -> Iterator[Check]:
    """At every size random matches come to an end, and the referee agrees with every hand."""
    for players in sorted(variant.players):
        fault, decisions = _play(variant, players)
        good = _("matches: {matches}, decisions: {decisions}")
        found = good.format(matches=MATCHES, decisions=decisions)
        yield fault or Check(f"size_{players}", True, found)


def _play(variant: Variant, players: int) -> tuple[Check | None, int]:
    name, decisions = f"size_{players}", 0
    for seed in range(MATCHES):
        for moment in _moments(variant, players, seed):
            decisions += moment.call == "choose"
            if decisions > LONGEST:
                return Check(name, False, _("a match does not come to an end")), decisions
            if moment.call == "hand_done" and moment.seat == 0 and not _agrees(moment):
                written = write(moment.view.hand, moment.deck)
                return Check(name, False, _("the referee sees it otherwise"), written), decisions
    return None, decisions


def _moments(variant: Variant, players: int, seed: int) -> Iterator[Moment]:
    """A random match, moment by moment."""
    chance = random.Random(f"{variant.name}/{seed}")
    match = course(variant, players, seed)
    move: Move | None = None
    while True:
        try:
            moment = match.send(move)
        except StopIteration:
            return
        yield moment
        likely = [move for move in moment.view.legal if move is not FOLD]
        move = chance.choice(likely) if moment.call == "choose" else None


def _agrees(moment: Moment) -> bool:
    hand = moment.view.hand
    verdict = judge(write(hand, moment.deck))
    return verdict.hand is not None and verdict.hand.result == hand.result
