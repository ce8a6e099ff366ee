"""A cheat that tries whatever may part honest peers, while links drop and return; prints figures.

    python -m tests.soak.schemer [seconds] [first seed] [seats]

Ends with status 1 if honest peers end apart, or an honest seat is accused.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections import Counter

from tests.kit.schemer import play


def main(seconds: float = 60, seed: int = 0, size: int = 4) -> int:
    end, words, bad = time.monotonic() + seconds, Counter[str](), 0
    while time.monotonic() < end:
        try:
            words[play(seed, size)] += 1
        except BaseException:
            bad += 1
            print(f"seed {seed}, {size} seats:\n{traceback.format_exc()}", flush=True)
        seed += 1
    print(f"{words.total()} evenings as they should be, {bad} not: {dict(words.most_common())}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
