"""Who plays at the kit's tables, and short variants to play."""

from __future__ import annotations

import random
from collections.abc import Callable

import trio

from p2ptruco.rules.moves import Move
from p2ptruco.rules.scale import Scale
from p2ptruco.rules.variant import Variant
from p2ptruco.rules.view import View

Policy = Callable[[View, random.Random], Move]

SHORT = Variant(name="short", scale=Scale.parse("2,truco:4"), target=4)
"""Two hands to a match, the second special, unless all tricks are tied."""
BLIND = Variant(name="blind", scale=Scale.parse("1,truco:2"), target=2)
"""Special from the first point on, iron (blind) at 1 all."""


def uniform(view: View, rng: random.Random) -> Move:
    """Any legal move."""
    return rng.choice(view.legal)


def first_card(view: View, rng: random.Random) -> Move:
    """The first legal move: cards in the order dealt, no call, every hand played."""
    return view.legal[0]


class Mind:
    """Decides by a policy, after a while."""

    advises = False

    def __init__(self, policy: Policy, rng: random.Random, pause: tuple[float, float]) -> None:
        self._policy, self._rng, self._pause = policy, rng, pause
        self.chosen: list[Move] = []

    async def choose(self, view: View) -> Move:
        await trio.sleep(self._rng.uniform(*self._pause))
        self.chosen.append(self._policy(view, self._rng))
        return self.chosen[-1]

    def in_time(self, view: View) -> Move | None:
        return None

    async def tell(self, event: str, view: View) -> None:
        await trio.lowlevel.checkpoint()
