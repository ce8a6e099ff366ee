"""A person as a mind: the faces are asked, and the first answer counts.

Laws:
1. A card chosen ahead is played when its turn comes where there is no clock, and when time is up
   where there is one.
2. What loses the match where another move does not is asked once more before it is done; until
   that is answered another move may still be made.
3. A question that the table has passed closes, and nothing that was answered to it is used.

Source: front.md §4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import trio

from ..rules.moves import Move, Play
from ..rules.prices import price, throws_match
from ..rules.seating import Seat, Slot, slots_of
from ..rules.turns import default, speaker
from ..rules.view import View
from . import events
from .barred import barred
from .commands import Ahead, Command
from .questions import NO, YES, AskMove, Confirm, MoveChoice, Question, yes_or_no
from .stage import Stage
from .telling import own_cards, partners_cards

ALARMS = (20, 10, 5, 3)
"""Seconds left at which the clock is told."""


class Person:
    """A `Mind` that asks whoever looks at the stage."""

    advises = True

    def __init__(
        self,
        stage: Stage,
        deadline: Callable[[], float | None] = lambda: None,
        number: Callable[[], int] = lambda: 0,
    ) -> None:
        """`deadline`: when the time to move is over (trio's clock), None where there is no clock;
        `number`: which hand of the match is under way, from 0."""
        self._stage, self._deadline, self._number = stage, deadline, number
        self._view: View | None = None
        self._asked = False
        self._ahead: Play | None = None
        self._laid: set[Slot] = set()
        self._shown: set[Seat] = set()
        """Whose cards were told in this hand."""

    # The mind.

    async def choose(self, view: View) -> Move:
        await trio.lowlevel.checkpoint_if_cancelled()  # nothing is asked of whoever leaves
        self._view = view
        self._stage.tell(*self._news(view))
        move = await self._chosen(view)
        if isinstance(move, Play):
            self._choose_ahead(None, "used")
            self._laid.add(move.slot)
        return move

    async def _chosen(self, view: View) -> Move:
        ahead, clock = self._ahead, self._deadline() is not None
        noted = ahead if ahead in view.legal and not clock else None
        if noted is not None and not throws(view, noted):
            return noted
        asking = _Asking(self._stage, self._question(view))
        self._asked = True
        try:
            if noted is not None:
                asking.take(key_of(noted))
            return await asking.move()
        finally:
            self._asked = False
            asking.end()

    def _question(self, view: View) -> AskMove:
        choices = tuple(
            MoveChoice(key_of(move), move, price(view.hand, view.seat, move), throws(view, move))
            for move in view.legal
        )
        advice = speaker(view.hand) != view.seat
        first = None if advice else key_of(self._if_late(view))
        cannot = tuple(barred(view.hand, view.seat))
        return AskMove(self._stage.new_id(), choices, first, self._deadline(), advice, view, cannot)

    def in_time(self, view: View) -> Move | None:
        played, ahead = self._if_late(view), self._ahead
        self._choose_ahead(None, "used")
        self._stage.tell(events.TimeUp(key_of(played), played == ahead))
        return played if played == ahead else None

    def _if_late(self, view: View) -> Move:
        """What is played if time is up: the card chosen ahead, else what the rules say."""
        ahead = self._ahead if self._ahead in view.legal else None
        return ahead or default(view.hand, view.seat, view.cards)

    async def tell(self, event: str, view: View) -> None:
        self._view = view
        if event == "hand_started" and view.hand.result is None:
            self._choose_ahead(None, "over")
            self._laid, self._shown = set(), set()
            self._stage.tell(*self._news(view))

    def _news(self, view: View) -> Iterator[events.Event]:
        """Cards that were not told in this hand yet."""
        if view.seat not in self._shown:
            self._shown.add(view.seat)
            yield own_cards(self._number(), view)
        for theirs in partners_cards(self._number(), view):
            if theirs.seat not in self._shown:
                self._shown.add(theirs.seat)
                yield theirs

    # Commands.

    def hear(self, command: Command) -> bool:
        """Carry out a command that concerns our cards."""
        if not isinstance(command, Ahead):
            return False
        if command.place is None:
            if self._ahead is None:
                return False
            self._choose_ahead(None, "taken_back")
            return True
        if self._asked or self._view is None:
            return False
        slot = slots_of(self._view.seat)[command.place - 1]
        if slot not in self._view.cards or slot in self._laid:
            return False
        self._choose_ahead(Play(slot, command.face_down), "chosen")
        return True

    def _choose_ahead(self, play: Play | None, why: str) -> None:
        if play != self._ahead:
            self._ahead = play
            self._stage.tell(events.Ahead(None if play is None else key_of(play), why))


class _Asking:
    """One question for a move, and the doubt about what would lose the match."""

    def __init__(self, stage: Stage, question: AskMove) -> None:
        self._stage, self._question = stage, question
        self._moves = {choice.key: choice for choice in question.choices}
        self._doubt: Question | None = None
        self._made: Move | None = None
        self._over = trio.Event()
        stage.put(question, self.take)

    def take(self, key: str) -> bool:
        """An answer; whether it is made."""
        self._end_doubt()
        choice = self._moves[key]
        if not choice.loses_match:
            return self._make(choice.move)

        def meant(answer: str) -> bool:
            if answer == YES and self._make(choice.move):
                self._stage.close(self._question, "answer")
            return True

        self._doubt = Confirm(
            self._stage.new_id(), yes_or_no(), NO, self._question.deadline, key, None
        )
        self._stage.put(self._doubt, meant)
        return False

    def _make(self, move: Move) -> bool:
        self._made = move
        self._over.set()
        return True

    async def move(self) -> Move:
        """What is chosen; the clock speaks while it runs out."""
        async with trio.open_nursery() as tasks:
            tasks.start_soon(self._ring)
            await self._over.wait()
            tasks.cancel_scope.cancel()
        assert self._made is not None
        return self._made

    async def _ring(self) -> None:
        """Tell how much time is left, a few times."""
        until = self._question.deadline
        for alarm in ALARMS if until is not None else ():
            assert until is not None
            if (left := until - trio.current_time()) > alarm:
                await trio.sleep(left - alarm)
                self._stage.tell(events.Clock(alarm))

    def _end_doubt(self) -> None:
        if self._doubt is not None:
            self._stage.close(self._doubt)
            self._doubt = None

    def end(self) -> None:
        """Nothing is asked any more."""
        self._end_doubt()
        until = self._question.deadline
        over = until is not None and trio.current_time() >= until
        self._stage.close(self._question, "time" if over else "table")


def key_of(move: Move) -> str:
    """What a face answers for a move: `1` is the first card as dealt, `x1` the same face down."""
    if isinstance(move, Play):
        place = move.slot % len(slots_of(Seat(0))) + 1
        return f"x{place}" if move.face_down else str(place)
    return move.value


def throws(view: View, move: Move) -> bool:
    """Whether a move loses the match at once where another does not."""
    return throws_match(view.hand, view.seat, move, view.cards)
