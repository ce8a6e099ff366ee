"""Lobby, signing and table each hear what is for them (net/mesh/queues.py)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
import trio

from p2ptruco.net.mesh.events import Dropped, Heard, Linked
from p2ptruco.net.mesh.queues import FOR_LOBBY, FOR_TABLE, Queues
from p2ptruco.net.transport import frames

PLAYER, STRANGER = b"p" * 32, b"s" * 32
SAID = frames.Said(bytes(32), "zap")
ENTER = frames.Enter("Bia", None, None, False, False)
ENTRY = frames.EntryFrame(b"commit", b"s" * 64)
SIGNATURE = frames.Signature(bytes(32), 1, bytes(64))


def queues(heard: Iterable[Heard]) -> Queues:
    """Queues over events that have come already; then the mesh ends."""
    send, receive = trio.open_memory_channel[Heard](2000)
    for one in heard:
        send.send_nowait(one)
    send.close()
    return Queues(receive, PLAYER.__eq__)


async def test_what_comes_while_an_agreement_is_signed_is_kept_for_its_table_in_order() -> None:
    """A peer that was ready first may already play, and a link may come and go."""
    early = [Linked("roster"), ENTRY, Dropped("lost")]
    made = queues((PLAYER, one) for one in (early[0], ENTER, *early[1:], SIGNATURE, SAID, ENTRY))
    assert await made.for_signing() == (PLAYER, SIGNATURE)
    for one in (*early, ENTRY):
        assert await made.for_table() == (PLAYER, one)
    with pytest.raises(trio.EndOfChannel):
        await made.for_table()


async def test_what_is_said_of_the_next_lobby_waits_for_it() -> None:
    """Each peer of the roster that speaks of it is named to whoever drives the table."""
    made = queues([(PLAYER, ENTER), (PLAYER, ENTRY), (PLAYER, SAID)])
    gone: list[bytes] = []
    assert await made.for_table(gone.append) == (PLAYER, ENTRY)
    assert gone == [PLAYER]
    assert [await made.for_lobby() for _ in range(2)] == [(PLAYER, ENTER), (PLAYER, SAID)]


async def test_only_the_roster_is_kept_for_the_next_lobby() -> None:
    """Gain: whoever is linked, to watch or by an old ticket, fills what is kept, or is taken for a
    player who has left."""
    made = queues([(STRANGER, ENTER), (STRANGER, ENTRY)])
    gone: list[bytes] = []
    assert await made.for_table(gone.append) == (STRANGER, ENTRY)
    assert gone == []
    with pytest.raises(trio.EndOfChannel):
        await made.for_lobby()


async def test_what_is_kept_is_bounded() -> None:
    """Gain: a peer that has finished a part fills the memory of one that has not."""
    lines = [(PLAYER, SAID)] * (FOR_LOBBY + 9)
    entries = [(PLAYER, ENTRY)] * (FOR_TABLE + 9)
    made = queues([*lines, *entries, (PLAYER, SIGNATURE)])
    await made.for_signing()
    for number, take in ((FOR_LOBBY, made.for_lobby), (FOR_TABLE, made.for_table)):
        for _ in range(number):
            await take()
        with pytest.raises(trio.EndOfChannel):
            await take()


async def test_nothing_of_one_table_is_kept_for_the_next() -> None:
    """A signing that came to nothing leaves nothing; a guest hears of a lobby when it enters."""
    made = queues([(PLAYER, ENTRY), (PLAYER, SAID), (PLAYER, SIGNATURE)])
    await made.for_signing()
    made.forget_table()
    made.forget_lobby()
    for take in (made.for_table, made.for_lobby):
        with pytest.raises(trio.EndOfChannel):
            await take()
