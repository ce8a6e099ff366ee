"""Hands played until a team reaches the target, and matches until one has most of the set.

The deal passes on after every hand, scored or not, and from match to match. A match that was won
shows its final score until the next hand of the set begins at nil.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2ptruco.rules.hand import Hand, begin
from p2ptruco.rules.seating import TEAMS, Seat, Team, next_seat
from p2ptruco.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class Match:
    """A set of matches under one agreement; mostly a set of one."""

    variant: Variant
    players: int
    dealer: Seat
    """Who deals the next hand."""
    score: tuple[int, int] = (0, 0)
    """Points of both teams in the match under way, or in the one that has just been won."""
    won: tuple[int, int] = (0, 0)
    """Matches won by each team."""

    @property
    def match_winner(self) -> Team | None:
        """The team that has just won the match whose score stands."""
        return winner_at(self.variant, self.score)

    @property
    def winner(self) -> Team | None:
        """The team that has won the set."""
        enough = self.variant.best_of // 2 + 1
        return next((team for team in TEAMS if self.won[team] >= enough), None)

    def hand(self) -> Hand:
        """The next hand; ValueError once the set is won."""
        if self.winner is not None:
            raise ValueError("the match is over")
        score = (0, 0) if self.match_winner is not None else self.score
        return begin(self.variant, self.players, self.dealer, score)

    def after(self, hand: Hand) -> Match:
        """The match once a hand of it is over."""
        score = score_after(hand)
        winner = winner_at(self.variant, score)
        won = (self.won[0] + (winner == 0), self.won[1] + (winner == 1))
        dealer = next_seat(self.dealer, self.players)
        return Match(self.variant, self.players, dealer, score, won)


def score_after(hand: Hand) -> tuple[int, int]:
    """Both teams' points once the hand is over, capped at the target; until then, as before it."""
    if hand.result is None or hand.result.winner is None:
        return hand.score
    points = list(hand.score)
    winner = hand.result.winner
    points[winner] = min(points[winner] + hand.result.points, hand.variant.target)
    return points[0], points[1]


def winner_at(variant: Variant, score: tuple[int, int]) -> Team | None:
    """The team that a score makes the winner of a match."""
    return next((team for team in TEAMS if score[team] >= variant.target), None)
