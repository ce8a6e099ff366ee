"""A seat of ours at a table, from the signed agreement to the record, told at a console.

1. The record is written whatever happens: sealed, unsealed, or with a trailer of ours when the
   match is interrupted, and it is said what becomes of the match.
2. A table that waits is told after a while: who owes what.
3. Everything that others say has been cleaned before it is shown.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import trio

from p2ptruco.cli.faults import by_bot
from p2ptruco.cli.faults import lines as fault_lines
from p2ptruco.cli.seat import keep
from p2ptruco.net.home import records
from p2ptruco.net.mesh import Mesh
from p2ptruco.net.session import Session
from p2ptruco.net.sitting import Seated
from p2ptruco.players.local import LocalSeat
from p2ptruco.players.mind import Mind
from p2ptruco.players.sandbox.mind import Sandbox
from p2ptruco.rules.seating import Seat
from p2ptruco.table.identity import Identity
from p2ptruco.table.record import write_record
from p2ptruco.table.table import Table
from p2ptruco.ui.reasons import VIOLATIONS
from p2ptruco.ui.terminal.cards import score_text, team_text
from p2ptruco.ui.terminal.console import Console
from p2ptruco.ui.terminal.person import Person
from p2ptruco.ui.terminal.story import Stories
from p2ptruco.ui.words import _

PATIENCE = 10.0
"""Seconds of silence, after the time to move, before it is said who is waited for."""


@dataclass(slots=True)
class Match:
    """A table, its seat of ours, and where it is told."""

    console: Console
    mesh: Mesh
    me: Identity
    seated: Seated
    mind: Mind
    place: Path | None
    """A file or a folder for the record; None: none is kept."""

    async def play(self) -> Table:
        """Play to the end; the record is kept before this returns or is cancelled."""
        table = Table(self.seated.agreement, secrets.token_bytes)
        local = LocalSeat(table, Seat(self.seated.seat), self.me, self.mind, random.SystemRandom())
        stories = Stories()

        def changed() -> None:
            self.console.say(*stories.news(table.hands, table.hand))

        session = Session(
            self.mesh, table, local, early=self.seated.early, changed=changed, said=self._said
        )
        over = False
        try:
            with self._connected(session):
                async with trio.open_nursery() as tasks:
                    tasks.start_soon(self._watch, session)
                    await session.run()
                    tasks.cancel_scope.cancel()
            over = True
        finally:
            path = self._keep(table)
            if not over:
                self.console.say(*interrupted(table, path))
        self.console.say(*finished(table, path), *self._faults())
        return table

    def _faults(self) -> Iterator[str]:
        """What a bot of ours failed to decide in this match."""
        if isinstance(self.mind, Sandbox):
            faults = [(self.mind.name, asdict(fault)) for fault in self.mind.faults]
            self.mind.faults.clear()
            yield from fault_lines(by_bot(faults))

    def _keep(self, table: Table) -> str | None:
        if self.place is None:
            return None
        signatures, seat = self.seated.signatures, self.seated.seat
        record = b"".join(write_record(table, signatures, seat, self.me))
        return keep(record, self.place, self.seated.agreement)

    @contextmanager
    def _connected(self, session: Session) -> Iterator[None]:
        """Let a person speak to the session for the time of a block."""
        person = self.mind
        if not isinstance(person, Person):
            yield
            return
        person.deadline = lambda: session.local.deadline
        person.talk, person.signal, person.leave = session.talk, session.signal, session.leave
        with self.console.heard_by(person.hear):
            yield

    def _said(self, seat: Seat, text: str, private: bool) -> None:
        name = self.seated.agreement.terms.roster[seat].name
        sentence = _("{name} to you alone: {text}") if private else _("{name}: {text}")
        self.console.say(sentence.format(name=name, text=text))

    async def _watch(self, session: Session) -> None:
        """Say who is waited for, once for each step that takes too long."""
        roster = self.seated.agreement.terms.roster
        allowed = self.seated.agreement.terms.times.move + PATIENCE
        told: object = None
        while True:
            await trio.sleep(1)
            here = session.table.open
            others = [seat for seat in session.owed if seat != self.seated.seat]
            late = trio.current_time() - session.since > allowed
            if late and others and told is not here and session.table.outcome is None:
                told = here
                names = ", ".join(f"{roster[seat].name} ({seat + 1})" for seat in others)
                self.console.say(_("Waiting for {names}.").format(names=names))


def finished(table: Table, path: str | None) -> Iterator[str]:
    """Who won, by how much, and what the record is worth."""
    outcome = table.outcome
    assert outcome is not None
    score = score_text(outcome.score)
    if outcome.winner is None:
        yield _("Nobody won: both teams left. {score}").format(score=score)
    else:
        yield _("{team} won the match, {score}").format(team=team_text(outcome.winner), score=score)
    for violation in table.violations:
        sentence = _("Seat {seat} broke the protocol: {what}.")
        yield sentence.format(seat=violation.seat + 1, what=_(VIOLATIONS[violation.word]))
    unsealed = sorted(set(range(table.agreement.players)) - set(table.sealed_by))
    if unsealed:
        seats = ", ".join(str(seat + 1) for seat in unsealed)
        yield _("Not sealed by seat {seats}; the record holds all the same.").format(seats=seats)
    if path is not None:
        yield _("record: {path}").format(path=path)
        yield _("p2ptruco verify {path} checks every card of it.").format(path=path)


def interrupted(table: Table, path: str | None) -> Iterator[str]:
    """What becomes of a match that is broken off."""
    if table.outcome is None:
        yield _("The match is interrupted and has no winner; the others see that you are gone.")
    if path is not None:
        yield _("What was played is kept in {path}").format(path=path)


def record_place(record: str | None, no_record: bool) -> Path | None:
    """Where a record goes: a file, the home's folder, or nowhere."""
    if no_record:
        return None
    return Path(record) if record else records()
