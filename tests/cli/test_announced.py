"""A table of ours on the network, for as long as somebody may still sit down."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.cli import announced
from p2ptruco.net.discovery import REMIND, Announcement
from p2ptruco.net.lobby import Room
from p2ptruco.net.ticket import Address, new_ticket
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.table.agreement import Times
from tests.net.kit import identities, seeded

ANA = identities(1)[0].public
TICKET = new_ticket((Address("192.0.2.7", 4000),), ANA, seeded())


class Networks:
    """One network after another; each fails `opening`, or `saying`, or never (None)."""

    def __init__(self, *faults: str | None) -> None:
        self._faults = iter(faults)
        self._fault: str | None = None
        self.said: list[Announcement] = []

    @asynccontextmanager
    async def announcing(self, label: str) -> AsyncIterator[Networks]:
        self._fault = next(self._faults)
        self._fails("opening")
        yield self

    def _fails(self, doing: str) -> None:
        if self._fault == doing:
            raise OSError("Network is unreachable")

    async def say(self, table: Announcement) -> None:
        self._fails("saying")
        self.said.append(table)

    def remind(self) -> None:
        """Nothing new."""


async def test_announcing_comes_back_with_the_network(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    """A host that opened its table a moment before its network was there was never found."""
    networks = Networks("opening", "saying", None)
    monkeypatch.setattr(announced, "announcing", networks.announcing)
    room = Room(MINEIRO, Times(), (None,) * 4)
    lobby: Any = SimpleNamespace(name="Ana", room=room)
    async with announced.announced(ANA, TICKET, lobby, None):
        await trio.sleep(3 * REMIND)
    assert [table.name for table in networks.said] == ["Ana"]
