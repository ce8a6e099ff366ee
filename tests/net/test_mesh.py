"""The mesh: each pair once, re-dialled, fair, and not to be ended by a peer (wire.md §5)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest
import trio
from trio.testing import MockClock, memory_stream_pair

from p2ptruco.net.mesh.events import Away, Dropped, Linked
from p2ptruco.net.mesh.mesh import Mesh
from p2ptruco.net.mesh.redial import Redial
from p2ptruco.net.transport import frames
from p2ptruco.net.transport.certificate import fresh_leaf
from p2ptruco.net.transport.fault import Fault
from p2ptruco.net.transport.frames import Ask, EntryFrame, Pulse
from p2ptruco.net.transport.hello import Acquainted, Errand, dial
from p2ptruco.net.transport.limits import LIMITS
from p2ptruco.net.transport.ticket import Address, Ticket, derive, new_ticket

from .kit import (
    Chaos,
    Valve,
    Village,
    acquaint,
    fully_linked,
    identities,
    meshes,
    next_of,
    quick,
    seeded,
)

TABLE = b"t" * 32


async def collect(mesh: Mesh, into: list[tuple[bytes, object]]) -> None:
    async for peer, event in mesh.events:
        into.append((peer, event))


def entry(text: str) -> EntryFrame:
    return EntryFrame(text.encode(), b"s" * 64)


@pytest.mark.parametrize("count", [2, 3, 4, 6, 8])
async def test_a_roster_becomes_a_full_mesh(count: int, autojump_clock: MockClock) -> None:
    async with meshes(count) as (people, all_meshes):
        acquaint(people, all_meshes)
        await fully_linked(all_meshes)
        keys = {person.public for person in people}
        for person, mesh in zip(people, all_meshes, strict=True):
            assert mesh.linked == keys - {person.public}
            assert mesh.missing() == {}


async def test_a_flood_reaches_everybody_but_its_source(autojump_clock: MockClock) -> None:
    async with meshes(4) as (people, all_meshes):
        acquaint(people, all_meshes)
        await fully_linked(all_meshes)
        all_meshes[0].flood(entry("x"), except_=people[2].public)
        got: list[list[tuple[bytes, object]]] = [[] for _ in all_meshes]
        with trio.move_on_after(5):
            async with trio.open_nursery() as tasks:
                for mesh, into in zip(all_meshes, got, strict=True):
                    tasks.start_soon(collect, mesh, into)
        heard = [[peer for peer, event in each if event == entry("x")] for each in got]
        assert heard == [[], [people[0].public], [], [people[0].public]]


async def test_of_two_links_the_lower_keys_stays(autojump_clock: MockClock) -> None:
    """Both dial at once; both sides must keep the same one, or neither has a link."""
    limits = quick(patience_seconds=0.0)
    for seed in range(10):
        chance = random.Random(seed)

        def pair(chance: random.Random = chance) -> tuple[trio.abc.Stream, trio.abc.Stream]:
            near, far = memory_stream_pair()
            delay = (0.0, chance.uniform(0, 0.3))
            return Chaos(near, chance.randrange(99), delay=delay), Chaos(far, 1, delay=delay)

        async with meshes(2, village=Village(pair), limits=limits) as (people, all_meshes):
            acquaint(people, all_meshes)
            await fully_linked(all_meshes)
            await trio.sleep(5)
            links = [next(iter(mesh._links.values())) for mesh in all_meshes]
            assert [link.dialled_by for link in links] == [people[0].public] * 2
            assert [link.reason for link in links] == [None, None]


async def test_the_higher_key_dials_where_the_lower_cannot(autojump_clock: MockClock) -> None:
    village = Village()
    async with meshes(2, village=village) as (people, all_meshes):
        village.unreachable.add(all_meshes[1].addresses[0])
        acquaint(people, all_meshes)
        await fully_linked(all_meshes)
        assert next(iter(all_meshes[0]._links.values())).dialled_by == people[1].public


async def test_a_dropped_link_is_dialled_again(autojump_clock: MockClock) -> None:
    """Events tell it: Linked, Dropped, Linked; and what is sent afterwards arrives."""
    village = Village()
    async with meshes(3, village=village) as (people, all_meshes):
        acquaint(people, all_meshes)
        await fully_linked(all_meshes)
        got: list[tuple[bytes, object]] = []
        async with trio.open_nursery() as tasks:
            for mesh in all_meshes[1:]:
                tasks.start_soon(collect, mesh, [])
            tasks.start_soon(collect, all_meshes[0], got)
            for _ in range(5):
                village.unreachable.update(mesh.addresses[0] for mesh in all_meshes)
                await village.cut()
                await trio.sleep(1)
                assert all_meshes[0].linked == frozenset()
                assert len(all_meshes[0].missing()) == 2
                village.unreachable.clear()
                await trio.sleep(30)
                assert len(all_meshes[0].linked) == 2
            all_meshes[1].send(people[0].public, entry("after all"))
            await trio.sleep(1)
            tasks.cancel_scope.cancel()
        turns = [type(e) for p, e in got if p == people[1].public and not isinstance(e, Pulse)]
        assert turns == [Linked, Dropped] * 5 + [Linked, EntryFrame]


async def test_a_link_that_died_unnoticed_gives_way(autojump_clock: MockClock) -> None:
    """The lower key still believes in its link; the higher, who knows better, need not wait
    until silence has proved it."""
    valves: list[Valve] = []

    def pair() -> tuple[trio.abc.Stream, trio.abc.Stream]:
        valves.extend(map(Valve, memory_stream_pair()))
        return valves[-2], valves[-1]

    async with meshes(2, village=Village(pair)) as (people, all_meshes):
        acquaint(people, all_meshes)
        await fully_linked(all_meshes)
        await trio.sleep(1)
        for valve in valves:
            valve.shut()
        all_meshes[1].close(people[0].public, "lost")
        await trio.sleep(LIMITS.silent_seconds - 4)
        links = [next(iter(mesh._links.values())) for mesh in all_meshes]
        assert [link.dialled_by for link in links] == [people[1].public] * 2


async def test_who_is_away_is_named_with_the_time(autojump_clock: MockClock) -> None:
    village = Village()
    async with meshes(2, village=village) as (people, all_meshes):
        village.unreachable.update(mesh.addresses[0] for mesh in all_meshes)
        await trio.sleep(5)
        then = trio.current_time()
        acquaint(people, all_meshes)
        await trio.sleep(60)
        assert all_meshes[0].missing() == {people[1].public: Away(then)}
        village.unreachable.clear()
        await trio.sleep(16)
        assert all_meshes[0].missing() == {}


async def test_dialling_backs_off(autojump_clock: MockClock) -> None:
    """A peer that is down for an hour is not knocked at ten times a second."""
    village = Village()
    dialled: list[float] = []
    async with meshes(2, village=village) as (people, all_meshes):
        original = all_meshes[0]._network.dial

        async def watched(address: Address) -> trio.abc.Stream:
            dialled.append(trio.current_time())
            return await original(address)

        all_meshes[0]._network.dial = watched  # type: ignore[method-assign]
        village.unreachable.update(mesh.addresses[0] for mesh in all_meshes)
        acquaint(people, all_meshes)
        await trio.sleep(600)
    gaps = [later - then for then, later in pairwise(dialled)]
    assert 40 <= len(dialled) <= 100
    assert max(gaps) <= 15
    assert len(set(gaps)) == len(gaps)  # jitter: peers do not knock in step


async def test_a_closed_link_of_the_roster_comes_back_slower(autojump_clock: MockClock) -> None:
    """A peer that is closed for a fault each time may not have us dial in a tight loop."""
    async with meshes(2) as (people, all_meshes):
        links = 0
        acquaint(people, all_meshes)
        with trio.move_on_after(120):
            while True:
                await next_of(all_meshes[0], Linked)
                links += 1
                all_meshes[0].close(people[1].public, "not_due")
        assert 5 < links < 40


async def test_only_roster_keys_once_the_door_is_closed(autojump_clock: MockClock) -> None:
    """A guest who came by the ticket but is not in the agreement must not stay and listen."""
    async with meshes(4) as (people, all_meshes):
        host = all_meshes[0]
        ticket = new_ticket(host.addresses, people[0].public, seeded())
        host.door.open_to(ticket, {"seat": 3})
        for mesh in all_meshes[1:]:
            assert await mesh.join(ticket) == people[0].public
        roster = {w.public: m.addresses for w, m in zip(people[:3], all_meshes, strict=False)}
        for mesh in all_meshes[:3]:
            mesh.set_roster(TABLE, roster)
        host.close_door()
        _, event = await next_of(all_meshes[3], Dropped)
        assert event == Dropped("table_full", theirs=True)
        with pytest.raises(Fault, match="bad_ticket"):
            await all_meshes[3].join(ticket)
        await trio.sleep(5)
        assert host.linked == {people[1].public, people[2].public}


async def test_a_full_table_stays_full(autojump_clock: MockClock) -> None:
    """All come at once: places are counted when they are taken, not when they are asked for."""
    async with meshes(6) as (people, all_meshes):
        host = all_meshes[0]
        ticket = new_ticket(host.addresses, people[0].public, seeded())
        host.door.open_to(ticket, {"seat": 2})
        outcomes: Counter[str] = Counter()

        async def come(mesh: Mesh) -> None:
            try:
                await mesh.join(ticket)
                _, event = await next_of(mesh, Dropped)
                assert isinstance(event, Dropped)
                outcomes[event.reason] += 1
            except Fault as fault:
                outcomes[fault.reason] += 1

        with trio.move_on_after(10):
            async with trio.open_nursery() as tasks:
                for mesh in all_meshes[1:]:
                    tasks.start_soon(come, mesh)
        assert outcomes == {"table_full": 3}
        assert len(host.linked) == 2


async def test_nobody_there(autojump_clock: MockClock) -> None:
    async with meshes(1) as (_, all_meshes):
        ticket = Ticket((Address("10.0.0.77", 1), Address("10.0.0.78", 1)), b"", b"s" * 10)
        with pytest.raises(OSError, match="nobody"):
            await all_meshes[0].join(ticket)


async def test_a_host_that_never_answers(autojump_clock: MockClock) -> None:
    village = Village()
    async with meshes(1, village=village) as (_, all_meshes):
        where = Address("10.0.0.99", 1)

        async def swallow(stream: trio.abc.Stream, origin: str) -> None:
            await trio.sleep_forever()

        village.listeners[where] = swallow
        before = trio.current_time()
        with pytest.raises((OSError, Fault)):
            await all_meshes[0].join(Ticket((where,), b"", b"s" * 10))
        assert trio.current_time() - before <= 5


async def test_the_next_address_is_tried(autojump_clock: MockClock) -> None:
    async with meshes(2) as (people, all_meshes):
        ticket = new_ticket(
            (Address("10.0.0.77", 1), *all_meshes[0].addresses), people[0].public, seeded()
        )
        all_meshes[0].door.open_to(ticket, {"seat": 1})
        assert await all_meshes[1].join(ticket) == people[0].public


async def stranger(
    village: Village, host: Mesh, errand: Errand, seed: int = 5
) -> tuple[Acquainted, trio.abc.Stream]:
    """Somebody of the roster, by hand: a link whose bytes are ours to choose."""
    house = village.house(90 + seed)
    stream = await house.dial(host.addresses[0])
    me = identities(1, seed)[0]
    return await dial(stream, fresh_leaf(), me, errand), stream


async def test_garbage_from_one_peer_is_nobody_elses_trouble(autojump_clock: MockClock) -> None:
    """One peer's malformed bytes must not end the table's tasks, nor another peer's link."""
    village = Village()
    evil_key = identities(1, 5)[0].public
    got: list[tuple[bytes, object]] = []
    running = meshes(3, village=village)
    async with running as (people, all_meshes), trio.open_nursery() as tasks:
        tasks.start_soon(collect, all_meshes[0], got)
        roster = {who.public: m.addresses for who, m in zip(people, all_meshes, strict=True)}
        for mesh in all_meshes:
            mesh.set_roster(TABLE, roster | {evil_key: ()})
        errand = Errand("roster", derive(TABLE, "roster"), lambda who: True)
        chance = random.Random(1)
        for _ in range(40):
            who, stream = await stranger(village, all_meshes[0], errand)
            if chance.random() < 0.5:
                await who.channel.send_all(chance.randbytes(chance.randrange(1, 5000)))
            else:
                await stream.send_all(chance.randbytes(200))  # not even TLS
            await trio.sleep(0.6)  # strangers have a rate
        await trio.sleep(30)  # half a frame is waited for, until it is silence
        assert all_meshes[0].linked == {people[1].public, people[2].public}
        all_meshes[1].send(people[0].public, entry("still here"))
        await trio.sleep(1)
        assert (people[1].public, entry("still here")) in got
        tasks.cancel_scope.cancel()


