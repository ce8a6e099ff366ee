"""Every cheat of the kit at 4, 6 and 8 seats, over links with delays, threads that come late.

    python -m tests.soak.cheats [seconds] [first seed] [text in a cheat's title]

Whatever it does, all honest peers end with one log and one record and accuse nobody honest. What
becomes of it may be another word than at links without delays, and is counted.
"""

from __future__ import annotations

import random
import sys
import time
import traceback
from collections import Counter
from contextlib import nullcontext

import trio
from trio.testing import MockClock

from p2ptruco.table.agreement import Times
from tests.kit.chaos import Links
from tests.kit.cheats import every_cheat
from tests.kit.cheats.base import Dishonest
from tests.kit.opendeck import open_deck
from tests.kit.threads import on_the_loop

SIZES = (4, 6, 8)


def play(kind: type[Dishonest], size: int, seed: int) -> str:
    """One evening; what became of it. AssertionError if the honest are parted."""
    chance = random.Random(f"{kind.title}/{size}/{seed}")
    slow = chance.choice([0.0, 0.005, 0.05])

    async def whole() -> str:
        evening = kind.evening(
            size,
            seed=seed,
            pair=Links(chance),
            times=Times(grace=30),
            patience=120.0,
            offload=on_the_loop(chance, slow),
        )
        await evening.play()
        evening.check_honest()
        return " and ".join(sorted(evening.words))

    with nullcontext() if kind.real else open_deck():
        return trio.run(whole, clock=MockClock(autojump_threshold=0))


def main(seconds: float = 60, seed: int = 0, wanted: str = "") -> int:
    kinds = [kind for kind in every_cheat() if wanted in kind.title]
    end, words, bad = time.monotonic() + seconds, Counter[str](), 0
    rng = random.Random(seed)
    while time.monotonic() < end:
        kind = rng.choice(kinds)
        size = rng.choice([size for size in SIZES if size in kind.variant.players])
        try:
            words[play(kind, size, seed)] += 1
        except BaseException:
            bad += 1
            print(f"{kind.title}, {size} seats, seed {seed}:\n{traceback.format_exc()}", flush=True)
        seed += 1
    print(f"{words.total()} evenings as they should be, {bad} not: {dict(words.most_common())}")
    return 1 if bad else 0


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:3]]
    sys.exit(main(*numbers, *sys.argv[3:]))
