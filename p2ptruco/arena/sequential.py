"""When it is sure enough who is better: a sequential test, as testers of chess engines use it.

Wald's test between two rates of matches won, with an error under 5 % either way. The pairs of
the two bots are taken in the order of their numbers, whenever they were played, so that where the
test ends depends on the plan and the bots alone. The likelihood of a rate is that of the likeliest
chances of the three outcomes of a pair which have this mean (Van den Bergh's generalised ratio).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

ERROR = 0.03
"""What Wald's bounds are set to: the ratio is an estimate, and the real error stays under 5 %."""
BOUND = math.log((1 - ERROR) / ERROR)
VALUES = (0.0, 0.5, 1.0)
"""The share of its matches that a pair gives to its first bot: lost 0–2, split 1–1, won 2–0."""
LEAST = 1e-3
"""How often each outcome is taken to have come before the first pair: no chance is 0."""


@dataclass(slots=True)
class Sequential:
    """The test of one match-up between two rates of its first bot."""

    low: float
    high: float
    pairs: int = 0
    """How many it has taken, at its end no more."""
    log_ratio: float = 0.0
    """How much likelier what it has taken is at the higher rate."""
    taken: float | None = None
    """The rate that it has decided for."""
    _counts: list[float] = field(default_factory=lambda: [LEAST] * 3)

    def take(self, won: int) -> None:
        """One more pair, of which the first bot won 0, 1 or 2 matches."""
        if self.taken is None:
            self._counts[won] += 1
            self.pairs += 1
            self.log_ratio = log_ratio(self._counts, self.low, self.high)
            if abs(self.log_ratio) >= BOUND:
                self.taken = self.high if self.log_ratio > 0 else self.low


def log_ratio(counts: Sequence[float], low: float, high: float) -> float:
    """How much likelier the counts are at the higher rate, as a logarithm."""
    below, above = (_likeliest(counts, rate) for rate in (low, high))
    return sum(n * math.log(q / p) for n, p, q in zip(counts, below, above, strict=True))


def _likeliest(counts: Sequence[float], rate: float) -> list[float]:
    """The chances of the three outcomes that make the counts likeliest and have this mean.

    They are nᵢ / n / (1 + t(xᵢ − rate)), where t makes the mean right; the mean falls with t.
    """
    total = sum(counts)
    least, most = -1 / (1 - rate), 1 / rate
    for _ in range(60):
        t = (least + most) / 2
        off = sum(
            n * (x - rate) / (1 + t * (x - rate)) for n, x in zip(counts, VALUES, strict=True)
        )
        least, most = (t, most) if off > 0 else (least, t)
    return [n / total / (1 + t * (x - rate)) for n, x in zip(counts, VALUES, strict=True)]
