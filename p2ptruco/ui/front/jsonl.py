"""A face in another program: one JSON object a line, out and in.

Laws:
1. The first object says what runs here. Then come a snapshot, which is empty, and everything that
   happens and is asked, in order.
2. A line that is no command is refused, and nothing else happens.
3. The end of the lines is a leave, at once or as soon as there is something to leave. Where a bot
   plays it goes on; only what is asked before it plays is given up.

Source: front.md.
"""

from __future__ import annotations

import json
from typing import Any, Final

from p2ptruco.app import commands, plain
from p2ptruco.app.events import Closed, Event, Place, Refused, Scene, Spoken
from p2ptruco.app.questions import YES, Another, Confirm, Question, Rename, Which
from p2ptruco.app.stage import Stage
from p2ptruco.ui.front.lines import Outbox, Source, lines
from p2ptruco.ui.front.sentences import Sentences
from p2ptruco.ui.words import LANGUAGES, speak, spoken

VERSION: Final = 1
"""Of the contract: what is there never changes its meaning within one."""
LEAVES_FROM = (Place.LOBBY, Place.SEATING, Place.MATCH)


class Jsonl:
    """A program that reads `out`. `typing`: it also decides, and no bot does in its place."""

    def __init__(
        self, stage: Stage, out: Outbox, *, version: str, command: str, typing: bool = True
    ) -> None:
        self._stage, self._out, self._typing = stage, out, typing
        self._sentences = Sentences()
        self._place = Place.BETWEEN
        self._asked: Question | None = None
        """What a leave has to do with: a question between two scenes, or whether it is meant."""
        self._gone = False
        self._say(
            front=VERSION, program="p2ptruco", version=version, language=spoken(), run=command
        )
        stage.attach(self)

    def _say(self, **members: Any) -> None:
        self._out.say(json.dumps(members).encode("ascii"))

    # Out.

    def show(self, event: Event) -> None:
        if isinstance(event, Spoken):
            speak(event.language)
        self._say(**self._event(event))
        if isinstance(event, Closed) and self._asked and self._asked.id == event.id:
            self._asked = None
        if isinstance(event, Scene):
            self._place = event.place
            self._leave() if self._gone else None

    def ask(self, question: Question) -> None:
        self._say(**self._question(question))
        about_leaving = isinstance(question, Confirm) and question.situation is not None
        if about_leaving or isinstance(question, (Another, Rename, Which)):
            self._asked = question
            self._leave() if self._gone else None

    def snapshot(self, events: tuple[Event, ...], questions: tuple[Question, ...]) -> None:
        told = [self._event(event) for event in events]
        self._say(snapshot={"events": told, "questions": [self._question(q) for q in questions]})

    def _event(self, event: Event) -> plain.Plain:
        return plain.event(event) | self._sentences.of_event(event)

    def _question(self, question: Question) -> plain.Plain:
        return plain.question(question) | self._sentences.of_question(question)

    # In.

    async def listen(self, read: Source) -> None:
        """Hear commands until there are no more."""
        async for line in lines(read):
            self._hear(line)
            await self._out.room()
        self._gone = True
        self._leave()

    def _hear(self, line: bytes) -> None:
        try:
            command = plain.command(line)
        except ValueError as wrong:
            self.show(Refused("", str(wrong)))
            return
        if isinstance(command, commands.Language) and command.language not in LANGUAGES:
            self._stage.refuse(command, "unknown_language")
        else:
            self._stage.hear(command, self)

    def _leave(self) -> None:
        """Nobody answers any more: leave what can be left here."""
        if isinstance(self._asked, Confirm):
            self._stage.hear(commands.Answer(self._asked.id, YES))
        elif self._asked is not None or (self._typing and self._place in LEAVES_FROM):
            self._stage.hear(commands.Leave())
