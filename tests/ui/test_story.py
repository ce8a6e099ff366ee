"""A hand told as lines: complete, in order, within 80 columns; a finished trick always whole."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator

import pytest

from p2ptruco.rules.hand import Hand, Shown
from p2ptruco.rules.match import Match
from p2ptruco.rules.moves import FOLD
from p2ptruco.rules.notation.judge import judge
from p2ptruco.rules.play import act, legal, show, speaker
from p2ptruco.rules.presets import CORE
from p2ptruco.rules.seating import Seat
from p2ptruco.rules.tricks import Laid
from p2ptruco.ui.terminal.cards import card_text
from p2ptruco.ui.terminal.story import Stories, ending, story, under_way

TABLES = [(name, size) for name, variant in CORE.items() for size in sorted(variant.players)]


def growing(name: str, players: int, seed: int) -> Iterator[list[Hand]]:
    """A match of random moves: the hands so far, the last one growing."""
    chance = random.Random(f"{name}/{players}/{seed}")
    match = Match(CORE[name], players, Seat(chance.randrange(players)))
    done: list[Hand] = []
    while match.winner is None:
        hand = match.hand()
        deck = chance.sample(hand.variant.deck, len(hand.variant.deck))
        while hand.result is None:
            yield [*done, hand]
            if hand.awaited is not None:
                hand = show(hand, hand.awaited, deck[hand.awaited])
                continue
            seat = speaker(hand)
            assert seat is not None
            moves = [move for move in legal(hand, seat) if move != FOLD or chance.random() < 0.1]
            hand = act(hand, seat, chance.choice(moves))
        done.append(hand)
        yield done
        match = match.after(hand)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_story_only_gains_lines(name: str, players: int) -> None:
    """Told again, what was told stands; whoever prints the news has printed all of it."""
    stories, printed = Stories(), list[str]()
    hands: list[Hand] = []
    for hands in growing(name, players, 1):
        under = hands[-1] if hands[-1].result is None else None
        printed += stories.news([hand for hand in hands if hand.result is not None], under)
    whole = [line for number, hand in enumerate(hands, 1) for line in story(hand, number)]
    assert printed == whole


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_face_and_every_end_is_told_within_80_columns(name: str, players: int) -> None:
    """No line is too wide, no card that all have seen is left out."""
    for seed in range(3):
        *_, hands = growing(name, players, seed)
        for hand in hands:
            lines = story(hand)
            assert max(map(len, lines)) <= 80
            told = "\n".join(lines)
            for event in hand.history:
                if isinstance(event, Shown):
                    assert card_text(event.card) in told
            assert lines[-1] == ending(hand)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_finished_trick_is_shown_whole(name: str, players: int) -> None:
    """However often calls divide it: all its cards in the order of play, and who took it."""
    for seed in range(3):
        *_, hands = growing(name, players, seed)
        for hand in hands:
            rows = [line for line in story(hand) if re.match(r"  \d (░░|\S[♣♥♠♦])", line)]
            ends = [row for row in rows if row.endswith("tied") or " takes it for " in row]
            assert list(map(cards_in, ends)) == [as_told(trick.lays) for trick in hand.tricks]
            for row, trick in zip(ends, hand.tricks, strict=True):
                marked = re.findall(r"(\d) \S\S◂", row)
                assert marked == [str(trick.lead + 1)] * (trick.winner is not None)
            broken_off = as_told(hand.table)
            assert not broken_off or cards_in(rows[-1]) == broken_off


def cards_in(row: str) -> list[tuple[str, str]]:
    return re.findall(r"(\d) (░░|\S[♣♥♠♦])", row)


def as_told(lays: Iterable[Laid]) -> list[tuple[str, str]]:
    return [(str(lay.seat + 1), card_text(lay.card)) for lay in lays]


EXAMPLE = """variant mineiro
players 4
score 4 2
dealer 1
hand 1: 7h 4d 5d
hand 2: Qh 3s 6d
hand 3: 2d Kc 6s
hand 4: 3c As Jd
2: Qh
3: 2d
4: 3c
1: 7h
1: 4d
2: truco
3: seis
2: accept
2: 3s
3: Kc
4: As
4: Jd
1: x 5d
"""


def test_a_hand_reads_like_this() -> None:
    """Before a call stands what lay on the table; the trick's last row shows it whole."""
    verdict = judge(EXAMPLE)
    assert verdict.hand is not None
    assert verdict.illegal is None
    assert story(verdict.hand, 3) == [
        "Hand 3 · 1 deals                                                     A 4  B 2",
        "  2 Q♥   3 2♦   4 3♣   1 7♥◂                                 1 takes it for A",
        "  1 4♦",
        "  2 calls TRUCO! (4)",
        "  3 calls SEIS! (6)",
        "  2 accepts",
        "  1 4♦   2 3♠   3 K♣   4 A♠◂                                 4 takes it for B",
    ]
    assert list(under_way(verdict.hand)) == ["  4 J♦   1 ░░"]


def test_a_tie_divided_by_calls_shows_the_cards_that_tied() -> None:
    """Two calls in one trick: each row before a call, and the last one, begins with its first
    card. A row that would say nothing new is left out."""
    verdict = judge(
        "players 4\nhand 1: 5c 6c 6h\nhand 2: 3c Qc Qs\nhand 3: 3d Jc Js\nhand 4: 2h Kc Ks\n"
        "1: 5c\n2: truco\n1: accept\n2: 3c\n3: seis\n2: accept\n3: 3d\n4: 2h\n"
    )
    assert verdict.hand is not None
    assert verdict.illegal is None
    assert [line.rstrip() for line in story(verdict.hand)][1:] == [
        "  1 5♣",
        "  2 calls TRUCO! (4)",
        "  1 accepts",
        "  1 5♣   2 3♣",
        "  3 calls SEIS! (6)",
        "  2 accepts",
        "  1 5♣   2 3♣   3 3♦   4 2♥                                              tied",
    ]
    assert list(under_way(verdict.hand)) == []
