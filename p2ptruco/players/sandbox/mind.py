"""A bot as a mind: in a process of its own, with so much time for each decision.

1. The table waits for a decision for the budget and the grace, then plays the default of the
   rules, whatever the bot does: slow, looping, crashed, out of memory, illegal. What the lifecycle
   calls before a decision take counts in it; while a match goes on, nobody waits for anything else.
2. What the bot did not decide is a fault with its kind, for the report, and with what its author
   needs: the traceback, or what the process printed last.
3. Each match has an instance and a seed of its own; so has each restart of a process (`lives`).
4. There is nothing here that the bot could reach: a view goes out as text, a move comes back.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import trio

from p2ptruco.hooks import shown
from p2ptruco.players.fault import BotFault
from p2ptruco.players.sandbox.limits import Limits
from p2ptruco.players.sandbox.lives import LIVES as LIVES
from p2ptruco.players.sandbox.lives import Lives
from p2ptruco.players.sandbox.plain import move_from, plain_view
from p2ptruco.players.sandbox.process import Answer, Process, Told
from p2ptruco.rules.moves import Move
from p2ptruco.rules.play import default
from p2ptruco.rules.view import View

log = logging.getLogger(__name__)

NORMAL = Limits()

Hear = Callable[[str, BotFault], None]


@asynccontextmanager
async def sandboxed(
    bot: str,
    seed: str,
    limits: Limits = NORMAL,
    told: Hear = lambda name, fault: None,
) -> AsyncIterator[Sandbox]:
    """A bot by name or path, loaded and ready for its first match.

    `told` hears every fault at once, with the bot's name. Raises NoBot if there is no bot, or if
    loading it takes more than `limits.start`.
    """
    async with trio.open_nursery() as tasks:
        mind = Sandbox(bot, seed, limits, told)
        tasks.start_soon(mind.lives.run)
        absent = await mind.lives.settled()
        if absent is None:
            yield mind
            await mind.quiet()
            await mind.lives.farewell()
        tasks.cancel_scope.cancel()
    if absent is not None:
        raise absent


async def probe(bot: str, limits: Limits) -> str:
    """The name of a bot by name or path, loaded once as for a table. Raises NoBot."""
    async with sandboxed(bot, "probe", limits) as mind:
        return mind.name


class Sandbox:
    """A `Mind` whose bot runs elsewhere; made by `sandboxed`."""

    advises = False

    def __init__(self, bot: str, seed: str, limits: Limits, told: Hear) -> None:
        self.faults: list[BotFault] = []
        self.took_ms = 0.0
        """How long the bot says that it took for its last decision."""
        self.lives = Lives(bot, limits, self)
        self._seed, self._limits, self._told = seed, limits, told
        self._hears: frozenset[str] | None = None
        self._number = self._matches = 0

    @property
    def name(self) -> str:
        """What the bot calls itself."""
        return self.lives.name

    # What a mind does.

    async def choose(self, view: View) -> Move:
        """The bot's move, or the default of the rules with the fault noted."""
        move: Move | None = None
        with trio.move_on_after(self._limits.decision) as waited:
            move = await self._asked(view)
        if waited.cancelled_caught:
            self.lives.too_slow()
        return default(view.hand, view.seat, view.cards) if move is None else move

    def in_time(self, view: View) -> Move | None:
        """Nothing: a bot's time is up before the table's."""
        return None

    async def tell(self, event: str, view: View) -> None:
        """Pass on what happened; nobody waits for what the bot makes of it.

        A match that starts after another gets an instance and a seed of its own.
        """
        if event == "match_started":
            self._matches += 1
            if self._matches > 1:
                self._renew(f"{self._seed}/match {self._matches}")
        process = self.lives.process
        if process is not None and (self._hears is None or event in self._hears):
            self._send(process, {"tell": event, "view": self._plain(view)}, event)

    # Between matches.

    def begin(self, seed: str) -> None:
        """The next match has this seed, whatever was played before."""
        self._matches = 0
        self._renew(seed)

    async def quiet(self) -> None:
        """Wait until the bot has done with all that it was told, or had its time for it."""
        process = self.lives.process
        if process is None:
            return
        with trio.move_on_after(self._limits.decision) as waited:
            await process.quiet()
        if waited.cancelled_caught:
            self.lives.too_slow()
        elif process.ended.is_set():
            self.lives.died(process)

    def _renew(self, seed: str) -> None:
        self._seed = seed
        self.lives.fruitful(restarts=0)
        if self.lives.process is not None:
            self.up(self.lives.process, 0)

    # One decision.

    async def _asked(self, view: View) -> Move | None:
        process = await self.lives.ready()
        if process is None:
            self.note(self.faults[-1].kind, "left alone")
            return None
        line = {"choose": True, "view": self._plain(view)}
        told = await process.answer(self._send(process, line, "choose"))
        if told is None:
            self.lives.died(process)
        if told is None or told.fault is not None:
            return None
        self.lives.fruitful()
        self.took_ms = told.ms
        return self._judged(view, told)

    def _judged(self, view: View, told: Answer) -> Move | None:
        """The move that came back, if it is one and came in time."""
        move = move_from(told.move)
        if move is None or move not in view.legal:
            self.note("illegal", f"choose: {shown(told.move)}")
            return None
        if told.ms > self._limits.budget_ms:
            self.note("timeout", f"choose: {told.ms:.0f} ms")
            return None
        return move

    def _plain(self, view: View) -> Told:
        return plain_view(view) | {"budget_ms": self._limits.budget_ms}

    def _send(self, process: Process, line: Told, name: str) -> int:
        self._number += 1
        process.send(line, self._number, name)
        return self._number

    # What is heard of the bot's processes.

    def up(self, process: Process, restarts: int) -> None:
        """Begin the match under way in a new process, with another seed than before."""
        self._hears = None
        seed = f"{self._seed}/{restarts}" if restarts else self._seed
        self._send(process, {"match": seed}, "make")

    def heard(self, name: str, told: Answer) -> None:
        """Every answer, the moment it comes."""
        if name == "make" and told.hears is not None:
            self._hears = frozenset(told.hears)
        if told.fault is not None:
            self.lives.fruitful()
            self.note(told.fault, f"{name}: {told.detail}")

    def note(self, kind: str, detail: str) -> None:
        """One more fault."""
        fault = BotFault(kind, detail)
        self.faults.append(fault)
        self._told(self.name, fault)
        log.warning("bot %s: %s\n%s", self.name, kind, detail)
