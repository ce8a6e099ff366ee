"""zap, sentence by sentence. Its policy never changes: it is what other bots are measured by."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from p2ptruco_bots_basic import uniform, zap

import p2ptruco
from p2ptruco import (
    ACCEPT,
    CALL,
    FOLD,
    MINEIRO,
    PAULISTA,
    PLAY_ON,
    REFUSE,
    RUN,
    Card,
    Play,
    Variant,
)
from p2ptruco.rules.hand import Hand, begin
from p2ptruco.rules.moves import Move
from p2ptruco.rules.play import act, show, speaker
from p2ptruco.rules.seating import Seat, Slot, slots_of
from p2ptruco.rules.view import View, view_of

from .arena import play_match


class Always(random.Random):
    """A source that answers every `randrange` with one number: 0 bluffs, anything else does not."""

    def __init__(self, answer: int) -> None:
        super().__init__(0)
        self.answer = answer

    def randrange(self, *_: Any) -> int:  # type: ignore[override]
        return self.answer


def cards(text: str) -> list[Card]:
    return [Card.parse(word) for word in text.split()]


class Deal:
    """A hand whose cards the test knows; seats count from 0."""

    def __init__(
        self,
        *hands: str,
        variant: Variant = MINEIRO,
        dealer: int = -1,
        score: tuple[int, int] = (0, 0),
        vira: str = "",
    ) -> None:
        self.faces = {Slot(n): card for n, card in enumerate(cards(" ".join(hands)))}
        players = len(hands)
        self.hand: Hand = begin(variant, players, Seat(dealer % players), score)
        if vira:
            self.faces[Slot(3 * players)] = Card.parse(vira)
        self._show()

    def _show(self) -> None:
        while self.hand.awaited is not None:
            self.hand = show(self.hand, self.hand.awaited, self.faces[self.hand.awaited])

    def does(self, *moves: str | Move) -> Deal:
        """Each move is the speaker's; a card by its name, `x4c` face down."""
        for move in moves:
            seat = speaker(self.hand)
            assert seat is not None
            self.hand = act(self.hand, seat, self.move(move) if isinstance(move, str) else move)
            self._show()
        return self

    def move(self, text: str) -> Play:
        """The play of a card by its name."""
        face = Card.parse(text.removeprefix("x"))
        slot = next(slot for slot, card in self.faces.items() if card == face)
        return Play(slot, face_down=text.startswith("x"))

    def view(self, *, bluff: bool = False, blind: bool = False) -> View:
        """What the speaker may see."""
        seat = speaker(self.hand)
        assert seat is not None
        team = {s for s in range(self.hand.players) if s % 2 == seat % 2}
        seats = team if self.hand.special == seat % 2 else {seat}
        shown = {s: self.faces[s] for other in seats for s in slots_of(Seat(other))}
        return view_of(self.hand, seat, {} if blind else shown, rng=Always(0 if bluff else 5))

    def zap(self, **how: bool) -> Move:
        """What zap does now."""
        return zap.choose(self.view(**how))


WEAK, OTHER = "4h 5h 6h", "4d 5d 6d"


@pytest.mark.parametrize(
    ("held", "worth"),
    [
        ("4c 7h As", 9),  # manilhas × 3
        ("3c 2c Kc", 3),  # a three × 2, a two × 1
        ("3c 3h 3d", 6),
        ("2c 2h 2d", 3),
        ("4h 7c Ad", 0),  # common cards of the manilhas' ranks
        ("7d 3s 2s", 6),
    ],
)
def test_strength_counts_manilhas_threes_and_twos(held: str, worth: int) -> None:
    """Strength: manilhas × 3 + other threes × 2 + other twos × 1."""
    assert zap.strength(Deal(held, OTHER).view()) == worth


def test_a_three_that_is_a_manilha_counts_once_as_a_manilha() -> None:
    """With a two turned up, the threes are the manilhas."""
    deal = Deal("3c 2c Kc", OTHER, variant=PAULISTA, vira="2h")
    assert zap.strength(deal.view()) == 3 + 1


def test_only_remaining_cards_count_and_a_trick_won_adds_three() -> None:
    """Plus 3 if its team has won a trick."""
    assert zap.strength(Deal("4c 2c 5h", OTHER).does("4c", "4d").view()) == 1 + 3


def test_a_trick_lost_takes_two() -> None:
    """Minus 2 if the other team has."""
    assert zap.strength(Deal("3c 4h 5h", "4c 5d 6d").does("3c", "4c", "5d").view()) == 0 - 2
    assert zap.strength(Deal("4h 3c 3h", "4c 5d 6d").does("4h", "4c", "5d").view()) == 4 - 2


