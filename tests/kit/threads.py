"""Work that stays on the loop, for a mock clock, which would jump ahead while a real thread works.

The same calls in the same order as with `players/offload`, between two pauses in which anything
may happen.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import nullcontext
from typing import TypeVar, TypeVarTuple

import trio
import trio.lowlevel

from p2ptruco.players.offload import Offload

Args = TypeVarTuple("Args")
T = TypeVar("T")


def on_the_loop(chance: random.Random | None = None, most: float = 0.0) -> Offload:
    """`most`: seconds of a pause at most."""

    async def run(
        work: Callable[[*Args], T], *args: *Args, limiter: trio.CapacityLimiter | None = None
    ) -> T:
        async with limiter or nullcontext():
            with trio.CancelScope(shield=True):
                await _pause(chance, most)
                result = work(*args)
                await _pause(chance, most)
            await trio.lowlevel.checkpoint_if_cancelled()
            return result

    return run


async def _pause(chance: random.Random | None, most: float) -> None:
    if chance is None or not most:
        await trio.lowlevel.checkpoint()
    else:
        await trio.sleep(chance.uniform(0, most))