async def test_a_flooding_peer_gets_its_turn_and_no_more(autojump_clock: MockClock) -> None:
    """The channel to the table is shared: a flood must not keep the others' messages out."""
    village = Village()
    evil_key = identities(1, 5)[0].public
    async with meshes(2, village=village, limits=quick(events=4)) as (people, all_meshes):
        roster = {who.public: m.addresses for who, m in zip(people, all_meshes, strict=True)}
        for mesh in all_meshes:
            mesh.set_roster(TABLE, roster | {evil_key: ()})
        await all_meshes[0]._until(lambda: people[1].public in all_meshes[0].linked)
        errand = Errand("roster", derive(TABLE, "roster"), lambda who: True)
        who, _ = await stranger(village, all_meshes[0], errand)
        await who.channel.send_all(frames.write(Ask(0, 0, 0, 0)) * 5000)
        await trio.sleep(0.1)
        all_meshes[1].send(people[0].public, entry("mine"))
        await trio.sleep(0.1)
        taken = [(await all_meshes[0].events.receive())[1] for _ in range(20)]
        assert entry("mine") in taken


async def test_one_link_an_identity_however_often_it_comes(autojump_clock: MockClock) -> None:
    """Links are counted by who is at the other end: coming again replaces, and adds nothing."""
    village = Village()
    evil_key = identities(1, 5)[0].public
    async with meshes(1, village=village) as (people, all_meshes):
        all_meshes[0].set_roster(TABLE, {people[0].public: (), evil_key: ()})
        errand = Errand("roster", derive(TABLE, "roster"), lambda who: True)
        opened = [await stranger(village, all_meshes[0], errand) for _ in range(10)]
        await trio.sleep(5)
        assert all_meshes[0].linked == {evil_key}
        assert len(opened) == 10
        ends = 0
        for who, _ in opened[:-1]:
            with trio.move_on_after(1):
                while await who.channel.receive_some():
                    pass
                ends += 1
        assert ends == 9


