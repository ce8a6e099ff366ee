"""What a flood costs the honest program: one seat floods another over TCP; prints a table.

    python -m tests.soak.floods [seconds a third of a flood] [name of a flood ...]

The honest seat is a process of its own in the middle of a match of two. Printed of each flood:
frames sent a second, links made, the share of a core that the honest program spent on it with all
its threads (in the first third of the time, while bursts last, and in the last), bytes sent to it a
second, and bytes that came back (in the last third).
"""

from __future__ import annotations

import ctypes
import ctypes.util
import itertools
import multiprocessing
import random
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection

import trio

from p2ptruco.net.mesh.mesh import Mesh
from p2ptruco.net.session.session import Session
from p2ptruco.net.transport import frames
from p2ptruco.net.transport.certificate import fresh_leaf
from p2ptruco.net.transport.channel import BROKEN, Channel
from p2ptruco.net.transport.fault import Fault
from p2ptruco.net.transport.hello import Errand, dial
from p2ptruco.net.transport.network import Tcp
from p2ptruco.net.transport.ticket import Address, derive
from p2ptruco.players.local import LocalSeat
from p2ptruco.rules.play import legal
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.table.entries import Entry, Position, Ready, write
from p2ptruco.table.private import Cards, Signal, write_private
from p2ptruco.table.steps.playing import Choosing
from tests.kit.minds import Mind, first_card
from tests.kit.party import Party, Peer

LOOPBACK = "127.0.0.1"
NOWHERE = Address(LOOPBACK, 9)
"""Where the crook is said to listen: what comes from there has the rates of a player."""
HANDS = 4
"""Hands that have been played when the flood begins."""
RATE = 1900
"""Frames a second: below what a link may send."""
STEP = 0.01


def seated() -> Party:
    """Two seats in the middle of a match, the second one to choose."""
    party = Party(MINEIRO, 2, 5, lambda game, seat, rng: legal(game.hand, seat)[0])

    def there() -> bool:
        one, other = party.peers
        choosing = isinstance(one.table.open.phase, Choosing) and not one.due
        same = one.table.open[:2] == other.table.open[:2] and not one.inbox + other.inbox
        return choosing and same and len(one.table.hands) >= HANDS

    party.play(until=there)
    assert there()
    return party


# The honest seat.


def honest(asked: Connection) -> None:
    """Plays on while somebody asks for its time."""
    party = seated()
    one, other = party.peers
    trio.run(_play, one, other.identity.public, asked)


async def _play(one: Peer, other: bytes, asked: Connection) -> None:
    mesh = Mesh(one.identity, Tcp(LOOPBACK))
    rng = random.Random(1)
    local = LocalSeat(one.table, one.seat, one.identity, Mind(first_card, rng, (1e6, 1e6)), rng)
    local.keeper = one.keeper
    async with trio.open_nursery() as tasks:
        (address,) = await tasks.start(mesh.run)
        mesh.set_roster(one.table.agreement.id, {other: (NOWHERE,)})
        tasks.start_soon(Session(mesh, one.table, local).run)
        asked.send(address.port)
        while await trio.to_thread.run_sync(asked.recv, abandon_on_cancel=True):
            asked.send(time.process_time())
        tasks.cancel_scope.cancel()


# The flood.


@dataclass
class Flooder:
    """The other seat: how it comes in, and what it counts."""

    party: Party
    port: int
    links: int = 0
    frames: int = 0
    sent: int = 0
    got: int = 0

    @property
    def me(self) -> Peer:
        return self.party.peers[1]

    async def dial(self) -> Channel:
        """A new link; waits while the honest end lets nobody in."""
        errand = Errand("roster", derive(self.party.agreement.id, "roster"), lambda who: True)
        while True:
            with suppress(Fault, OSError):
                stream = await trio.open_tcp_stream(LOOPBACK, self.port)
                who = await dial(stream, fresh_leaf(), self.me.identity, errand)
                self.links += 1
                return who.channel
            await trio.sleep(STEP)

    async def send(self, channel: Channel, data: bytes, count: int) -> None:
        await channel.send_all(data)
        self.sent, self.frames = self.sent + len(data), self.frames + count

    async def over_a_link(self, write: Callable[[Channel], Awaitable[None]]) -> None:
        """Write over a new link until it ends."""
        channel = await self.dial()
        async with trio.open_nursery() as tasks:
            tasks.start_soon(self.read, channel, tasks.cancel_scope)
            with suppress(*BROKEN):
                await write(channel)
            tasks.cancel_scope.cancel()

    async def read(self, channel: Channel, done: trio.CancelScope) -> None:
        with suppress(*BROKEN):
            while data := await channel.receive_some():
                self.got += len(data)
        done.cancel()


Make = Callable[[Flooder], Iterator[bytes]]
Flood = Callable[[Flooder], Awaitable[None]]


def framed(entry: Entry) -> bytes:
    return frames.write(frames.EntryFrame(entry.body, entry.signature))


def kept(crook: Flooder) -> Iterator[bytes]:
    """Signed, on heads that nobody knows."""
    agreement, signer = crook.party.agreement, crook.me.identity
    for step in itertools.count():
        head, place = step.to_bytes(32, "big"), Position(7, 0, step % 60_000)
        yield framed(write(agreement, place, 1, head, Ready(), signer))


def repeated(crook: Flooder) -> Iterator[bytes]:
    """An entry that is there."""
    return itertools.repeat(framed(crook.me.table.steps[0].entries[0].entry))


def asks(crook: Flooder) -> Iterator[bytes]:
    return itertools.repeat(ASK)


