"""The mesh over real TCP on loopback, between tasks and between processes."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio

from p2ptruco.net.lobby.sitting import Seated, Wish, host_table, join_table
from p2ptruco.net.mesh.mesh import Mesh
from p2ptruco.net.transport import frames
from p2ptruco.net.transport.fault import Fault
from p2ptruco.net.transport.frames import EntryFrame
from p2ptruco.net.transport.limits import Limits
from p2ptruco.net.transport.network import Tcp, plain_host
from p2ptruco.net.transport.ticket import Address, Ticket, new_ticket
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.table.identity import Identity

from .kit import identities, next_of, quick, seeded


@asynccontextmanager
async def tcp_meshes(
    count: int, limits: Limits | None = None
) -> AsyncIterator[tuple[list[Identity], list[Mesh]]]:
    people = identities(count)
    made = [Mesh(person, Tcp("127.0.0.1"), limits=limits or quick()) for person in people]
    async with trio.open_nursery() as tasks:
        for mesh in made:
            await tasks.start(mesh.run)
        with trio.fail_after(20):
            yield people, made
        tasks.cancel_scope.cancel()


def door(people: list[Identity], made: list[Mesh]) -> Ticket:
    ticket = new_ticket(made[0].addresses, people[0].public, seeded())
    made[0].door.open_to(ticket, {"seat": len(people) - 1})
    return ticket


@pytest.mark.parametrize("count", [2, 4, 8])
async def test_a_table_sits_down_over_tcp(count: int) -> None:
    async with tcp_meshes(count) as (people, made):
        ticket = door(people, made)
        results: dict[int, Seated] = {}

        async def sit(number: int) -> None:
            me, mesh, wish = people[number], made[number], Wish(f"p{number}", number)
            if number == 0:
                results[0] = await host_table(mesh, me, wish, MINEIRO, count)
            else:
                key = await mesh.join(ticket)
                results[number] = await join_table(mesh, me, key, wish, lambda agreement: True)

        async with trio.open_nursery() as tasks:
            for number in range(count):
                tasks.start_soon(sit, number)
        for mesh in made:
            await mesh.all_linked()
        assert {result.agreement.id for result in results.values()} == {results[0].agreement.id}
        body = bytes(12_000)
        made[-1].flood(EntryFrame(body, bytes(64)))
        for mesh in made[:-1]:
            peer, event = await next_of(mesh, EntryFrame)
            assert (peer, event) == (people[-1].public, EntryFrame(body, bytes(64)))


async def test_half_open_connections_do_not_keep_guests_out() -> None:
    """Thirty strangers connect and say nothing: their places are taken back, a guest comes in."""
    limits = quick(handshake_seconds=0.5, arrivals_burst=100.0)
    async with tcp_meshes(2, limits) as (people, made):
        ticket = door(people, made)
        streams = [await trio.open_tcp_stream(*made[0].addresses[0]) for _ in range(30)]
        with trio.move_on_after(0.2):  # beyond the sixteenth: closed without a word
            assert await streams[29].receive_some(1) == b""
        while True:
            try:
                assert await made[1].join(ticket) == people[0].public
                break
            except (Fault, OSError):
                await trio.sleep(0.1)
        for stream in streams:
            await stream.aclose()


async def test_port_scanners_and_web_browsers() -> None:
    """Whatever speaks to the port, the host goes on and says nothing about itself."""
    async with tcp_meshes(2) as (people, made):
        ticket = door(people, made)
        chance = random.Random(4)
        for said in (
            b"",
            b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
            b"\x16\x03\x01",
            chance.randbytes(9000),
        ):
            stream = await trio.open_tcp_stream(*made[0].addresses[0])
            async with stream:
                await stream.send_all(said) if said else await trio.lowlevel.checkpoint()
                await stream.send_eof()
                heard = b""
                try:
                    while data := await stream.receive_some(4096):
                        heard += data
                except trio.BrokenResourceError:
                    pass
                assert people[0].public not in heard
                assert len(heard) < 100
        assert await made[1].join(ticket) == people[0].public


async def test_a_closed_port() -> None:
    async with tcp_meshes(1) as (_, made):
        listener = (await trio.open_tcp_listeners(0, host="127.0.0.1"))[0]
        port = listener.socket.getsockname()[1]
        await listener.aclose()
        with pytest.raises(OSError, match="failed"):
            await made[0].join(Ticket((Address("127.0.0.1", port),), b"", b"s" * 10))


PEER = """
import sys, trio
from p2ptruco.net.mesh.mesh import Mesh
from p2ptruco.net.transport import frames
from p2ptruco.net.transport.network import Tcp
from p2ptruco.net.transport.ticket import parse
from p2ptruco.table.identity import Identity

async def main():
    mesh = Mesh(Identity.from_seed(b"q" * 32), Tcp("127.0.0.1"))
    async with trio.open_nursery() as tasks:
        await tasks.start(mesh.run)
        host = await mesh.join(parse(sys.argv[1]))
        for n in range(200):
            mesh.send(host, frames.EntryFrame(n.to_bytes(2, "big") + bytes(6000), bytes(64)))
        await mesh.drained()
        tasks.cancel_scope.cancel()

trio.run(main)
"""


async def test_another_process_says_its_last_word_and_ends() -> None:
    """What was sent before a clean end arrives, though the process is gone."""
    async with tcp_meshes(2) as (people, made):
        ticket = door(people, made)
        async with trio.open_nursery() as tasks:
            tasks.start_soon(trio.run_process, [sys.executable, "-c", PEER, str(ticket)])
            for n in range(200):
                _, event = await next_of(made[0], EntryFrame)
                assert isinstance(event, EntryFrame)
                assert int.from_bytes(event.body[:2], "big") == n


def test_importing_the_mesh_opens_nothing() -> None:
    """No socket, no thread, no file, and no certificate before there is a mesh."""
    script = (
        "import sys, p2ptruco.net.mesh.mesh, p2ptruco.net.lobby.sitting, threading;"
        "from p2ptruco.net.transport import certificate as c;"
        "print(threading.active_count(), c.authority.cache_info().currsize)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["1", "0"]


@pytest.mark.parametrize(
    ("host", "plain"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("fe80::1%eth0", "fe80::1"),
        ("2001:DB8::0001", "2001:db8::1"),
    ],
)
def test_one_host_has_one_text(host: str, plain: str) -> None:
    """Rates and places are by host: two spellings would be two hosts."""
    assert plain_host(host) == plain


def test_heartbeats_are_small() -> None:
    assert len(frames.write(frames.Pulse(255, 65535, 255, 65535, bytes(32), 255, bytes(32)))) < 100