async def test_guests_who_come_and_go_are_not_remembered(autojump_clock: MockClock) -> None:
    """Whoever holds the ticket would fill the host's memory with one fresh key after another."""
    async with meshes(2) as (people, (host, guest)):
        ticket = new_ticket(host.addresses, people[0].public, seeded())
        host.door.open_to(ticket, {"seat": 1})
        await guest.join(ticket)
        guest.close(people[0].public, "leaving")
        assert (await next_of(host, Dropped))[0] == people[1].public
        assert people[1].public not in host._away


async def test_a_slow_reader_stalls_nobody(autojump_clock: MockClock) -> None:
    """One peer stops reading; the flood goes on to the others at once."""
    valves: list[Valve] = []

    def pair() -> tuple[trio.abc.Stream, trio.abc.Stream]:
        near, far = memory_stream_pair()
        valves.extend([Valve(near), Valve(far)])
        return valves[-2], valves[-1]

    village = Village(pair)
    async with meshes(3, village=village, limits=quick(queue_bytes=100_000)) as (people, all_ones):
        acquaint(people, all_ones)
        await fully_linked(all_ones)
        slow = all_ones[0]._links[people[1].public]
        for valve in valves:
            if valve is slow._channel._raw._stream:
                valve.shut()
        got: list[tuple[bytes, object]] = []
        async with trio.open_nursery() as tasks:
            tasks.start_soon(collect, all_ones[0], [])
            tasks.start_soon(collect, all_ones[1], [])
            tasks.start_soon(collect, all_ones[2], got)
            before = trio.current_time()
            for n in range(30):
                all_ones[0].flood(entry(f"{n}" + "x" * 6000))
                await trio.sleep(0.01)
            assert slow.reason == "too_slow"
            assert sum(isinstance(event, EntryFrame) for _, event in got) == 30
            assert trio.current_time() - before < 1
            tasks.cancel_scope.cancel()


