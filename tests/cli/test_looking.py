"""Looking for tables on a network that changes meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.cli import joining
from p2ptruco.net.discovery import Announcement, Sight
from p2ptruco.net.ticket import Address, new_ticket
from tests.net.kit import identities, seeded

HERE, ALONE = ("192.0.2.7",), ("127.0.0.1",)
TICKET = new_ticket((Address("192.0.2.9", 4000),), identities(1)[0].public, seeded())
ANA = Announcement("Ana", "mineiro", "2-4-6-10-12", 4, 3, "AAAA", str(TICKET), TICKET.addresses)


@dataclass
class Person:
    """Reads, and types the number of a table once one is shown."""

    lines: list[str] = field(default_factory=list)

    def say(self, *lines: str) -> None:
        self.lines += lines

    async def ask(self, question: str) -> str:
        while not any("Ana" in line for line in self.lines):  # noqa: ASYNC110
            await trio.sleep(0.1)
        return "1"


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

    monkeypatch.setattr(joining, "browsing", browsing)
    monkeypatch.setattr(joining, "_linked", linked)
    person: Any = Person()
    mesh: Any = None
    async with trio.open_nursery() as tasks:
        tasks.start_soon(plug_in)
        found = await joining._looked_for(mesh, person, look=lambda: hosts[0])
    assert found == (b"ana", TICKET)
    assert listened == [ALONE, HERE]
    assert person.lines.count("Your network has changed: looking again.") == 1
