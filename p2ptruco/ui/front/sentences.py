"""What a face of somebody else's may say to a person, in the language spoken: the keys `message`,
a sentence or more, and `words`, what each toggle of the rules means.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from p2ptruco.app import events
from p2ptruco.app.events import Event
from p2ptruco.app.questions import Confirm, Question
from p2ptruco.rules.variant import Variant, toggles
from p2ptruco.ui.faults import by_bot
from p2ptruco.ui.faults import lines as fault_lines
from p2ptruco.ui.notices import notice
from p2ptruco.ui.reasons import seat_failed, stopped
from p2ptruco.ui.refusals import REFUSED
from p2ptruco.ui.terminal.ending import ended
from p2ptruco.ui.terminal.waits import Waits
from p2ptruco.ui.toggles import sentence
from p2ptruco.ui.words import _


class Sentences:
    """Sentences about one evening; remembers who sits at the table."""

    def __init__(self) -> None:
        self._seated: events.Seated | None = None

    def of_event(self, event: Event) -> dict[str, Any]:
        """The keys that an event gets besides its own."""
        if isinstance(event, events.Seated):
            self._seated = event
        if isinstance(event, (events.Seated, events.Lobby)):
            return {"words": in_words(event.variant)}
        return _message(self._of_program(event)) or _message(self._of_match(event))

    def of_question(self, question: Question) -> dict[str, Any]:
        """The keys that a question gets besides its own."""
        seated = self._seated is not None
        if seated and isinstance(question, Confirm) and question.situation is not None:
            return _message([self._waits.going(question.situation)])
        return {}

    @property
    def _waits(self) -> Waits:
        players = () if self._seated is None else self._seated.players
        return Waits([player.player for player in players])

    def _of_program(self, event: Event) -> Iterator[str]:
        match event:
            case events.Notice(code=code, about=about):
                yield notice(code, about)
            case events.Stopped(code=code, about=about):
                yield stopped(code, about)
            case events.Refused(code=code) if code in REFUSED:
                yield _(REFUSED[code])
            case events.BotFault(bot=bot, kind=kind, detail=detail):
                fault = {"kind": kind, "detail": detail}
                yield next(fault_lines(by_bot([(bot, fault)])))
            case events.BotFailed(seat=seat, reason=reason, errno=errno):
                yield seat_failed(seat + 1, reason, errno)

    def _of_match(self, event: Event) -> Iterator[str]:
        if self._seated is None:
            return
        match event:
            case events.Sent():
                yield from (self._waits.signalled if event.private else self._waits.said)(event)
            case events.Standing(situation=now) if now.missing or now.stuck:
                yield from self._waits.looked(now)
            case events.SealsAwaited(seats=seats):
                yield self._waits.sealing(seats)
            case events.Leaving(situation=now):
                yield self._waits.going(now)
            case events.Left(situation=now):
                yield self._waits.left(now)
        yield from ended(event, self._seated)


def _message(sentences: Iterator[str] | list[str]) -> dict[str, Any]:
    told = "\n".join(sentences)
    return {"message": told} if told else {}


def in_words(variant: Variant) -> dict[str, str]:
    """Every toggle of a variant as a sentence."""
    return {toggle: sentence(toggle, variant) for toggle in toggles(variant)}
