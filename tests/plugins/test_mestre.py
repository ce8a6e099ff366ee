"""mestre: what it says follows its table and the score, and its table is read as it was written."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import pytest
from p2ptruco_mestre import LEVELS, mestre
from p2ptruco_mestre.cards import card
from p2ptruco_mestre.keys import Sight
from p2ptruco_mestre.model import Rival, Shift
from p2ptruco_mestre.prices import gap_of_accepting, linear, shifted
from p2ptruco_mestre.table import Table, names, read, table_for

import p2ptruco
from p2ptruco import ACCEPT, CALL, MINEIRO, PAULISTA, PLAY_ON, REFUSE, RUN, View
from p2ptruco.arena.train.families import FAMILIES, Family
from p2ptruco.arena.train.training import Trained, train
from p2ptruco.hooks.files import find_bot
from p2ptruco.rules.presets import CORE
from p2ptruco.rules.variant import Variant
from tests.soak.blunders import blunders

from .arena import play_match
from .test_zap import Deal


@pytest.fixture(scope="module")
def small() -> bytes:
    """A table of two seats, learned in a second."""
    return learned(FAMILIES["vira-1-3-6-9-12-2"]).packed


def learned(family: Family, hands: int = 3_000) -> Trained:
    return train(family, 5, hands, 0, lambda *_: None)


def test_a_seed_gives_the_same_table_byte_for_byte(small: bytes) -> None:
    """Whoever doubts the file trains it again."""
    again = learned(FAMILIES["vira-1-3-6-9-12-2"])
    assert again.packed == small
    assert again.exploited is None


@pytest.mark.parametrize(
    ("variant", "players", "name"),
    [(PAULISTA, 2, "vira-1-3-6-9-12-2"), (MINEIRO, 4, "fixed-2-4-6-10-12-4")],
)
def test_the_bot_finds_what_the_trainer_learned(
    variant: Variant, players: int, name: str, small: bytes
) -> None:
    """The two fold a situation into the same key: else the bot would know next to nothing."""
    table = Table(small if players == 2 else learned(FAMILIES[name]).packed)
    found: Counter[bool] = Counter()

    def choose(view: View) -> p2ptruco.Move:
        if PLAY_ON in view.legal or None in view.cards.values():
            return view.legal[0]
        sight = Sight(view)
        known = table.find(sight.key(table.scores))
        found[known is not None] += 1
        action = mestre.drawn(
            known.weights if known else (1, 0, 0, 0), view.rng or random.Random(0)
        )
        if ACCEPT in view.legal:
            return (ACCEPT, RUN, view.legal[0], RUN)[action]
        if action == 3 and CALL in view.legal:
            return CALL
        return card(view, sight, min(action, 2))

    for seed in range(12):
        play_match(variant, [choose] * players, seed)
    assert found[False] < found.total() / 2, found


def test_a_card_hidden_in_the_first_trick_is_taken_for_a_weak_one() -> None:
    """Training hides none there: the situation would be one that the table does not hold."""
    variant = CORE["mano-a-mano"]
    table = table_for(variant, 2)
    led = Deal("Kh 4h 5d", "3s Ks 5s", variant=variant).does("xKh")
    laid = Deal("3s Ks 5s", "Kh 4h 5d", variant=variant).does("3s", "xKh")
    for deal in (led, laid):
        sight = Sight(deal.view())
        assert table.find(sight.key(table.scores)) is not None


def test_the_tables_are_those_of_the_families() -> None:
    """Every file is one that `train` makes, all together within two megabytes, and none is vain."""
    assert names() <= set(FAMILIES)
    assert names() >= {name for name in FAMILIES if name.endswith(("-2", "-4"))}
    for name in names():
        table = read(name)
        assert table.equity(6, 6) == pytest.approx(0.5, abs=0.02)
        assert table.equity(1, 12) > 0.8 > 0.2 > table.equity(12, 1)


@pytest.mark.parametrize("variant", CORE.values(), ids=str)
def test_every_size_has_a_table(variant: Variant) -> None:
    """Also where no family fits: the nearest."""
    for players in variant.players:
        assert table_for(variant, players)


def asked(deal: Deal) -> set[p2ptruco.Move]:
    """All that the bot says there, by different chance."""
    view = deal.view()
    return {mestre.Mestre().choose(replace(view, rng=random.Random(n))) for n in range(30)}


WEAK, OTHER = "4s 5s 6s", "5d 6d Kd"

TO_THE_LAST = ("3s", "4s", "5s", "6d", "3h")
LOST = Deal("4h 3s 5s", "3h 4s 6d").does(*TO_THE_LAST)
WON = Deal("4c 3s 5s", "3h 4s 6d").does(*TO_THE_LAST)
"""A trick each, and the rival has laid its last card."""


def test_it_never_runs_where_that_loses_the_match() -> None:
    """At 8 points of 12 with 4 at stake a run loses what a lost hand does, so it raises."""
    deal = Deal(WEAK, OTHER, score=(4, 8)).does(CALL, ACCEPT, "6s", CALL)
    assert asked(deal) == {CALL}


def test_it_calls_where_the_lost_hand_loses_the_match_anyway() -> None:
    """A raise costs nothing then."""
    assert asked(Deal(WEAK, OTHER, score=(4, 8)).does("6s", CALL, ACCEPT, "5d", "4s")) != {CALL}
    deal = Deal(WEAK, OTHER, score=(4, 8)).does("6s", CALL, ACCEPT, "Kd", "5d")
    assert asked(deal) == {CALL}


def test_it_does_not_raise_a_hand_that_wins_the_match() -> None:
    """With the strongest cards, too: 4 points are enough."""
    deal = Deal("4c 7h As", OTHER, score=(8, 4)).does("As", CALL, ACCEPT, "5d")
    assert CALL not in asked(deal)


def test_it_plays_a_special_hand_with_good_cards_only() -> None:
    """Ten points to four: a lost hand costs four, a refusal two."""
    assert asked(Deal("4c 7h 3s", OTHER, score=(10, 4))) == {PLAY_ON}
    assert asked(Deal("4s 5s 6s", OTHER, score=(10, 4))) == {REFUSE}


def test_a_hand_that_is_surely_won_is_called_at_the_last_chance() -> None:
    """The last to lay, with the trick that decides: who runs now pays as before, who does not pays
    more."""
    deal = Deal("3s Ks 5s", "4c 3h 5d").does("3s", "4c", "5d", "Ks", "5s")
    assert asked(deal) == {CALL}


def test_it_does_not_go_along_where_no_card_saves_the_hand() -> None:
    """The rival has laid what its last card cannot beat, and raises its call."""
    deal = Deal("4h 3s 5s", "3h 4s 6d").does(*TO_THE_LAST, CALL, CALL)
    assert asked(deal) == {RUN}


def test_a_rival_who_runs_is_called_more() -> None:
    """Shares of the table move with what was seen, and start where the table has them."""
    rival = Rival()
    assert rival.runs.of(0.5) == pytest.approx(0.5)
    for _ in range(5):
        rival.we_called(0.5)
        rival.hand_done("run", won=True, ours_last=True)
    assert rival.runs.of(0.5) > 0.75
    assert rival.wins.size == 0


def test_a_call_that_they_went_along_with_is_no_run() -> None:
    """Also when the hand ends by a run from a later call."""
    rival = Rival()
    rival.we_called(0.5)
    rival.we_called(0.5)
    rival.hand_done("run", won=True, ours_last=True)
    assert rival.runs.size == pytest.approx(0)
    rival.we_called(0.5)
    rival.hand_done("run", won=False, ours_last=False)
    assert rival.runs.size < 0


def test_hands_won_less_often_than_expected_count_against_accepting() -> None:
    """A rival who calls with good cards only is run from more."""
    honest = Shift(6.0)
    for _ in range(6):
        honest.note(False, 0.5)
    before = gap_of_accepting(linear, 0.4, 1, 3)
    after = gap_of_accepting(linear, honest.of(0.4), 1, 3)
    assert after < before
    assert shifted(0.5, before, after) < 0.5 == pytest.approx(shifted(0.5, before, before))


FOUR = Deal("5h 5s 5c", "4h Kc 2c", "6h 6s 6d", "7s 3s 2s").does("5h", "Kc", "6h")


@pytest.mark.parametrize(
    ("deal", "move", "names"),
    [
        (Deal("5h 5s 5c", "6h Kc 2c").does("5h"), "6h", []),
        (Deal("5h 5s 5c", "4c Kc 2c").does("5h"), "4c", ["manilha-wasted"]),
        (FOUR, "7s", []),
        (FOUR, "3s", ["covers-partner"]),
        (LOST.does(CALL, CALL), ACCEPT, ["lost-answer"]),
        (WON.does(CALL, CALL), ACCEPT, []),
        (WON, RUN, ["runs-sure"]),
        (Deal("4h 3s 5s", "4c 4s 6d").does("3s", "4s", "5s", "6d", "4c"), CALL, ["lost-call"]),
    ],
)
def test_the_counter_of_blunders_sees_them(
    deal: Deal, move: str | p2ptruco.Move, names: list[str]
) -> None:
    """Each is named, and a sound move is not."""
    made = deal.move(move) if isinstance(move, str) else move
    assert list(blunders(deal.view(), made)) == names


def test_levels_are_registered_under_their_names() -> None:
    """The level stands behind a colon."""
    assert list(LEVELS) == ["mestre", "mestre:medio", "mestre:facil"]
    for name in LEVELS:
        assert find_bot(name).plugin == "bots-mestre"


def test_import_and_help_load_no_table() -> None:
    """Whoever lists the bots pays for no strategy, and playing needs no compiler."""
    program = (
        "from p2ptruco.cli.entry import run; run(['bots'])\nimport sys\nprint('|', *sys.modules)"
    )
    listed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    loaded = set(listed.stdout.rpartition("|")[2].split())
    assert "p2ptruco_mestre" in loaded
    assert not loaded & {"p2ptruco_mestre.mestre", "cffi", "p2ptruco.arena.train"}
