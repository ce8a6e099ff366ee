"""What is asked between two matches. Whoever goes home instead gives no answer."""

from __future__ import annotations

import trio

from . import commands
from .commands import Command
from .questions import NO, YES, Another, Question, yes_or_no
from .stage import Stage


async def another(stage: Stage) -> bool:
    """Whether another match is wanted."""
    return await answered(stage, Another(stage.new_id(), yes_or_no(), NO, None)) == YES


async def answered(stage: Stage, question: Question) -> str | None:
    """The answer; None if the person goes home instead."""
    answer: str | None = None
    with trio.CancelScope() as scope:

        def hear(command: Command) -> bool:
            leaves = isinstance(command, commands.Leave)
            if leaves:
                scope.cancel()
            return leaves

        with stage.heard_by(hear):
            answer = await stage.ask(question)
    return answer
