"""One link to one peer whose identity is known.

Laws:
1. `send` never waits. A peer that does not read fills its own bounded queue and is closed,
   `too_slow`; nobody else notices.
2. Reading waits for the table and for the pace of the peer, never for another peer's link.
3. Heartbeats go out every `pulse_seconds`; a link that hears nothing for `silent_seconds` ends.
4. Nothing escapes `run` but cancellation: whatever the peer does, foreseen or not, ends this link
   with a reason.
5. A watcher says nothing into the table.

Source: wire.md §5.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Any

import trio

from ..transport import frames
from ..transport.channel import BROKEN
from ..transport.fault import Fault, Reason
from ..transport.hello import Acquainted
from ..transport.limits import LIMITS, Limits
from ..transport.pace import Pace, Paces
from ..wall import walled

Deliver = Callable[[Any], Awaitable[None]]
HANDSHAKE_ONLY = (frames.Knock, frames.Answer, frames.Hello, frames.Welcome)
WATCHERS_SAY = (frames.Pulse,)
BATCH = 64 * 1024


class Link:
    """`peer`, `dialled_by`: identity keys. `reason`: why it ended, None while it lives; `theirs`:
    the other end ended it. `origin`: the host address at its other end. `greeting`: frames that
    go out first. `ended` is called once, as soon as there is a reason."""

    def __init__(
        self,
        who: Acquainted,
        pulse: Callable[[], bytes],
        limits: Limits = LIMITS,
        *,
        origin: str = "",
        greeting: Iterable[bytes] = (),
        ended: Callable[[Link], None] = lambda link: None,
        pace: Pace | None = None,
    ) -> None:
        self.origin, self._ended = origin, ended
        self.peer, self.purpose, self.dialled_by = who.identity, who.purpose, who.dialled_by
        self.reason: Reason | None = None
        self.theirs = False
        self.admitted = False  # it was the one link to this peer, for a while
        self._channel, self._reader = who.channel, who.reader
        self._pulse, self._limits = pulse, limits
        self._queue = deque(greeting)
        self._queued = sum(map(len, self._queue))
        self._wake, self._progress = trio.Event(), trio.Event()
        self._sending = False
        self._scope, self._finishing = trio.CancelScope(), trio.CancelScope()
        self._heard = trio.current_time()
        self.keep(pace or Paces(limits).of(self.peer))

    def __repr__(self) -> str:
        return f"<Link {self.peer.hex()[:8]} {self.purpose} {self.reason or 'up'}>"

    @property
    def stale(self) -> bool:
        """Nothing heard for a while: perhaps the other end is gone and we do not know yet."""
        return trio.current_time() - self._heard > self._limits.stale_seconds

    def keep(self, pace: Pace) -> None:
        """Read at this pace from now on."""
        self._pace = pace
        self._channel.keep(pace)

    def send(self, message: frames.Message) -> None:
        """Queue a message; a closed link drops it. ValueError: longer than its type allows."""
        self.send_frame(frames.write(message))

    def send_frame(self, frame: bytes) -> None:
        """Queue one frame, encoded already."""
        if self.reason is not None:
            return
        limits = self._limits
        if (
            self._queued + len(frame) > limits.queue_bytes
            or len(self._queue) >= limits.queue_frames
        ):
            self.close("too_slow")
            return
        self._queue.append(frame)
        self._queued += len(frame)
        self._wake.set()

    def close(self, reason: Reason, *, theirs: bool = False) -> None:
        """End the link; the first reason stands."""
        if self.reason is None:
            self.reason, self.theirs = reason, theirs
            self._scope.cancel()
            patience = 0.0 if reason == "too_slow" else self._limits.farewell_seconds
            self._finishing.deadline = trio.current_time() + patience
            self._notice()
            self._ended(self)

    async def drained(self) -> None:
        """Until nothing is queued, or the link has ended."""
        while self.reason is None and (self._queue or self._sending):
            await self._progress.wait()

    def _notice(self) -> None:
        self._progress.set()
        self._progress = trio.Event()

    async def run(self, deliver: Deliver, opening: object) -> None:
        """Carry messages until the link ends. `deliver` gets `opening`, then each message, in
        order, and may wait."""
        try:
            with self._scope:
                async with trio.open_nursery() as tasks:
                    tasks.start_soon(self._guarded, self._read, deliver, opening)
                    tasks.start_soon(self._guarded, self._write)
                    tasks.start_soon(self._guarded, self._beat)
                    tasks.start_soon(self._end_with_the_program)
        finally:
            with trio.CancelScope(shield=True):
                await self._part()

    async def _end_with_the_program(self) -> None:
        try:
            await trio.sleep_forever()
        finally:
            self.close("leaving")

    async def _guarded(self, task: Callable[..., Awaitable[None]], *args: object) -> None:
        try:
            with walled("a link"):
                await task(*args)
        except Fault as fault:
            self.close(fault.reason, theirs=fault.theirs)
        except BROKEN:
            self.close("lost")

    async def _read(self, deliver: Deliver, opening: object) -> None:
        await deliver(opening)
        while True:
            while (message := self._reader.next()) is not None:
                await self._take(message, deliver)
                await self._pace.turn()
            self._reader.feed(await self._receive())

    async def _receive(self) -> bytes:
        with trio.move_on_after(self._limits.silent_seconds) as waiting:
            data = await self._channel.receive_some()
        if waiting.cancelled_caught:
            raise Fault("silent")
        if not data:
            raise Fault("lost", theirs=True)
        self._heard = trio.current_time()
        return data

    async def _take(self, message: frames.Message, deliver: Deliver) -> None:
        self._pace.frame()
        if isinstance(message, frames.Bye):
            raise Fault(frames.farewell(message), theirs=True)
        if isinstance(message, HANDSHAKE_ONLY):
            raise Fault("malformed")
        if self.purpose == "watch" and not isinstance(message, WATCHERS_SAY):
            raise Fault("not_due")
        await deliver(message)

    async def _write(self) -> None:
        while self.reason is None:
            if not self._queue:
                self._wake = trio.Event()
                await self._wake.wait()
                continue
            self._sending = True
            with trio.CancelScope(shield=True) as self._finishing:  # TLS cannot take back half
                await self._channel.send_all(self._batch())
            if self._finishing.cancelled_caught:
                raise Fault("too_slow")
            self._sending = False
            self._notice()

    def _batch(self) -> bytes:
        batch: list[bytes] = []
        size = 0
        while self._queue and size < BATCH:
            frame = self._queue.popleft()
            batch.append(frame)
            size += len(frame)
        self._queued -= size
        return b"".join(batch)

    async def _beat(self) -> None:
        while True:
            self.send_frame(self._pulse())
            await trio.sleep(self._limits.pulse_seconds)

    async def _part(self) -> None:
        for last in (self._say_why, self._channel.aclose):
            with suppress(Fault, *BROKEN), walled("a farewell"):
                await last()

    async def _say_why(self) -> None:
        """Say why, and let the other end hang up first so that nothing in flight is lost."""
        with trio.move_on_after(self._limits.farewell_seconds):
            if self.reason is not None and not self.theirs and not self._sending:
                await self._channel.send_all(frames.write(frames.Bye(self.reason)))
                await self._await_farewell()

    async def _await_farewell(self) -> None:
        while data := await self._channel.receive_some():
            self._reader.feed(data)
            if any(isinstance(message, frames.Bye) for message in self._reader.messages()):
                break