async def test_a_new_link_is_greeted_first(autojump_clock: MockClock) -> None:
    village = Village()
    async with meshes(2, village=village) as (people, all_meshes):
        all_meshes[0].greet([entry("signatures so far")])
        acquaint(people, all_meshes)
        await next_of(all_meshes[1], Linked)
        _, first = await all_meshes[1].events.receive()
        assert first == entry("signatures so far")


async def test_a_roster_can_change(autojump_clock: MockClock) -> None:
    """A new epoch: the old table's key opens nothing any more."""
    async with meshes(3) as (people, all_meshes):
        acquaint(people, all_meshes)
        await fully_linked(all_meshes)
        roster = {w.public: m.addresses for w, m in zip(people[:2], all_meshes, strict=False)}
        for mesh in all_meshes[:2]:
            mesh.set_roster(b"u" * 32, roster)
            mesh.close(people[2].public, "leaving")
        await trio.sleep(60)
        assert all_meshes[0].linked == {people[1].public}
        assert all_meshes[2].linked == frozenset()


async def test_the_table_closes_a_link_by_name(autojump_clock: MockClock) -> None:
    async with meshes(2) as (people, all_meshes):
        acquaint(people, all_meshes)
        await fully_linked(all_meshes)
        all_meshes[0].close(people[1].public, "bad_signature")
        assert (await next_of(all_meshes[1], Dropped))[1] == Dropped("bad_signature", theirs=True)