def pulses(crook: Flooder) -> Iterator[bytes]:
    position, head, _ = crook.me.table.open
    steps = (position.step, position.step + 1)
    made = [frames.Pulse(0, *position._replace(step=n), head, 0, bytes(32)) for n in steps]
    return itertools.cycle(map(frames.write, made))


def signatures(crook: Flooder) -> Iterator[bytes]:
    return itertools.repeat(frames.write(frames.Signature(crook.party.agreement.id, 1, bytes(64))))


def talk(crook: Flooder) -> Iterator[bytes]:
    return itertools.repeat(frames.write(frames.Talk("e\u0301" * 170)))


def signals(crook: Flooder) -> Iterator[bytes]:
    return itertools.repeat(private(Signal(crook.party.agreement.id, 0, "hi")))


def cards(crook: Flooder) -> Iterator[bytes]:
    here = crook.me.table.open.position
    made = Cards(crook.party.agreement.id, 0, here.hand, here.attempt, bytes(256))
    return itertools.repeat(private(made))


def enters(crook: Flooder) -> Iterator[bytes]:
    return itertools.repeat(frames.write(frames.Enter("x", None, None, False, False)))


def private(message: Cards | Signal) -> bytes:
    return frames.write(frames.pad(write_private(message)))


def sends(make: Make) -> Flood:
    """RATE frames a second over one link, over the next where it is closed."""

    async def flood(crook: Flooder) -> None:
        made, begun = make(crook), trio.current_time()

        async def write(channel: Channel) -> None:
            while True:
                due = int(RATE * (trio.current_time() - begun)) - crook.frames
                await crook.send(channel, b"".join(itertools.islice(made, due)), due)
                await trio.sleep(STEP)

        while True:
            await crook.over_a_link(write)

    return flood


async def asks_anew(crook: Flooder) -> None:
    """One question a link, for the whole log."""
    while True:
        channel = await crook.dial()
        with trio.move_on_after(0.2) as scope, suppress(*BROKEN):
            await crook.send(channel, ASK, 1)
            await crook.read(channel, scope)
        with suppress(*BROKEN):
            await channel.aclose()


async def handshakes(crook: Flooder) -> None:
    """A whole handshake, and gone."""
    while True:
        channel = await crook.dial()
        with suppress(*BROKEN):
            await channel.aclose()


async def key_updates(crook: Flooder) -> None:
    """TLS messages that bring no frame, each with a request for one in return."""
    library = ctypes.CDLL(ctypes.util.find_library("ssl"))
    library.SSL_key_update.argtypes = (ctypes.c_void_p, ctypes.c_int)
    library.SSL_do_handshake.argtypes = (ctypes.c_void_p,)

    async def write(channel: Channel) -> None:
        tls = channel._tls
        where = id(tls._ssl_object._sslobj) + 3 * ctypes.sizeof(ctypes.c_void_p)
        handle = ctypes.c_void_p.from_address(where)
        while True:
            for _ in range(100):
                library.SSL_key_update(handle, 1)
                library.SSL_do_handshake(handle)
            data = tls._outgoing.read()
            await tls.transport_stream.send_all(data)
            crook.sent, crook.frames = crook.sent + len(data), crook.frames + 100

    while True:
        await crook.over_a_link(write)


async def nothing(crook: Flooder) -> None:
    """An undisturbed table."""
    with trio.CancelScope() as scope:
        await crook.read(await crook.dial(), scope)


ASK = frames.write(frames.Ask(0, 0, 0, 0))
FLOODS: dict[str, Flood] = {
    "kept": sends(kept),
    "repeated": sends(repeated),
    "asks": sends(asks),
    "pulses": sends(pulses),
    "signatures": sends(signatures),
    "talk": sends(talk),
    "signals": sends(signals),
    "cards": sends(cards),
    "enters": sends(enters),
    "asks anew": asks_anew,
    "handshakes": handshakes,
    "key updates": key_updates,
    "nothing": nothing,
}


async def measure(name: str, seconds: float) -> str:
    """One flood against a fresh honest process; a line of the table."""
    context = multiprocessing.get_context("spawn")
    near, far = context.Pipe()
    process = context.Process(target=honest, args=(far,), daemon=True)
    process.start()
    crook = Flooder(seated(), await trio.to_thread.run_sync(near.recv))
    spent: list[float] = []
    got: list[int] = []
    with trio.move_on_after(3 * seconds):
        async with trio.open_nursery() as tasks:
            tasks.start_soon(FLOODS[name], crook)
            for _ in range(3):
                near.send(True)
                spent.append(near.recv())
                got.append(crook.got)
                await trio.sleep(seconds)
    near.send(True)
    spent.append(near.recv())
    got.append(crook.got)
    near.send(False)
    process.join()
    first, last = ((spent[at + 1] - spent[at]) / seconds for at in (0, 2))
    return (
        f"{name:12} {crook.frames / seconds / 3:7.0f} {crook.links:6} {first:10.1%} {last:10.1%}"
        f" {crook.sent / seconds / 3:11.0f} {(got[3] - got[2]) / seconds:11.0f}"
    )


def main(seconds: float = 10.0, *names: str) -> None:
    heads = ("flood", "sent/s", "links", "at first", "at last", "bytes/s", "back/s")
    print("{:12} {:>7} {:>6} {:>10} {:>10} {:>11} {:>11}".format(*heads))
    for name in names or FLOODS:
        print(trio.run(measure, name, seconds), flush=True)


if __name__ == "__main__":
    main(*map(float, sys.argv[1:2]), *sys.argv[2:])
