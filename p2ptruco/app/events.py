"""What a face is told: frozen values, in the order in which they happened.

Laws:
1. An event says everything that a face shows of it; a face computes nothing that the table knows.
2. Numbers count from 0 here, as everywhere in the code. `Seat`, `Team`, `Slot` and `Card` are
   types of their own, so that whoever writes an event for people knows what to count from 1.
3. The words are the face's: events carry codes and data.
4. `lasts` says for how long an event still holds. The events that hold are the snapshot that a
   face gets which comes later.
5. Later versions add events and fields; none is changed or taken away.

Source: front.md §3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, ClassVar, Final

from ..net.session.situation import Situation
from ..rules.cards import Card
from ..rules.hand import Hand, How
from ..rules.seating import Seat, Slot, Team
from ..rules.variant import Variant

NTH: Final = "from 0"
Nth = Annotated[int, NTH]
"""A count that people read from 1."""


class Lasts(Enum):
    """Until when an event belongs to what a face shows."""

    MOMENT = "moment"
    """It is shown once."""
    LATEST = "latest"
    """Until the next one of its kind, or until the scene changes."""
    HAND = "hand"
    """Until the hand after it begins, or another scene."""
    MATCH = "match"
    """Until another scene begins: what a match ended with is still there between the scenes."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that a face may show. `name` is what front.md calls it."""

    name: ClassVar[str] = ""
    lasts: ClassVar[Lasts] = Lasts.MOMENT


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


# The lobby.


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat of the lobby that is taken."""

    seat: Seat
    player: str
    fingerprint: str
    operator: Seat | None
    """The seat whose machine runs this one; None: it runs itself."""
    bot: bool
    ready: bool
    held: bool
    """Kept for a player of the match before, who has not said yet whether to play another."""
    linked: bool
    """Whether this program hears it: by a link of its own, or through the host."""
    me: bool
    meeting: str
    """new, known, renamed or other_key: what we know of this player. Empty for ourselves and for
    bots of ours."""


@dataclass(frozen=True, slots=True)
class Tables(Event):
    """The tables in sight on this network, by the number that each keeps while it is looked for."""

    name = "tables"
    lasts = Lasts.LATEST
    tables: tuple[Sighted, ...]


@dataclass(frozen=True, slots=True)
class Sighted:
    """One table in sight; all of it is a hint."""

    number: int
    host: str
    variant: str
    scale: str
    seats: int
    free: int
    private: bool
    fingerprint: str
    addresses: tuple[str, ...]
    """Where it listens, as `192.0.2.7:4000`."""


@dataclass(frozen=True, slots=True)
class Invitation(Event):
    """What the host gives to those who are to come. `reach`: `network`, or `machine` where there
    is no network; `moved`: the network has changed, and with it the ticket."""

    name = "invitation"
    lasts = Lasts.LATEST
    ticket: str
    private: bool
    reach: str
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Lobby(Event):
    """The lobby as it stands, whole, again whenever it changes."""

    name = "lobby"
    lasts = Lasts.LATEST
    hosting: bool
    alone: bool
    """Only bots of ours can come."""
    variant: Variant
    move_seconds: int
    """Seconds to move; 0: no clock."""
    chairs: tuple[Chair | None, ...]
    locked: bool
    started: bool
    ready: bool
    """Whether every seat is taken and ready."""


# What people say, and what becomes of it.


@dataclass(frozen=True, slots=True)
class Talk(Event):
    """A clean line that somebody said. `seat` is None in a lobby."""

    name = "talk"
    seat: Seat | None
    player: str
    text: str


@dataclass(frozen=True, slots=True)
class Wink(Event):
    """A clean line of a partner, that nobody else got."""

    name = "wink"
    seat: Seat
    player: str
    text: str


@dataclass(frozen=True, slots=True)
class Sent(Event):
    """What became of a line of ours: the seats that it is on its way to, those that no link leads
    to, and why it was sent to nobody at all (`empty`, `too_fast`)."""

    name = "sent"
    private: bool
    """To partners only."""
    to: tuple[Seat, ...]
    missed: tuple[Seat, ...]
    fault: str


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


# The match.


@dataclass(frozen=True, slots=True)
class Player:
    """Who has a seat of the match."""

    seat: Seat
    team: Team
    player: str
    fingerprint: str
    operator: Seat | None
    """The seat whose machine runs this one; None: it runs itself."""
    me: bool


@dataclass(frozen=True, slots=True)
class Seated(Event):
    """The agreement is signed by all; the match begins."""

    name = "seated"
    lasts = Lasts.MATCH
    seat: Seat
    players: tuple[Player, ...]
    variant: Variant
    move_seconds: int
    fingerprint: str
    """Of what was signed: the same for everybody at this table."""


@dataclass(frozen=True, slots=True)
class OfHand(Event):
    """Something that happened in a hand. `number` counts the hands of the match from 0; `hand` is
    the public state behind it: score, value, next call, trick, whose turn."""

    lasts = Lasts.HAND
    number: Nth
    hand: Hand


@dataclass(frozen=True, slots=True)
class HandBegun(OfHand):
    """A hand is dealt; the vira, where there is one, follows."""

    name = "hand_begun"
    won: tuple[int, int]
    """Matches of the set won by each team."""


@dataclass(frozen=True, slots=True)
class Vira(OfHand):
    """The card that names the manilhas is open."""

    name = "vira"
    card: Card
    manilhas: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """A card in hand at its place as dealt, from 0. `card` None: nobody may see it."""

    place: Nth
    slot: Slot
    card: Card | None
    manilha: bool


@dataclass(frozen=True, slots=True)
class Cards(OfHand):
    """One's own cards."""

    name = "cards"
    cards: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class PartnerCards(OfHand):
    """A partner's cards, where the rules show them."""

    name = "partner_cards"
    seat: Seat
    cards: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class Laid(OfHand):
    """A card on the table. `card` None: face down. `takes`: whose the trick is as it stands; None
    for a tie."""

    name = "card"
    seat: Seat
    slot: Slot
    card: Card | None
    manilha: bool
    trick: Nth
    takes: Team | None


