"""A seat of ours at a table, from the signed agreement to the record, told at a console.

1. The record is written whatever happens: sealed, unsealed, or with a trailer of ours when the
   match is interrupted, and it is said what becomes of the match.
2. A table that waits is told after a while: who owes what.
3. Everything that others say has been cleaned before it is shown.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path

import trio

from p2ptruco.cli.choices import unwritten
from p2ptruco.cli.failure import FAILED, Failure
from p2ptruco.cli.faults import by_bot
from p2ptruco.cli.faults import lines as fault_lines
from p2ptruco.cli.seat import keep
from p2ptruco.cli.waiting import attended
from p2ptruco.net.home import Self, records
from p2ptruco.net.mesh import Event, Mesh
from p2ptruco.net.session import Session
from p2ptruco.net.sitting import Seated
from p2ptruco.players.local import LocalSeat
from p2ptruco.players.mind import Mind
from p2ptruco.players.sandbox.mind import Sandbox
from p2ptruco.rules.seating import Seat
from p2ptruco.table.agreement import Agreement, Place
from p2ptruco.table.entries import Leave
from p2ptruco.table.identity import fingerprint
from p2ptruco.table.record import write_record
from p2ptruco.table.table import Table
from p2ptruco.ui.reasons import VIOLATIONS, system
from p2ptruco.ui.terminal.cards import TEAMS, score_text, team_text
from p2ptruco.ui.terminal.console import Console
from p2ptruco.ui.terminal.person import Person
from p2ptruco.ui.terminal.story import Stories
from p2ptruco.ui.terminal.waits import Waits
from p2ptruco.ui.words import _


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits down here: our identity, who decides, where it is told, where the record goes."""

    me: Self
    mind: Mind
    console: Console
    place: Path | None
    """A file or a folder for the record; None: none is kept."""


@dataclass(frozen=True, slots=True)
class Played:
    """What is left of a match that is over, from our seat: an evening has many, and a table is
    large."""

    seat: int
    told: Mapping[str, object] = field(default_factory=dict)
    """The match for a program."""
    others: Mapping[int, Place] = field(default_factory=dict)
    """Who sat where, ourselves apart."""
    after: Sequence[tuple[bytes, Event]] = field(default=(), repr=False)
    """What came of the next match already."""


def add(before: list[Played], one: Played) -> None:
    """Add a match to those before it: what came of it too early has been heard by now."""
    before[-1:] = [replace(last, after=()) for last in before[-1:]]
    before.append(one)


def played(
    table: Table, seat: int, path: str | None, after: Sequence[tuple[bytes, Event]] = ()
) -> Played:
    """What is left of a finished table, with the path of its record."""
    outcome, agreement = table.outcome, table.agreement
    assert outcome is not None
    told = {
        "seat": seat + 1,
        "seats": agreement.players,
        "variant": agreement.variant.name,
        "winner": None if outcome.winner is None else team_text(outcome.winner),
        "score": dict(zip(TEAMS, outcome.score, strict=True)),
        "hands": len(table.hands),
        "record": path,
    }
    others = {other: place for other, place in enumerate(agreement.terms.roster) if other != seat}
    return Played(seat, told, others, tuple(after))


