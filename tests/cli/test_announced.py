"""A table of ours on the network, for as long as somebody may still sit down."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.app import announced
from p2ptruco.net.discovery import REMIND, Announcement
from p2ptruco.net.lobby import Room
from p2ptruco.net.transport.ticket import Address, Ticket, new_ticket
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.table.agreement import Times
from tests.net.kit import identities, seeded

ANA = identities(1)[0].public
HERE, THERE, ALONE = "192.0.2.7", "198.51.100.9", "127.0.0.1"


def ticket(*hosts: str) -> Ticket:
    """The one ticket of this table, as it names these addresses."""
    return new_ticket(tuple(Address(host, 4000) for host in hosts), ANA, seeded())


class Networks:
    """One network after another; each fails `opening`, or `saying`, or never (None)."""

    def __init__(self, *faults: str | None) -> None:
        self._faults = iter(faults)
        self._fault: str | None = None
        self.said: list[tuple[tuple[str, ...], Announcement]] = []
        """On which addresses what was announced."""
        self.now: Sequence[str] = (HERE,)
        self._on: tuple[str, ...] = ()
        self.told: list[Ticket] = []
        """The tickets that the host has read since the first."""

    def look(self) -> Sequence[str]:
        return self.now

    @asynccontextmanager
    async def announcing(self, label: str, where: Sequence[str]) -> AsyncIterator[Networks]:
        self._fault, self._on = next(self._faults, None), tuple(where)
        self._fails("opening")
        yield self

    def _fails(self, doing: str) -> None:
        if self._fault == doing:
            raise OSError("Network is unreachable")

    async def say(self, table: Announcement) -> None:
        self._fails("saying")
        self.said.append((self._on, table))

    def remind(self) -> None:
        """Nothing new."""

    @asynccontextmanager
    async def lobby(
        self, patch: pytest.MonkeyPatch, first: Ticket, *, private: bool = False
    ) -> AsyncIterator[None]:
        """A lobby of Ana's, announced for the time of a block."""
        patch.setattr(announced, "announcing", self.announcing)
        lobby: Any = SimpleNamespace(name="Ana", room=Room(MINEIRO, Times(), (None,) * 4))
        ways: dict[str, Any] = {"private": private, "moved": self.told.append, "look": self.look}
        async with announced.announced(ANA, first, lobby, **ways):
            yield


async def test_announcing_comes_back_with_the_network(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    """A host that opened its table a moment before its network was there was never found."""
    networks = Networks("opening", "saying", None)
    async with networks.lobby(monkeypatch, ticket(HERE)):
        await trio.sleep(3 * REMIND)
    assert [table.name for _, table in networks.said] == ["Ana"]
    assert not networks.told


async def test_a_table_opened_before_the_network_is_announced_when_it_is_there(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    """It was announced to this machine alone, for ever, under a ticket that leads nobody here."""
    networks = Networks()
    networks.now = (ALONE,)
    async with networks.lobby(monkeypatch, ticket(ALONE)):
        await trio.sleep(60)
        assert not networks.told
        networks.now = (HERE,)
        await trio.sleep(2)
    (_, alone), (where, table) = networks.said
    assert alone.addresses == (Address(ALONE, 4000),)
    assert (where, table.addresses) == ((HERE,), (Address(HERE, 4000),))
    assert networks.told == [ticket(HERE)]
    assert table.ticket == str(ticket(HERE)), "the secret of before: no guest is turned away"


async def test_a_table_whose_address_changes_is_announced_as_it_is_now(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    """Whoever looked for it was sent to an address that is nobody's, or somebody else's."""
    networks = Networks()
    async with networks.lobby(monkeypatch, ticket(HERE), private=True):
        for hosts in ((HERE,), (THERE,), (ALONE,), (HERE, THERE)):
            networks.now = hosts
            await trio.sleep(5)
    assert [where for where, _ in networks.said] == [(HERE,), (THERE,), (ALONE,), (HERE, THERE)]
    assert networks.told == [ticket(THERE), ticket(ALONE), ticket(HERE, THERE)]
    assert {table.ticket for _, table in networks.said} == {None}, "it is private"


async def test_the_same_addresses_in_another_order_are_no_news(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    """The system names them as it likes; the host would read the same ticket again and again."""
    networks = Networks()
    networks.now = (HERE, THERE)
    async with networks.lobby(monkeypatch, ticket(HERE, THERE)):
        await trio.sleep(5)
        networks.now = (THERE, HERE)
        await trio.sleep(5)
    assert len(networks.said) == 1
    assert not networks.told


async def test_more_addresses_than_a_ticket_names_are_announced_all_the_same(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    """A ninth one is news for the network, and none for the host."""
    many = [f"192.0.2.{number}" for number in range(1, 10)]
    networks = Networks()
    networks.now = many[:8]
    async with networks.lobby(monkeypatch, ticket(*many[:8])):
        await trio.sleep(5)
        networks.now = many
        await trio.sleep(5)
    assert [len(where) for where, _ in networks.said] == [8, 9]
    assert not networks.told
