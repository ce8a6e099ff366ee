"""The rules of where a peer stands at the end of a match, at length; prints figures.

    python -m tests.soak.ends [schedules] [first seed]

Every schedule of four seats with one proof, with two last words, and with both; then random ones of
4 and 6 seats for each rule, with one cheat and with two, with peers that leave in time or early.
Ends with status 1 if table.md's rule parts honest peers where the page promises that it does not.
"""

from __future__ import annotations

import random
import sys
import time

from tests.kit.ends import FAILING, OLD_AND_LAST, ONE_PROOF, TWO_LAST_WORDS, Rule, meeting
from tests.kit.schedules import Leaving, Play, by_chance, every_schedule, some_world, told

WORLDS = {
    "one proof": (ONE_PROOF, False),
    "one proof, the cheat seals": (ONE_PROOF, True),
    "two last words": (TWO_LAST_WORDS, False),
    "two last words and an old place": (OLD_AND_LAST, False),
}
FEWER = 2_000
"""Schedules for a rule that parts honest peers anyway."""
LEAVINGS: tuple[Leaving, ...] = ("in time", "never", "early")


def every() -> int:
    """Every schedule of the small worlds, by the rule."""
    parted = 0
    for name, (world, cheats_seal) in WORLDS.items():
        for leaving in ("in time", "never"):
            begun = time.perf_counter()
            play = Play(world, meeting, leaving, cheats_seal)  # type: ignore[arg-type]
            found = every_schedule(play)
            parted += found.schedule is not None
            took = time.perf_counter() - begun
            print(f"{name}, {leaving}: {found.states} states, {took:.0f} s", end="", flush=True)
            print(f": {told(play, found.schedule)}" if found.schedule else ", nobody parted")
    return parted


def some(rule: Rule, leaving: Leaving, cheats: int, seeds: range) -> int:
    """How many random schedules break the law."""
    parted = 0
    for seed in seeds:
        rng = random.Random(f"{cheats}/{seed}")
        parted += by_chance(Play(some_world(rng, cheats), rule, leaving), rng) is not None
    name = rule.__name__
    print(
        f"{name}, {cheats} cheating, {leaving}: {parted} of {len(seeds)} break the law", flush=True
    )
    return parted


def main(schedules: int = 20_000, first: int = 0) -> int:
    wrong = every()
    seeds = range(first, first + schedules)
    for leaving in LEAVINGS:
        parted = some(meeting, leaving, 1, seeds)
        wrong += parted if leaving != "early" else 0
        some(meeting, leaving, 2, seeds)
        for rule in FAILING:
            some(rule, leaving, 1, seeds[:: len(seeds) // FEWER or 1])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
