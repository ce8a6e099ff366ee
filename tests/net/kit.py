"""Fakes of the network: memory streams behind addresses, a seeded chaos stream, ready meshes."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import trio
from trio.testing import memory_stream_pair

from p2ptruco.net.mesh.door import Door
from p2ptruco.net.mesh.events import Event
from p2ptruco.net.mesh.mesh import Mesh
from p2ptruco.net.transport.certificate import Leaf, fresh_leaf
from p2ptruco.net.transport.channel import Channel, open_channel
from p2ptruco.net.transport.fault import Fault
from p2ptruco.net.transport.hello import Acquainted, Errand, accept, dial
from p2ptruco.net.transport.limits import LIMITS, Limits
from p2ptruco.net.transport.network import Arrival
from p2ptruco.net.transport.ticket import Address, Ticket, new_ticket
from p2ptruco.table.identity import Identity

Pair = Callable[[], tuple[trio.abc.Stream, trio.abc.Stream]]


def seeded(seed: int = 0) -> Callable[[int], bytes]:
    return random.Random(seed).randbytes


def identities(count: int, seed: int = 7) -> list[Identity]:
    """Identities in ascending order of their keys."""
    source = seeded(seed)
    return sorted((Identity.generate(source) for _ in range(count)), key=lambda one: one.public)


class Chaos(trio.abc.Stream):
    """Seeded faults over any stream: latency, fragments, cuts, flipped bits."""

    def __init__(
        self,
        inner: trio.abc.Stream,
        seed: int,
        *,
        delay: tuple[float, float] = (0.0, 0.05),
        split: float = 0.5,
        cut: float = 0.0,
        flip: float = 0.0,
    ) -> None:
        self._inner, self._chance = inner, random.Random(seed)
        self._delay, self._split, self._cut, self._flip = delay, split, cut, flip

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        rest = bytearray(data)
        while rest:
            chance = self._chance
            size = chance.randint(1, len(rest)) if chance.random() < self._split else len(rest)
            part = rest[:size]
            del rest[:size]
            await trio.sleep(chance.uniform(*self._delay))
            if chance.random() < self._cut:
                await self._inner.aclose()
                raise trio.BrokenResourceError("cut")
            if chance.random() < self._flip:
                part[chance.randrange(size)] ^= 1 << chance.randrange(8)
            await self._inner.send_all(bytes(part))

    async def wait_send_all_might_not_block(self) -> None:
        await self._inner.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        return bytes(await self._inner.receive_some(max_bytes))

    async def aclose(self) -> None:
        await self._inner.aclose()


class Valve(trio.abc.Stream):
    """When the valve is shut nothing goes out: sending waits, and nobody hears of an end."""

    def __init__(self, inner: trio.abc.Stream) -> None:
        self._inner = inner
        self._open = trio.Event()
        self._open.set()

    def shut(self) -> None:
        self._open = trio.Event()

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._open.wait()
        await self._inner.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._open.wait()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        return bytes(await self._inner.receive_some(max_bytes))

    async def aclose(self) -> None:
        if self._open.is_set():
            await self._inner.aclose()
        await trio.lowlevel.checkpoint()


class Village:
    """Addresses that lead to listeners. `pair` makes the two ends of each stream."""

    def __init__(self, pair: Pair = memory_stream_pair) -> None:
        self.listeners: dict[Address, Arrival] = {}
        self.streams: list[tuple[trio.abc.Stream, trio.abc.Stream]] = []
        self.unreachable: set[Address] = set()
        self.pair = pair

    def house(self, number: int) -> House:
        return House(self, Address(f"10.0.0.{number}", 7000))

    async def cut(self) -> None:
        """Every stream breaks, as when a cable is pulled."""
        for ends in self.streams:
            for end in ends:
                await end.aclose()
        self.streams.clear()


@dataclass
class House:
    """One peer's network (p2ptruco.net.transport.network.Network) in a village."""

    village: Village
    address: Address

    async def dial(self, address: Address) -> trio.abc.Stream:
        await trio.lowlevel.checkpoint()
        if address in self.village.unreachable or address not in self.village.listeners:
            raise OSError("nobody there")
        near, far = self.village.pair()
        self.village.streams.append((near, far))
        arrival = self.village.listeners[address]
        trio.lowlevel.spawn_system_task(arrival, far, self.address.host)
        return near

    async def listen(
        self,
        arrival: Arrival,
        *,
        task_status: trio.TaskStatus[tuple[Address, ...]] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        async with trio.open_nursery() as tasks:

            async def enter(stream: trio.abc.Stream, origin: str) -> None:
                tasks.start_soon(arrival, stream, origin)
                await trio.lowlevel.checkpoint()

            self.village.listeners[self.address] = enter
            task_status.started((self.address,))
            try:
                await trio.sleep_forever()
            finally:
                del self.village.listeners[self.address]


@asynccontextmanager
async def meshes(
    count: int, *, village: Village | None = None, limits: Limits = LIMITS
) -> AsyncIterator[tuple[list[Identity], list[Mesh]]]:
    """Running meshes that do not know each other yet."""
    village = village or Village()
    people = identities(count)
    all_meshes = [
        Mesh(person, village.house(number), limits=limits, chance=random.Random(number))
        for number, person in enumerate(people)
    ]
    async with trio.open_nursery() as tasks:
        for mesh in all_meshes:
            await tasks.start(mesh.run)
        yield people, all_meshes
        tasks.cancel_scope.cancel()


def acquaint(people: list[Identity], all_meshes: list[Mesh], table: bytes = b"t" * 32) -> None:
    """Give every mesh the same roster."""
    roster = {who.public: mesh.addresses for who, mesh in zip(people, all_meshes, strict=True)}
    for mesh in all_meshes:
        mesh.set_roster(table, roster)


async def fully_linked(all_meshes: list[Mesh]) -> None:
    for mesh in all_meshes:
        await mesh.all_linked()


async def next_of(mesh: Mesh, kind: type[Event]) -> tuple[bytes, Event]:
    """The next event of one kind; others before it are dropped."""
    with trio.fail_after(600):
        while True:
            peer, event = await mesh.events.receive()
            if isinstance(event, kind):
                return peer, event


@dataclass
class Both:
    """What the two sides of a handshake came to: a result or the Fault."""

    dialling: object = None
    accepting: object = None


async def both(
    dialling: Callable[[], Awaitable[object]], accepting: Callable[[], Awaitable[object]]
) -> Both:
    """Run two sides to their ends."""
    result = Both()

    async def one(side: str, task: Callable[[], Awaitable[object]]) -> None:
        try:
            setattr(result, side, await task())
        except Fault as fault:
            setattr(result, side, fault)

    async with trio.open_nursery() as tasks:
        tasks.start_soon(one, "dialling", dialling)
        tasks.start_soon(one, "accepting", accepting)
    return result


async def channels() -> tuple[Channel, Channel]:
    """An open channel's two ends: dialling, accepting."""
    near, far = memory_stream_pair()
    result = await both(
        lambda: open_channel(near, fresh_leaf(), dialling=True),
        lambda: open_channel(far, fresh_leaf(), dialling=False),
    )
    assert isinstance(result.dialling, Channel)
    assert isinstance(result.accepting, Channel)
    return result.dialling, result.accepting


@dataclass
class Host:
    """A host with an open door, and a guest's means to come in."""

    identity: Identity
    guest: Identity
    ticket: Ticket
    door: Door
    leaf: Leaf
    limits: Limits = LIMITS

    def errand(self, ticket: Ticket | None = None) -> Errand:
        chosen = ticket or self.ticket
        return Errand("seat", chosen.key("seat"), chosen.names)

    async def accept(self, stream: trio.abc.Stream) -> Acquainted:
        return await accept(stream, self.leaf, self.identity, self.door, self.limits)

    async def dial(self, stream: trio.abc.Stream, errand: Errand | None = None) -> Acquainted:
        leaf = fresh_leaf()
        return await dial(stream, leaf, self.guest, errand or self.errand(), self.limits)


def host(places: int = 1, present: int = 0, limits: Limits = LIMITS) -> Host:
    identity, guest = identities(2)
    ticket = new_ticket((Address("127.0.0.1", 7000),), identity.public, seeded(3))
    door = Door(lambda purpose, who: present, limits)
    door.open_to(ticket, {"seat": places})
    return Host(identity, guest, ticket, door, fresh_leaf(), limits)


def quick(**changes: float) -> Limits:
    return replace(LIMITS, **changes)  # type: ignore[arg-type]
