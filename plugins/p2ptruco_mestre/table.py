"""What was learned, as it is read: strategies by key, equities by score.

The file is xz around: b"mestre 2\\n", a line of JSON (`count`, `target`, `specials`, `scores`), the
equities of a team and its rival still needing 1 to `target` points (two bytes each), the special
hands (keys, then a byte each), the nodes' keys, and for the nodes three planes of bytes. Keys
ascend and are written as differences of 8 bytes, all first bytes before all second ones. The first
plane holds four weights of two bits, action 0 in the lowest; the others shares from 1 to 15, 0
unknown: `kept` with `run` above it, and `accepted`.
"""

from __future__ import annotations

import json
import lzma
import sys
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate
from typing import NamedTuple

from p2ptruco import Variant

USUAL_RUN, STANDS_WORSE = 0.57, 0.25
"""Of calls that were hardly tried: how often one is run from, and how much less the hand is then
won than without."""

MAGIC = b"mestre 2\n"


class Known(NamedTuple):
    """What is known of a situation; None where too little was seen."""

    weights: tuple[int, int, int, int]
    kept: float | None
    """How often the hand is won if the call is accepted, or without calling."""
    run: float | None
    """How often a call is run from."""
    accepted: float | None
    """How often the hand is won if a call stands."""


def _share(code: int) -> float | None:
    return (code - 1) / 14 if code else None


class Table:
    """The strategies of one family of rules and one size."""

    def __init__(self, packed: bytes) -> None:
        raw = lzma.decompress(packed)
        if not raw.startswith(MAGIC):
            raise ValueError("not a table")
        line, _, rest = raw[len(MAGIC) :].partition(b"\n")
        head = json.loads(line)
        target = self.target = int(head["target"])
        self.scores = bool(head["scores"])
        """Whether a key ends in how close both teams are to the target."""
        size = 2 * target * target
        cells = array("H", rest[:size])
        if sys.byteorder == "big":
            cells.byteswap()
        self._equity = cells
        rest = rest[size:]
        self._special_keys, rest = _keys(rest, head["specials"])
        self._specials, rest = rest[: head["specials"]], rest[head["specials"] :]
        self._node_keys, rest = _keys(rest, head["count"])
        count = head["count"]
        self._nodes, rest = rest[:count], rest[count:]
        self._kept, self._accepted = rest[:count], rest[count : 2 * count]

    def find(self, key: int) -> Known | None:
        """What is known of a situation; None for what was never learned."""
        at = bisect_left(self._node_keys, key)
        if at == len(self._node_keys) or self._node_keys[at] != key:
            return None
        code, low, high = self._nodes[at], self._kept[at] & 15, self._kept[at] >> 4
        weights = (code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6)
        kept, run, accepted = _share(low), _share(high), _share(self._accepted[at])
        if kept is None:
            return Known(weights, None, None, None)
        return Known(
            weights,
            kept,
            USUAL_RUN if run is None else run,
            max(0.0, kept - STANDS_WORSE) if accepted is None else accepted,
        )

    def special(self, key: int) -> float:
        """How often these cards win a special hand; even where it was never seen."""
        at = bisect_left(self._special_keys, key)
        if at == len(self._special_keys) or self._special_keys[at] != key:
            return 0.5
        return self._specials[at] / 255

    def equity(self, ours: float, theirs: float) -> float:
        """How often the match is won by a team that still needs `ours` points of `target`."""
        if ours <= 0 or theirs <= 0:
            return 1.0 if ours <= 0 else 0.0
        row, column = (min(self.target, max(1, round(need))) for need in (ours, theirs))
        return self._equity[(row - 1) * self.target + column - 1] / 65535


def _keys(raw: bytes, count: int) -> tuple[Sequence[int], bytes]:
    size = 8 * count
    whole = bytearray(size)
    for place in range(8):
        whole[place::8] = raw[place * count : (place + 1) * count]
    steps = array("Q", bytes(whole))
    if sys.byteorder == "big":
        steps.byteswap()
    return array("Q", accumulate(steps)), raw[size:]


@lru_cache(maxsize=4)
def read(name: str) -> Table:
    """A table of this package."""
    return Table(files(__package__).joinpath("data", f"{name}.xz").read_bytes())


@lru_cache(maxsize=1)
def names() -> frozenset[str]:
    """The tables there are."""
    there = files(__package__).joinpath("data").iterdir()
    return frozenset(file.name.removesuffix(".xz") for file in there if file.name.endswith(".xz"))


def table_for(variant: Variant, players: int) -> Table:
    """The table of the nearest family: the size first, then the deck of two or the scale."""
    steps = [step / variant.scale.base for step in variant.scale.steps]

    def distance(name: str) -> tuple[float, ...]:
        deck, *values, seats = name.split("-")
        scale = [int(value) / int(values[0]) for value in values]
        apart = abs(len(scale) - len(steps)) * 10 + sum(
            abs(a - b) for a, b in zip(steps, scale, strict=False)
        )
        wrong_deck = (deck == "vira") != variant.has_vira
        if players == 2:
            return wrong_deck, apart
        return apart, abs(int(seats) - players), wrong_deck

    fit = [name for name in names() if name.endswith("-2") == (players == 2)]
    return read(min(sorted(fit), key=distance))