async def test_cancellation_ends_everything_at_once(autojump_clock: MockClock) -> None:
    before = trio.current_time()
    async with meshes(8) as (people, all_meshes):
        acquaint(people, all_meshes)
        await fully_linked(all_meshes)
        await trio.sleep(1)
        before = trio.current_time()
    assert trio.current_time() - before < 1.5
    for mesh in all_meshes:
        assert [event async for event in mesh.events]  # and then it ends


async def test_sending_to_nobody_says_so(autojump_clock: MockClock) -> None:
    async with meshes(1) as (_, all_meshes):
        assert not all_meshes[0].send(b"x" * 32, entry("x"))


def test_a_mesh_under_chaos_delivers_everything_sent_over_living_links() -> None:
    """Delays and fragments: 6 seeds, four peers, each flood arrives once a peer, in order."""

    async def run(seed: int) -> None:
        seeds = iter(range(seed * 100, seed * 100 + 100))

        def pair() -> tuple[trio.abc.Stream, trio.abc.Stream]:
            near, far = memory_stream_pair()
            return Chaos(near, next(seeds)), Chaos(far, next(seeds))

        async with meshes(4, village=Village(pair)) as (people, all_meshes):
            acquaint(people, all_meshes)
            await fully_linked(all_meshes)
            await trio.sleep(5)
            got: list[list[tuple[bytes, object]]] = [[] for _ in all_meshes]
            async with trio.open_nursery() as tasks:
                for mesh, into in zip(all_meshes, got, strict=True):
                    tasks.start_soon(collect, mesh, into)
                for n in range(20):
                    for mesh in all_meshes:
                        mesh.flood(entry(str(n)))
                await trio.sleep(30)
                tasks.cancel_scope.cancel()
            for mesh, heard in zip(all_meshes, got, strict=True):
                for peer in mesh.linked:
                    told = [e for p, e in heard if p == peer and isinstance(e, EntryFrame)]
                    assert told == [entry(str(n)) for n in range(20)]

    for seed in range(6):
        trio.run(run, seed, clock=MockClock(autojump_threshold=0))


