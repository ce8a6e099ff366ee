"""Every match as a row, for a spreadsheet. Seats and pairs are counted from 1."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from p2ptruco.arena.records import KINDS
from p2ptruco.arena.standing import Pair

COLUMNS = (
    *("pair", "leg", "team_a", "team_b", "winner", "points_a", "points_b", "hands", "forfeit"),
    *(f"{kind}_{team}" for team in "ab" for kind in KINDS),
)


def as_csv(names: Sequence[str], pairs: Iterable[Pair]) -> str:
    """One line a match, in the order of the plan, under COLUMNS; teams as they sat in that leg."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for game in (game for pair in sorted(pairs, key=_place) for game in pair):
        met, points = game.fixture, game.points
        teams = (met.a, met.b) if met.leg == 0 else (met.b, met.a)
        counts = {(fault.entrant, fault.kind): fault.times for fault in game.faults}
        writer.writerow(
            (
                *(met.pair + 1, met.leg + 1, *(names[team] for team in teams)),
                *("AB"[teams.index(game.winner)], points[met.leg], points[1 - met.leg]),
                *(game.hands, game.forfeit),
                *(counts.get((team, kind), 0) for team in teams for kind in KINDS),
            )
        )
    return text.getvalue()


def _place(pair: Pair) -> tuple[int, tuple[int, ...]]:
    return pair[0].fixture.pair, pair[0].fixture[:2]
