"""A bot in its seat for one match: asked and told with its name on the mark, its faults counted.

An exception and an illegal move are faults that leave the move to the rules. A call that outlasts
the budget loses the match. MemoryError passes: the process can no longer be trusted.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Mapping
from functools import partial
from time import perf_counter_ns
from typing import Any

from p2ptruco.arena.mark import Mark
from p2ptruco.arena.records import CRASH, ILLEGAL, LONGEST_DETAIL, TIMEOUT, Fault
from p2ptruco.hooks.specs import EVENTS
from p2ptruco.rules.cards import Card
from p2ptruco.rules.hand import Hand
from p2ptruco.rules.match import Match
from p2ptruco.rules.moves import IllegalMove, Move, Play, Word
from p2ptruco.rules.notation.writing import write
from p2ptruco.rules.play import act, default, legal
from p2ptruco.rules.seating import Seat, Slot, slots_of
from p2ptruco.rules.view import View


class Forfeit(Exception):
    """An entrant has lost the match."""

    def __init__(self, entrant: int, kind: str) -> None:
        super().__init__(entrant, kind)
        self.entrant, self.kind = entrant, kind


class Ledger:
    """What the calls to one entrant of a match cost, and what went wrong in them."""

    def __init__(self, entrant: int, budget_ms: int, mark: Mark, times: list[int]) -> None:
        """`times`: where to put how many nanoseconds each decision took."""
        self.entrant, self.budget_ms, self.mark, self.times = entrant, budget_ms, mark, times
        self.budget_ns = budget_ms * 1_000_000
        self.faults: dict[str, Fault] = {}

    def note(self, kind: str, what: str, where: str = "") -> None:
        """Count a fault; of the first of a kind, keep what it was and where."""
        before = self.faults.get(kind)
        if before is not None:
            self.faults[kind] = before._replace(times=before.times + 1)
        else:
            detail = f"{what.rstrip()}\n{where}"[-LONGEST_DETAIL:]
            self.faults[kind] = Fault(self.entrant, kind, 1, detail)

    def call(self, function: Callable[[], Any], where: Callable[[], str] = str) -> Any:
        """What a function of the bot returns, or None with the fault counted."""
        answer = None
        self.mark.enter(self.entrant)
        began = perf_counter_ns()
        try:
            answer = function()
        except MemoryError:
            raise
        except BaseException:
            self.note(CRASH, traceback.format_exc(), where())
        took = perf_counter_ns() - began
        self.mark.leave()
        if took > self.budget_ns:
            self.late(took, where())
        return answer

    def late(self, took: int, where: str) -> None:
        """Forfeit the match after a call of so many nanoseconds."""
        self.note(TIMEOUT, f"{took / 1e6:.0f} ms", where)
        raise Forfeit(self.entrant, TIMEOUT)


class Seated:
    """One seat's bot; `player` is a function view → move, or an object with `choose`.

    Its views are those of `view_of`, from cards kept up to date: made for every decision, a view is
    what an arena spends most of its own time on.
    """

    def __init__(
        self, seat: Seat, player: Any, ledger: Ledger, seed: str, names: tuple[str, ...] = ()
    ) -> None:
        self.seat, self.ledger, self.names = seat, ledger, names
        self.past: tuple[Hand, ...] = ()
        """The hands played so far, as `View.past` has them."""
        self._own: tuple[tuple[Slot, Card | None], ...] = ()
        self._mates: tuple[tuple[Slot, Card], ...] = ()
        self._seen: Mapping[Slot, Card] = {}
        self._rng = random.Random(seed)
        self._choose: Callable[[View], Move] = getattr(player, "choose", player)
        self.hears: Mapping[str, Callable[[View], object]] = {
            event: listener
            for event in EVENTS
            if callable(listener := getattr(player, event, None))
        }

    def deal(self, seen: Mapping[Slot, Card]) -> None:
        """Begin a hand; `seen`: the faces that the rules show to this seat."""
        mine = slots_of(self.seat)
        self._seen = seen
        self._own = tuple([(slot, seen.get(slot)) for slot in mine])
        self._mates = tuple([pair for pair in seen.items() if pair[0] not in mine])

    def view(self, hand: Hand, match: Match) -> View:
        """What the seat knows as the hand stands."""
        mates = self._mates
        if mates:
            gone = {lay.slot for lay in hand.laid}
            mates = tuple([pair for pair in mates if pair[0] not in gone])
        budget, seen = self.ledger.budget_ms, self._seen
        hidden = [lay.slot for lay in hand.laid if lay.face_down]
        down = tuple([(slot, seen[slot]) for slot in hidden if slot in seen])
        return View(
            hand, self.seat, self._own, mates, match, budget, self._rng, down, self.past, self.names
        )

    def decide(self, hand: Hand, match: Match) -> Hand:
        """The hand after the bot's move, or after the default of the rules."""
        view, ledger = self.view(hand, match), self.ledger
        after = None
        ledger.mark.enter(ledger.entrant)
        began = perf_counter_ns()
        try:
            answer = self._choose(view)
            after = made(hand, self.seat, answer)
            took = perf_counter_ns() - began
            if after is None:
                ledger.note(ILLEGAL, repr(answer), write(hand, self._seen))
        except MemoryError:
            raise
        except BaseException:
            took = perf_counter_ns() - began
            ledger.note(CRASH, traceback.format_exc(), write(hand, self._seen))
        ledger.mark.leave()
        ledger.times.append(took)
        if took > ledger.budget_ns:
            ledger.late(took, write(hand, self._seen))
        if after is None:
            after = act(hand, self.seat, default(hand, self.seat, view.cards))
        if after.laid is not hand.laid:
            laid = after.laid[-1].slot
            self._own = tuple([pair for pair in self._own if pair[0] != laid])
        return after

    def hear(self, event: str, hand: Hand, match: Match) -> None:
        """Tell the bot, which listens to it, what has happened."""
        told = partial(self.hears[event], self.view(hand, match))
        self.ledger.call(told, lambda: write(hand, self._seen))


def made(hand: Hand, seat: Seat, answer: object) -> Hand | None:
    """The hand after the move that a bot answered; None if it is no legal move.

    What compares equal to a legal move is that move: a slot may be a numpy integer.
    """
    if type(answer) is Word or (
        type(answer) is Play and type(answer.slot) is int and type(answer.face_down) is bool
    ):
        try:
            return act(hand, seat, answer)
        except IllegalMove:
            return None
    menu = legal(hand, seat)
    return act(hand, seat, menu[menu.index(answer)]) if answer in menu else None