def test_a_mesh_whose_cables_are_cut_heals() -> None:
    """Cuts and flipped bits at random: no exception, and when they stop every pair is linked."""

    async def run(seed: int) -> None:
        seeds = iter(range(10_000))
        calm = [False]

        def pair() -> tuple[trio.abc.Stream, trio.abc.Stream]:
            near, far = memory_stream_pair()
            if calm[0]:
                return near, far
            cut, flip = 0.02, 0.01
            return (
                Chaos(near, seed + next(seeds), cut=cut, flip=flip),
                Chaos(far, seed + next(seeds), cut=cut, flip=flip),
            )

        running = meshes(3, village=Village(pair))
        async with running as (people, all_meshes), trio.open_nursery() as tasks:
            for mesh in all_meshes:
                tasks.start_soon(collect, mesh, [])
            acquaint(people, all_meshes)
            for _ in range(40):
                for mesh in all_meshes:
                    mesh.flood(entry("x" * 500))
                await trio.sleep(0.5)
            calm[0] = True
            await trio.sleep(200)
            assert [len(mesh.linked) for mesh in all_meshes] == [2, 2, 2]
            tasks.cancel_scope.cancel()

    for seed in range(3):
        trio.run(run, seed, clock=MockClock(autojump_threshold=0))


async def test_addresses_that_time_out_are_dialled_less_and_less_often(
    autojump_clock: MockClock,
) -> None:
    """Dialling takes longer than a link must live to count: that is no link that lived."""
    begun: list[float] = []

    async def attempt(address: Address) -> None:
        if address.port == 1:
            begun.append(trio.current_time())
        await trio.sleep(LIMITS.dial_seconds)

    async def until(condition: Callable[[], bool]) -> None:
        assert condition()

    where = (Address("192.0.2.1", 1), Address("192.0.2.2", 2))
    redial = Redial(where, True, LIMITS, random.Random(1))
    with trio.move_on_after(600):
        await redial.run(lambda: True, until, attempt)
    pauses = [after - before - 2 * LIMITS.dial_seconds for before, after in pairwise(begun)]
    assert pauses[0] <= LIMITS.backoff_seconds
    assert pauses[-1] >= LIMITS.backoff_most / 2


async def test_whoever_is_struck_before_it_is_dialled_ends_no_mesh(
    autojump_clock: MockClock,
) -> None:
    """A roster that is taken back within the same moment, as when the last signature is due just
    as the last claim comes, would end the program of its host."""
    async with meshes(3) as (people, all_meshes):
        roster = {p.public: m.addresses for p, m in zip(people, all_meshes, strict=True)}
        mesh = all_meshes[0]
        mesh.set_roster(TABLE, roster)
        mesh.strike(people[1].public, "leaving")
        await trio.testing.wait_all_tasks_blocked()
        mesh.set_roster(TABLE, roster)
        mesh.set_roster(TABLE, {})
        await trio.testing.wait_all_tasks_blocked()
        assert not mesh.missing()
