"""Checking a bot in this process, as its own tests do."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from p2ptruco.hooks import Make, NoBot, find_bot
from p2ptruco.hooks.offers import Bot
from p2ptruco.hooks.specs import EVENTS
from p2ptruco.players.fault import BotFault
from p2ptruco.players.sandbox.inside import Player
from p2ptruco.players.sandbox.plain import move_from, plain_view
from p2ptruco.testing.checks import Check, demand
from p2ptruco.testing.exam import Question, Reply, examination
from p2ptruco.ui.words import _


def check_bot(bot: str | Make, *, budget: float = 1.0) -> None:
    """A bot by its name, its file, or what makes one: legal, in time, the same under a seed.

    `budget`: seconds for a decision. AssertionError if anything is wrong.
    """
    name = bot if isinstance(bot, str) else _("The bot")
    demand(name, examine_bot(bot, budget=budget))


def examine_bot(bot: str | Make, *, budget: float = 1.0) -> list[Check]:
    """The checks of `check_bot`, good and bad.

    A loop in Python is ended where the system has alarms and this is the main thread.
    """
    try:
        found = find_bot(bot) if isinstance(bot, str) else Bot("bot", "bot", "", "", bot)
    except NoBot as missing:
        return [not_loaded(missing)]
    examinee = Examinee(found, budget)
    exam = examination()
    reply: Reply | None = None
    while True:
        try:
            question = next(exam) if reply is None else exam.send(reply)
        except StopIteration as end:
            return [loaded(found.name), *end.value]
        reply = examinee.answer(question)


def loaded(name: str) -> Check:
    """The check that every other one rests on, held."""
    return Check("loads", True, _("found as {name}").format(name=name))


def not_loaded(missing: NoBot) -> Check:
    """The same, failed."""
    from p2ptruco.ui.reasons import no_bot

    return Check("loads", False, no_bot(missing))


class TooLong(BaseException):
    """Raised inside a bot whose time is up."""


class Examinee:
    """A bot in this process; its views cross as plain values, as they do at a table."""

    def __init__(self, bot: Bot, budget: float) -> None:
        self.player, self.budget = Player(bot), budget

    def answer(self, question: Question) -> Reply:
        """Ask the bot; what it did."""
        if question.call in EVENTS and not hasattr(self.player.instance, question.call):
            return Reply()
        with _alarm(self.budget) as rung:
            told = self.player.answer(asked(question, self.budget))
        if rung or told["ms"] > 1000 * self.budget:
            return Reply(None, (_late(question, told["ms"]),), told["ms"])
        if "fault" in told:
            return Reply(None, (BotFault(told["fault"], told["detail"]),), told["ms"])
        return Reply(move_from(told.get("move")), (), told["ms"])


def asked(question: Question, budget: float) -> dict[str, Any]:
    """A question as a line to a bot."""
    line: dict[str, Any] = {"n": 0}
    if question.view is None:
        return line | {"match": question.seed}
    line["view"] = plain_view(question.view) | {"budget_ms": round(1000 * budget)}
    return line | ({"choose": True} if question.call == "choose" else {"tell": question.call})


def _late(question: Question, ms: float) -> BotFault:
    return BotFault("timeout", f"{question.call}: {ms:.0f} ms")


@contextmanager
def _alarm(seconds: float) -> Iterator[list[int]]:
    """Raise TooLong in the block after a while; the list is not empty then."""
    rung: list[int] = []
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield rung
        return

    def ring(number: int, _frame: FrameType | None) -> None:
        rung.append(number)
        raise TooLong

    before: Callable[..., Any] | int | None = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds + 0.05)
    try:
        yield rung
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
