"""Cards, seats and points as a few characters each."""

from __future__ import annotations

from p2ptruco.rules.cards import PICTURES, Card
from p2ptruco.rules.seating import Seat, Team

PICTURE_OF = {suit: picture for picture, suit in PICTURES.items()}
FACE_DOWN = "░░"
TEAMS = "AB"


def card_text(card: Card | None) -> str:
    """`4♣`, or a back for a card that nobody sees."""
    return FACE_DOWN if card is None else card.rank + PICTURE_OF[card.suit]


def seat_text(seat: Seat) -> str:
    """A seat as people count them."""
    return str(seat + 1)


def team_text(team: Team) -> str:
    """A or B."""
    return TEAMS[team]


def score_text(score: tuple[int, int]) -> str:
    """Both teams' points: `A 4  B 10`."""
    return "  ".join(f"{team} {points}" for team, points in zip(TEAMS, score, strict=True))
