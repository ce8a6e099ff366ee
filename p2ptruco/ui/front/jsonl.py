"""A face in another program: one JSON object a line, out and in.

Laws:
1. Out and in it is `Objects`; the first snapshot is empty.
2. The end of the lines is a leave, at once or as soon as there is something to leave. Where a bot
   plays it goes on; only what is asked before it plays is given up.

Source: front.md.
"""

from __future__ import annotations

from p2ptruco.app import commands
from p2ptruco.app.events import Closed, Event, Place, Scene
from p2ptruco.app.questions import YES, Another, Confirm, Question, Rename, Which
from p2ptruco.app.stage import Stage
from p2ptruco.ui.front.lines import Outbox, Source, lines
from p2ptruco.ui.front.objects import Objects

LEAVES_FROM = (Place.LOBBY, Place.SEATING, Place.MATCH)


class Jsonl(Objects):
    """A program that reads `out`. `typing`: it also decides, and no bot does in its place."""

    def __init__(
        self, stage: Stage, out: Outbox, *, version: str, command: str, typing: bool = True
    ) -> None:
        self._typing = typing
        self._place = Place.BETWEEN
        self._asked: Question | None = None
        """What a leave has to do with: a question between two scenes, or whether it is meant."""
        self._gone = False
        super().__init__(stage, out, version=version, command=command)

    # Out.

    def show(self, event: Event) -> None:
        super().show(event)
        if isinstance(event, Closed) and self._asked and self._asked.id == event.id:
            self._asked = None
        if isinstance(event, Scene):
            self._place = event.place
            self._leave() if self._gone else None

    def ask(self, question: Question) -> None:
        super().ask(question)
        about_leaving = isinstance(question, Confirm) and question.situation is not None
        if about_leaving or isinstance(question, (Another, Rename, Which)):
            self._asked = question
            self._leave() if self._gone else None

    # In.

    async def listen(self, read: Source) -> None:
        """Hear commands until there are no more."""
        async for line in lines(read):
            self.hear(line)
            await self._out.room()
        self._gone = True
        self._leave()

    def _leave(self) -> None:
        """Nobody answers any more: leave what can be left here."""
        if isinstance(self._asked, Confirm):
            self._stage.hear(commands.Answer(self._asked.id, YES))
        elif self._asked is not None or (self._typing and self._place in LEAVES_FROM):
            self._stage.hear(commands.Leave())
