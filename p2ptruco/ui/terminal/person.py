"""A person at a plain terminal, as a mind.

1. Whatever is typed is read by one task, in order: a move when one is asked, a card to be played
   later when it is not, talk and help at any time. No line is lost.
2. A prompt says all that is needed to decide: cards, trick, score, what the hand is worth, what
   each answer may bring and cost, the time there is; the clock speaks again while it runs out.
3. A card chosen beforehand is played when time runs out; where there is no clock, when its turn
   comes.
4. Nobody leaves by one slip of the finger: it is said first what goes with it. Nor is a move made
   at once that loses the match where another does not: it is asked once more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import trio

from p2ptruco.net.session.situation import Leaving
from p2ptruco.rules.moves import Move, Play
from p2ptruco.rules.prices import throws_match
from p2ptruco.rules.seating import Slot
from p2ptruco.rules.view import View
from p2ptruco.ui.terminal.console import Console
from p2ptruco.ui.terminal.phrases import Typed, read
from p2ptruco.ui.terminal.prompts import asking, cards, dealt, doubt, looking, manual, prompt
from p2ptruco.ui.terminal.story import ending
from p2ptruco.ui.terminal.waits import ASK, GOING
from p2ptruco.ui.words import _, ngettext

ALARMS = (20, 10, 5, 3)
"""Seconds left at which the clock speaks."""


class Person:
    """A `Mind` that asks at a console."""

    advises = True

    def __init__(self, console: Console) -> None:
        self._console = console
        self._view: View | None = None
        self._asked: View | None = None
        self._answer: Move | None = None
        self._answered = trio.Event()
        self._early: Play | None = None
        self._doubted: Move | None = None
        """A move that would lose the match, asked once more."""
        self._laid: set[Slot] = set()
        self._told: list[str] = []
        self._leaving = False
        self.seconds = 0
        """To move; 0: no clock."""
        self.company: Iterable[str] = ()
        """Who sits where, as lines."""
        self.deadline: Callable[[], float | None] = lambda: None
        self.talk: Callable[[str], Iterable[str]] = lambda text: ()
        """Says a line to everybody, and tells who does not get it."""
        self.signal: Callable[[str], Iterable[str]] = lambda text: ()
        """Says a line to partners, and tells who gets it."""
        self.standing: Callable[[], Iterable[str]] = lambda: ()
        """Who is missing, and whom the table waits for."""
        self.if_left: Callable[[], str] = lambda: _(ASK[Leaving.LOSES])
        self.going: Callable[[], str] = lambda: _(GOING[Leaving.LOSES])
        self.leave: Callable[[], None] = lambda: None

    # The mind.

    async def choose(self, view: View) -> Move:
        self._view = view
        early, cards_told = self._early, list(cards(view)) == self._told
        self._told = []
        noted = early if early in view.legal and not self.seconds else None
        if noted is not None and not throws(view, noted):
            move: Move = noted
        else:
            self._console.say(*asking(view, cards_told=cards_told, seconds=self._left()))
            move = await self._wait(view, noted)
        if isinstance(move, Play):
            self._early = None
            self._laid.add(move.slot)
        return move

    async def _wait(self, view: View, noted: Move | None) -> Move:
        """The move typed; `noted`: one typed beforehand."""
        self._asked, self._answer, self._answered = view, None, trio.Event()
        self._doubted = None
        if noted is not None:
            self._decide(view, noted)
        try:
            async with trio.open_nursery() as tasks:
                tasks.start_soon(self._ring)
                await self._answered.wait()
                tasks.cancel_scope.cancel()
        finally:
            self._asked = None
        assert self._answer is not None
        return self._answer

    def in_time(self, view: View) -> Move | None:
        early, self._early = self._early, None
        if early in view.legal:
            self._console.say(_("Time is up: the card that you had chosen is played."))
            return early
        self._console.say(_("Time is up: the rules decide for you."))
        return None

    async def tell(self, event: str, view: View) -> None:
        self._view = view
        if event == "hand_started" and view.hand.result is None:
            self._early, self._laid = None, set()
            self._told = list(cards(view))
            self._console.say(*dealt(view), *self._told)

    def _left(self) -> int:
        """Seconds left to move, 0 where there is no clock."""
        deadline = self.deadline() if self.seconds else None
        if deadline is None:
            return self.seconds
        return max(1, math.ceil(deadline - trio.current_time()))

    async def _ring(self) -> None:
        """Say how much time is left, a few times."""
        for alarm in ALARMS:
            deadline = self.deadline()
            left = None if deadline is None else deadline - trio.current_time()
            if left is not None and left > alarm:
                await trio.sleep(left - alarm)
                self._console.say(
                    ngettext("{n} second left", "{n} seconds left", alarm).format(n=alarm)
                )

    # What is typed.

    def hear(self, line: str | None) -> None:
        """One typed line; None: there will be no more, so the person has gone."""
        if line is None:
            self._console.say(_("No more input: leaving the table."))
            self._go()
        elif line:
            self.take(read(line, self._asked or self._view, self._asked is not None))

    def take(self, typed: Typed) -> None:
        """Do what a line asks."""
        if typed.kind != "leave":
            self._leaving = False
        if typed.kind != "move":
            self._doubted = None
        match typed.kind:
            case "move" if self._asked is not None and typed.move is not None:
                self._decide(self._asked, typed.move)
            case "early" if isinstance(typed.move, Play) and typed.move.slot not in self._laid:
                self._choose_early(typed.move)
            case "undo" if self._early is not None:
                self._choose_early(None)
            case "talk":
                self._console.say(*self.talk(typed.text))
            case "signal":
                self._signal(typed.text)
            case "leave":
                self._leave()
            case _:
                self._console.say(*self._told_of(typed.kind))

    def _told_of(self, kind: str) -> Iterable[str]:
        """What is said to a line that does nothing."""
        asked, view = self._asked, self._view
        if kind == "help":
            return manual(view, asked)
        if kind == "look" and (view is None or view.hand.result is not None):
            last = [] if view is None else [ending(view.hand)]
            return [*self.company, *self.standing(), *last]
        if kind == "look" and view is not None:
            table = asking(asked, seconds=self._left()) if asked else looking(view)
            return [*self.company, *dealt(view), *self.standing(), *table]
        if kind in ("early", "not_now", "undo"):
            if asked is None:
                return [_("It is not your turn to say that; ? says what can be typed.")]
            return [_("That cannot be done now."), prompt(asked, self._left())]
        again = [] if asked is None else [prompt(asked, self._left())]
        return [_("Not understood; ? says what can be typed."), *again]

    def _decide(self, view: View, move: Move) -> None:
        """Make a move, or ask once more before it."""
        if move != self._doubted and throws(view, move):
            self._doubted = move
            self._console.say(doubt(view, move), prompt(view, self._left()))
            return
        self._answer = move
        self._answered.set()

    def _choose_early(self, play: Play | None) -> None:
        if play == self._early:
            return
        self._early = play
        if play is None:
            said = _("Taken back.")
        elif self.seconds:
            said = _("Noted: it is played if your time runs out; 0 takes it back.")
        else:
            said = _("Noted: it is played when your turn comes; 0 takes it back.")
        self._console.say(said)

    def _signal(self, text: str) -> None:
        alone = self._view is not None and not self._view.partners
        if alone:
            self._console.say(_("You have no partner at this table."))
        else:
            self._console.say(*self.signal(text))

    def _leave(self) -> None:
        if self._leaving:
            self._go()
        else:
            self._leaving = True
            self._console.say(self.if_left())

    def _go(self) -> None:
        self._console.say(self.going())
        self.leave()


def throws(view: View, move: Move) -> bool:
    """Whether a move loses the match at once where another does not."""
    return throws_match(view.hand, view.seat, move, view.cards)