def test_a_trick_each_adds_one_in_all() -> None:
    """Both can be: plus 3 and minus 2."""
    deal = Deal("4c 4h 3h", "5d As 6d").does("4c", "5d", "4h", "As", "6d")
    assert zap.strength(deal.view()) == 2 + 3 - 2


def test_a_tied_trick_changes_nothing() -> None:
    """Nobody has won it."""
    assert zap.strength(Deal("5h 3h 2c", "5d 6d Kd").does("5h", "5d").view()) == 3


@pytest.mark.parametrize(
    ("held", "bluff", "calls"),
    [
        ("3c 3h 4h", False, True),  # 4
        ("4c 2c 5h", False, True),  # 4
        ("4c 5h 6h", False, False),  # 3
        ("4c 5h 6h", True, True),  # 3, once in twelve
        (WEAK, True, True),
        (WEAK, False, False),
    ],
)
def test_it_calls_at_four_or_bluffs(held: str, bluff: bool, calls: bool) -> None:
    """In a normal hand on its turn it calls, when it can, if s ≥ 4, else once in 12."""
    assert (Deal(held, OTHER).zap(bluff=bluff) == CALL) is calls


def test_it_bluffs_once_in_twelve() -> None:
    """The probability is 1/12: five standard deviations of 20,000 draws around it."""
    view = replace(Deal(WEAK, OTHER).view(), rng=random.Random(1))
    bluffs = sum(zap.choose(view) == CALL for _ in range(20_000))
    assert abs(bluffs - 20_000 / 12) < 5 * (20_000 * 1 / 12 * 11 / 12) ** 0.5


def test_it_cannot_call_on_its_own_call() -> None:
    """The team that called last does not call next."""
    assert Deal("3c 3h 3d", OTHER).does(CALL, ACCEPT).zap() == Play(Slot(0))


@pytest.mark.parametrize(
    ("held", "answer"),
    [
        ("4c 7h 2c", CALL),  # 7
        ("4c 7h 5h", ACCEPT),  # 6
        ("3c 5h 6h", ACCEPT),  # 2
        ("2c 5h 6h", RUN),  # 1
        (WEAK, RUN),
    ],
)
def test_it_answers_by_strength(held: str, answer: Move) -> None:
    """Raise if s ≥ 7 and possible, else accept if s ≥ 2, else run."""
    assert Deal("4d 5d 6d", held).does(CALL).zap() == answer


def test_it_accepts_what_cannot_be_raised() -> None:
    """Raise if possible: doze cannot be raised."""
    deal = Deal("4c 7h As", "7d 3c 3h").does(CALL, CALL, CALL, CALL)
    assert deal.zap() == ACCEPT


@pytest.mark.parametrize(
    ("own", "partner", "decision"),
    [
        ("2c 5h 6h", WEAK, PLAY_ON),  # own 1
        (WEAK, "2c 5c 6c", PLAY_ON),  # partner's 1
        (WEAK, "4s 5s 6s", REFUSE),
    ],
)
def test_the_team_plays_a_special_hand_with_anything(
    own: str, partner: str, decision: Move
) -> None:
    """Special hand: plays if any player of its team has s ≥ 1, else refuses."""
    deal = Deal(own, OTHER, partner, "Jd Kd Qd", score=(10, 4))
    assert deal.zap() == decision


def test_strengths_of_a_team_are_not_added_up() -> None:
    """Any player, not all of them together: two bare hands stay bare."""
    deal = Deal("4h 5h 6h", OTHER, "Qh Kh Jh", "Qd Kd Jd", score=(10, 4))
    assert deal.zap() == REFUSE


@pytest.mark.parametrize("bluff", [True, False])
def test_it_never_calls_outside_a_normal_hand(bluff: bool) -> None:
    """Where a call in the special hand loses the match, zap makes none."""
    deal = Deal("4c 7h As", OTHER, variant=p2ptruco.MANO_A_MANO, score=(10, 4))
    assert CALL in deal.view().legal
    assert deal.zap(bluff=bluff) == Play(Slot(0))


def plays(deal: Deal, card: str) -> bool:
    return deal.zap() == deal.move(card)


def test_it_leads_its_strongest() -> None:
    """First dealt among equals."""
    assert plays(Deal("5h 2h 6h", OTHER), "2h")
    assert plays(Deal("5h Kc Kh", OTHER), "Kc")


