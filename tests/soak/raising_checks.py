"""Tables whose checks raise anything, seed after seed; prints what became of them.

python -m tests.soak.raising_checks [first seed] [matches]
"""

from __future__ import annotations

import sys
import traceback

import trio
from trio.testing import MockClock

from tests.kit.wall import PLACES, play


def main(first: int = 100, matches: int = 200) -> int:
    places, raised, bad = list(PLACES), 0, []
    for seed in range(first, first + matches):
        where, size = places[seed % len(places)], (2, 4)[seed // len(places) % 2]
        try:
            raised += trio.run(play, where, size, seed, clock=MockClock(autojump_threshold=0)).count
        except BaseException:
            bad.append(seed)
            print(f"seed {seed}, {where}, {size} seats:\n{traceback.format_exc()}", flush=True)
    print(f"{matches} matches, {raised} errors raised, bad seeds {bad}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
