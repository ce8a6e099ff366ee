"""A face that is told objects and says objects, whatever carries them.

Laws:
1. The first object says what runs here. Then come a snapshot and everything that happens and is
   asked, in order.
2. What is no command is refused, and nothing else happens.

Source: front.md.
"""

from __future__ import annotations

import json
from typing import Any, Final

from p2ptruco.app import commands, plain
from p2ptruco.app.events import Event, Refused, Spoken
from p2ptruco.app.questions import Question
from p2ptruco.app.stage import Stage
from p2ptruco.ui.front.lines import Outbox
from p2ptruco.ui.front.sentences import Sentences
from p2ptruco.ui.words import LANGUAGES, speak, spoken

VERSION: Final = 1
"""Of the contract: what is there never changes its meaning within one."""


class Objects:
    """Whoever reads `out`, attached to a stage. `command`: what runs here."""

    def __init__(self, stage: Stage, out: Outbox, *, version: str, command: str) -> None:
        self._stage, self._out = stage, out
        self._sentences = Sentences()
        self.say(front=VERSION, program="p2ptruco", version=version, language=spoken(), run=command)
        stage.attach(self)

    def say(self, **members: Any) -> None:
        """Say an object."""
        self._out.say(json.dumps(members).encode("ascii"))

    # Out.

    def show(self, event: Event) -> None:
        if isinstance(event, Spoken):
            speak(event.language)
        self.say(**self._event(event))

    def ask(self, question: Question) -> None:
        self.say(**self._question(question))

    def snapshot(self, events: tuple[Event, ...], questions: tuple[Question, ...]) -> None:
        told = [self._event(event) for event in events]
        self.say(snapshot={"events": told, "questions": [self._question(q) for q in questions]})

    def _event(self, event: Event) -> plain.Plain:
        return plain.event(event) | self._sentences.of_event(event)

    def _question(self, question: Question) -> plain.Plain:
        return plain.question(question) | self._sentences.of_question(question)

    # In.

    def hear(self, line: bytes) -> None:
        """Carry out a command, or refuse what is none."""
        try:
            command = plain.command(line)
        except ValueError as wrong:
            self.show(Refused("", str(wrong)))
            return
        if isinstance(command, commands.Language) and command.language not in LANGUAGES:
            self._stage.refuse(command, "unknown_language")
        else:
            self._stage.hear(command, self)
