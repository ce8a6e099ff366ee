"""Matches of real tables, each frame watched: whose cards could whoever received it compute?

    python -m tests.soak.knowledge [seconds] [first seed]

Every preset and random variants, all sizes, links that delay and split. Ends with status 1 if a
seat could ever know a face that the rules do not let it see, or could know it too early.
"""

from __future__ import annotations

import random
import sys
import time
import traceback
from collections import Counter
from functools import partial

import trio
from trio.testing import MockClock

from p2ptruco.rules.presets import CORE
from p2ptruco.rules.variant import Variant, from_toggles
from p2ptruco.table.agreement import Times
from tests.kit.chaos import Links
from tests.kit.knowledge import Tracker, Watched
from tests.kit.tables_over_links import BLIND, SHORT, Evening, first_card, uniform
from tests.kit.threads import on_the_loop

VALUES = {
    "players": ["2,4,6,8", "2,4", "8", "6"],
    "ranks": ["4567QJKA23", "QJKA23", "4567QJKA", "32AKJQ7654"],
    "manilhas": ["fixed", "vira", "As,Ad"],
    "scale": ["2,truco:4", "1-3-6-9-12", "1,truco:2", "2,truco:4,seis:6"],
    "target": ["2", "3", "4", "6"],
    "all_tied": ["nobody", "dealer", "eldest"],
    "partners_tie": ["trick", "tie"],
    "call_in_special": ["illegal", "forfeit"],
    "special_decision": ["yes", "no"],
    "iron": ["blind", "open"],
    "fold": ["yes", "no"],
    "face_down_from": ["2", "1", "none"],
    "best_of": ["1", "1", "1", "3"],
}


def variant_of(chance: random.Random) -> Variant:
    """A preset, a short variant, or one with every toggle drawn."""
    if chance.random() < 0.3:
        return chance.choice([SHORT, BLIND, *CORE.values()])
    while True:
        drawn = {name: chance.choice(values) for name, values in VALUES.items()}
        try:
            return from_toggles("drawn", drawn)
        except ValueError:
            continue


def play(seed: int) -> Counter[str]:
    """The match of a seed, watched; what was seen. `Leak` if somebody could see too much."""
    chance = random.Random(f"knowledge/{seed}")
    variant = variant_of(chance)
    size = chance.choice(sorted(variant.players))
    tracker = Tracker(variant, size)
    evening = Evening(
        size,
        dict.fromkeys(range(size), partial(Watched, tracker=tracker)),
        variant=variant,
        seed=seed,
        policy=chance.choice([uniform, first_card]),
        pause=(0.0, chance.choice([0.0, 0.5])),
        times=Times(grace=60),
        patience=600.0,
        pair=Links(chance),
    )

    async def whole() -> None:
        evening.offload = on_the_loop(chance, 0.01)
        with tracker.watching():
            await evening.play()
            evening.check_honest()

    trio.run(whole, clock=MockClock(autojump_threshold=0))
    assert evening.words == {"played"}, evening.words
    return tracker.conclude()


def main(seconds: int = 60, first: int = 1) -> int:
    begun, seen, bad, seed = time.monotonic(), Counter[str](), list[int](), first
    while time.monotonic() - begun < seconds or seed == first:
        try:
            seen += play(seed)
        except Exception:
            bad.append(seed)
            print(f"seed {seed}:\n{traceback.format_exc()}", flush=True)
        seed += 1
        print(f"{seed - first} matches, {len(bad)} bad", file=sys.stderr, flush=True)
    print(f"{seed - first} matches in {time.monotonic() - begun:.0f} s, bad seeds {bad}")
    print(", ".join(f"{count} {name}" for name, count in sorted(seen.items())))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
