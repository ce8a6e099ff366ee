"""Tables with a peer that says anything, seed after seed; prints what became of them.

python -m tests.soak.fuzzing_peer [first seed] [matches]
"""

from __future__ import annotations

import random
import sys
import traceback
from collections import Counter

import trio
from trio.testing import MockClock

from tests.kit.cheats.fuzz import Fuzzer
from tests.kit.opendeck import open_deck
from tests.kit.tables_over_links import BLIND, SHORT, Evening, first_card, uniform
from tests.kit.threads import on_the_loop
from tests.kit.unforeseen import nothing_unforeseen


def play(seed: int) -> Evening:
    rng = random.Random(seed)
    size, variant = rng.choice([2, 4, 4]), rng.choice([SHORT, BLIND])
    policy, slow = rng.choice([uniform, first_card]), rng.choice([0.0, 0.02])
    more = {"variant": variant, "policy": policy, "pause": (0.0, 0.1), "patience": 30.0}

    async def whole() -> Evening:
        evening = await Fuzzer.evening(
            size, seed=seed, **more, offload=on_the_loop(rng, slow)
        ).play()
        evening.check_honest()
        evening.check_memory()
        return evening

    with open_deck(), nothing_unforeseen():
        return trio.run(whole, clock=MockClock(autojump_threshold=0))


def main(first: int = 100, matches: int = 200) -> int:
    became, bad = Counter[str](), []
    for seed in range(first, first + matches):
        try:
            became.update(play(seed).words)
        except BaseException:
            bad.append(seed)
            print(f"seed {seed}:\n{traceback.format_exc()}", flush=True)
    print(f"{matches} matches, bad seeds {bad}, {dict(became)}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
