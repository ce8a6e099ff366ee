"""Lines to another program and from it, bounded both ways.

Laws:
1. Saying never waits. What is not written yet is kept, up to `most` bytes; a reader that leaves
   more than that lying is let go (`TooSlow`), and nothing more is kept for it.
2. What was said before `close` is still written, whatever is cancelled meanwhile, for PATIENCE
   seconds.
3. Of a line that comes in no more is kept than is needed to see that it is too long.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable

import trio

from p2ptruco.app.plain import LONGEST

MOST = 4 << 20
"""Bytes kept for a slow reader; a snapshot in the middle of a hand has some ten thousand."""
AT_ONCE = 1 << 16
"""Bytes of a write."""
PATIENCE = 5.0
"""Seconds in which the last lines are written."""

Source = Callable[[], Awaitable[bytes]]
"""Some bytes; none at the end."""
Sink = Callable[[bytes], Awaitable[object]]
"""Writes all of some bytes. OSError: nobody reads any more."""


class TooSlow(BrokenPipeError):
    """The reader leaves what is said to it lying, which is as if it had gone."""


class Outbox:
    """What is said to one reader, until it is written."""

    def __init__(self, write: Sink, most: int = MOST, at_once: int = AT_ONCE) -> None:
        """`at_once`: bytes of a write; with 1 each line is one of its own."""
        self._write, self._most, self._at_once = write, most, at_once
        self._lines: deque[bytes] = deque()
        self._held = 0
        self._closed = False
        self._news, self._eased = trio.Event(), trio.Event()
        self._scope = trio.CancelScope(shield=True)

    def say(self, line: bytes) -> None:
        """Say a line, without its end."""
        if self._scope.cancel_called:
            return
        self._lines.append(line + b"\n")
        self._held += len(line) + 1
        if self._held > self._most:
            self.drop()
        self._news.set()

    def close(self) -> None:
        """Nothing more is said: `run` ends when the rest is written."""
        self._closed = True
        self._scope.deadline = trio.current_time() + PATIENCE
        self._news.set()

    def drop(self) -> None:
        """Nothing is written any more: the reader has gone."""
        self._lines.clear()
        self._scope.cancel()

    async def room(self) -> None:
        """Until at most half of what may be kept is."""
        while self._held > self._most // 2:
            await self._eased.wait()

    async def run(self) -> None:
        """Write, until closed. TooSlow; OSError: the reader has gone."""
        with self._scope:
            while self._lines or not self._closed:
                if self._lines:
                    await self._write(self._next())
                else:
                    self._news = trio.Event()
                    await self._news.wait()
        if self._scope.cancel_called:
            raise TooSlow

    def _next(self) -> bytes:
        """As many lines as make a write."""
        lines, size = list[bytes](), 0
        while self._lines and size < self._at_once:
            lines.append(self._lines.popleft())
            size += len(lines[-1])
        self._held -= size
        self._eased.set()
        self._eased = trio.Event()
        return b"".join(lines)


async def lines(read: Source) -> AsyncIterator[bytes]:
    """The lines that come, without their ends; one that is too long is cut where that shows."""
    rest = b""
    while chunk := await read():
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line[: LONGEST + 1]
        rest = rest[: LONGEST + 1]
    if rest:
        yield rest
