"""What a lobby takes of its guests, and a guest of its host (wire.md §7)."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.net.lobby.rates import (
    ENTER_BURST,
    ENTER_RATE,
    HOST_BURST,
    HOST_RATE,
    NEIGHBOURS,
    ROOM_BURST,
    ROOM_RATE,
    GuestMeter,
)
from p2ptruco.net.lobby.room import on_the_wire
from p2ptruco.net.transport import frames
from p2ptruco.net.transport.limits import MOST_METERED

from .test_lobby import lobbies


async def test_fresh_keys_of_one_address_have_one_rate(autojump_clock: MockClock) -> None:
    """Gain: a burst for each key that a guest makes; and 70 MB a day of the host's memory."""
    meter = GuestMeter(ENTER_RATE, ENTER_BURST)
    keys = range(10 * MOST_METERED)
    assert sum(meter.take(b"%d" % key, "10.0.0.1") for key in keys) == NEIGHBOURS * ENTER_BURST
    assert len(meter._guests) == MOST_METERED
    assert meter.take(b"0", "10.0.0.2"), "guests from elsewhere are heard"
    await trio.sleep(1)
    assert sum(meter.take(b"%d" % key, "10.0.0.1") for key in keys) == NEIGHBOURS * ENTER_RATE


async def test_a_full_table_behind_one_address_is_heard(autojump_clock: MockClock) -> None:
    """Seven guests sit, choose a seat, and change their minds five times, all in one second."""
    meter = GuestMeter(ENTER_RATE, ENTER_BURST)
    assert all(meter.take(b"%d" % (n % 7), "10.0.0.1") for n in range(7 * 7))


async def test_everybody_is_told_of_a_room_at_a_rate(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Gain: 60 bytes from any address that bring 800 to each guest. The last room is told."""
    async with lobbies(["Ana", "Bia"], 4) as made:
        await made.until(lambda: made.guests[0].room == made.host.room)
        told: list[object] = []
        flood = made.meshes[0].flood
        monkeypatch.setattr(made.meshes[0], "flood", lambda said: told.append(said) or flood(said))
        for _ in range(1001):
            made.host.swap(2, 3)
            made.host.swap(1, 2)
        assert len(told) <= ROOM_BURST
        await trio.sleep(2)
        assert made.guests[0].room == made.host.room
        assert len(told) <= ROOM_BURST + 2 * ROOM_RATE


async def test_a_guest_takes_rooms_of_its_host_at_a_rate(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Gain, for a host: a guest's terminal that scrolls, and a quarter of its processor."""
    async with lobbies(["Ana", "Bia"], 4) as made:
        (bia,) = made.guests
        await made.until(lambda: bia.room == made.host.room)
        seen: list[frames.Room] = []
        see = bia._see
        monkeypatch.setattr(bia, "_see", lambda room: seen.append(room) or see(room))
        room = on_the_wire(made.host.room)
        for _ in range(2000):
            made.meshes[0].send(made.people[1].public, room)
        await trio.sleep(10)
        assert HOST_BURST / 2 <= len(seen) <= HOST_BURST + 10 * HOST_RATE
        made.host.lock()
        await trio.sleep(2000 / HOST_RATE)
        assert bia.room == made.host.room
