"""Who may stand at the door, and how many (wire.md §3)."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.net.mesh.door import Door
from p2ptruco.net.transport.limits import LIMITS, MOST_METERED, Bucket, Meter

from .kit import quick


def a_door(**changes: float) -> Door:
    return Door(lambda purpose, who: 0, quick(**changes))


async def put_out(door: Door, *origins: str) -> list[str]:
    """Who has lost their place once all of these have come, one after the other, and stay."""
    over: list[str] = []

    async def wait(origin: str) -> None:
        with door.place(origin) as place:
            assert place
            await trio.sleep_forever()
        over.append(origin)

    async with trio.open_nursery() as tasks:
        for origin in origins:
            tasks.start_soon(wait, origin)
            await trio.sleep(0.01)
        tasks.cancel_scope.cancel()
        return list(over)
    raise AssertionError


CROWD = [f"10.1.0.{n}" for n in range(20)]


async def test_strangers_share_sixteen_places(autojump_clock: MockClock) -> None:
    """A crowd of half-open handshakes would take our memory and every guest's place."""
    assert await put_out(a_door(), *CROWD) == CROWD[:4], "those who had waited longest"


async def test_a_crowd_keeps_no_player_out(autojump_clock: MockClock) -> None:
    """Roster addresses have places and a rate of their own: whoever was cut off comes back in."""
    door = a_door()
    door.set_roster(b"t" * 32, frozenset(), frozenset(["10.9.0.1"]))
    assert await put_out(door, "10.9.0.1", *CROWD) == CROWD[:4]


async def test_a_player_keeps_no_player_out(autojump_clock: MockClock) -> None:
    """A seat that holds every place open would keep two others apart once their link was lost."""
    door = a_door()
    door.set_roster(b"t" * 32, frozenset(), frozenset(["10.9.0.1", "10.9.0.2"]))
    crowd = ["10.9.0.1"] * (LIMITS.known + 3)
    assert await put_out(door, "10.9.0.2", *crowd) == ["10.9.0.1"] * 3


@pytest.mark.parametrize(
    ("origins", "let_in"),
    [
        (["10.0.0.1"], 16),
        (["10.0.0.1", "10.0.0.2"], 32),
        (["2001:db8::1", "2001:db8::ffff:1"], 16),  # one /64, one customer
        (["2001:db8::1", "2001:db8:0:1::1"], 32),
        (["not an address"], 16),
    ],
)
async def test_each_address_has_a_rate(
    origins: list[str], let_in: int, autojump_clock: MockClock
) -> None:
    """One machine that connects without end would keep all others waiting."""
    door = a_door()

    def knock() -> int:
        count = 0
        for _ in range(50):
            for origin in origins:
                with door.place(origin) as place:
                    count += place
        return count

    assert knock() == let_in
    await trio.sleep(2)
    assert knock() == let_in / 16 * 4


async def test_a_crowd_has_a_rate(autojump_clock: MockClock) -> None:
    """Whoever has a net of IPv6 makes an address for each handshake."""
    door = a_door()
    door.set_roster(b"t" * 32, frozenset(), frozenset(["10.9.0.1"]))

    def knock() -> int:
        count = 0
        for n in range(1000):
            with door.place(f"2001:db8:0:{n:x}::1") as place:
                count += place
        return count

    assert knock() == LIMITS.crowd_burst
    await trio.sleep(2)
    assert knock() == 2 * LIMITS.crowd_per_second
    with door.place("10.9.0.1") as place:
        assert place, "a player has a rate of its own"


async def test_what_is_remembered_is_bounded(autojump_clock: MockClock) -> None:
    """Else every spoofed address would cost us memory for ever."""
    door = a_door()
    for n in range(3000):
        with door.place(f"10.{n >> 8}.{n & 255}.1"):
            pass
    assert len(door._strangers) == MOST_METERED


def test_a_bucket_refills_up_to_its_burst() -> None:
    bucket = Bucket(2.0, 4.0, 0.0)
    assert [bucket.take(1, 0.0) for _ in range(5)] == [True] * 4 + [False]
    assert [bucket.take(1, 1.0) for _ in range(3)] == [True, True, False]
    assert [bucket.take(4, 100.0), bucket.take(1, 100.0)] == [True, False]


def test_a_bucket_may_be_charged_more_than_it_holds() -> None:
    bucket = Bucket(2.0, 4.0, 0.0)
    bucket.charge(10, 0.0)
    assert [bucket.owed(0.0), bucket.owed(1.0), bucket.owed(3.0)] == [3.0, 2.0, 0.0]
    assert not bucket.take(1, 3.0)


def test_a_meter_forgets_who_came_first() -> None:
    """Else every fresh key that a stranger makes would cost us memory for ever."""
    meter = Meter(1.0, 1.0)
    assert all(meter.take(number, 0.0) for number in range(3 * MOST_METERED))
    assert len(meter) == MOST_METERED
    assert not meter.take(3 * MOST_METERED - 1, 0.0)


async def test_a_players_neighbour_is_bounded_too(autojump_clock: MockClock) -> None:
    """Whoever shares a player's address could else keep us busy with handshakes for ever."""
    door = a_door()
    door.set_roster(b"t" * 32, frozenset(), frozenset(["10.9.0.1"]))
    count = 0
    for _ in range(1000):
        with door.place("10.9.0.1") as place:
            count += place
    assert count == LIMITS.known_burst
