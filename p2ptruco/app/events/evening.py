"""The parts of an evening, and what concerns the program itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from .kinds import Event, Lasts


class Place(Enum):
    """Where a person is, and so what can be asked for."""

    LOOKING = "looking"
    """Among the tables in sight."""
    LOBBY = "lobby"
    SEATING = "seating"
    """Bots of ours, and nobody else, sit down."""
    MATCH = "match"
    BETWEEN = "between"
    """A lobby or a match is over, and the next one has not begun."""


@dataclass(frozen=True, slots=True)
class Scene(Event):
    """Another part of the evening begins."""

    name = "scene"
    lasts = Lasts.LATEST
    place: Place


@dataclass(frozen=True, slots=True)
class Notice(Event):
    """A sentence about this program: its code, and what the sentence names. The codes are
    looking, no_table_yet, network_changed, waiting_for_host, stopped_in_lobby, not_remembered
    (errno), and those of what was tried and cannot be done (`stopped.py`)."""

    name = "notice"
    code: str
    about: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Spoken(Event):
    """Another language is spoken from here on."""

    name = "language"
    language: str


@dataclass(frozen=True, slots=True)
class Closed(Event):
    """A question is over. `by`: answer, time, table (it is not asked any more) or late (an answer
    that came when it was closed already, and did nothing)."""

    name = "closed"
    id: int
    by: str


@dataclass(frozen=True, slots=True)
class Refused(Event):
    """A command or an answer that could not be carried out, and why."""

    name = "refused"
    command: str
    code: str


@dataclass(frozen=True, slots=True)
class Stopped(Event):
    """What was to be done cannot be: the last event of all."""

    name = "stopped"
    code: str
    about: Mapping[str, str] = field(default_factory=dict)
