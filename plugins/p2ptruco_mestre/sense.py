"""What needs no table: hands that are surely won or lost, and cards that are not to be wasted.

A hand is *sure* if it is won with the own cards whatever the others hold, and *lost* if no card of
this team can save it. Both are seen from this seat alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2ptruco import Play, View

from .keys import Sight

THEY, NOBODY, WE = 0, 1, 2
"""Who has a trick, seen from this seat."""


def ends(results: Sequence[int]) -> int | None:
    """Who has the hand after some tricks; None while it is open, or for three ties."""
    for team in (WE, THEY):
        if results.count(team) == 2:
            return team
    if NOBODY not in results:
        return None
    return next((result for result in results if result != NOBODY), None)


def finished(sight: Sight) -> list[int]:
    """The tricks so far."""
    return [sight.result(trick) for trick in range(sight.trick)]


def holds(view: View) -> int:
    """Who has the trick in progress as it stands; of an empty table, nobody."""
    taker = view.taker()
    return NOBODY if taker is None else WE if taker == view.team else THEY


def yet_to_lay(view: View) -> list[int]:
    """The seats that have still to lay in this trick, in order."""
    laid = len(view.table)
    return [(view.leader + place) % view.players for place in range(laid, view.players)]


def taken_by(view: View, play: Play) -> int:
    """Who would have the trick with a card."""
    taker = view.taker(play)
    return NOBODY if taker is None else WE if taker == view.team else THEY


def is_sure(view: View, sight: Sight) -> bool:
    """Whether the hand is surely won."""
    before, left = finished(sight), yet_to_lay(view)
    if left == [view.seat]:
        return any(ends([*before, taken_by(view, play)]) == WE for play in sight.plays)
    if view.seat not in left or ends([*before, WE]) != WE or not sight.cards:
        return False
    best = sight.cards[-1]
    beaten = best < sight.best or (best == sight.best and holds(view) != WE)
    return not beaten and sight.at_least(best) == 0


def wins_now(view: View, sight: Sight) -> bool:
    """Whether the card that this seat lays now wins the hand at once."""
    before = finished(sight)
    return yet_to_lay(view) == [view.seat] and any(
        ends([*before, taken_by(view, play)]) == WE for play in sight.plays
    )


def is_lost_for_all(view: View, sight: Sight) -> bool:
    """Whether everybody can see that the hand is lost: no card that was not shown saves it."""
    if holds(view) != THEY or ends([*finished(sight), THEY]) != THEY:
        return False
    save = sight.best if ends([*finished(sight), NOBODY]) == THEY else sight.best - 1
    return sight.above(save) + sum(card > save for card in sight.cards) == 0


def is_lost(view: View, sight: Sight) -> bool:
    """Whether nothing can save the hand."""
    before, left = finished(sight), yet_to_lay(view)
    ours = [seat for seat in left if seat % 2 == view.team]
    if not ours:
        return holds(view) == THEY and ends([*before, THEY]) == THEY
    if ours != [view.seat] or left != [view.seat]:
        return False
    return all(ends([*before, taken_by(view, play)]) == THEY for play in sight.plays)


def thrifty(view: View, sight: Sight, play: Play) -> Play:
    """The card, or a cheaper one that does the same: as the last to lay, or behind a partner's
    card that nothing unseen beats."""
    if not view.table:
        return play
    if yet_to_lay(view) == [view.seat]:
        wanted = taken_by(view, play)
        same = [other for other in sight.plays if taken_by(view, other) == wanted]
        return play if play.face_down or not same else same[0]
    safe = holds(view) == WE and sight.above(sight.best) == 0
    return sight.plays[0] if safe else play
