"""The second half of a proof, judged while the first one, which came before it, is on its way."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any
from unittest import mock

import trio
from trio.testing import MockClock

from p2ptruco.net.session import Session
from p2ptruco.net.transport.fault import Reason
from p2ptruco.net.transport.frames import EntryFrame
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.seating import Seat
from p2ptruco.table.entries import Commit, Content, Entry, Ready, write
from p2ptruco.table.table import Table
from tests.attacks.test_found_ends import Wire
from tests.kit.opendeck import open_deck
from tests.kit.party import Party
from tests.kit.quiet import Quiet

CROOK, BEARER = 1, 2


class Closing(Wire):
    """Notes which links are closed, and why, and who is sent something alone."""

    def __init__(self) -> None:
        super().__init__()
        self.closed: list[tuple[bytes, Reason]] = []
        self.sent: list[bytes] = []

    def close(self, peer: bytes, reason: Reason) -> None:
        self.closed.append((peer, reason))

    def send(self, peer: bytes, message: object) -> bool:
        self.sent.append(peer)
        return True

    async def drained(self) -> None:
        """What is sent is read."""


def of_the_crook(party: Party, table: Table, content: Content) -> Entry:
    position, head, _ = table.open
    return write(party.agreement, position, CROOK, head, content, party.peers[CROOK].identity)


async def test_a_peer_that_passes_on_a_proof_keeps_its_link(autojump_clock: MockClock) -> None:
    """An honest peer sends both halves in their order. The crook has sent the first as well, whose
    check takes long, and the second is of no use in that step without it.

    Gain: honest peers that close each other's links and blame each other, when the crook likes it.
    """
    with open_deck():
        party = Party(MINEIRO, 4)
    table = Table(party.agreement, party.source)
    first, second = (of_the_crook(party, table, one) for one in (Commit(bytes(32)), Ready()))

    async def slow(call: Callable[..., Any], entry: Entry, **threads: Any) -> Any:
        await trio.sleep(2 if entry == first else 1)
        return call(entry)

    me, rng = party.peers[0].identity, random.Random(1)
    local = Quiet(table, Seat(0), me, None, rng)  # type: ignore[arg-type]
    session = Session(wire := Closing(), table, local)  # type: ignore[arg-type]
    crook, bearer = (party.agreement.identities[seat] for seat in (CROOK, BEARER))
    with mock.patch.object(trio.to_thread, "run_sync", slow):
        async with trio.open_nursery() as session._tasks:
            session._hear(crook, EntryFrame(first.body, first.signature))
            await trio.sleep(0.5)
            for half in (first, second):
                session._hear(bearer, EntryFrame(half.body, half.signature))
            await trio.sleep(10)
            session._tasks.cancel_scope.cancel()
    assert wire.closed == []
    assert [found.seat for found in table.violations] == [CROOK]
