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
from p2ptruco.arena.train.solver import ACTIONS, OUTCOMES

MAGIC = b"mestre 2\n"
DROPPED = 0.25
ENOUGH = 30
"""Times that a move must have been tried for its outcome to be kept."""
STEPS = 3


def pack(
    keys: bytes,
    average: bytes,
    outcomes: bytes,
    specials: Mapping[int, float],
    equity: Sequence[Sequence[float]],
    least: float,
    *,
    scores: bool,
) -> bytes:
    """The file; situations whose weight is under `least` are not in it."""
    nodes = sorted(_nodes(keys, average, least))
    known = _outcomes(keys, outcomes)
    rows = [known[key] for key, _ in nodes]
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
            bytes(kept | run << 4 for kept, run, _ in rows),
            bytes(accepted for _, _, accepted in rows),
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


def _outcomes(keys: bytes, outcomes: bytes) -> dict[int, tuple[int, int, int]]:
    """By key: the shares won when kept, run from when called, and won when the call stood."""
    names, cells = array("Q", keys), array("f", outcomes)
    found = {}
    for place, key in enumerate(names):
        kept, kept_won, called, run, won = cells[place * OUTCOMES : (place + 1) * OUTCOMES]
        found[key] = (share(kept_won, kept), share(run, called), share(won, called - run))
    return found


def share(part: float, whole: float) -> int:
    """A share in 1 to 15; 0 where too little was seen."""
    return 1 + round(14 * part / whole) if whole >= ENOUGH else 0


def _planes(numbers: Sequence[int]) -> bytes:
    """Ascending numbers as differences, all their first bytes before all second ones."""
    steps = [number - before for before, number in zip([0, *numbers], numbers, strict=False)]
    whole = b"".join(step.to_bytes(8, "little") for step in steps)
    return b"".join(whole[place::8] for place in range(8))
