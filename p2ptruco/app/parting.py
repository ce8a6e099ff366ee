"""Going home from a table: asked back once, for it gives something away."""

from __future__ import annotations

from ..net.session import Session
from . import events
from .questions import NO, YES, Confirm, Question, yes_or_no
from .stage import Stage


class Parting:
    """The leave of one seat, from the first word of it on."""

    def __init__(self, stage: Stage, session: Session) -> None:
        self._stage, self._session = stage, session
        self._asked: Question | None = None

    def wanted(self) -> None:
        """The person wants to leave: asks whether that is meant, unless it was said before."""
        if self._session.local.leaving:
            self._go()
        elif self._asked is None:
            situation = self._session.situation()
            self._asked = Confirm(self._stage.new_id(), yes_or_no(), NO, None, "leave", situation)
            self._stage.put(self._asked, self._meant)

    def _meant(self, answer: str) -> bool:
        self._asked = None
        if answer == YES:
            self._go()
        return True

    def _go(self) -> None:
        self._stage.tell(events.Leaving(self._session.situation()))
        self._session.leave()

    def end(self) -> None:
        """The match is over: nothing is asked any more."""
        if self._asked is not None:
            self._stage.close(self._asked)
