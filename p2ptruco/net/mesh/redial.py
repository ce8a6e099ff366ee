"""When to dial a peer of the roster: at once, again, less and less often.

Laws:
1. The lower identity key dials first; the higher waits a moment, so that a pair seldom links twice.
2. Failures back off up to `backoff_most`, with jitter, so that peers do not knock in step.
3. Only a link that lived a while makes the next attempt eager again.

Source: wire.md §5.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import trio

from ..transport.limits import Limits
from ..transport.ticket import Address

Until = Callable[[Callable[[], bool]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Redial:
    """One peer's addresses, whether it is ours to dial first, and how patiently."""

    where: tuple[Address, ...]
    eager: bool
    limits: Limits
    chance: random.Random

    async def run(
        self,
        away: Callable[[], bool],
        until: Until,
        attempt: Callable[[Address], Awaitable[None]],
    ) -> None:
        """Whenever the peer is `away`, make `attempt`s, until cancelled. `attempt` raises nothing
        and makes the peer present if it can; `until` waits for a condition."""
        failures = 0
        while True:
            await until(away)
            await trio.sleep(self.pause(failures))
            for address in self.where:
                if away():
                    await attempt(address)
            begun = trio.current_time()
            await until(away)
            lived = trio.current_time() - begun > self.limits.stale_seconds
            failures = 0 if lived else failures + 1

    def pause(self, failures: int) -> float:
        """Seconds before the next attempt after that many failures in a row."""
        limits = self.limits
        patience = 0.0 if self.eager else limits.patience_seconds
        if not failures:
            return patience
        longest = min(limits.backoff_seconds * 2.0 ** (min(failures, 16) - 1), limits.backoff_most)
        return patience + longest * self.chance.uniform(0.5, 1.0)
