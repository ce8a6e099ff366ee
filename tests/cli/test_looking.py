"""Looking for tables on a network that changes meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.app import events, join
from p2ptruco.app.commands import Answer
from p2ptruco.app.questions import Question
from p2ptruco.app.stage import Stage
from p2ptruco.net.discovery import Announcement, Sight
from p2ptruco.net.transport.ticket import Address, new_ticket
from tests.net.kit import identities, seeded

HERE, ALONE = ("192.0.2.7",), ("127.0.0.1",)
TICKET = new_ticket((Address("192.0.2.9", 4000),), identities(1)[0].public, seeded())
ANA = Announcement("Ana", "mineiro", "2-4-6-10-12", 4, 3, "AAAA", str(TICKET), TICKET.addresses)


@dataclass
class Person:
    """Answers with the number of a table once one is shown."""

    stage: Stage
    notices: list[str] = field(default_factory=list)
    asked: int = 0

    def show(self, event: events.Event) -> None:
        if isinstance(event, events.Notice):
            self.notices.append(event.code)
        if isinstance(event, events.Tables) and event.tables:
            assert event.tables[0].host == "Ana"
            self.stage.hear(Answer(self.asked, str(event.tables[0].number)))

    def ask(self, question: Question) -> None:
        self.asked = question.id

    def snapshot(self, *_: object) -> None:
        pass


async def test_whoever_looks_before_the_network_is_there_finds_a_table_later(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    """It listened where it was at first, for ever: to itself."""
    hosts: list[Sequence[str]] = [ALONE]
    listened: list[Sequence[str]] = []

    @asynccontextmanager
    async def browsing(where: Sequence[str]) -> AsyncIterator[Sight]:
        listened.append(where)
        sight = Sight()
        if where == HERE:
            sight.note("ana", ANA)
        yield sight

    async def linked(mesh: object, ticket: object) -> bytes:
        await trio.lowlevel.checkpoint()
        return b"ana"

    async def plug_in() -> None:
        await trio.sleep(30)
        hosts[0] = HERE

    monkeypatch.setattr(join, "browsing", browsing)
    monkeypatch.setattr(join, "_linked", linked)
    stage = Stage()
    person = Person(stage)
    stage.attach(person)
    mesh: Any = None
    async with trio.open_nursery() as tasks:
        tasks.start_soon(plug_in)
        found = await join._looked_for(mesh, stage, look=lambda: hosts[0])
    assert found == (b"ana", TICKET)
    assert listened == [ALONE, HERE]
    assert person.notices == ["looking", "no_table_yet", "network_changed", "looking"]
