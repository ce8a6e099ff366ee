"""Schedules of the model in ends.py: who is told what, who seals and who leaves, in which order.

A link may be down whenever a schedule likes it: what one peer holds reaches another when an event
says so, in any order, or never. The cheats know everything and tell each peer whatever they like.

Two laws are tried:

1. *One end.* All honest peers stand at one end at last, if nobody leaves before its time is over,
   and this lasts until those that are there have heard the seals of all honest seats.
2. *Nobody is moved.* If all honest seats seal one end, all of them stand there for good, whoever
   leaves when and whatever links are down.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations, product
from typing import Literal, NamedTuple

from tests.kit.ends import Body, End, Peer, Rule, Seal, View, World, view


class Told(NamedTuple):
    """A peer hears a body or a seal, from whomever."""

    seat: int
    what: Body | Seal


class Seals(NamedTuple):
    """A peer seals the end where it stands."""

    seat: int


class Leaves(NamedTuple):
    """A peer goes; it tells and hears nothing more."""

    seat: int


Event = Told | Seals | Leaves
Leaving = Literal["in time", "early", "never"]
State = Mapping[int, Peer]
"""The honest peers, by seat."""


@dataclass(frozen=True)
class Play:
    """A world and a rule: what may happen, and whether a law is broken."""

    world: World
    rule: Rule
    leaving: Leaving = "in time"
    """`early`: whoever has sealed may leave; `never`: nobody does, and the second law is tried."""
    cheats_seal: bool = True
    """Whether cheats seal ends in these schedules."""

    @property
    def start(self) -> State:
        return {seat: Peer(self.world.heard) for seat in self.world.honest}

    def view(self, peer: Peer) -> View:
        return view(self.world, peer.heard, peer.seals)

    def stands(self, peer: Peer) -> End | None:
        return self.rule(self.world, self.view(peer), peer)

    # What may happen.

    def events(self, state: State) -> list[Event]:
        """All that may happen next and changes something."""
        sealed = list(self._sealed(state))
        leave = self.leaving == "in time" and self.exchanged(state)
        return [event for seat in state for event in self._events(state, seat, sealed, leave)]

    def _events(self, state: State, seat: int, sealed: list[Seal], leave: bool) -> Iterator[Event]:
        peer = state[seat]
        if peer.gone:
            return
        yield from (Told(seat, body) for body in self.world.bodies if body not in peer.heard)
        yield from (Told(seat, seal) for seal in sealed if seal not in peer.seals)
        if peer.sealed is None and self.stands(peer) is not None:
            yield Seals(seat)
        early = self.leaving == "early" and peer.sealed is not None
        if leave or early or (self.leaving == "in time" and self.settled(state, seat)):
            yield Leaves(seat)

    def _sealed(self, state: State) -> Iterator[Seal]:
        """Every seal that there is, and all that the cheats might give."""
        yield from ((seat, peer.sealed) for seat, peer in state.items() if peer.sealed)
        if self.cheats_seal:
            yield from product(self.world.cheats, self.world.ends)

    def after(self, state: State, event: Event) -> State:
        seat = event.seat
        peer = state[seat]
        match event:
            case Told(what=(int(), tuple()) as seal):
                peer = peer._replace(seals=peer.seals | {seal})
            case Told(what=body):
                peer = peer._replace(heard=(*peer.heard, body))
            case Seals():
                end = self.stands(peer)
                assert end is not None
                peer = peer._replace(sealed=end, seals=peer.seals | {(seat, end)})
            case Leaves():
                peer = peer._replace(gone=True)
        return {**state, seat: peer}

    # Who may leave.

    def settled(self, state: State, seat: int) -> bool:
        """A peer has heard everybody's seal, and everybody that is there knows what it knows."""
        mine = self.view(state[seat])
        if len(mine.culprits | {one for one, _ in mine.seals}) < self.world.players:
            return False
        others = (self.view(peer) for peer in state.values() if not peer.gone)
        return all(mine.seals <= one.seals and set(mine.cuts) <= set(one.cuts) for one in others)

    def exchanged(self, state: State) -> bool:
        """Every peer that is there has heard the seals of all honest seats."""
        seals = {(seat, peer.sealed) for seat, peer in state.items()}
        return all(seals <= self.view(peer).seals for peer in state.values() if not peer.gone)

    # What must not happen.

    def wrong(self, state: State) -> bool:
        """Whether the law that is tried is broken."""
        return self.moved(state) if self.leaving == "never" else self.parted(state)

    def parted(self, state: State) -> bool:
        """Two that left stand at two ends."""
        return len({self.stands(peer) for peer in state.values() if peer.gone}) > 1

    def moved(self, state: State) -> bool:
        """All sealed one end, and somebody stands elsewhere."""
        ends = {peer.sealed for peer in state.values()}
        if len(ends) > 1 or None in ends:
            return False
        return any(self.stands(peer) not in ends for peer in state.values())