def test_it_wastes_nothing_on_its_partners_trick() -> None:
    """If the trick as it stands is already its team's: its cheapest, open."""
    deal = Deal("As 5c 6c", OTHER, "Kh 5h 3h", "Qd Jd Kd").does("As", "4d")
    assert plays(deal, "5h")


def test_it_takes_a_trick_with_the_cheapest_winner() -> None:
    """Else the cheapest that wins."""
    assert plays(Deal("Kc 4h 5h", "3d 5d 2d").does("Kc"), "2d")


def test_among_equals_it_plays_the_first_dealt() -> None:
    """Cheapest is the weakest such card, first dealt among equals."""
    assert plays(Deal("Kc 4h 5h", "5d 2c 2d").does("Kc"), "2c")


def test_after_winning_the_first_it_prefers_a_tie() -> None:
    """If its team won the first trick, the cheapest that ties comes before one that wins.

    Partners share the trick: seat 2 answers for a team that won the first one.
    """
    deal = Deal("As 5c 6c", "5d Kd 6d", "4h Kh Ah", "Qd 5s 6s")
    deal.does("As", "5d", "4h", "Qd", "5c", "Kd")
    assert plays(deal, "Kh")


def test_after_winning_the_first_it_wins_where_it_cannot_tie() -> None:
    """Else the cheapest that wins."""
    deal = Deal("As 5c 6c", "5d Kd 6d", "4h Ah Jh", "Qd 5s 6s")
    deal.does("As", "5d", "4h", "Qd", "5c", "Kd")
    assert plays(deal, "Ah")


def test_it_wins_rather_than_ties_the_first() -> None:
    """In the first trick a winner comes before a tie."""
    assert plays(Deal("Kc 4h 5h", "Kd Ad 5d").does("Kc"), "Ad")


def test_it_ties_what_it_cannot_win() -> None:
    """Else the cheapest that ties, unless the other team won the first trick."""
    assert plays(Deal("Kc 4h 5h", "4d Kd 5d").does("Kc"), "Kd")


def test_after_losing_the_first_it_does_not_tie() -> None:
    """A tie then loses the hand; it lays its cheapest, face down where allowed."""
    deal = Deal("As Kc 5h", "4d Kd 5d").does("As", "4d", "Kc")
    assert plays(deal, "x5d")


def test_it_hides_a_card_that_is_lost() -> None:
    """Else its cheapest, face down where allowed: not in the first trick of Mineiro."""
    assert plays(Deal("As 4h 5h", "5d Kd 6d").does("As"), "5d")
    early = Deal("As 4h 5h", "5d Kd 6d", variant=replace(MINEIRO, face_down_from=1)).does("As")
    assert plays(early, "x5d")


def test_it_plays_the_first_position_of_a_blind_iron_hand() -> None:
    """Whatever it cannot see."""
    deal = Deal("4h 4c 7h", OTHER, score=(10, 10))
    assert deal.zap(blind=True) == Play(Slot(0))


def test_it_never_folds() -> None:
    """FOLD is always there to take, and never taken."""
    chance = random.Random(3)
    for _ in range(300):
        dealt = chance.sample(MINEIRO.deck, 6)
        deal = Deal(" ".join(map(str, dealt[:3])), " ".join(map(str, dealt[3:])))
        assert FOLD in deal.view().legal
        assert deal.zap(bluff=chance.random() < 0.5) != FOLD


def test_random_takes_every_legal_move_but_fold() -> None:
    """Uniform over the legal moves except fold: five standard deviations."""
    view = replace(Deal(WEAK, OTHER).view(), rng=random.Random(2))
    drawn = [uniform.choose(view) for _ in range(8_000)]
    moves = [move for move in view.legal if move != FOLD]
    assert set(drawn) == set(moves)
    assert len(moves) == 4
    for move in moves:
        assert abs(drawn.count(move) - 2_000) < 5 * (8_000 * 0.25 * 0.75) ** 0.5


@pytest.mark.parametrize(
    ("seats", "low", "high", "matches"), [(2, 0.85, 0.97, 400), (4, 0.70, 0.90, 300)]
)
def test_zap_beats_random(seats: int, low: float, high: float, matches: int) -> None:
    """About 91 % of matches of two seats and 80 % of four; a wrong policy is far from it."""

    def won(seed: int) -> bool:
        first: list[Callable[[View], Move]] = [zap.choose, uniform.choose]
        pair = first if seed % 2 == 0 else first[::-1]
        return play_match(MINEIRO, pair * (seats // 2), seed) == seed % 2

    assert low < sum(map(won, range(matches))) / matches < high
