"""A neighbour speaks multicast DNS (wire.md §8). On loopback alone."""

from __future__ import annotations

import secrets
import socket
import struct
import threading
from dataclasses import replace

import pytest
import trio

from p2ptruco.app.sight import MOST_NUMBERS, Board
from p2ptruco.net import discovery
from p2ptruco.net.discovery import MOST_NEWS, SERVICE, Announcement, announcing, browsing
from p2ptruco.net.transport.ticket import Address

LOOPBACK = ["127.0.0.1"]
GROUP = ("224.0.0.251", 5353)
ZE = Announcement("Zé", "mineiro", "2-4-6-10-12", 4, 3, "AAAA", None, (Address("127.0.0.1", 5555),))


def pointers(*instances: bytes) -> bytes:
    """An unasked answer: there are tables under these names, and no word more of them."""
    service = b"".join(bytes([len(p)]) + p for p in SERVICE.encode().split(b".")[:-1]) + b"\0"
    told = b""
    for instance in instances:
        target = bytes([len(instance)]) + instance + service
        told += service + struct.pack("!HHIH", 12, 1, 120, len(target)) + target
    return struct.pack("!6H", 0, 0x8400, 0, len(instances), 0, 0) + told


def speak(packet: bytes) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(LOOPBACK[0]))
        out.sendto(packet, GROUP)


@pytest.mark.parametrize(
    "names",
    [
        [b"a\x1b[31mb"],
        [b"\xff\x00\x7f", "\u202e".encode(), b" ", b"_x", b"z" * 63],
        [b"nothing more %d" % number for number in range(40)],
    ],
    ids=["escape", "nonsense", "promises"],
)
async def test_no_name_on_the_network_ends_or_holds_up_the_search(names: list[bytes], monkeypatch):
    """One packet would keep a person from seeing any table, and print a traceback with the
    attacker's escapes in it; a packet of names with nothing behind them for minutes."""
    died: list[object] = []
    monkeypatch.setattr(threading, "excepthook", died.append)
    label = secrets.token_hex(8)
    async with browsing(LOOPBACK) as sight:
        with trio.fail_after(10):
            await trio.sleep(0.5)  # until the search listens
            await trio.to_thread.run_sync(speak, pointers(*names))
            async with announcing(label, LOOPBACK) as host:
                await host.say(ZE)
                while ZE not in sight.tables:
                    await sight.changed()
    assert not died


@pytest.mark.unforeseen
@pytest.mark.parametrize("place", [(discovery, "read"), (discovery.Sight, "hear")])
async def test_no_announcement_ends_the_search(
    place: tuple[object, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One packet that nobody thought of would end the program of everybody who looks."""
    real, stumbled = getattr(*place), threading.Event()

    def bad(*args: object) -> object:
        if not stumbled.is_set():
            stumbled.set()
            raise KeyError(args)
        return real(*args)

    died: list[object] = []
    monkeypatch.setattr(threading, "excepthook", died.append)
    monkeypatch.setattr(*place, bad)
    labels = secrets.token_hex(8), secrets.token_hex(8)
    async with browsing(LOOPBACK) as sight, announcing(labels[0], LOOPBACK) as one:
        with trio.fail_after(15):
            await one.say(ZE)
            await trio.to_thread.run_sync(stumbled.wait, 10)
            async with announcing(labels[1], LOOPBACK) as other:
                await other.say(replace(ZE, free=1))
                while replace(ZE, free=1) not in sight.tables:
                    await sight.changed()
    assert stumbled.is_set()
    assert not died


async def test_a_neighbour_cannot_claim_the_name_of_a_table():
    """Whoever had once heard a host announce could end its process whenever it opened a table."""
    label = secrets.token_hex(8)
    done = trio.Event()

    async def claim() -> None:
        while not done.is_set():
            await trio.to_thread.run_sync(speak, pointers(label.encode()))
            await trio.sleep(0.05)

    async with trio.open_nursery() as tasks, announcing(label, LOOPBACK) as host:
        tasks.start_soon(claim)
        await trio.sleep(0.3)
        with trio.fail_after(10):
            await host.say(ZE)
        done.set()


async def test_a_flood_of_names_is_over_with_the_search():
    """Every name ever heard would wait in memory for its turn, a megabyte in some tenths of a
    second, and whoever leaves would wait for all of them."""
    async with browsing(LOOPBACK) as sight:
        await trio.sleep(0.5)
        for packet in range(600):
            names = [b"%d-%d" % (packet, number) for number in range(120)]
            await trio.to_thread.run_sync(speak, pointers(*names))
        began = trio.current_time()
    assert trio.current_time() - began < 3
    assert len(sight._alive) <= MOST_NEWS


def test_a_board_forgets_what_is_long_gone_and_gives_no_number_twice():
    """A neighbour whose tables come and go would fill the memory of whoever looks on, or give the
    table that is there all the while another number."""
    board = Board()
    board.see([ZE])
    for number in range(2, 2 * MOST_NUMBERS):
        table = replace(ZE, addresses=(Address("127.0.0.1", number),))
        assert board.see([ZE, table]).tables[-1].number == number
    assert board._here[1] == ZE
    assert len(board._numbers) <= MOST_NUMBERS
