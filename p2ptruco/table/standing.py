"""Which end of a match stands, where proofs and seals disagree (table.md §6).

Laws:
1. It follows from the entries alone, in whatever order they came: peers that hold the same stand
   at the same end.
2. The seals that count decide: the end that they all seal, or else the cut where the logs part that
   they seal. Nothing that a proof shows later changes that.
3. Where no seal counts, the earliest proof decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from ..rules.seating import Seat
from .agreement import Agreement
from .branches import Branches
from .chain import known_hash
from .course import Course
from .entries import Key, Place, Position

Seals = Mapping[Place, frozenset[Seat]]
"""Who has sealed each end that is known here."""


def standing(branches: Branches, players: int) -> Course:
    """The log that stands. Before any proof there is only one."""
    stands = _standing(branches, players)
    return branches.whole.get(stands.open.place, stands)


def _standing(branches: Branches, players: int) -> Course:
    cuts = [
        _Cut(*end.equivocation.order, end) for end in branches.ends.values() if end.equivocation
    ]
    if not cuts:
        return branches.newest
    sealed = [branches.ends[place] for place in counting(branches, players)]
    if len(sealed) == 1:
        return sealed[0]
    if not sealed:
        return min(cuts, key=lambda cut: (cut.position, cut.seat)).end
    shared = [cut for cut in cuts if all(cut.within(end) for end in sealed)]
    return max(shared, key=lambda cut: (cut.position, -cut.seat)).end


class _Cut(NamedTuple):
    """The end after a proof: before which step, and whose."""

    position: Position
    seat: int
    end: Course

    def within(self, other: Course) -> bool:
        """Whether it is this end, or a cut of its log; of several before one step `standing` takes
        the first seat's."""
        return other.steps[: len(self.end.steps)] == self.end.steps[:]


def seals(branches: Branches) -> Seals:
    return {place: frozenset(branches.said(place)) for place in branches.ends}


def culprits(branches: Branches) -> frozenset[Seat]:
    """The seats that are proven to have doubled themselves."""
    proofs = (end.equivocation for end in branches.ends.values() if end.equivocation)
    return frozenset(Seat(proof.first.body.seat) for proof in proofs)


def known(agreement: Agreement, branches: Branches) -> bytes:
    """The hash of all proofs and seals (table.md §4)."""
    proofs = {end.equivocation.first.key for end in branches.ends.values() if end.equivocation}
    sealed = {Key(*place, seat) for place, seats in seals(branches).items() for seat in seats}
    return known_hash(agreement, proofs, sealed)


def counting(branches: Branches, players: int) -> list[Place]:
    """The ends with a seal that counts: not a culprit's, nor of a seat that sealed two ends. With
    two seats, if there are none, all that the other has sealed."""
    sealed = seals(branches)
    ends = Counter(seat for seats in sealed.values() for seat in seats)
    honest = {seat for seat, count in ends.items() if count == 1} - culprits(branches)
    found = [place for place, seats in sealed.items() if seats & honest]
    return found or [place for place, seats in sealed.items() if seats and players == 2]
