"""How a match ends, as a model: bodies, proofs, ends, seals, and rules of where a peer stands.

Of a log only what the cheats signed counts. A *body* is all the words of the cheats in one log, up
to its own, which is the last. Two bodies that differ in the last word alone are a proof. An *end*
is a body after which the match is over, or what the words before a proof are cut to: these, and
CUT.

The rules differ in where a peer stands that has heard some bodies and seals. What may happen, and
which rule parts honest peers, is tried in schedules.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

Body = tuple[str, ...]
End = tuple[str, ...]
CUT = "cut"
Seal = tuple[int, End]


@dataclass(frozen=True)
class World:
    """A table: its seats, the cheats among them, and every body that these may sign."""

    players: int
    cheats: tuple[int, ...]
    bodies: tuple[Body, ...]
    over: frozenset[Body]
    """The bodies after which the match is over."""
    heard: tuple[Body, ...] = ()
    """What everybody has heard at the start."""

    @property
    def honest(self) -> list[int]:
        return [seat for seat in range(self.players) if seat not in self.cheats]

    def author(self, body: Body) -> int:
        return self.cheats[(len(body) - 1) % len(self.cheats)]

    @property
    def ends(self) -> list[End]:
        return sorted({*self.over, *(cut_at(body) for body in self.bodies)})


CROOK = 1
ONE_PROOF = World(4, (CROOK,), (("a",), ("b",)), frozenset({("a",)}))
"""A second word for some old place."""
TWO_LAST_WORDS = World(4, (CROOK,), (("a",), ("b",)), frozenset({("a",), ("b",)}))
"""Two words that end the match, with another result each."""
OLD_AND_LAST = World(
    4, (CROOK,), (("b",), ("a", "a"), ("a", "b")), frozenset({("a", "a"), ("a", "b")}), (("a",),)
)
"""Two last words, and a second word for an old place, of which everybody has heard the first."""


def cut_at(body: Body) -> End:
    """The end of a log that is cut before this word."""
    return (*body[:-1], CUT)


def below(one: End, two: End) -> bool:
    """Whether `one` is `two`, or a cut of its log."""
    return one == two or (one[-1] == CUT and one[:-1] == two[: len(one) - 1])


class Peer(NamedTuple):
    """An honest peer: what it heard, in this order; the end that it sealed; whether it left."""

    heard: tuple[Body, ...] = ()
    seals: frozenset[Seal] = frozenset()
    sealed: End | None = None
    gone: bool = False


class View(NamedTuple):
    """What a peer can tell from what it heard."""

    own: End | None
    """Where its own log ends, were there no proofs; None: it has no end yet."""
    cuts: tuple[End, ...]
    """One for each proof, the earliest first."""
    culprits: frozenset[int]
    ends: frozenset[End]
    """The ends that it has reached."""
    seals: frozenset[Seal]
    """The seals of these."""

    def of(self, end: End) -> set[int]:
        """The seats that sealed this end."""
        return {seat for seat, sealed in self.seals if sealed == end}

    def counted(self, end: End) -> set[int]:
        """Of these the seats that count: no culprit, and none that sealed two ends."""
        seats = [seat for seat, _ in self.seals]
        return {seat for seat in self.of(end) - self.culprits if seats.count(seat) == 1}


@lru_cache(maxsize=1 << 16)
def view(world: World, heard: tuple[Body, ...], seals: frozenset[Seal]) -> View:
    told = set(heard)
    reached = [b for b in heard if all(b[:length] in told for length in range(1, len(b)))]
    log: Body | None = ()
    own = None
    while log is not None and own is None:
        log = next((body for body in reached if body[:-1] == log), None)
        own = log if log in world.over else None
    places = [cut_at(body) for body in reached]
    cuts = tuple(sorted({cut for cut in places if places.count(cut) > 1}, key=len))
    culprits = frozenset(world.author(cut) for cut in cuts)
    ends = frozenset([*(world.over & set(reached)), *cuts])
    return View(own, cuts, culprits, ends, frozenset(s for s in seals if s[1] in ends))


Rule = Callable[[World, View, Peer], "End | None"]
"""Where a peer stands; None: it has reached no end."""


def earliest(seen: View) -> End | None:
    """Where a peer stands if no seal counts."""
    return seen.cuts[0] if seen.cuts else seen.own


# The rule of table.md §6.


def meeting(world: World, seen: View, me: Peer) -> End | None:
    """The end that the seals that count agree on; if they do not, the cut where their logs part."""
    sealed = {end for end in seen.ends if seen.counted(end)} or _of_the_other(world, seen)
    if not sealed:
        return earliest(seen)
    if len(sealed) == 1:
        return sealed.pop()
    return max((cut for cut in seen.cuts if all(below(cut, end) for end in sealed)), key=len)


def _of_the_other(world: World, seen: View) -> set[End]:
    """With two seats, what the other has sealed."""
    return {end for _, end in seen.seals if world.players == 2}


# Rules that part honest peers.


def one_by_one(world: World, seen: View, me: Peer) -> End | None:
    """Each proof is held against the end where one stands. It moves nobody from an end that a seat
    other than its culprit has sealed until such a seat has sealed the cut.

    Two last words, each the end of the match for somebody: nobody seals the cut, for all have
    sealed.
    """
    honest = set(range(world.players)) - seen.culprits
    end = seen.own or (seen.cuts[-1] if seen.cuts else None)
    for cut in reversed(seen.cuts):
        assert end is not None
        free = not seen.counted(end) or seen.counted(cut)
        if below(cut, end) and free and not seen.counted(end) >= honest:
            end = cut
    return end


def agreed_or_earliest(world: World, seen: View, me: Peer) -> End | None:
    """The end that the seals that count agree on; if they do not, the earliest proof: which may
    come when everybody else has left."""
    sealed = {end for end in seen.ends if seen.counted(end)}
    return sealed.pop() if len(sealed) == 1 else earliest(seen)


def unless_all_sealed(world: World, seen: View, me: Peer) -> End | None:
    """A proof takes back any end that not all seats have sealed: a cheat need only not seal."""
    whole = [end for end in seen.ends if len(seen.of(end)) == world.players]
    return whole[0] if whole else earliest(seen)


def unless_the_others_sealed(world: World, seen: View, me: Peer) -> End | None:
    """A proof takes back any end that not all seats but its culprit have sealed: whoever leaves
    before its seal is heard lets the proof move the others."""
    honest = set(range(world.players)) - seen.culprits
    whole = [end for end in seen.ends if seen.of(end) >= honest]
    return whole[0] if whole else earliest(seen)


def own_seal_is_final(world: World, seen: View, me: Peer) -> End | None:
    """Nothing moves a peer from the end that it sealed: nor what the others sealed."""
    return me.sealed or earliest(seen)


FAILING: tuple[Rule, ...] = (
    one_by_one,
    agreed_or_earliest,
    unless_all_sealed,
    unless_the_others_sealed,
    own_seal_is_final,
)
