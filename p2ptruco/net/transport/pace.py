"""How fast a peer is read: over all its links together, whatever it sends.

Laws:
1. Nobody is closed for being fast. Who sends more than its rates is read later, which fills its
   own queue and nobody else's.
2. A peer of the roster has a pace of its own, the others of an address share one: a new link, or
   a new key, begins with what is left.
3. Frames and bytes have a rate each, and so has what TLS takes that brings no frame: messages of
   its own (key updates, tickets), padding, empty records.

Source: wire.md §5.
"""

from __future__ import annotations

from collections.abc import Hashable

import trio

from .limits import Bucket, Limits, Meter

BREATH = 0.1
"""Seconds for which a peer that is too fast is left alone at least: it costs less than a wait for
each frame."""


class Pace:
    """One peer's: `turn` before reading, the rest to count what was read."""

    __slots__ = ("_bare", "_bytes", "_frames")

    def __init__(self, frames: Bucket, size: Bucket, bare: Bucket) -> None:
        self._frames, self._bytes, self._bare = frames, size, bare

    async def turn(self) -> None:
        """Wait while something is owed."""
        if owed := self._owed():
            await trio.sleep(owed + BREATH)

    def _owed(self) -> float:
        now = trio.current_time()
        return max(self._frames.owed(now), self._bytes.owed(now), self._bare.owed(now))

    def frame(self) -> None:
        """A frame was read."""
        self._frames.charge(1, trio.current_time())

    def raw(self, size: int) -> None:
        """So many bytes came from the network."""
        now = trio.current_time()
        self._bytes.charge(size, now)
        self._bare.charge(size, now)

    def content(self, size: int) -> None:
        """So many bytes of frames were in them."""
        self._bare.charge(-size, trio.current_time())


class Paces:
    """The pace of everybody who comes to one mesh."""

    def __init__(self, limits: Limits) -> None:
        self._frames = Meter(limits.frames_per_second, limits.frames_burst)
        self._bytes = Meter(limits.bytes_per_second, limits.bytes_burst)
        self._bare = Meter(limits.bare_per_second, limits.bare_burst)

    def of(self, who: Hashable) -> Pace:
        """The pace of a peer, or of an address."""
        now = trio.current_time()
        return Pace(*(meter.of(who, now) for meter in (self._frames, self._bytes, self._bare)))
