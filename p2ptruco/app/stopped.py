"""Why what a person wanted cannot be done: a code and what it is about; the words are the face's.

| code | about |
| --- | --- |
| port_in_use | port, reason |
| no_ticket | |
| no_answer | where |
| no_network, no_table | |
| seat_failed | seat, reason, errno |
| left | who, leaving |
| any code of `NotSeated`, or of a fault of a link | |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from ..errors import within
from . import events
from .stage import Stage


class Stopped(Exception):
    """Ends what a person does; `about`: what a sentence about it names."""

    def __init__(self, code: str, **about: str) -> None:
        super().__init__(code)
        self.code = code
        self.about: Mapping[str, str] = about


@contextmanager
def told(stage: Stage) -> Iterator[None]:
    """Tell why a block was stopped, as its last event; a group that holds a Stopped is it."""
    try:
        yield
    except (Stopped, BaseExceptionGroup) as error:
        stopped = within(error, Stopped)
        if stopped is None:
            raise
        stage.tell(events.Stopped(stopped.code, stopped.about))
        if stopped is error:
            raise
        raise stopped from error
