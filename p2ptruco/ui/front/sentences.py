"""What a face of somebody else's may say to a person, in the language spoken: the keys `message`,
a sentence or more, and `words`, what each toggle of the rules means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from p2ptruco.app import events
from p2ptruco.app.events import Event
from p2ptruco.app.questions import Confirm, Question
from p2ptruco.rules.variant import Variant, toggles
from p2ptruco.ui.faults import by_bot
from p2ptruco.ui.faults import lines as fault_lines
from p2ptruco.ui.notices import notice
from p2ptruco.ui.reasons import seat_failed, stopped
from p2ptruco.ui.terminal.ending import ended
from p2ptruco.ui.terminal.waits import Waits
from p2ptruco.ui.toggles import sentence
from p2ptruco.ui.words import N_, _

REFUSED: Final[Mapping[str, str]] = {
    "not_now": N_("That cannot be done now."),
    "no_such_choice": N_("This is none of the choices."),
    "private_table": N_("This table is private: type its ticket."),
    "no_such_table": N_("There is no such table."),
    "not_ready": N_("Not everybody is here and ready."),
    "no_such_seat": N_("There is no such seat."),
    "nobody_there": N_("There is nobody to turn away by that name or seat."),
    "no_free_seat": N_("There is no free seat for it."),
    "no_bot_there": N_("There is no bot of yours in that seat."),
    "unknown_bot": N_("There is no bot of that name."),
    "no_partner": N_("You have no partner at this table."),
    "too_long": N_("This line is too long."),
    "no_object": N_("This line is no JSON object."),
    "unknown_command": N_("There is no such command, or a value of it is wrong."),
    "unknown_language": N_("This language is not spoken here."),
}
"""Why a command cannot be carried out, by code."""


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
