"""How much of everything a peer may use, and the bucket that counts it.

Numbers are defaults of this program; those marked (w) are in wire.md and bind everybody.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds, bytes and counts."""

    handshake_seconds: float = 5.0  # (w) TLS, proofs and HELLOs together
    handshake_bytes: int = 16 * 1024  # (w)
    strangers: int = 16  # handshakes under way from elsewhere than roster addresses
    known: int = 16  # handshakes under way from each address of the roster
    arrivals_per_second: float = 2.0  # connections of one stranger's address
    arrivals_burst: float = 16.0
    crowd_per_second: float = 16.0  # connections of all strangers' addresses together
    crowd_burst: float = 128.0
    known_per_second: float = 4.0  # connections of one address of the roster
    known_burst: float = 128.0
    queue_bytes: int = 2 * 1024 * 1024  # waiting to be sent over one link
    queue_frames: int = 8192
    frames_per_second: float = 500.0  # (w) read of one peer, over all its links
    frames_burst: float = 20_000.0  # (w)
    bytes_per_second: float = 1024.0 * 1024  # (w) of TLS
    bytes_burst: float = 32.0 * 1024 * 1024  # (w)
    bare_per_second: float = 16.0 * 1024  # (w) bytes of TLS that are not bytes of frames
    bare_burst: float = 512.0 * 1024  # (w)
    pulse_seconds: float = 2.0  # (w) between heartbeats
    stale_seconds: float = 6.0  # nothing heard: a newer link may take this one's place
    silent_seconds: float = 20.0  # (w) nothing heard: the link is closed
    farewell_seconds: float = 1.0
    events: int = 64  # messages waiting for the table, of all peers together
    dial_seconds: float = 5.0
    patience_seconds: float = 0.5  # the higher key lets the lower one dial first
    backoff_seconds: float = 0.25
    backoff_most: float = 15.0


LIMITS = Limits()
TALK_RATE, TALK_BURST = 1.0, 8.0
"""Lines a second that one peer may say, and at once, in a lobby and at a table; the rest is not
heard."""


MOST_METERED = 1024
"""Peers that a meter remembers: whoever comes with one fresh key after another fills no memory."""


class Bucket:
    """A token bucket: `rate` a second, at most `burst` at once. Time is the caller's."""

    __slots__ = ("_burst", "_level", "_rate", "_then")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate, self._burst, self._level, self._then = rate, burst, burst, now

    def take(self, amount: float, now: float) -> bool:
        """Whether there is that much left; if so it is taken."""
        self._refill(now)
        if amount > self._level:
            return False
        self._level -= amount
        return True

    def charge(self, amount: float, now: float) -> None:
        """Take so much, also what is not there: it is owed."""
        self._refill(now)
        self._level -= amount

    def owed(self, now: float) -> float:
        """Seconds until nothing is owed."""
        self._refill(now)
        return max(0.0, -self._level / self._rate)

    def _refill(self, now: float) -> None:
        self._level = min(self._burst, self._level + (now - self._then) * self._rate)
        self._then = now


class Meter:
    """A bucket for each of those who are metered; of too many, who came last are remembered."""

    __slots__ = ("_buckets", "_burst", "_rate")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def of(self, who: Hashable, now: float) -> Bucket:
        """The bucket of one; full, if it is not remembered."""
        bucket = self._buckets.setdefault(who, Bucket(self._rate, self._burst, now))
        self._buckets.move_to_end(who)
        if len(self._buckets) > MOST_METERED:
            self._buckets.popitem(last=False)
        return bucket

    def take(self, who: Hashable, now: float) -> bool:
        """Whether this one may do one thing more; if so it is counted."""
        return self.of(who, now).take(1, now)
