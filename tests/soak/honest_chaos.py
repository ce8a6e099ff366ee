"""Seeded honest matches under delay, reordering across links and fragments; prints figures.

    python -m tests.soak.honest_chaos [first seed] [matches] [processes]

Every match must end sealed by everybody, with no violation, no link closed, and one record.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
import traceback
from collections import Counter

from tests.kit.chaos import Figures, play


def attempt(seed: int) -> tuple[int, Figures | str]:
    try:
        return seed, play(seed)
    except BaseException:
        return seed, traceback.format_exc()


def main(first: int = 1000, matches: int = 500, processes: int = 1) -> int:
    begun = time.perf_counter()
    good: list[Figures] = []
    bad: list[int] = []
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for seed, result in pool.imap_unordered(attempt, range(first, first + matches)):
            if isinstance(result, str):
                bad.append(seed)
                print(f"seed {seed}:\n{result}", flush=True)
            else:
                good.append(result)
    took = time.perf_counter() - begun
    print(f"{len(good)} of {matches} matches as they should be, {took:.0f} s")
    print(f"sizes {dict(sorted(Counter(one.size for one in good).items()))}")
    print(f"variants {dict(sorted(Counter(one.variant for one in good).items()))}")
    for name in ("hands", "entries", "frames"):
        print(f"{name} {sum(getattr(one, name) for one in good)}")
    print(f"seconds of mock clock {sum(one.seconds for one in good):.0f}")
    print(f"bad seeds {sorted(bad)}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
