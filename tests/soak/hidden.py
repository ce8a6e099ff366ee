"""Matches at random, every preset at every size, each line to each page read: what a seat is shown
is what the rules show it. `python -m tests.soak.hidden [SECONDS]`."""

from __future__ import annotations

import itertools
import sys
import time

from p2ptruco.rules.presets import CORE
from tests.kit.tables_over_links import BLIND, SHORT
from tests.web.test_hidden import faces, played, shown_too_much

TABLES = [
    (variant, size)
    for variant in (*CORE.values(), SHORT, BLIND)
    for size in sorted(variant.players)
]


def main(seconds: float) -> None:
    """Play for so long; a line that shows too much ends it."""
    until, lines = time.monotonic() + seconds, 0
    for seed, (variant, size) in zip(itertools.count(), itertools.cycle(TABLES), strict=False):
        peers = played(variant, size, seed)
        known = faces(peers)
        for peer in peers:
            lines += len(peer.tab.lines)
            found = shown_too_much(peer, known)
            assert not found, (variant.name, size, seed, peer.seat, found[:3])
        if time.monotonic() > until:
            print(f"{seed + 1} matches, {lines} lines, nothing too much")
            return


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
