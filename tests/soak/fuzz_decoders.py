"""The long fuzzing of every decoder: `python -m tests.soak.fuzz_decoders [INPUTS] [SEED]`.

Prints, for each door, inputs, accepted and refused, inputs a second, and the growth of the
process; ends with status 1 on the first exception that is no refusal.
"""

from __future__ import annotations

import random
import resource
import sys
import time

from p2ptruco.rules.presets import CORE
from tests.kit.fuzz import doors, run
from tests.kit.opendeck import open_deck
from tests.kit.party import Party, stayer

BATCH = 2000
SHARE = {"records": 0.02}
"""Doors whose inputs are long get fewer of them."""


def main(inputs: int, seed: int) -> None:
    with open_deck():
        party = Party(CORE["mineiro"], 2, 11, stayer).play()
        found = list(doors(party, party.record()))
    begun, total = time.time(), 0
    for door in found:
        wanted = int(inputs / (len(found) - 1) * SHARE.get(door.name, 1))
        rng, accepted, start, before = random.Random(f"{seed}/{door.name}"), 0, time.time(), _rss()
        for done in range(0, wanted, BATCH):
            taken, _ = run(door, rng, min(BATCH, wanted - done))
            accepted += taken
        total += wanted
        rate = wanted / max(time.time() - start, 1e-9)
        grown = _rss() - before
        line = (
            f"{door.name:14} {wanted:9} inputs, {accepted:8} accepted, {rate:9.0f}/s, +{grown} KiB"
        )
        print(line, flush=True)
    print(f"{total} inputs in {time.time() - begun:.0f} s, no uncaught exception")


def _rss() -> int:
    """Highest resident size so far, in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:]]
    main(numbers[0] if numbers else 2_000_000, numbers[1] if len(numbers) > 1 else 1)
