"""One link: bounded queues, meters, heartbeats, reasons (wire.md §5)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest
import trio
from trio.testing import MockClock, memory_stream_pair, wait_all_tasks_blocked

from p2ptruco.net.mesh.link import Link
from p2ptruco.net.transport import frames
from p2ptruco.net.transport.hello import Acquainted
from p2ptruco.net.transport.limits import LIMITS, Limits

from .kit import Valve, both, host, quick

PULSE = frames.Pulse(0, 2, 0, 9, b"h" * 32, 0, b"k" * 32)
ENTRY = frames.EntryFrame(b"e" * 6000, b"s" * 64)


@dataclass
class Side:
    """One end of a link: what it received, and the stream below it."""

    link: Link
    stream: Valve
    got: list[object]
    done: trio.Event

    def messages(self) -> list[object]:
        """What arrived, heartbeats and the opening apart."""
        return [m for m in self.got if not isinstance(m, frames.Pulse | str)]


@asynccontextmanager
async def linked(
    near: Limits = LIMITS, far: Limits = LIMITS, purpose: str = "seat"
) -> AsyncIterator[tuple[Side, Side]]:
    """A guest's link and the host's, both running."""
    house = host()
    streams = tuple(map(Valve, memory_stream_pair()))
    result = await both(lambda: house.dial(streams[0]), lambda: house.accept(streams[1]))
    async with trio.open_nursery() as tasks:
        sides = []
        ends = ((result.dialling, near), (result.accepting, far))
        for (who, limits), stream in zip(ends, streams, strict=True):
            assert isinstance(who, Acquainted)
            who = replace(who, purpose=purpose)  # type: ignore[arg-type]
            link = Link(who, lambda: frames.write(PULSE), limits)
            side = Side(link, stream, [], trio.Event())
            tasks.start_soon(run, side)
            sides.append(side)
        yield sides[0], sides[1]
        tasks.cancel_scope.cancel()


async def run(side: Side) -> None:
    async def deliver(message: object) -> None:
        side.got.append(message)

    await side.link.run(deliver, "opening")
    side.done.set()


async def ended(*sides: Side) -> list[str | None]:
    with trio.fail_after(600):
        for side in sides:
            await side.done.wait()
    return [side.link.reason for side in sides]


async def test_messages_arrive_in_order(autojump_clock: MockClock) -> None:
    async with linked() as (near, far):
        sent = [frames.Ask(0, n, 0, 0) for n in range(500)]
        for message in sent:
            near.link.send(message)
        await near.link.drained()
        await wait_all_tasks_blocked()
        assert far.messages() == sent
        assert far.got[0] == "opening"


async def test_heartbeats_say_where_we_stand(autojump_clock: MockClock) -> None:
    async with linked() as (near, far):
        await trio.sleep(10.5)
        assert near.got.count(PULSE) == far.got.count(PULSE) == 6
        assert near.link.reason is None


async def test_slow_reader(autojump_clock: MockClock) -> None:
    """Who does not read would stall the table, or fill our memory with what waits for it."""
    async with linked() as (near, far):
        near.stream.shut()
        before = trio.current_time()
        for _ in range(1000):
            near.link.send(ENTRY)
        assert near.link.reason == "too_slow"
        assert near.link._queued <= LIMITS.queue_bytes
        assert trio.current_time() == before
        await near.done.wait()
        assert trio.current_time() - before <= 2 * LIMITS.farewell_seconds
        assert far.link.reason != "too_slow"


async def test_many_small_frames_are_bounded_too(autojump_clock: MockClock) -> None:
    async with linked(near=quick(queue_frames=100)) as (near, _):
        near.stream.shut()
        for _ in range(200):
            near.link.send(frames.Ask(0, 0, 0, 0))
        assert near.link.reason == "too_slow"


async def test_link_flood(autojump_clock: MockClock) -> None:
    """A peer that sends without end would have us decode for it alone. It is read at its pace, and
    nothing is lost: who is closed comes back, and a handshake is dearer than a frame."""
    async with linked(far=quick(frames_per_second=10, frames_burst=50)) as (near, far):
        for _ in range(400):
            near.link.send(frames.Ask(0, 0, 0, 0))
        await trio.sleep(10)
        assert 50 <= len(far.messages()) <= 50 + 10 * 10 + 1
        await trio.sleep(40)
        assert len(far.messages()) == 400
        assert near.link.reason is far.link.reason is None


async def test_flood_of_bytes(autojump_clock: MockClock) -> None:
    async with linked(far=quick(bytes_per_second=10_000, bytes_burst=100_000)) as (near, far):
        for _ in range(100):
            near.link.send(ENTRY)
        await trio.sleep(10)
        assert 15 <= len(far.messages()) <= 45
        await trio.sleep(60)
        assert len(far.messages()) == 100
        assert near.link.reason is far.link.reason is None


async def test_flood_of_tls_that_brings_no_frame(autojump_clock: MockClock) -> None:
    """Each key update costs more than a frame, and none would ever be counted as one. Here a record
    of a frame that never ends stands for them: bytes from which nothing comes."""
    async with linked(far=quick(bare_per_second=1000, bare_burst=2000)) as (near, far):
        await near.stream.send_all(b"\x17\x03\x03\x40\x00" + bytes(11_995))
        budget = far.link._channel._raw
        await wait_all_tasks_blocked()
        before = trio.current_time()
        await near.stream.send_all(bytes(10))
        assert budget.pace is not None
        await budget.pace.turn()
        assert trio.current_time() - before >= 9.9
        assert far.link.reason is None


async def test_a_table_that_takes_its_time_is_not_the_peers_fault(
    autojump_clock: MockClock,
) -> None:
    """Reading waits for the table; the wait counts neither as silence nor as speed."""
    house = host()
    streams = memory_stream_pair()
    result = await both(lambda: house.dial(streams[0]), lambda: house.accept(streams[1]))
    assert isinstance(result.dialling, Acquainted)
    assert isinstance(result.accepting, Acquainted)
    near = Link(result.dialling, lambda: frames.write(PULSE))
    far = Link(result.accepting, lambda: frames.write(PULSE))

    async def slowly(message: object) -> None:
        await trio.sleep(30)

    async def at_once(message: object) -> None:
        await trio.lowlevel.checkpoint()

    async with trio.open_nursery() as tasks:
        tasks.start_soon(near.run, at_once, "opening")
        tasks.start_soon(far.run, slowly, "opening")
        await trio.sleep(200)
        assert near.reason is far.reason is None
        tasks.cancel_scope.cancel()


async def test_silence(autojump_clock: MockClock) -> None:
    """A peer whose machine has gone would be waited for as if it were thinking."""
    async with linked() as (near, far):
        near.stream.shut()
        before = trio.current_time()
        await far.done.wait()
        assert far.link.reason == "silent"
        assert trio.current_time() - before == pytest.approx(LIMITS.silent_seconds, abs=3)


async def test_a_link_gone_quiet_is_stale_before_it_is_silent(autojump_clock: MockClock) -> None:
    async with linked() as (near, far):
        await trio.sleep(10)
        assert not far.link.stale
        near.stream.shut()
        await trio.sleep(10)
        assert far.link.stale


@pytest.mark.parametrize(
    ("bytes_sent", "reason"),
    [
        (b"\x00\x00\x00\x01\x99", "malformed"),  # unknown type
        (b"\x00\x00\x00\x00\x10", "malformed"),
        (b"\x7f\xff\xff\xff\x10", "oversized"),
        (b"\x00\x00\x00\x03\x12\x91\x00", "malformed"),
        (frames.write(frames.Knock("seat", bytes(32))), "malformed"),
        (frames.write(frames.Welcome()), "malformed"),
        (frames.write(frames.Hello(bytes(32), "dialling", bytes(64))), "malformed"),
        (frames.write(frames.Bye("leaving")), "leaving"),
        (frames.write(frames.Bye("not_due")), "not_due"),
    ],
)
async def test_what_a_peer_says_ends_its_own_link(
    bytes_sent: bytes, reason: str, autojump_clock: MockClock
) -> None:
    """Whatever it is, it has a name, the other end hears it, and nothing else happens."""
    async with linked() as (near, far):
        near.link.send_frame(bytes_sent)
        told = "lost" if bytes_sent[4] == 0x05 else reason  # nobody answers a Bye
        assert (await ended(far, near)) == [reason, told]


async def test_a_watcher_has_no_say(autojump_clock: MockClock) -> None:
    """A spectator's entry, passed on, would make it a player."""
    async with linked(purpose="watch") as (near, far):
        near.link.send(PULSE)
        await wait_all_tasks_blocked()
        assert far.link.reason is None
        near.link.send(ENTRY)
        assert await ended(far) == ["not_due"]
        assert far.messages() == []


