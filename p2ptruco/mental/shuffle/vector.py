"""Commitments to vectors: com(v; r) = rG + Σ v_i H_i (deal.md §4).

Laws
* Nobody knows a relation among G, H_0, H_1, ...: H_i is the hash of `p2ptruco/1/H/` + decimal i.
* A vector of length k uses H_0 .. H_{k-1}.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from p2ptruco.mental.group import Point, add, base_mult, combine, hash_to_point, total


@lru_cache(maxsize=256)
def generators(size: int) -> tuple[Point, ...]:
    """H_0 .. H_{size-1}."""
    return tuple(hash_to_point(b"p2ptruco/1/H/%d" % i) for i in range(size))


def commit(values: Sequence[int], blinder: int) -> Point:
    """com(values; blinder): one multiplication a value."""
    return add(base_mult(blinder), combine(zip(values, generators(len(values)), strict=True)))


def commit_ranks(order: Sequence[int], blinder: int) -> Point:
    """com((order_i + 1)_i; blinder) for a permutation, without a multiplication.

    Σ (order_i + 1) H_i is the sum of the suffix sums of the H in the order of the inverse.
    """
    points = generators(len(order))
    place = {rank: i for i, rank in enumerate(order)}
    suffix = [points[place[len(order) - 1]]]
    for rank in range(len(order) - 2, -1, -1):
        suffix.append(add(suffix[-1], points[place[rank]]))
    return add(base_mult(blinder), total(suffix))
