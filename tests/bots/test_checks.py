"""The checks that plugin authors get: they meet every phase, and find what is wrong."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import p2ptruco
from p2ptruco.hooks.specs import EVENTS
from p2ptruco.players.fault import BotFault
from p2ptruco.rules.moves import FOLD, Move
from p2ptruco.rules.notation.judge import judge
from p2ptruco.rules.options import Iron
from p2ptruco.rules.presets import CORE, MINEIRO, PAULISTA
from p2ptruco.rules.view import View
from p2ptruco.testing import (
    Check,
    check_bot,
    check_variant,
    course,
    examine_bot,
    examine_variant,
    play_match,
)
from p2ptruco.testing.at_a_table import examine_apart
from p2ptruco.testing.exam import PAPERS, Question, Reply, examination

from .kit import write_bot

FIRST = "def choose(view):\n    return view.legal[0]\n"


def sat(answer: Callable[[Question], Reply]) -> tuple[list[Question], list[Check]]:
    """An examination answered by a function: every question, and the checks."""
    exam, asked = examination(), []
    question = next(exam)
    while True:
        asked.append(question)
        try:
            question = exam.send(answer(question))
        except StopIteration as end:
            return asked, end.value


def likely(question: Question) -> Reply:
    """Any legal move but a fold, the same for the same view."""
    if question.call != "choose" or question.view is None:
        return Reply()
    chance = random.Random(repr(question.view.history) + str(question.view.own))
    return Reply(chance.choice([m for m in question.view.legal if m is not FOLD]))


def test_a_bot_meets_every_phase_at_every_table() -> None:
    """Turns in all kinds of hand, decisions, blind and open iron, each step of each scale."""
    asked, checks = sat(likely)
    views = [q.view for q in asked if q.call == "choose" and q.view is not None]
    tables = {(view.variant.name, view.players) for view in views}
    assert tables == {(v.name, size) for v in CORE.values() for size in v.players}
    met = Counter((view.hand.phase.value, view.kind.value) for view in views)
    turns = {("playing", kind) for kind in ("normal", "special", "iron")}
    assert set(met) == turns | {("answering", "normal"), ("deciding", "special")}
    assert min(met.values()) > 15, met
    iron = {view.variant.iron for view in views if view.kind == "iron"}
    assert iron == set(Iron)
    blind = [view for view in views if view.kind == "iron" and view.variant.iron is Iron.BLIND]
    assert {card for view in blind for card in view.cards.values()} == {None}
    shared = [view for view in views if view.partner_cards]
    assert {(view.kind.value, view.hand.special == view.team) for view in shared} == {
        ("special", True)
    }
    words = {view.pending.word for view in views if view.pending}
    assert words == {call.word for variant in CORE.values() for call in variant.scale.calls}
    forfeits = [v for v in views if v.kind == "special" and p2ptruco.CALL in v.legal]
    assert forfeits
    assert {q.view.seat for q in asked if q.view} >= {0, 1, 2, 3}
    assert Counter(q.call for q in asked)["begin"] == PAPERS
    assert all(check.ok for check in checks)
    assert [check.name for check in checks] == [
        "made",
        "no_exception",
        "legal",
        "in_time",
        "deterministic",
    ]


def test_the_lifecycle_comes_in_order() -> None:
    """A match starts and is done once, a hand as often as it starts; the same for every seat."""
    chance = random.Random(1)
    match, told, move = course(PAULISTA, 4, 1), [], None
    while True:
        try:
            moment = match.send(move)
        except StopIteration as end:
            winner = end.value.winner
            break
        told.append(moment)
        legal = [m for m in moment.view.legal if m is not FOLD]
        move = chance.choice(legal) if moment.call == "choose" else None
    events = [[m.call for m in told if m.seat == seat and m.call in EVENTS] for seat in range(4)]
    assert events[0] == events[1] == events[2] == events[3]
    assert events[0][0] == "match_started"
    assert events[0][-2:] == ["hand_done", "match_done"]
    counts = Counter(events[0])
    assert counts["match_started"] == counts["match_done"] == 1
    assert counts["hand_started"] == counts["hand_done"]
    hands = [m.view.hand for m in told if m.call == "hand_done" and m.seat == 0]
    assert counts["trick_done"] == sum(len(hand.tricks) for hand in hands)
    assert winner in (0, 1)


class Bad:
    """Bots that are wrong in one way each."""

    @staticmethod
    def crashes_in_iron(view: View) -> Move:
        if view.kind == "iron":
            raise RuntimeError("no cards")
        return view.legal[0]

    @staticmethod
    def calls_whatever(view: View) -> Move:
        return p2ptruco.CALL if view.plays else view.legal[0]

    @staticmethod
    def draws_from_elsewhere(view: View) -> Move:
        return random.SystemRandom().choice(view.legal)

    @staticmethod
    def loops_when_called(view: View) -> Move:
        while view.pending:
            pass
        return view.legal[0]


@pytest.mark.parametrize(
    ("bot", "check", "message"),
    [
        (Bad.crashes_in_iron, "no_exception", "RuntimeError: no cards"),
        (Bad.calls_whatever, "legal", "CALL"),
        (Bad.draws_from_elsewhere, "deterministic", "it chose"),
        (Bad.loops_when_called, "in_time", "choose"),
    ],
)
def test_what_is_wrong_is_found_and_comes_with_its_hand(
    bot: Callable[[View], Move], check: str, message: str
) -> None:
    """The first of its kind, in the notation, as the referee reads it; nothing else is blamed."""
    checks = {found.name: found for found in examine_bot(lambda: bot, budget=0.15)}
    assert [name for name, found in checks.items() if found.ok is False] == [check]
    assert message in checks[check].message
    hand = checks[check].hand
    assert hand is not None
    assert judge(hand).exit == 0
    assert "?" not in hand
    with pytest.raises(AssertionError, match="hand 1:"):
        check_bot(lambda: bot, budget=0.15)


class Object:
    """A bot with a lifecycle call that fails."""

    def choose(self, view: View) -> Move:
        return view.legal[0]

    def trick_done(self, view: View) -> None:
        raise KeyError(view.tricks[-1].winner)


def test_a_lifecycle_call_that_fails_is_found() -> None:
    """With the hand as it stood."""
    checks = {found.name: found for found in examine_bot(Object)}
    assert not checks["no_exception"].ok
    assert "KeyError" in checks["no_exception"].message
    assert "trick_done" in str(checks["no_exception"].hand)


def test_a_maker_that_fails_is_found() -> None:
    """No instance, no match."""

    def make() -> Any:
        raise OSError("no model")

    checks = {found.name: found for found in examine_bot(make)}
    assert not checks["made"].ok
    assert "no model" in checks["made"].message


def test_instances_share_nothing() -> None:
    """A bot whose memory outlives a match is not the same again under a seed."""
    memory: list[int] = []

    def choose(view: View) -> Move:
        memory.append(1)
        return view.legal[len(memory) % len(view.legal)]

    checks = {found.name: found for found in examine_bot(lambda: choose)}
    assert not checks["deterministic"].ok


def test_our_own_bots_pass() -> None:
    """By name; `random` is checked as a table treats it."""
    check_bot("zap")


async def test_a_bot_is_checked_as_a_table_treats_it(tmp_path: Any) -> None:
    """In its own process: the same findings, and a dead process is one of them."""
    good = await examine_apart("random", 5.0)
    assert all(check.ok for check in good)
    assert good[0].message == "found as random"
    source = FIRST.replace("return", "if view.pending: __import__('os')._exit(4)\n    return")
    dead = {c.name: c for c in await examine_apart(write_bot(tmp_path, source, "dead"), 5.0)}
    assert [name for name, found in dead.items() if not found.ok] == ["no_exception"]
    assert "ended (exit 4)" in dead["no_exception"].message
    hand = dead["no_exception"].hand
    assert hand is not None
    assert "truco" in hand
    (missing,) = await examine_apart(write_bot(tmp_path, "1 / 0", "broken"), 5.0)
    assert (missing.name, missing.ok) == ("loads", False)


def test_an_examination_ends_when_it_has_seen_enough() -> None:
    """A bot that does nothing right is not asked for ever."""
    asked, checks = sat(lambda question: Reply(None, (BotFault("crash", "x"),)))
    assert len(asked) < 40
    assert not checks[1].ok


@pytest.mark.parametrize("variant", [MINEIRO, replace(PAULISTA, name="x", best_of=3)], ids=str)
def test_a_variant_of_toggles_is_fit(variant: p2ptruco.Variant) -> None:
    """It travels, is written, and is played at every size."""
    check_variant(variant)
    names = [check.name for check in examine_variant(variant)]
    assert names == ["travels", "written", *(f"size_{n}" for n in sorted(variant.players))]


def test_a_variant_that_is_more_than_its_toggles_is_not_fit() -> None:
    """A subclass that changes a rule on one peer would split the table."""

    class Sneaky(p2ptruco.Variant):
        @property
        def special_at(self) -> int:
            return 2

    with pytest.raises(AssertionError, match="travels"):
        check_variant(Sneaky(name="sneaky"))


def test_matches_are_played_between_names_and_makers() -> None:
    """zap wins most of them; the seed is the match."""
    won = [play_match(["zap", "random"], seed=seed) for seed in range(60)]
    assert won.count(0) > 40
    assert won == [play_match(["zap", "random"], seed=seed) for seed in range(60)]
    assert play_match([lambda: lambda view: view.legal[0]] * 8, CORE["mineiro-dealer"], 3) in (0, 1)


def test_what_was_not_examined_is_not_praised() -> None:
    """A bot that fails at once is never played twice; the checks say so, and nothing passes."""
    checks = {found.name: found for found in examine_bot(lambda: lambda view: None)}
    assert checks["deterministic"].ok is None
    assert "not examined" in checks["deterministic"].message
    assert [name for name, found in checks.items() if found.ok is False] == ["legal"]
    with pytest.raises(AssertionError, match="fails 1 of 6 checks"):
        check_bot(lambda: lambda view: None)


def test_an_illegal_move_is_told_with_the_legal_ones() -> None:
    """As the bot would have had to write them."""
    (told,) = [c.message for c in examine_bot(lambda: lambda view: None) if c.name == "legal"]
    answer, legal = told.splitlines()
    assert answer == "None"
    assert legal.startswith("view.legal was: Play(slot=")
    assert "CALL" in legal
