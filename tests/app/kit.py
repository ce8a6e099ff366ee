"""Faces of the tests' own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from p2ptruco.app.commands import Answer
from p2ptruco.app.events import Event
from p2ptruco.app.questions import Question
from p2ptruco.app.stage import Stage

E = TypeVar("E", bound=Event)


@dataclass
class Sheet:
    """Keeps all that it is told; `answers`: what to say to a question, if anything."""

    stage: Stage
    answers: Callable[[Question], str | None] = lambda question: None
    told: list[Event] = field(default_factory=list)
    seen: list[Event] = field(default_factory=list)
    """What was taken from there."""
    asked: list[Question] = field(default_factory=list)
    at_first: tuple[Event, ...] = ()

    def __post_init__(self) -> None:
        self.stage.attach(self)

    def show(self, event: Event) -> None:
        self.told.append(event)

    def ask(self, question: Question) -> None:
        self.asked.append(question)
        answer = self.answers(question)
        if answer is not None:
            self.stage.hear(Answer(question.id, answer))

    def snapshot(self, events: tuple[Event, ...], questions: tuple[Question, ...]) -> None:
        self.at_first = events
        self.asked += questions

    def all(self, sort: type[E]) -> list[E]:
        """What was told of one kind."""
        return [event for event in self.told if isinstance(event, sort)]


def every(sort: type) -> Iterator[type]:
    """A class's subclasses that have none themselves; a dataclass with slots leaves its first
    draft behind."""
    below = sort.__subclasses__()
    if not below and getattr(sys.modules[sort.__module__], sort.__name__) is sort:
        yield sort
    for one in below:
        yield from every(one)
