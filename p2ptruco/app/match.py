"""A seat of ours at a table, from the signed agreement to the record, told on a stage.

1. The record is written whatever happens: sealed, unsealed, or with a trailer of ours when the
   match is interrupted, and it is told what becomes of the match.
2. A table that waits is told after a while: who owes what.
3. Everything that others say has been cleaned before it is told.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import trio

from ..net.lobby.sitting import Seated
from ..net.mesh.mesh import Mesh
from ..net.session import Session
from ..net.session.situation import Situation
from ..players.local import LocalSeat
from ..players.mind import Mind
from ..players.offload import Offload, in_thread
from ..rules.facts import Phase
from ..rules.play import speaker, to_act
from ..rules.seating import Seat, team_of
from ..rules.variant import Variant
from ..store.home import Self
from ..table.agreement import Place, Times
from ..table.entries import Leave
from ..table.identity import fingerprint
from ..table.private import SINAIS
from ..table.record.file import write_record
from ..table.steps.phases import Choice
from ..table.steps.playing import Choosing
from ..table.table import Open, Table
from . import commands, events
from .commands import Command
from .deck import DeckWatch
from .keeping import keep
from .mind import Person
from .parting import Parting
from .plain import TEAMS
from .stage import Stage
from .stopped import Stopped
from .telling import Telling
from .waiting import attended

Rules = tuple[Variant, Times]
ASKED = {Phase.PLAYING: "move", Phase.ANSWERING: "answer", Phase.DECIDING: "decision"}
OWED = {"reveal": "token", "seal": "seal"}


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits down here: our identity, where it is told, where the record goes, who decides."""

    me: Self
    stage: Stage
    place: Path | None
    """A file or a folder for the record; None: none is kept."""
    mind: Mind | None = None
    """None: whoever looks at the stage."""
    offload: Offload = in_thread
    """Where heavy work is done."""


@dataclass(frozen=True, slots=True)
class Played:
    """What is left of a match that is over, from our seat: an evening has many, and a table is
    large."""

    seat: int
    told: Mapping[str, object] = field(default_factory=dict)
    """The match for a program."""
    others: Mapping[int, Place] = field(default_factory=dict)
    """Who sat where, ourselves apart."""
    rules: Rules | None = None
    """What was played by."""


def played(table: Table, seat: int, path: str | None) -> Played:
    """What is left of a finished table, with the path of its record."""
    outcome, agreement = table.outcome, table.agreement
    assert outcome is not None
    told = {
        "seat": seat + 1,
        "seats": agreement.players,
        "variant": agreement.variant.name,
        "winner": None if outcome.winner is None else TEAMS[outcome.winner],
        "score": dict(zip(TEAMS, outcome.score, strict=True)),
        "hands": len(table.hands),
        "record": path,
    }
    others = {other: place for other, place in enumerate(agreement.terms.roster) if other != seat}
    rules = agreement.variant, agreement.terms.times
    return Played(seat, told, others, rules)


