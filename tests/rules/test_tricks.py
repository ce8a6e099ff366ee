"""Which card beats which, and when tricks decide a hand."""

from __future__ import annotations

import dataclasses
import itertools

import pytest

from p2ptruco.rules.cards import RANKS, Card, parse_cards
from p2ptruco.rules.presets import MINEIRO, PAULISTA
from p2ptruco.rules.seating import Slot, Team
from p2ptruco.rules.tricks import Laid, finish, hand_winner, manilhas, strengths, taker

from .kit import naive_winner

OUTCOMES = [
    ("A", "A", "-", "A"),
    ("A", "B", "A", "A"),
    ("A", "B", "B", "B"),
    ("A", "B", "=", "A"),
    ("A", "=", "-", "A"),
    ("B", "B", "-", "B"),
    ("B", "A", "B", "B"),
    ("B", "A", "A", "A"),
    ("B", "A", "=", "B"),
    ("B", "=", "-", "B"),
    ("=", "A", "-", "A"),
    ("=", "B", "-", "B"),
    ("=", "=", "A", "A"),
    ("=", "=", "B", "B"),
    ("=", "=", "=", "-"),
]
TEAM = {"A": Team(0), "B": Team(1), "=": None, "-": None}


@pytest.mark.parametrize(("first", "second", "third", "winner"), OUTCOMES)
def test_two_tricks_or_a_tie_and_the_first(
    first: str, second: str, third: str, winner: str
) -> None:
    """Two tricks take the hand; once any trick has tied, the first trick won does."""
    played = [TEAM[trick] for trick in (first, second, third) if trick != "-"]
    assert hand_winner(played) == TEAM[winner]
    assert all(hand_winner(played[:count]) is None for count in range(len(played)))


def test_all_twenty_seven() -> None:
    """Of the 27 ways in which three tricks can fall each is stopped where the table stops it."""
    stops = {row[:3] for row in OUTCOMES}
    for tricks in itertools.product("AB=", repeat=3):
        prefixes = [tricks[:count] + ("-",) * (3 - count) for count in (2, 3)]
        assert sum(prefix in stops for prefix in prefixes) >= 1
        winners = [TEAM[trick] for trick in tricks]
        first = next((n for n in (1, 2, 3) if hand_winner(winners[:n]) is not None), 3)
        naive = naive_winner(winners[:first])
        assert hand_winner(winners[:first]) == (None if naive == "all tied" else naive)


def test_fixed_manilhas() -> None:
    """Zap, copeta, espadilha, pica-fumo, then 3 2 A K J Q 7 6 5 4; suits break no tie."""
    strength = strengths(MINEIRO, None)
    order = parse_cards("4c 7h As 7d 3c 2c Ac Kc Jc Qc 7c 6c 5c 4d")
    worth = [strength[card] for card in order]
    assert worth == sorted(set(worth), reverse=True)
    assert worth[-1] == 1
    common = [card for card in MINEIRO.deck if card not in MINEIRO.manilhas]
    assert len({strength[card] for card in common}) == len({card.rank for card in common}) == 10


@pytest.mark.parametrize(
    ("ranks", "vira", "rank"),
    [
        *[(RANKS, rank + "c", after) for rank, after in zip(RANKS, RANKS[1:] + "4", strict=True)],
        ("QJKA23", "3d", "Q"),
        ("QJKA23", "Qd", "J"),
    ],
)
def test_manilhas_by_vira(ranks: str, vira: str, rank: str) -> None:
    """The rank after the vira's, wrapping to the deck's lowest; clubs hearts spades diamonds."""
    variant = dataclasses.replace(PAULISTA, ranks=ranks)
    top = manilhas(variant, Card.parse(vira))
    assert [str(card) for card in top] == [rank + suit for suit in "chsd"]
    strength = strengths(variant, Card.parse(vira))
    assert sorted(variant.deck, key=strength.__getitem__)[-4:] == list(reversed(top))
    assert manilhas(variant, None) == ()


def lays(text: str) -> tuple[Laid, ...]:
    """`0:3s 1:x` as cards on the table, each from its seat's first slot."""
    words = [word.split(":") for word in text.split()]
    return tuple(
        Laid(Slot(3 * int(seat)), card == "x", None if card == "x" else Card.parse(card))
        for seat, card in words
    )


@pytest.mark.parametrize(
    ("table", "winner", "lead", "with_partners_tie"),
    [
        ("0:3s 1:2d", 0, 0, 0),
        ("0:3s 1:3d", None, 0, None),
        ("1:3s 0:3d", None, 1, None),
        ("0:x 1:x", None, 0, None),
        ("1:x 0:4d", 0, 0, 0),
        ("0:4d 1:3s 2:3d 3:5d", None, 1, None),
        ("0:3s 1:4d 2:3d 3:5d", 0, 0, None),
        ("1:2s 2:3d 3:5d 0:3h", 0, 2, None),
        ("0:x 1:x 2:x 3:x", None, 0, None),
        ("3:4d 0:4h 1:4s 2:x", None, 3, None),
        ("0:As 1:Ac 2:Ad 3:Ah", 0, 0, 0),
    ],
)
def test_the_strongest_takes_and_its_first_leads(
    table: str, winner: int | None, lead: int, with_partners_tie: int | None
) -> None:
    """The strongest card takes the trick; the first who laid it leads; suits do not count."""
    trick = finish(MINEIRO, None, lays(table))
    assert (trick.winner, trick.lead) == (winner, lead)
    tie = dataclasses.replace(MINEIRO, name="tie", partners_tie="tie")
    trick = finish(tie, None, lays(table))
    assert (trick.winner, trick.lead) == (with_partners_tie, lead)


def test_taker_of_an_empty_table() -> None:
    """A trick without a card is nobody's."""
    assert taker(MINEIRO, None, ()) is None
    assert taker(MINEIRO, None, lays("2:x")) == 0
