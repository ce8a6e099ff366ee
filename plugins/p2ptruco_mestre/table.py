"""What was learned, as it is read: strategies by key, equities by score.

The file is xz around: b"mestre 1\\n", a line of JSON (`count`, `target`, `specials`,
`scores`), the
equities of a team and its rival still needing 1 to `target` points (two bytes each), the special
hands (keys, then a byte each), the nodes' keys and a byte each. Keys ascend and are written as
differences of 8 bytes, all first bytes before all second ones. A node's byte holds four weights of
two bits, action 0 in the lowest.
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

MAGIC = b"mestre 1\n"


class Table:
    """The strategies of one family of rules and one size."""

    def __init__(self, packed: bytes) -> None:
        raw = lzma.decompress(packed)
        if not raw.startswith(MAGIC):
            raise ValueError("not a table")
        line, _, rest = raw[len(MAGIC) :].partition(b"\n")
        head = json.loads(line)
        target = self.target = int(head["target"])
        self.scores = bool(head.get("scores"))
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
        self._nodes = rest[: head["count"]]

    def weights(self, key: int) -> tuple[int, int, int, int] | None:
        """The weights of the four actions; None for what was never learned."""
        at = bisect_left(self._node_keys, key)
        if at == len(self._node_keys) or self._node_keys[at] != key:
            return None
        code = self._nodes[at]
        return code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6

    def special(self, key: int) -> float | None:
        """How often these cards win a special hand."""
        at = bisect_left(self._special_keys, key)
        if at == len(self._special_keys) or self._special_keys[at] != key:
            return None
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
