"""Worker threads for a mock clock, which would jump ahead while a real one works."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any
from unittest import mock

import trio
import trio.lowlevel


@contextmanager
def no_threads(rng: random.Random | None = None, most: float = 0.0) -> Iterator[None]:
    """Run what would go to a worker thread here, between two pauses of up to `most` seconds.

    A mock clock would jump ahead while a real thread works.
    """

    async def run(
        call: Callable[..., Any],
        *args: Any,
        abandon_on_cancel: bool = False,
        limiter: trio.CapacityLimiter | None = None,
    ) -> Any:
        async with limiter or nullcontext():
            return await here(call, *args, abandon_on_cancel=abandon_on_cancel)

    async def here(call: Callable[..., Any], *args: Any, abandon_on_cancel: bool) -> Any:
        with trio.CancelScope(shield=not abandon_on_cancel):
            await _pause(rng, most)
            result = call(*args)
            await _pause(rng, most)
        await trio.lowlevel.checkpoint_if_cancelled()
        return result

    with mock.patch.object(trio.to_thread, "run_sync", run):
        yield


async def _pause(rng: random.Random | None, most: float) -> None:
    if rng is None or not most:
        await trio.lowlevel.checkpoint()
    else:
        await trio.sleep(rng.uniform(0, most))