@dataclass(frozen=True, slots=True)
class Called(OfHand):
    """A call, and what the hand is worth once it is accepted."""

    name = "call"
    seat: Seat
    word: str
    points: int


@dataclass(frozen=True, slots=True)
class Said(OfHand):
    """An answer to a call, the decision of a special hand, or a fold: `accept` `run` `play`
    `refuse` `fold`."""

    name = "answer"
    seat: Seat
    word: str


@dataclass(frozen=True, slots=True)
class OnTable:
    """A card of a finished trick."""

    seat: Seat
    card: Card | None
    best: bool


@dataclass(frozen=True, slots=True)
class TrickTaken(OfHand):
    """A finished trick, whole. `winner` None: a tie. `lead`: who leads next, or would."""

    name = "trick"
    trick: Nth
    cards: tuple[OnTable, ...]
    winner: Team | None
    lead: Seat


@dataclass(frozen=True, slots=True)
class HandOver(OfHand):
    """How a hand ended and the score behind it. `winner` None: nobody scores."""

    name = "hand_over"
    winner: Team | None
    points: int
    how: How
    score: tuple[int, int]
    won: tuple[int, int]


# Time and absence.


@dataclass(frozen=True, slots=True)
class Turn(Event):
    """Whom the table waits for, and since when. `what`: move, answer, decision, deal, token or
    seal."""

    name = "turn"
    lasts = Lasts.LATEST
    seats: tuple[Seat, ...]
    speaker: Seat | None
    """Who speaks for a team that is asked."""
    what: str
    since: float
    """On trio's clock; written as seconds ago."""
    deadline: float | None
    """When the time to move is over; None: no clock."""
    mine: bool


@dataclass(frozen=True, slots=True)
class Standing(Event):
    """Who is missing, whether the table waits for them, and what leaving would do now."""

    name = "standing"
    lasts = Lasts.LATEST
    situation: Situation


@dataclass(frozen=True, slots=True)
class SealsAwaited(Event):
    """The match is over; the seals of these seats are waited for."""

    name = "seals_awaited"
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Ahead(Event):
    """The card that is chosen ahead of one's turn. `why`: chosen, taken_back, used (it was played,
    or another one) or over (the hand is)."""

    name = "ahead"
    lasts = Lasts.LATEST
    choice: str | None
    """As in the choices of a move; None: none is chosen."""
    why: str


@dataclass(frozen=True, slots=True)
class Clock(Event):
    """The time to move runs out: so many seconds are left."""

    name = "clock"
    seconds: int


@dataclass(frozen=True, slots=True)
class TimeUp(Event):
    """Our time was over. `chosen`: the card chosen ahead is played; else the rules decide."""

    name = "time_up"
    choice: str
    """What is played, as in the choices of a move."""
    chosen: bool


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


# The end.


@dataclass(frozen=True, slots=True)
class Leaving(Event):
    """We go home with the next thing that our seat owes; what that does, at this moment."""

    name = "leaving"
    situation: Situation


@dataclass(frozen=True, slots=True)
class Left(Event):
    """We have gone from a table that waits for others."""

    name = "left"
    lasts = Lasts.MATCH
    situation: Situation


@dataclass(frozen=True, slots=True)
class Violation(Event):
    """A seat broke the protocol; the record shows it."""

    name = "violation"
    lasts = Lasts.MATCH
    seat: Seat
    word: str
    hand: Nth
    step: Nth


@dataclass(frozen=True, slots=True)
class Interrupted(Event):
    """The match is broken off here and has no winner; unless we had said that we leave, which
    counts if the others go on."""

    name = "interrupted"
    lasts = Lasts.MATCH
    leave_signed: bool


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The match (or set) is over. `winner` None: both teams left at once."""

    name = "ended"
    lasts = Lasts.MATCH
    winner: Team | None
    score: tuple[int, int]
    won: tuple[int, int]
    hands: int
    went: tuple[Seat, ...]
    """Seats that left."""
    mine: bool
    """Whether our team won."""


@dataclass(frozen=True, slots=True)
class Sealed(Event):
    """What became of the seals under the result of a match."""

    name = "sealed"
    lasts = Lasts.MATCH
    missing: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Kept(Event):
    """The record is written. `path` None: it is not, because the system refused (`errno`)."""

    name = "record"
    lasts = Lasts.MATCH
    path: str | None
    complete: bool
    """Whether it holds a match to its end."""
    errno: int | None = None


@dataclass(frozen=True, slots=True)
class BotFault(Event):
    """A bot of ours failed to decide; the rules decided for it. `kind`: timeout, crash, illegal."""

    name = "bot_fault"
    bot: str
    kind: str
    detail: str


@dataclass(frozen=True, slots=True)
class BotFailed(Event):
    """A bot of ours can play no longer. `reason`: the name of what went wrong in its process, and
    `errno` where the system refused; empty: it has ended."""

    name = "bot_failed"
    seat: Seat
    reason: str
    errno: int | None = None


@dataclass(frozen=True, slots=True)
class Stopped(Event):
    """What was to be done cannot be: the last event of all."""

    name = "stopped"
    code: str
    about: Mapping[str, str] = field(default_factory=dict)
