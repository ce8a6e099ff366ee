"""Checking a bot as a table treats it: in a process of its own, ended when its time is up."""

from __future__ import annotations

from collections.abc import Callable

from p2ptruco.hooks import NoBot
from p2ptruco.players.sandbox.limits import limits
from p2ptruco.players.sandbox.mind import Sandbox, sandboxed
from p2ptruco.testing.bots import loaded, not_loaded
from p2ptruco.testing.checks import Check
from p2ptruco.testing.exam import PAPERS, Question, Reply, examination


async def examine_apart(
    bot: str, budget: float, progress: Callable[[float], None] = lambda share: None
) -> list[Check]:
    """The checks of a bot by name or file; `progress` hears the share that is done."""
    try:
        async with sandboxed(bot, "exam", limits(budget)) as mind:
            return [loaded(mind.name), *await _examined(mind, progress)]
    except NoBot as missing:
        return [not_loaded(missing)]


async def _examined(mind: Sandbox, progress: Callable[[float], None]) -> list[Check]:
    exam, matches = examination(), 0
    reply: Reply | None = None
    while True:
        try:
            question = next(exam) if reply is None else exam.send(reply)
        except StopIteration as end:
            found: list[Check] = end.value
            return found
        matches += question.view is None
        progress(matches / PAPERS)
        reply = await _answer(mind, question)


async def _answer(mind: Sandbox, question: Question) -> Reply:
    before = len(mind.faults)
    move = None
    if question.view is None:
        mind.begin(question.seed)
        await mind.quiet()
    elif question.call == "choose":
        move = await mind.choose(question.view)
    else:
        await mind.tell(question.call, question.view)
        await mind.quiet()
    faults = tuple(mind.faults[before:])
    return Reply(None if faults else move, faults, mind.took_ms)
