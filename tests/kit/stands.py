"""Where a table stands, case by case, in the words of the model: for tests and for vectors.

Of a match of four, seat 1 has two words that end it, A and B, and has said two in an old place. CUT
and OLD are the ends after these proofs.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.kit.ends import CROOK, Body, End, Seal

A, B, CUT, OLD = ("a", "a"), ("a", "b"), ("a", "cut"), ("cut",)
OLD_PROOF = ("b",)
"""The second word in the old place."""


class Case(NamedTuple):
    name: str
    about: str
    end: End
    heard: tuple[Body | Seal, ...]


def _case(name: str, about: str, end: End, *heard: Body | Seal) -> Case:
    return Case(name, about, end, heard)


CASES = [
    _case("no-seal", "nobody has sealed: the proof decides", CUT, A, B),
    _case("earliest", "nobody has sealed: the earliest proof decides", OLD, A, B, OLD_PROOF),
    _case("sealed", "a seat has sealed: no proof moves anybody", A, A, (0, A), B, OLD_PROOF),
    _case("culprit", "the seal of a proven seat does not count", CUT, A, (CROOK, A), B),
    _case("cut-sealed", "another seat has sealed the cut", CUT, A, (0, A), B, (2, CUT)),
    _case("two-cuts", "of two sealed cuts the earlier", OLD, A, (0, CUT), B, OLD_PROOF, (2, OLD)),
    _case("two-logs", "two sealed logs: the cut where they part", CUT, A, (0, A), B, (2, B)),
    _case("late", "nor an earlier one, if proven later", CUT, A, (0, A), B, (2, B), OLD_PROOF),
    _case("three", "three sealed ends", OLD, A, (0, A), B, (2, B), OLD_PROOF, (3, OLD)),
    _case("all", "all but the culprit", A, A, (0, A), (2, A), (3, A), B, (CROOK, CUT)),
    _case("both", "a seat sealed two ends: it counts for none", A, A, (0, A), B, (2, CUT), (2, A)),
    _case("both-three", "the same beside a third", CUT, A, (2, A), B, (2, B), OLD_PROOF, (0, CUT)),
    _case("not-reached", "a seal of an end that was not reached", A, A, (0, A), (2, OLD)),
]
