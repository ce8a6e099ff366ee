"""Writing what was learned as the file that the bot reads: plugins/p2ptruco_mestre/table.py.

A probability under `DROPPED` is left out, and what stays is rounded to three steps. Situations
that are hardly ever reached are left out: the bot has a rule for what its table does not hold.
"""

from __future__ import annotations

import json
import lzma
from array import array
from collections.abc import Mapping, Sequence

from p2ptruco.arena.train.families import TARGET
from p2ptruco.arena.train.solver import ACTIONS

MAGIC = b"mestre 1\n"
DROPPED = 0.25
STEPS = 3


def pack(
    keys: bytes,
    average: bytes,
    specials: Mapping[int, float],
    equity: Sequence[Sequence[float]],
    least: float,
    *,
    scores: bool,
) -> bytes:
    """The file; situations whose weight is under `least` are not in it."""
    nodes = sorted(_nodes(keys, average, least))
    cells = [round(65535 * equity[a][b]) for a in _needs() for b in _needs()]
    cards = sorted(specials)
    head = {"count": len(nodes), "target": TARGET, "specials": len(cards), "scores": scores}
    raw = b"".join(
        [
            MAGIC,
            json.dumps(head, sort_keys=True).encode() + b"\n",
            b"".join(cell.to_bytes(2, "little") for cell in cells),
            _planes(cards),
            bytes(round(255 * specials[key]) for key in cards),
            _planes([key for key, _ in nodes]),
            bytes(code for _, code in nodes),
        ]
    )
    return lzma.compress(raw, preset=9 | lzma.PRESET_EXTREME)


def rounded(keys: bytes, average: bytes, least: float) -> tuple[bytes, bytes]:
    """Keys and strategies as the bot will have them, for a solver."""
    nodes = _nodes(keys, average, least)
    steps = [float(code >> 2 * place & 3) for _, code in nodes for place in range(ACTIONS)]
    return array("Q", [key for key, _ in nodes]).tobytes(), array("f", steps).tobytes()


def _needs() -> range:
    return range(1, TARGET + 1)


def _nodes(keys: bytes, average: bytes, least: float) -> list[tuple[int, int]]:
    names, weights = array("Q", keys), array("f", average)
    found = []
    for place, key in enumerate(names):
        own = weights[place * ACTIONS : (place + 1) * ACTIONS]
        if sum(own) >= least:
            found.append((key, code_of(own)))
    return found


def code_of(weights: Sequence[float]) -> int:
    """The byte of a strategy: two bits an action."""
    total = sum(weights)
    kept = [weight if weight >= DROPPED * total else 0.0 for weight in weights]
    whole = sum(kept)
    return sum(round(STEPS * weight / whole) << 2 * place for place, weight in enumerate(kept))


def _planes(numbers: Sequence[int]) -> bytes:
    """Ascending numbers as differences, all their first bytes before all second ones."""
    steps = [number - before for before, number in zip([0, *numbers], numbers, strict=False)]
    whole = b"".join(step.to_bytes(8, "little") for step in steps)
    return b"".join(whole[place::8] for place in range(8))
