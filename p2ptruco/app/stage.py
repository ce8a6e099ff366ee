"""Between a match and the faces that show it.

Laws:
1. Every face is told the same events in the same order; one that comes later gets a snapshot
   first: the events that still hold, and the questions that are open. What a face asks for while
   it is told something comes after that.
2. Telling never waits. A face that is slow holds back its own events. That it stumbles is logged
   and stops nobody; an OSError of it (nobody reads any more) ends us.
3. A question is answered once, by whichever face is first; every other answer is late.
4. A command goes to whoever `hears` at that moment; what nobody takes is refused.

Source: front.md §2 to §5.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import NamedTuple, Protocol

import trio

from ..table.unforeseen import unforeseen
from ..table.violation import LinkFault
from . import commands
from .commands import Command
from .events import Closed, Event, HandBegun, Lasts, Place, Refused, Scene, Spoken
from .questions import Question

Hears = Callable[[Command], bool]
"""Carries out a command; False: it is not one that can be carried out now."""
Answered = Callable[[str], bool]
"""Takes an answer; whether it closes the question."""

MOST_HELD = 4096
"""Events that still hold; a hand has some hundred."""


class Face(Protocol):
    """What shows a match: a terminal, a page, another program."""

    def show(self, event: Event) -> None:
        """Something happened. Never waits."""

    def ask(self, question: Question) -> None:
        """Something is asked. Never waits; the answer comes as a command."""

    def snapshot(self, events: tuple[Event, ...], questions: tuple[Question, ...]) -> None:
        """What holds, for a face that has just come."""


class Asked(NamedTuple):
    """A question that is open, and who takes the answer."""

    question: Question
    answered: Answered


class Stage:
    """Carries events and questions to the faces, commands and answers back."""

    def __init__(self, *faces: Face) -> None:
        self._faces = list(faces)
        self._holding: tuple[Event, ...] = ()
        self._asked: dict[int, Asked] = {}
        self._ids = count(1)
        self._hears: list[Hears] = []
        self._out: deque[Event | Question] = deque()
        self._telling = False

    # Out.

    def attach(self, face: Face) -> None:
        """Show everything to one face more, what still holds first."""
        self.look(face)
        self._faces.append(face)

    def detach(self, face: Face) -> None:
        self._faces.remove(face)

    def look(self, face: Face) -> None:
        """Show one face everything once more."""
        face.snapshot(self._holding, tuple(asked.question for asked in self._asked.values()))

    def tell(self, *events: Event) -> None:
        """Something happened."""
        for event in events:
            self._holding = holding(self._holding, event)
        self._send(*events)

    def _send(self, *news: Event | Question) -> None:
        self._out.extend(news)
        if self._telling:
            return
        self._telling = True
        try:
            while self._out:
                one = self._out.popleft()
                for face in tuple(self._faces):
                    with suppress(LinkFault), unforeseen("showing what happens", OSError):
                        face.ask(one) if isinstance(one, Question) else face.show(one)
        finally:
            self._telling = False

    # Asking.

    def new_id(self) -> int:
        """A number for a question."""
        return next(self._ids)

    def put(self, question: Question, answered: Answered) -> None:
        """Ask; `answered` takes every answer until one closes the question."""
        self._asked[question.id] = Asked(question, answered)
        self._send(question)

    def close(self, question: Question, by: str = "table") -> None:
        """Ask no longer; nothing if the question is closed already."""
        if self._asked.pop(question.id, None) is not None:
            self.tell(Closed(question.id, by))

    async def ask(self, question: Question) -> str | None:
        """The answer; None once time is over. Cancelled: no longer asked."""
        answers: list[str] = []
        over = trio.Event()

        def take(answer: str) -> bool:
            answers.append(answer)
            over.set()
            return True

        until = math.inf if question.deadline is None else question.deadline
        self.put(question, take)
        try:
            with trio.move_on_at(until):
                await over.wait()
        finally:
            self.close(question, "time" if trio.current_time() >= until else "table")
        return answers[0] if answers else None

    # In.

    def hear(self, command: Command, face: Face | None = None) -> None:
        """What a face says; `face`: who it is, for a look at everything."""
        if isinstance(command, commands.Answer):
            self._answer(command)
        elif isinstance(command, commands.Look) and face is not None:
            self.look(face)
        elif isinstance(command, commands.Language):
            self.tell(Spoken(command.language))
        elif not any(hears(command) for hears in reversed(self._hears)):
            self.refuse(command, "not_now")

    def refuse(self, command: Command, code: str) -> None:
        """A command could not be carried out."""
        self.tell(Refused(str(command.__struct_config__.tag), code))

    def _answer(self, answer: commands.Answer) -> None:
        asked = self._asked.get(answer.id)
        if asked is None:
            self.tell(Closed(answer.id, "late"))
            return
        choices = {choice.key for choice in asked.question.choices}
        if choices and answer.choice not in choices:
            self.refuse(answer, "no_such_choice")
        elif asked.answered(answer.choice):
            self.close(asked.question, "answer")

    @contextmanager
    def heard_by(self, hears: Hears) -> Iterator[None]:
        """Hand commands to `hears` first, for the time of a block."""
        self._hears.append(hears)
        try:
            yield
        finally:
            self._hears.remove(hears)


def holding(before: tuple[Event, ...], event: Event) -> tuple[Event, ...]:
    """The events that still hold, behind one more."""
    left = before
    if isinstance(event, Scene):
        over = event.place is Place.BETWEEN
        left = tuple(e for e in before if over and e.lasts is not Lasts.LATEST)
    elif isinstance(event, HandBegun):
        left = tuple(e for e in before if e.lasts is not Lasts.HAND)
    if event.lasts is Lasts.MOMENT:
        return left
    if event.lasts in (Lasts.LATEST, Lasts.RESULT):
        left = tuple(e for e in left if type(e) is not type(event))
    return (*left, event)[-MOST_HELD:]
