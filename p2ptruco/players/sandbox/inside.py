"""The bot's end of the pipe: `python -m p2ptruco.players.sandbox.inside`.

Lines of JSON in, lines of JSON out, on descriptors that the bot does not know: its standard input
is empty, and what it prints goes to standard error. Nothing of a table, a key or a socket is ever
in this process.

| in | out |
| --- | --- |
| `{"bot", "memory", "budget_ms", "start"}`, first | `{"bot"}`, or `{"no_bot", "name", "detail"}` |
| `{"match": seed, "n"}`: a new instance | `{"n", "ms", "hears": [events]}` |
| `{"tell": event, "view", "n"}` | `{"n", "ms"}` |
| `{"choose": true, "view", "n"}` | `{"n", "ms", "move"}` |

An answer has `fault` (crash, illegal) and `detail` instead where the bot failed.

The end of the lines ends the process. So does a call that goes on for longer than its budget and
`LAST_RESORT`, or a thread of the bot's that does so after the last line, where the system has
alarms: then nobody is left who would end it.
"""

from __future__ import annotations

import json
import os
import random
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO

from p2ptruco.hooks import NoBot, find_bot
from p2ptruco.hooks.offers import Bot
from p2ptruco.hooks.specs import EVENTS
from p2ptruco.players.sandbox.plain import Plain, plain_move, view_from
from p2ptruco.process import close_memory
from p2ptruco.rules.view import View

LAST_RESORT = 3.0
"""Seconds over the budget, or after the last line, after which a process ends itself."""

LONGEST_DETAIL = 8000
LONGEST_REPR = 200


def main() -> None:
    """Answer line by line until there are no more."""
    close_memory()  # a neighbour's bot would read this one's cards
    lines, answers = _private_pipes()
    first = json.loads(lines.readline() or b"null")
    if first is None:
        return
    _limit(first["memory"])
    limit = first["budget_ms"] / 1000 + LAST_RESORT
    try:
        with _alarm(first["start"] + LAST_RESORT):
            bot = find_bot(first["bot"])
    except NoBot as missing:
        _say(answers, {"no_bot": missing.code, "name": missing.name, "detail": missing.detail})
        return
    player = Player(bot)
    _say(answers, {"bot": bot.name})
    for line in iter(lines.readline, b""):
        with _alarm(limit):
            _say(answers, player.answer(json.loads(line)))
    _set_alarm(LAST_RESORT)  # threads of the bot's go on, and the interpreter waits for them


class Player:
    """One bot, and its instance for the match under way."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.rng = random.Random()
        self.instance: Any = None

    def answer(self, asked: Plain) -> Plain:
        """Do what a line asks, however the bot takes it."""
        told: Plain = {"n": asked["n"]}
        began = time.perf_counter()
        try:
            if "match" in asked:
                told |= self._renew(asked["match"])
            else:
                told |= self._call(asked)
        except BaseException as error:
            told |= {"fault": "crash", "detail": _trace(error)}
        told["ms"] = round(1000 * (time.perf_counter() - began), 3)
        return told

    def _renew(self, seed: str) -> Plain:
        self.rng = random.Random(seed)
        self.instance = None
        self.instance = self.bot.make()
        return {"hears": [event for event in EVENTS if hasattr(self.instance, event)]}

    def _call(self, asked: Plain) -> Plain:
        view = view_from(asked["view"], self.rng)
        if self.instance is None:
            self.instance = self.bot.make()
        if "tell" in asked:
            listener = getattr(self.instance, asked["tell"], None)
            if listener is not None:
                listener(view)
            return {}
        return self._choose(view)

    def _choose(self, view: View) -> Plain:
        choose: Callable[[View], Any] = getattr(self.instance, "choose", self.instance)
        move = choose(view)
        for legal in view.legal:
            if type(move) is type(legal) and move == legal:
                return {"move": plain_move(legal)}
        return {"fault": "illegal", "detail": repr(move)[:LONGEST_REPR]}


def _trace(error: BaseException) -> str:
    """The traceback from the first frame on that is not ours."""
    try:
        trace = error.__traceback__
        while trace is not None and trace.tb_next and trace.tb_frame.f_code.co_filename == __file__:
            trace = trace.tb_next
        return "".join(traceback.format_exception(error.with_traceback(trace)))[-LONGEST_DETAIL:]
    except BaseException:
        return type(error).__name__


def _private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Our own ends of the pipes, out of the bot's way."""
    lines, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return os.fdopen(lines, "rb"), os.fdopen(answers, "wb", buffering=0)


def _say(answers: BinaryIO, told: Plain) -> None:
    """One line; with nobody there to read it, the end."""
    rest = memoryview(json.dumps(told).encode() + b"\n")
    try:
        while rest:
            rest = rest[answers.write(rest) :]
    except OSError:
        os._exit(0)


def _limit(memory: int) -> None:
    """Address space in bytes, and no core dumps, where the system has such limits."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """End the process if the block goes on for too long, whatever it is doing."""
    _set_alarm(seconds)
    try:
        yield
    finally:
        _set_alarm(0)


def _set_alarm(seconds: float) -> None:
    """End the process in so many seconds, where the system has alarms; 0: not at all."""
    import signal

    if not hasattr(signal, "setitimer"):
        return
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})  # a starter's is inherited
    signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    main()
