"""Tables on the network (wire.md §8): hints, bounded and cleaned."""

from __future__ import annotations

import pytest
import trio

from p2ptruco.net.discovery import Announcement, announcing, browsing, read
from p2ptruco.net.transport.ticket import Address, Ticket, new_ticket
from p2ptruco.table.identity import fingerprint

from .kit import identities, seeded

TICKET = str(new_ticket((Address("192.0.2.7", 4000),), identities(1)[0].public, seeded()))
GOOD = {
    b"p": b"p2ptruco/1",
    b"name": "Zé".encode(),
    b"variant": b"mineiro",
    b"scale": b"2-4-6-10-12",
    b"seats": b"4",
    b"free": b"3",
    b"id": fingerprint(identities(1)[0].public).encode(),
    b"ticket": TICKET.encode(),
}


def test_an_announcement_is_read():
    found = read(GOOD, ["192.0.2.7"], 4000)
    assert found is not None
    assert (found.name, found.seats, found.free, found.private) == ("Zé", 4, 3, False)
    assert found.addresses == (Address("192.0.2.7", 4000),)


@pytest.mark.parametrize(
    "change",
    [
        {b"p": b"p2ptruco/2"},
        {b"p": None},
        {b"name": b""},
        {b"name": b"\x1b\x07"},
        {b"seats": b"5"},
        {b"seats": b"-4"},
        {b"seats": "４".encode()},
        {b"seats": b"9" * 5000},
        {b"free": b"4"},
        {b"free": b"x"},
        {b"ticket": b"TRUCO:AAAA"},
        {b"id": fingerprint(identities(2)[1].public).encode()},
        {b"ticket": str(Ticket((Address("192.0.2.7", 4000),), b"", bytes(10))).encode()},
    ],
)
def test_what_makes_no_sense_is_not_shown(change: dict[bytes, bytes | None]):
    """A ticket of another host than the one named would take the number of that host's table,
    and whoever types it to the attacker's."""
    assert read(GOOD | change, ["192.0.2.7"], 4000) is None


def test_text_of_strangers_is_cleaned_and_bounded():
    """An escape sequence in a name would draw on the terminal of whoever looks for a table."""
    found = read(
        GOOD | {b"name": b"a\x1b[2J\xff" + b"b" * 900, b"variant": "x\u202ey".encode()},
        ["192.0.2.7", "no address", *["192.0.2.8"] * 50],
        4000,
    )
    assert found is not None
    assert found.name.startswith("a[2J\ufffdb")
    assert len(found.name.encode()) <= 200
    assert found.variant == "xy"
    assert len(found.addresses) <= 8


async def test_a_table_is_found_changes_and_is_withdrawn():
    """On loopback alone, so that no network is asked."""
    table = Announcement(
        "Zé", "mineiro", "2-4-6-10-12", 4, 3, "AAAA", None, (Address("127.0.0.1", 5555),)
    )

    async def until(condition) -> None:
        with trio.fail_after(10):
            while not condition():
                await sight.changed()

    async with browsing(["127.0.0.1"]) as sight:
        async with announcing("test-table", ["127.0.0.1"]) as host:
            await host.say(table)
            await until(lambda: table in sight.tables)
            assert table.private
            fuller = Announcement(**{**fields(table), "free": 1})
            await host.say(fuller)
            await until(lambda: fuller in sight.tables and table not in sight.tables)
        await until(lambda: fuller not in sight.tables)


def fields(table: Announcement) -> dict[str, object]:
    return {name: getattr(table, name) for name in Announcement.__slots__}
