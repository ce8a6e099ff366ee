"""The plain terminal as a face: events are lines, typed lines are answers and commands.

1. What is typed goes to the part of the evening that is on: the tables in sight, a lobby, a table,
   a question between two matches. In between it is kept. `lang` is heard everywhere.
2. Between two matches only a whole word answers; whoever types no more wants no other match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from p2ptruco.app import commands, events
from p2ptruco.app.events import Event, Place
from p2ptruco.app.questions import NO, YES, Another, Question, Rename, Which
from p2ptruco.app.stage import Stage
from p2ptruco.ui.faults import by_bot
from p2ptruco.ui.faults import lines as fault_lines
from p2ptruco.ui.notices import notice
from p2ptruco.ui.reasons import seat_failed
from p2ptruco.ui.refusals import REFUSED
from p2ptruco.ui.terminal import invitation
from p2ptruco.ui.terminal.console import Console
from p2ptruco.ui.terminal.ending import ended
from p2ptruco.ui.terminal.lobby import InLobby
from p2ptruco.ui.terminal.person import AtTable
from p2ptruco.ui.terminal.sight import InSight
from p2ptruco.ui.words import LANGUAGES, _, speak

YES_WORDS = ("y", "yes", "s", "sim")
LANGUAGE_WORDS = ("lang", "language", "idioma", "língua", "lingua")
SPOKEN = {
    **dict.fromkeys(("en", "english", "inglês", "ingles"), "en"),
    **dict.fromkeys(("pt", "pt-br", "português", "portugues", "portuguese"), "pt-BR"),
}
NO_WORDS = ("n", "no", "não", "nao", "q", "leave", "sair")

Hear = Callable[[str | None], None]


class Terminal:
    """A person at a plain terminal, attached to a stage. `typing`: they type, and no bot plays for
    them."""

    def __init__(self, console: Console, stage: Stage, *, typing: bool = True) -> None:
        self._console, self._stage, self._typing = console, stage, typing
        self._sight = InSight()
        self._lobby = InLobby(console, stage, typing=typing)
        self._place = Place.BETWEEN
        self._unopened = False
        """Whether there is a lobby of which nothing was said yet."""
        self._seated: events.Seated | None = None
        self._table: AtTable | None = None
        self._asked: Question | None = None
        """What is asked between two matches."""
        self._faults: list[tuple[str, dict[str, str]]] = []
        stage.attach(self)

    def snapshot(self, events: tuple[Event, ...], questions: tuple[Question, ...]) -> None:
        for event in events:
            self.show(event)
        for question in questions:
            self.ask(question)

    # What happens.

    def show(self, event: Event) -> None:
        match event:
            case events.Scene(place=place):
                self._enter(place)
            case events.Seated():
                self._seated = event
                self._table = AtTable(self._console, self._stage, event)
                self._listen(self._table.hear if self._typing else None)
            case events.Ended() | events.Interrupted() | events.Left():
                self._table = None
                self._listen(None)
            case events.Spoken(language=language) if language in LANGUAGES:
                speak(language)
            case events.BotFault(bot=bot, kind=kind, detail=detail):
                self._faults.append((bot, {"kind": kind, "detail": detail}))
            case events.Closed(id=closed) if self._asked and self._asked.id == closed:
                self._asked = None
                self._listen(None)
        if self._table is not None:
            self._table.show(event)
        elif self._place in (Place.LOBBY, Place.SEATING):
            self._lobby.show(event)
        self._console.say(*self._lines(event))
        if isinstance(event, (events.Lobby, events.Notice)) and self._unopened:
            self._unopened = False
            self._listen(self._lobby.hear)

    def _enter(self, place: Place) -> None:
        self._place, self._table = place, None
        self._lobby = InLobby(self._console, self._stage, typing=self._typing)
        self._unopened = place is Place.LOBBY
        self._listen(None)

    def _lines(self, event: Event) -> Iterator[str]:
        match event:
            case events.Invitation():
                yield from invitation.lines(event)
            case events.Tables():
                yield from self._sight.news(event)
            case events.Spoken():
                yield _("English from here on; l shows everything again.")
            case events.Notice(code=code, about=about):
                if code == "looking":
                    self._sight.wipe()
                yield notice(code, about)
            case events.Refused(code="private_table" | "no_such_table" as code):
                yield _(REFUSED[code])
            case events.BotFailed(seat=seat, reason=reason, errno=errno):
                yield seat_failed(seat + 1, reason, errno)
            case events.Scene(place=Place.BETWEEN):
                yield from fault_lines(by_bot(self._faults))
                self._faults.clear()
        if self._seated is not None:
            yield from ended(event, self._seated)

    def _listen(self, hear: Hear | None) -> None:
        """Whoever is to hear what is typed, from now on."""
        self._console.listen(None if hear is None else partial(self._typed, hear))

    def _typed(self, hear: Hear, line: str | None) -> None:
        """One typed line: another language, or what the part of the evening makes of it."""
        word, _space, rest = (line or "").partition(" ")
        language = SPOKEN.get(rest.strip().casefold())
        if word.casefold() in LANGUAGE_WORDS and language is not None:
            self._stage.hear(commands.Language(language))
        else:
            hear(line)

    # What is asked.

    def ask(self, question: Question) -> None:
        if self._table is not None:
            self._table.ask(question)
        elif isinstance(question, (Another, Rename, Which)):
            self._asked = question
            self._console.say(_said(question))
            self._listen(self._hear)

    def _hear(self, line: str | None) -> None:
        """What is typed to a question between two matches."""
        question = self._asked
        if isinstance(question, Another):
            self._want(question, "leave" if line is None else line.casefold())
        elif question is not None and line is None:
            self._stage.hear(commands.Leave())
        elif question is not None and line is not None:
            self._stage.hear(commands.Answer(question.id, line))

    def _want(self, question: Another, word: str) -> None:
        if word in (*YES_WORDS, *NO_WORDS):
            answer = YES if word in YES_WORDS else NO
            self._stage.hear(commands.Answer(question.id, answer))
        else:
            self._console.say(_said(question))


def _said(question: Another | Rename | Which) -> str:
    """A question between two matches, as it is said."""
    if isinstance(question, Another):
        return _("Another match? (y/n)")
    if isinstance(question, Rename):
        return _("Somebody at the table has your name already. Another name:")
    return _("Type the number of a table, or a ticket.")