def some_world(rng: random.Random, cheats: int = 1) -> World:
    """A table of 4 or 6 with up to three words in each of two places, and ends of the match in the
    last place, on every branch or on one, or early too."""
    players, depth, words = rng.choice((4, 4, 6)), rng.choice((1, 2, 2)), rng.choice(("ab", "abc"))
    every = [body for length in range(1, depth + 1) for body in product(words, repeat=length)]
    over = {body for body in every if len(body) == depth}
    kind = rng.choice(("all", "one branch", "early"))
    if kind == "one branch":
        over = {body for body in over if set(body[:-1]) <= {"a"}}
    elif kind == "early":
        over |= {body for body in every if body[-1] == "b"}
    bodies = tuple(body for body in every if not over & {body[:n] for n in range(1, len(body))})
    seats = tuple(range(players - cheats, players))
    return World(players, seats, bodies, frozenset(over & set(bodies)))


class Found(NamedTuple):
    """Of how many states all schedules lead through, and the shortest that breaks the law."""

    states: int
    schedule: list[Event] | None


def every_schedule(play: Play) -> Found:
    """Breadth first, up to the first that breaks the law. Honest seats are all alike: states that
    differ in their order alone are one."""
    start = play.start
    seen, queue = {_alike(start)}, deque[tuple[State, tuple[Event, ...]]]([(start, ())])
    while queue:
        state, schedule = queue.popleft()
        if play.wrong(state):
            return Found(len(seen), list(schedule))
        for event in play.events(state):
            new = play.after(state, event)
            if (name := _alike(new)) not in seen:
                seen.add(name)
                queue.append((new, (*schedule, event)))
    return Found(len(seen), None)


def _alike(state: State) -> object:
    """The same for two states that differ in the order of seats alone."""
    named = []
    for order in permutations(state):
        to = dict(zip(order, state, strict=True))
        peers = (state[seat] for seat in order)
        named.append(
            [
                (
                    one.heard,
                    sorted((to.get(s, s), e) for s, e in one.seals),
                    one.sealed or (),
                    one.gone,
                )
                for one in peers
            ]
        )
    return repr(min(named))


def by_chance(
    play: Play,
    rng: random.Random,
    length: int = 120,
    watch: Callable[[Event, State], None] = lambda event, state: None,
) -> list[Event] | None:
    """A random schedule, if it breaks the law; what is told late, or hardly ever, is chosen too.
    `watch` sees each event and the state after it."""
    state, events, temper = play.start, list[Event](), dict[object, float]()
    while len(events) < length and (possible := play.events(state)):
        weights = [_weight(event, temper, rng) for event in possible]
        (event,) = rng.choices(possible, weights)
        events.append(event)
        state = play.after(state, event)
        watch(event, state)
        if play.wrong(state):
            return events
    return None


def _weight(event: Event, temper: dict[object, float], rng: random.Random) -> float:
    kind = event.what if isinstance(event, Told) else type(event)
    for name in (kind, (kind, event.seat)):
        temper.setdefault(name, rng.choice((0.01, 0.1, 1.0)))
    return temper[kind] * temper[kind, event.seat]


def told(play: Play, schedule: list[Event]) -> str:
    """A schedule for people, with where everybody stands at last."""
    lines, state = [], play.start
    for event in schedule:
        state = play.after(state, event)
        peer = state[event.seat]
        match event:
            case Told(what=(int() as by, end)):
                lines.append(f"{event.seat} hears that {by} sealed {'-'.join(end)}")
            case Told(what=body):
                lines.append(f"{event.seat} hears {'-'.join(body)}")
            case Seals():
                lines.append(f"{event.seat} seals {'-'.join(peer.sealed or ())}")
            case Leaves():
                lines.append(f"{event.seat} leaves")
    ends = (f"{seat} at {'-'.join(play.stands(peer) or ())}" for seat, peer in state.items())
    return "; ".join((*lines, ", ".join(ends)))
