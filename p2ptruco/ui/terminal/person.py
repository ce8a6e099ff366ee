"""A table as a person at a plain terminal sees it, and what they type there.

1. A prompt says all that is needed to decide: cards, trick, score, what the hand is worth, what
   each answer may bring and cost, the time there is; the clock speaks again while it runs out.
2. A card typed before one's turn is noted for it; talk and help are heard at any time.
3. Nobody leaves by one slip of the finger: it is said first what goes with it. Nor is a move made
   at once that loses the match where another does not: it is asked once more. Whatever else is
   typed then takes it back.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import trio

from p2ptruco.app import commands, events
from p2ptruco.app.commands import Command
from p2ptruco.app.events import Event, OfHand
from p2ptruco.app.mind import key_of
from p2ptruco.app.questions import NO, YES, AskMove, Confirm, Question
from p2ptruco.app.stage import Stage
from p2ptruco.net.session.situation import Situation
from p2ptruco.rules.cards import Card
from p2ptruco.rules.moves import Move, Play
from p2ptruco.rules.seating import Slot, slots_of
from p2ptruco.rules.view import View, view_of
from p2ptruco.ui import sinais
from p2ptruco.ui.terminal.barred import why_not
from p2ptruco.ui.terminal.console import Console
from p2ptruco.ui.terminal.ending import who_sits
from p2ptruco.ui.terminal.phrases import Typed, read
from p2ptruco.ui.terminal.prompts import (
    asking,
    dealt,
    doubt,
    looking,
    manual,
    own_cards,
    partners_cards,
    prompt,
)
from p2ptruco.ui.terminal.prompts import cards as all_cards
from p2ptruco.ui.terminal.story import Stories, ending
from p2ptruco.ui.terminal.waits import Waits
from p2ptruco.ui.words import _, ngettext


class AtTable:
    """One match at a console."""

    def __init__(self, console: Console, stage: Stage, seated: events.Seated) -> None:
        self._console, self._stage = console, stage
        self._seat, self._clock = seated.seat, bool(seated.move_seconds)
        self._company = list(who_sits(seated))
        self._stories = Stories()
        self._waits = Waits([player.player for player in seated.players])
        self._situation: Situation | None = None
        self._number, self._seen = -1, dict[Slot, Card]()
        """The hand whose cards are known, and they."""
        self._view: View | None = None
        self._asked: AskMove | None = None
        self._doubted: Confirm | None = None
        """A move that would lose the match, asked once more."""
        self._leaving: Confirm | None = None
        self._gone = False
        """Whether nobody types any more."""
        self._told: list[str] = []
        """The cards as they were last said."""
        console.say(*self._company)

    # What happens.

    def show(self, event: Event) -> None:
        """Say an event of the match."""
        if isinstance(event, OfHand):
            self._console.say(*self._stories.grown(event.number + 1, event.hand))
            self._see(event)
        if isinstance(event, events.Standing):
            self._situation = event.situation
        self._console.say(*self._lines(event))

    def _see(self, event: OfHand) -> None:
        """Keep what the table looks like, once our cards of the hand are known."""
        if isinstance(event, events.Cards) and event.number != self._number:
            self._number, self._seen = event.number, {}
        if isinstance(event, (events.Cards, events.PartnerCards)):
            self._seen |= {held.slot: held.card for held in event.cards if held.card is not None}
        if event.number == self._number:
            self._view = view_of(event.hand, self._seat, self._seen)

    def _lines(self, event: Event) -> Iterator[str]:
        match event:
            case events.Cards():
                assert self._view is not None
                yield from dealt(self._view)
                self._told = list(own_cards(self._view))
                yield from self._told
            case events.PartnerCards(seat=mate):
                assert self._view is not None
                shown = list(partners_cards(self._view, mate))
                self._told += shown
                yield from shown
            case events.Talk(player=name, text=text):
                yield _("{name}: {text}").format(name=name, text=text)
            case events.Wink(player=name, sinal=str(sinal)):
                yield sinais.said(sinal, name)
            case events.Wink(player=name, text=text):
                yield _("{name} to you alone: {text}").format(name=name, text=text)
            case events.Sent():
                yield from (self._waits.signalled if event.private else self._waits.said)(event)
            case events.Standing(situation=now):
                yield from self._waits.news(now)
            case events.SealsAwaited(seats=seats):
                yield self._waits.sealing(seats)
            case events.Leaving(situation=now):
                yield self._waits.going(now)
            case events.Clock(seconds=n):
                yield ngettext("{n} second left", "{n} seconds left", n).format(n=n)
            case events.TimeUp(chosen=True):
                yield _("Time is up: the card that you had chosen is played.")
            case events.TimeUp():
                yield _("Time is up: the rules decide for you.")
            case events.Ahead(why="chosen") if self._clock:
                yield _("Noted: it is played if your time runs out; 0 takes it back.")
            case events.Ahead(why="chosen"):
                yield _("Noted: it is played when your turn comes; 0 takes it back.")
            case events.Ahead(why="taken_back"):
                yield _("Taken back.")
            case events.Refused():
                yield from self._refused(event)
            case events.Closed(id=closed):
                self._close(closed)

    def _refused(self, event: events.Refused) -> Iterable[str]:
        if (event.command, event.code) == ("wink", "no_partner"):
            return [_("You have no partner at this table.")]
        return self._told_of("not_now")

    def _close(self, closed: int) -> None:
        if self._asked is not None and self._asked.id == closed:
            self._asked = None
        if self._doubted is not None and self._doubted.id == closed:
            self._doubted = None
        if self._leaving is not None and self._leaving.id == closed:
            self._leaving = None

    # What is asked.

    def ask(self, question: Question) -> None:
        """Say what is asked."""
        if isinstance(question, AskMove):
            told, self._told = self._told, []
            self._asked, view = question, question.view
            cards_told = list(all_cards(view)) == told
            self._console.say(*asking(view, cards_told=cards_told, seconds=self._left()))
        elif isinstance(question, Confirm) and question.situation is not None:
            self._leaving = question
            if self._gone:
                self._answer(question, YES)
            else:
                self._console.say(self._waits.ask(question.situation))
        elif isinstance(question, Confirm) and self._asked is not None:
            self._doubted, view = question, self._asked.view
            move = next(c.move for c in self._asked.choices if c.key == question.what)
            self._console.say(doubt(view, move), prompt(view, self._left()))

    def _left(self) -> int:
        """Seconds left to move, 0 where there is no clock."""
        deadline = None if self._asked is None else self._asked.deadline
        if deadline is None:
            return 0
        return max(1, math.ceil(deadline - trio.current_time()))

    # What is typed.

    def hear(self, line: str | None) -> None:
        """One typed line; None: there will be no more, so the person has gone."""
        if line is None:
            self._console.say(_("No more input: leaving the table."))
            self._gone = True
            self._leave()
        elif line:
            asked = self._asked
            view = self._view if asked is None else asked.view
            self._take(read(line, view, asked is not None))

    def _take(self, typed: Typed) -> None:
        """Do what a line asks."""
        if typed.kind != "leave" and self._leaving is not None:
            self._answer(self._leaving, NO)
        if typed.kind != "move" and self._doubted is not None:
            self._answer(self._doubted, NO)
        match typed:
            case Typed("move", move) if self._asked is not None and move is not None:
                self._decide(self._asked, key_of(move))
            case Typed("early", Play(slot=slot, face_down=face_down)):
                place = slots_of(self._seat).index(slot) + 1
                self._say(commands.Ahead(place, face_down))
            case Typed("undo"):
                self._say(commands.Ahead())
            case Typed("talk", text=text):
                self._say(commands.Talk(text))
            case Typed("signal", text=text):
                self._say(commands.Wink(sinais.typed(text)))
            case Typed("leave"):
                self._leave()
            case _:
                self._console.say(*self._told_of(typed.kind, typed.move))

    def _decide(self, asked: AskMove, key: str) -> None:
        """Make a move; typed twice, it is meant."""
        if self._doubted is not None and self._doubted.what == key:
            self._answer(self._doubted, YES)
        else:
            self._answer(asked, key)

    def _leave(self) -> None:
        if self._leaving is not None:
            self._answer(self._leaving, YES)
        else:
            self._say(commands.Leave())

    def _answer(self, question: Question, choice: str) -> None:
        self._say(commands.Answer(question.id, choice))

    def _say(self, command: Command) -> None:
        self._stage.hear(command)

    def _told_of(self, kind: str, move: Move | None = None) -> Iterable[str]:
        """What is said to a line that does nothing."""
        asked, view = self._asked, self._view
        if kind == "help":
            return manual(view, None if asked is None else asked.view)
        if kind == "look":
            over = view is not None and view.hand.result is not None
            return self._between() if view is None or over else self._looked(view)
        if kind in ("early", "not_now", "undo"):
            if asked is None:
                return [_("It is not your turn to say that; ? says what can be typed.")]
            reason = why_not(move, asked.barred, asked.view.variant)
            return [reason, prompt(asked.view, self._left())]
        again = [] if asked is None else [prompt(asked.view, self._left())]
        return [_("Not understood; ? says what can be typed."), *again]

    def _between(self) -> Iterator[str]:
        """While no hand is played: who sits where, who is missing, how the last hand ended."""
        yield from self._company
        yield from self._missing()
        if self._view is not None:
            yield ending(self._view.hand)

    def _looked(self, view: View) -> Iterator[str]:
        """Everything: who sits where, who is missing, the table, the question."""
        yield from self._company
        yield from dealt(view)
        yield from self._missing()
        if self._asked is not None:
            yield from asking(self._asked.view, seconds=self._left())
        else:
            yield from looking(view)

    def _missing(self) -> Iterator[str]:
        if self._situation is not None:
            yield from self._waits.looked(self._situation)
