"""Where heavy work goes, so that the loop stays free."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar, TypeVarTuple

import trio

Args = TypeVarTuple("Args")
T = TypeVar("T")


class Offload(Protocol):
    """Calls `work` with `args` somewhere else and returns what it returns. It is not given up half
    way: who is cancelled meanwhile still gets the result. `limiter`: how many at once."""

    async def __call__(
        self,
        work: Callable[[*Args], T],
        *args: *Args,
        limiter: trio.CapacityLimiter | None = None,
    ) -> T: ...


async def in_thread(
    work: Callable[[*Args], T], *args: *Args, limiter: trio.CapacityLimiter | None = None
) -> T:
    """In a worker thread."""
    return await trio.to_thread.run_sync(work, *args, limiter=limiter)
