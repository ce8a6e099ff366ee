"""Random attacks on whole records: `python -m tests.soak.attack_records [SECONDS] [SEED]`.

Ends with status 1 on the first that holds though it should not.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Mapping

from tests.kit.mutate import OPEN, REAL, Record, attacks, survives
from tests.kit.opendeck import open_deck
from tests.kit.records import word_of
from tests.kit.remembering import remembering
from tests.kit.unforeseen import nothing_unforeseen

BATCH = 50


def main(seconds: float, seed: int) -> None:
    end, first, words = time.monotonic() + seconds, seed, Counter[str]()
    while time.monotonic() < end:
        with remembering(), nothing_unforeseen():
            words += batch(REAL, seed)
            with open_deck():
                words += batch(OPEN, seed)
        seed += 1
    print(f"{words.total()} attacks, seeds {first} to {seed - 1}, none held: {dict(words)}")


def batch(records: Mapping[str, Record], seed: int) -> Counter[str]:
    words = Counter[str]()
    for name, make in records.items():
        record, players = make()
        for what, blob in attacks(record, BATCH, seed):
            words[word := word_of(blob)] += 1
            if not survives(record, players, blob, word):
                raise SystemExit(f"{name}: {what} comes to {word}")
    return words


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:]]
    main(numbers[0] if numbers else 60, numbers[1] if len(numbers) > 1 else 1)
