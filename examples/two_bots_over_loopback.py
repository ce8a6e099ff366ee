"""A whole match between two peers that trust each other with nothing, over TCP on this machine.

    python examples/two_bots_over_loopback.py match.trec

Here both peers live in one program, to be short; nothing is shared but the sockets between them.
"""

import argparse
import random
import secrets
from functools import partial
from pathlib import Path

import trio

import p2ptruco
from p2ptruco.net.lobby.sitting import Seated, Wish, host_table, join_table
from p2ptruco.net.mesh.mesh import Mesh
from p2ptruco.net.session import Session
from p2ptruco.net.transport.network import Tcp
from p2ptruco.net.transport.ticket import Ticket, new_ticket
from p2ptruco.players.local import LocalSeat
from p2ptruco.players.sandbox.mind import sandboxed
from p2ptruco.rules.seating import Seat
from p2ptruco.table.agreement import Agreement, Times
from p2ptruco.table.identity import Identity
from p2ptruco.table.record.file import write_record
from p2ptruco.table.table import Table


def consents(agreement: Agreement) -> bool:
    """A guest signs these rules and no others."""
    return agreement.variant == p2ptruco.MINEIRO and agreement.players == 2


async def host(path: Path, opened: trio.MemorySendChannel[Ticket]) -> None:
    """Open a table, hand out its ticket, play as zap, keep the record."""
    me = Identity.generate(secrets.token_bytes)
    mesh = Mesh(me, Tcp("127.0.0.1"))
    async with trio.open_nursery() as tasks:
        await tasks.start(mesh.run)
        ticket = new_ticket(mesh.addresses, me.public, secrets.token_bytes)
        mesh.door.open_to(ticket, {"seat": 1})
        await opened.send(ticket)
        times = Times(move=0)
        seated = await host_table(mesh, me, Wish("ana"), p2ptruco.MINEIRO, 2, times=times)
        table = await play("zap", mesh, me, seated)
        tasks.cancel_scope.cancel()
    record = b"".join(write_record(table, seated.signatures, seated.seat, me))
    await trio.Path(path).write_bytes(record)
    assert table.outcome is not None
    print(f"{len(table.hands)} hands, {table.outcome.score}: {path}")


async def guest(opened: trio.MemoryReceiveChannel[Ticket]) -> None:
    """Come by the ticket and play at random."""
    me = Identity.generate(secrets.token_bytes)
    mesh = Mesh(me, Tcp("127.0.0.1"))
    async with trio.open_nursery() as tasks:
        await tasks.start(mesh.run)
        there = await mesh.join(await opened.receive())
        seated = await join_table(mesh, me, there, Wish("bia"), consents)
        await play("random", mesh, me, seated)
        tasks.cancel_scope.cancel()


async def play(bot: str, mesh: Mesh, me: Identity, seated: Seated) -> Table:
    """A seat: the table's state, the keys, and a bot in a process of its own."""
    table = Table(seated.agreement, secrets.token_bytes)
    async with sandboxed(bot, seed="1") as mind:
        local = LocalSeat(table, Seat(seated.seat), me, mind, random.Random(1))
        return await Session(mesh, table, local).run()


async def main(path: Path) -> None:
    """Both of them."""
    send, receive = trio.open_memory_channel[Ticket](1)
    async with trio.open_nursery() as peers:
        peers.start_soon(host, path, send)
        peers.start_soon(guest, receive)


if __name__ == "__main__":
    wanted = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    wanted.add_argument("record", type=Path, help="the file to keep the match in")
    path = wanted.parse_args().record
    if not path.absolute().parent.is_dir():
        wanted.error(f"there is no folder for {path}")
    trio.run(partial(main, path))