class Match:
    """A table, and its seat of ours."""

    def __init__(self, player: Player, mesh: Mesh, seated: Seated) -> None:
        self._player, self._stage, self._seated = player, player.stage, seated
        self._seat = Seat(seated.seat)
        self._table = table = Table(seated.agreement, secrets.token_bytes)
        self._person = Person(self._stage, self._deadline, lambda: len(table.hands))
        local = LocalSeat(
            table,
            self._seat,
            player.me.identity,
            player.mind or self._person,
            random.SystemRandom(),
            offload=player.offload,
        )
        self._telling, self._deck = Telling(), DeckWatch(table)
        self._turn: Open | None = None
        self._session = Session(mesh, table, local, changed=self._changed, said=self._said)
        self._parting = Parting(self._stage, self._session)

    async def play(self) -> Played:
        """Play to the end; the record is kept before this returns or is cancelled. Stopped: left
        while the table waited for others."""
        left: Situation | None = None
        try:
            with self._stage.heard_by(self._hear):
                self._stage.tell(events.Scene(events.Place.MATCH), seated_as(self._seated))
                left = await attended(self._session, self._stage)
        finally:
            self._parting.end()
            path = self._ended(left)
        if left is not None:
            roster = self._seated.agreement.terms.roster
            who = ", ".join(f"{roster[one.seat].name} ({one.seat + 1})" for one in left.stuck)
            raise Stopped("left", who=who, leaving=left.leaving.value)
        return played(self._table, self._seated.seat, path)

    # What happens.

    def _changed(self) -> None:
        table, session = self._table, self._session
        self._stage.tell(*self._telling.news(table.hands, table.hand), *self._deck.news())
        if table.open is not self._turn and table.outcome is None:
            self._turn = table.open
            self._stage.tell(whose_turn(session, self._seat))

    def _said(self, seat: Seat, text: str, private: bool) -> None:
        name = self._seated.agreement.terms.roster[seat].name
        if private:
            sinal = text if text in SINAIS else None
            self._stage.tell(events.Wink(seat, name, text, sinal))
        else:
            self._stage.tell(events.Talk(seat, name, text))

    def _deadline(self) -> float | None:
        """When the time to move is over (trio's clock), for whoever is asked or advises."""
        return deadline(self._session)

    # What is asked of us.

    def _hear(self, command: Command) -> bool:
        match command:
            case commands.Talk(text=text):
                self._stage.tell(events.Sent(False, *self._session.talk.say(text)))
            case commands.Wink() if self._seated.agreement.players == 2:
                self._stage.refuse(command, "no_partner")
            case commands.Wink(text=text):
                self._stage.tell(events.Sent(True, *self._session.talk.signal(text)))
            case commands.Leave():
                self._parting.wanted()
            case _:
                return self._player.mind is None and self._person.hear(command)
        return True

    # The end.

    def _ended(self, left: Situation | None) -> str | None:
        """Keep the record and tell how it ended; where the record is."""
        kept = self._keep()
        if self._table.outcome is not None:
            self._stage.tell(*finished(self._table, self._seat))
        elif left is not None:
            self._stage.tell(events.Left(left))
        else:
            self._stage.tell(events.Interrupted(self._session.left))
        if kept is not None:
            self._stage.tell(kept)
        return None if kept is None else kept.path

    def _keep(self) -> events.Kept | None:
        if self._player.place is None:
            return None
        seated, complete = self._seated, self._table.outcome is not None
        identity = self._player.me.identity
        record = b"".join(write_record(self._table, seated.signatures, seated.seat, identity))
        try:
            path = keep(record, self._player.place, seated.agreement)
        except OSError as error:
            return events.Kept(None, complete, error.errno)
        return events.Kept(path, complete)


def deadline(session: Session) -> float | None:
    """When the time to move is over (trio's clock); None: no clock."""
    allowed = session.table.agreement.terms.times.move
    if not allowed:
        return None
    mine = session.local.deadline
    return mine if mine and mine > trio.current_time() else session.since + allowed


def whose_turn(session: Session, me: Seat) -> events.Turn:
    """Whom the table waits for, for what, since when."""
    phase = session.table.open.phase
    allowed = session.table.agreement.terms.times.move
    if isinstance(phase, Choosing):
        hand = phase.game.hand
        seats, speaks, what = to_act(hand), speaker(hand), ASKED[hand.phase]
        until = session.since + allowed if allowed else None
        return events.Turn(seats, speaks, what, session.since, until, me in seats)
    owed = session.owed
    kinds = {"" if isinstance(need, Choice) else need.kind for need in owed.values()}
    what = next((OWED[kind] for kind in kinds if kind in OWED), "deal")
    return events.Turn(tuple(sorted(owed)), None, what, session.since, None, me in owed)


def seated_as(seated: Seated) -> events.Seated:
    """The match as it was signed."""
    agreement, me = seated.agreement, Seat(seated.seat)
    players = tuple(
        events.Player(
            seat=Seat(seat),
            team=team_of(Seat(seat)),
            player=place.name,
            fingerprint=fingerprint(place.identity),
            operator=None if place.operator == seat else Seat(place.operator),
            me=seat == me,
        )
        for seat, place in enumerate(agreement.terms.roster)
    )
    seconds, print_ = agreement.terms.times.move, fingerprint(agreement.id)
    return events.Seated(me, players, agreement.variant, seconds, print_)


def finished(table: Table, me: Seat) -> Iterator[events.Event]:
    """Who won, by how much, who left, what was broken, and whose seal is missing."""
    outcome = table.outcome
    assert outcome is not None
    yield events.Ended(
        winner=outcome.winner,
        score=outcome.score,
        won=outcome.won,
        hands=len(table.hands),
        went=tuple(went(table)),
        mine=outcome.winner == team_of(me),
    )
    for broken in table.violations:
        yield events.Violation(Seat(broken.seat), broken.word, broken.hand, broken.step)
    unsealed = set(range(table.agreement.players)) - set(table.sealed_by)
    yield events.Sealed(tuple(map(Seat, sorted(unsealed))))


def went(table: Table) -> Iterator[Seat]:
    """The seats that left: in the last step before the seals, which are one themselves."""
    for parsed in (parsed for step in table.steps[-2:] for parsed in step.entries):
        if isinstance(parsed.body.content, Leave):
            yield Seat(parsed.body.seat)
