"""A bot as a mind: in a process of its own, with so much time for each decision.

1. The table waits for a decision for the budget and the grace, then plays the default of the
   rules, whatever the bot does: slow, looping, crashed, out of memory, illegal. What the lifecycle
   calls before a decision take counts in it; while a match goes on, nobody waits for anything else.
2. What the bot did not decide is a fault with its kind, for the report, and with what its author
   needs: the traceback, or what the process printed last.
3. A process that ended is started again at once, with a new instance and another seed: what the
   bot remembered is lost. After `LIVES` in a row without a decision it is left alone.
4. There is nothing here that the bot could reach: a view goes out as text, a move comes back.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import trio

from p2ptruco.hooks import NoBot, shown
from p2ptruco.players.fault import BotFault
from p2ptruco.players.sandbox.limits import Limits
from p2ptruco.players.sandbox.plain import move_from, plain_view
from p2ptruco.players.sandbox.process import Answer, Process, Told
from p2ptruco.players.sandbox.starting import first_line, missing, too_slow
from p2ptruco.rules.moves import Move
from p2ptruco.rules.play import default
from p2ptruco.rules.view import View

log = logging.getLogger(__name__)

NORMAL = Limits()
LIVES = 3
"""Starts in a row that lead to no decision."""
FAREWELL = 1.0
"""Seconds that a process has to end once it knows that nothing more will come."""


@asynccontextmanager
async def sandboxed(
    bot: str,
    seed: str,
    limits: Limits = NORMAL,
    told: Callable[[str, BotFault], None] = lambda name, fault: None,
) -> AsyncIterator[Sandbox]:
    """A bot by name or path, loaded and ready for its first match.

    `told` hears every fault at once, with the bot's name. Raises NoBot if there is no bot, or if
    loading it takes more than `limits.start`.
    """
    async with trio.open_nursery() as tasks:
        mind = Sandbox(bot, seed, limits, told)
        tasks.start_soon(mind.run)
        absent = await mind.settled()
        if absent is None:
            yield mind
            await mind.leave()
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

    def __init__(
        self, bot: str, seed: str, limits: Limits, told: Callable[[str, BotFault], None]
    ) -> None:
        self.name = bot
        self.faults: list[BotFault] = []
        self.took_ms = 0.0
        """How long the bot says that it took for its last decision."""
        self._bot, self._seed, self._limits, self._told = bot, seed, limits, told
        self._process: Process | None = None
        self._missing: NoBot | None = None
        self._hears: frozenset[str] | None = None
        self._lives = self._barren = self._number = self._matches = 0
        self._blamed: Process | None = None
        self._loaded = self._alone = False
        self._news, self._over = trio.Event(), trio.Event()

    # What a mind does.

    async def choose(self, view: View) -> Move:
        """The bot's move, or the default of the rules with the fault noted."""
        move: Move | None = None
        with trio.move_on_after(self._limits.decision) as waited:
            move = await self._asked(view)
        if waited.cancelled_caught:
            self._too_slow()
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
        if self._process is not None and (self._hears is None or event in self._hears):
            self._send({"tell": event, "view": self._plain(view)}, event)

    # The time before the first match, between matches, and after the last.

    async def settled(self) -> NoBot | None:
        """Wait until the bot is loaded; why it is not."""
        while not self._loaded and self._missing is None:
            await self._news.wait()
        return self._missing

    def begin(self, seed: str) -> None:
        """The next match has this seed, whatever was played before."""
        self._matches = 0
        self._renew(seed)

    def _renew(self, seed: str) -> None:
        self._seed, self._lives = seed, 0
        if self._process is not None:
            self._send_match()

    async def leave(self) -> None:
        """Let the bot hear what it has not heard yet, then say goodbye."""
        process = self._process
        if process is None:
            return
        await self.quiet()
        process.close()
        with trio.move_on_after(FAREWELL):
            await self._over.wait()

    async def quiet(self) -> None:
        """Wait until the bot has done with all that it was told, or had its time for it."""
        process = self._process
        if process is None:
            return
        with trio.move_on_after(self._limits.decision) as waited:
            await process.quiet()
        if waited.cancelled_caught:
            self._too_slow()
        elif process.ended.is_set():
            self._died(process)

    async def run(self) -> None:
        """One process after another."""
        while self._barren < LIVES and not self._over.is_set():
            await self._live()
        self._alone = True
        self._stir()

    # One process.

    async def _live(self) -> None:
        """From its start to its end."""
        process = Process(self._heard)
        self._hears = None
        self._barren += 1
        async with trio.open_nursery() as tasks:
            tasks.start_soon(process.run)
            if await self._greet(process):
                self._process, self._loaded = process, True
                self._send_match()
                self._stir()
                await process.ended.wait()
                self._without(process)
            tasks.cancel_scope.cancel()
        self._lives += 1
        if process.closing or self._missing is not None:
            self._over.set()
            self._stir()
        else:
            self._died(process)

    async def _greet(self, process: Process) -> bool:
        """Load the bot; whether there is one. The first failure is told to whoever starts us."""
        process.send(first_line(self._bot, self._limits))
        hello: Told | None = None
        with trio.move_on_after(self._limits.start) as waited:
            hello = await process.greeted()
        if waited.cancelled_caught:
            fault: NoBot | None = too_slow(self._bot, self._limits)
        else:
            fault = missing(self._bot, hello, _ending(process))
        if fault is None and hello is not None:
            self.name = shown(hello.get("bot"))
            return True
        if not self._loaded:
            self._missing = fault
        return False

    def _send_match(self) -> None:
        seed = self._seed if self._lives == 0 else f"{self._seed}/{self._lives}"
        self._send({"match": seed}, "make")

    def _send(self, line: Told, name: str) -> int:
        assert self._process is not None
        self._number += 1
        self._process.send(line, self._number, name)
        return self._number

    # One decision.

    async def _asked(self, view: View) -> Move | None:
        while (process := self._process) is None and not self._alone:
            await self._news.wait()
        if process is None:
            self._note(self.faults[-1].kind, "left alone")
            return None
        line = {"choose": True, "view": self._plain(view)}
        told = await process.answer(self._send(line, "choose"))
        if told is None:
            self._died(process)
        if told is None or told.fault is not None:
            return None
        self._barren, self.took_ms = 0, told.ms
        move = move_from(told.move)
        if move is None or move not in view.legal:
            self._note("illegal", shown(told.move))
            return None
        if told.ms > self._limits.budget_ms:
            self._note("timeout", f"choose: {told.ms:.0f} ms")
            return None
        return move

    def _plain(self, view: View) -> Told:
        return plain_view(view) | {"budget_ms": self._limits.budget_ms}

    # What goes wrong.

    def _heard(self, name: str, told: Answer) -> None:
        """Every answer, the moment it comes."""
        if name == "make" and told.hears is not None:
            self._hears = frozenset(told.hears)
        if told.fault is not None:
            self._barren = 0
            self._note(told.fault, f"{name}: {told.detail}")

    def _too_slow(self) -> None:
        """End the process, unless it has not come up yet; it is started again by itself."""
        process = self._process
        doing = process.open[0][1] if process and process.open else "start"
        lost = "" if process is None else "; its process was ended, its memory is lost"
        self._note("timeout", f"{doing}: more than {self._limits.budget:g} s{lost}")
        if process is not None:
            self._blamed = process
            process.kill()
            self._without(process)

    def _died(self, process: Process) -> None:
        """By itself, unless it was ended for a fault that has been noted."""
        if self._blamed is not process:
            self._blamed = process
            self._note("crash", _ending(process))
        self._without(process)

    def _without(self, process: Process) -> None:
        """Until another process is up, there is none to ask."""
        if self._process is process:
            self._process = None

    def _stir(self) -> None:
        self._news.set()
        self._news = trio.Event()

    def _note(self, kind: str, detail: str) -> None:
        self.faults.append(BotFault(kind, detail))
        self._told(self.name, self.faults[-1])
        log.warning("bot %s: %s\n%s", self.name, kind, detail)


def _ending(process: Process) -> str:
    """How a process ended, and what it printed last."""
    printed = process.printed.decode(errors="replace")
    return f"its process ended ({process.status}), its memory is lost\n{printed}".rstrip()
