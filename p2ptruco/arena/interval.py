"""How far the rate of matches won, and the points a hand, may be from the true ones.

The pairs are independent, the two legs of one are not; a pair gives 0, ½ or 1 to its first bot. The
interval is Gaffke's for the mean of such values, at both ends: the observed pairs and one more of
the worst (best) kind are weighted at random, uniformly over all weights that add up to 1, and the
quantile of the weighted mean is the limit. It presumes no shape: for pairs that are never split it
is Clopper and Pearson's, for many pairs Student's, and it is never a single point (Gaffke 2005;
Phan, Thomas and Learned-Miller 2021).

Points a hand are a ratio of sums over pairs; its limits are those of the linearised ratio.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from statistics import NormalDist

DRAWS = 4_000
CONFIDENCE = 0.95


def interval(
    lost: int, split: int, won: int, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Limits of the rate after pairs that were lost 0–2, split 1–1 and won 2–0."""
    low, high = zip(*_means(lost, split, won), strict=True)
    tail = (1 - confidence) / 2
    return _quantile(low, tail), _quantile(high, 1 - tail)


def _means(lost: int, split: int, won: int) -> list[tuple[float, float]]:
    """Weighted means with one more pair lost, and with the same weights that pair won."""
    chance = random.Random(0)
    drawn = []
    for _ in range(DRAWS):
        none, half, whole = (_weight(chance, pairs) for pairs in (lost, split, won))
        more = chance.expovariate(1)
        all_weights = none + half + whole + more
        got = half / 2 + whole
        drawn.append((got / all_weights, (got + more) / all_weights))
    return drawn


def _weight(chance: random.Random, pairs: int) -> float:
    """The weight of so many pairs, before all are made to add up to 1."""
    return chance.gammavariate(pairs, 1) if pairs else 0.0


def _quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


def per_hand(
    pairs: Sequence[tuple[int, int]], confidence: float = CONFIDENCE
) -> tuple[float | None, tuple[float, float] | None]:
    """Points a hand and their limits, by the points and hands of each pair."""
    points, hands = (sum(column) for column in zip(*pairs, strict=True)) if pairs else (0, 0)
    if not hands:
        return None, None
    ratio, many = points / hands, len(pairs)
    if many < 2:
        return ratio, None
    spread = sum((scored - ratio * dealt) ** 2 for scored, dealt in pairs) * many / (many - 1)
    far = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(spread) / hands
    return ratio, (ratio - far, ratio + far)