@pytest.mark.parametrize("ender", ["near", "far"])
async def test_a_polite_end_loses_nothing(ender: str, autojump_clock: MockClock) -> None:
    """The last word of a match must arrive before its speaker hangs up."""
    async with linked() as (near, far):
        for n in range(50):
            near.link.send(frames.Ask(0, n, 0, 0))
        await near.link.drained()
        {"near": near, "far": far}[ender].link.close("leaving")
        assert await ended(near, far) == ["leaving", "leaving"]
        if ender == "near":
            assert len(far.messages()) == 50


async def test_the_first_reason_stands(autojump_clock: MockClock) -> None:
    async with linked() as (near, far):
        near.link.close("not_due")
        near.link.close("leaving")
        near.link.send(ENTRY)
        assert await ended(near, far) == ["not_due", "not_due"]


async def test_a_torn_cable(autojump_clock: MockClock) -> None:
    async with linked() as (near, far):
        await near.stream.aclose()
        assert await ended(near, far) == ["lost", "lost"]


async def test_cancellation_says_goodbye_and_is_quick(autojump_clock: MockClock) -> None:
    async with linked() as (near, far):
        pass
    assert near.link.reason == far.link.reason == "leaving"


async def test_a_peer_that_never_hangs_up_holds_nobody(autojump_clock: MockClock) -> None:
    async with linked() as (near, far):
        far.stream.shut()
        before = trio.current_time()
        near.link.close("leaving")
        await near.done.wait()
        assert trio.current_time() - before <= 2 * LIMITS.farewell_seconds


async def test_draining_ends_with_the_link(autojump_clock: MockClock) -> None:
    async with linked() as (near, _):
        near.stream.shut()
        near.link.send(ENTRY)
        async with trio.open_nursery() as tasks:
            tasks.start_soon(near.link.drained)
            await wait_all_tasks_blocked()
            near.link.close("lost")