@dataclass(slots=True)
class Match:
    """A table, and its seat of ours."""

    player: Player
    mesh: Mesh
    seated: Seated

    async def play(self) -> Played:
        """Play to the end; the record is kept before this returns or is cancelled. Failure: left
        while the table waited for others."""
        table = Table(self.seated.agreement, secrets.token_bytes)
        session = self._session(table)
        company = who_sits(self.seated.agreement, self.seated.seat)
        waits = Waits([place.name for place in self.seated.agreement.terms.roster])
        self.player.console.say(*company)
        left: str | None = None
        try:
            with self._connected(session, company, waits):
                left = await attended(session, self.player.console, waits)
        finally:
            path = self._keep(table)
            if table.outcome is not None:
                self.player.console.say(*finished(table, path))
            else:
                self.player.console.say(*([] if left else interrupted(session)), *kept(path))
            self.player.console.say(*self._faults())
        if left is not None:
            raise Failure("left", left, FAILED)
        return played(table, self.seated.seat, path, session.after)

    def _session(self, table: Table) -> Session:
        seat, player, stories = Seat(self.seated.seat), self.player, Stories()
        local = LocalSeat(table, seat, player.me.identity, player.mind, random.SystemRandom())

        def changed() -> None:
            player.console.say(*stories.news(table.hands, table.hand))

        early = self.seated.early
        return Session(self.mesh, table, local, early=early, changed=changed, said=self._said)

    def _faults(self) -> Iterator[str]:
        """What a bot of ours failed to decide in this match."""
        if isinstance(self.player.mind, Sandbox):
            faults = [(self.player.mind.name, asdict(fault)) for fault in self.player.mind.faults]
            self.player.mind.faults.clear()
            yield from fault_lines(by_bot(faults))

    def _keep(self, table: Table) -> str | None:
        if self.player.place is None:
            return None
        signatures, seat = self.seated.signatures, self.seated.seat
        record = b"".join(write_record(table, signatures, seat, self.player.me.identity))
        try:
            return keep(record, self.player.place, self.seated.agreement)
        except OSError as error:
            self.player.console.say(unwritten(system(error)).message)
            return None

    @contextmanager
    def _connected(self, session: Session, company: Sequence[str], waits: Waits) -> Iterator[None]:
        """Let a person speak to the session for the time of a block."""
        person = self.player.mind
        if not isinstance(person, Person):
            yield
            return
        person.company, person.seconds = company, self.seated.agreement.terms.times.move
        person.deadline = partial(deadline, session)
        talk, now = session.talk, session.situation
        person.talk = lambda text: waits.said(talk.say(text))
        person.signal = lambda text: waits.signalled(talk.signal(text))
        person.standing = lambda: waits.looked(now())
        person.if_left, person.going = lambda: waits.ask(now()), lambda: waits.going(now())
        person.leave = session.leave
        with self.player.console.heard_by(person.hear):
            yield

    def _said(self, seat: Seat, text: str, private: bool) -> None:
        name = self.seated.agreement.terms.roster[seat].name
        sentence = _("{name} to you alone: {text}") if private else _("{name}: {text}")
        self.player.console.say(sentence.format(name=name, text=text))


def deadline(session: Session) -> float | None:
    """When the time to move is over (trio's clock), for whoever is asked or advises."""
    allowed = session.table.agreement.terms.times.move
    if not allowed:
        return None
    mine = session.local.deadline
    return mine if mine and mine > trio.current_time() else session.since + allowed


def who_sits(agreement: Agreement, me: int) -> list[str]:
    """Names by seat, and the print of what was signed."""
    sentence = _("Signed by all, {print}: the same for everybody at this table.")
    lines = [sentence.format(print=fingerprint(agreement.id))]
    roster = agreement.terms.roster
    for seat, place in enumerate(roster):
        parts = [f"{seat + 1} {TEAMS[seat % 2]}  {place.name}"]
        parts += [_("you")] * (seat == me)
        if place.operator != seat:
            parts.append(_("run by seat {seat}").format(seat=place.operator + 1))
        lines.append(" · ".join(parts))
    return lines


def finished(table: Table, path: str | None) -> Iterator[str]:
    """Who won, by how much, and what the record is worth."""
    outcome = table.outcome
    assert outcome is not None
    score = score_text(outcome.score)
    if outcome.winner is None:
        yield _("Nobody won: both teams left. {score}").format(score=score)
    else:
        yield _("{team} won the match, {score}").format(team=team_text(outcome.winner), score=score)
    for seat in went(table):
        name = table.agreement.terms.roster[seat].name
        yield _("{who} left the match.").format(who=f"{name} ({seat + 1})")
    for violation in table.violations:
        sentence = _("Seat {seat} broke the protocol: {what}.")
        yield sentence.format(seat=violation.seat + 1, what=_(VIOLATIONS[violation.word]))
    unsealed = sorted(set(range(table.agreement.players)) - set(table.sealed_by))
    if unsealed:
        seats = ", ".join(str(seat + 1) for seat in unsealed)
        yield _("Not sealed by seat {seats}; the record holds all the same.").format(seats=seats)
    yield from kept(path)
    if path is not None:
        yield _("p2ptruco matches verify checks every card of it; matches replay tells it again.")


def went(table: Table) -> Iterator[int]:
    """The seats that left: in the last step before the seals, which are one themselves."""
    for parsed in (parsed for step in table.steps[-2:] for parsed in step.entries):
        if isinstance(parsed.body.content, Leave):
            yield parsed.body.seat


def interrupted(session: Session) -> Iterator[str]:
    """What becomes of a match that is broken off."""
    if session.left:
        yield _("The match is interrupted; your leave is signed, and counts if the others go on.")
    else:
        yield _("The match is interrupted and has no winner; the others see that you are gone.")


def kept(path: str | None) -> Iterator[str]:
    """Where the record is, if one is kept."""
    if path is not None:
        yield _("record: {path}").format(path=path)


def record_place(record: str | None, no_record: bool) -> Path | None:
    """Where a record goes: a file, the home's folder, or nowhere."""
    if no_record:
        return None
    return Path(record) if record else records()
