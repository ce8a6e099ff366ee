"""Every log that the entries here allow: one, until a seat doubles itself (table.md §6).

Laws:
1. A step hears its entries whatever followed it here. With two bodies of one seat in it the log
   branches: each goes on by itself, and the cut before the step is one more end.
2. Branches meet again in nothing but the deal of the next hand, whose heads bind no score: a step
   of it may be open in several logs at once. So no branch is longer than two hands.
3. A step hears for ever: what a late second body leads to is the same wherever a peer is by then.
4. A step is open in LOGS_EACH logs at most, those that came to it first: a cheat alone makes
   fewer, and many together would else make each entry of a deal close a log for each of theirs.
5. Behind a hand whose tokens are in, the deal of the next one is heard: it goes on by itself as
   long as nothing in it is wrong, and is in no log before one has come to it.
6. All of it is a value: adding an entry makes another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from ..rules.seating import Seat
from .chain import Step
from .course import Course, Equivocation, Open, dealt
from .entries import Parsed, Place, Position
from .rulings import UNDUE, Checked
from .steps.order import needs
from .steps.phases import Phase, Ruling

LOGS_EACH = 64
"""Logs in which one step is open."""

Said = Mapping[Seat, tuple[Checked, ...]]
"""What each seat said in a step: mostly one body."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A step that hears entries: the logs that have come to it, none in a deal ahead, and what was
    said in it."""

    phase: Phase
    courses: tuple[Course, ...]
    said: Said


@dataclass(frozen=True, slots=True)
class Branches:
    """Every step that was reached on any branch, and the ends."""

    heard: Mapping[int, Mapping[Place, Heard]]
    """The steps of each hand."""
    ends: Mapping[Place, Course]
    """The logs that are over, by the place of their seals."""
    whole: Mapping[Place, Course]
    """Of these the ones that every seat has sealed, with the step of the seals closed."""
    newest: Course
    """The log that was opened last; while there is no proof, the only one."""

    @staticmethod
    def of(course: Course) -> Branches:
        """One log."""
        return Branches({}, {}, {}, course)._opening([course])

    def reached(self, position: Position) -> bool:
        """Whether any branch has come as far, of the same hand or a later one."""
        places = self.heard.get(position.hand)
        if places is None:
            return position.hand < max(self.heard)
        return position <= max(reached for reached, _ in places)

    def at(self, place: Place) -> Heard | None:
        """The step in a place, if it was reached."""
        return self.heard.get(place[0].hand, {}).get(place)

    def phase(self, place: Place) -> Phase | None:
        """What hears entries in a place."""
        heard = self.at(place)
        return heard.phase if heard else None

    def said(self, place: Place) -> Said:
        """What was said in a place."""
        heard = self.at(place)
        return heard.said if heard else {}

    def add(self, checked: Checked, before: tuple[Parsed, ...]) -> Branches:
        """With one entry more, in a step that was reached; `before`: the other bodies of its author
        in its place."""
        parsed = checked.parsed
        place, seat = parsed.place, Seat(parsed.body.seat)
        proof = Equivocation(before[0], parsed) if len(before) == 1 else None
        hand = self.heard[place[0].hand]
        heard = hand[place]
        said = {**heard.said, seat: (*heard.said.get(seat, ()), checked)}
        hand = {**hand, place: replace(heard, said=said)}
        grown = replace(self, heard={**self.heard, place[0].hand: hand})
        made: list[Course] = []
        for course in heard.courses:
            made += _closed(course, {**said, seat: (checked,)})
            made += [course.cut(proof)] if proof else []
        here = Open(*place, heard.phase)
        ahead = [] if heard.courses else _dealt(here, {**said, seat: (checked,)})
        return grown._opening(made, ahead)

    def ahead(self, course: Course) -> Open | None:
        """The open step of the deal behind the hand that a log plays; None where nothing of it is
        waited for."""
        opened = course.ahead
        while opened and (heard := self.at(opened.place)):
            opened = opened._replace(phase=heard.phase)
            if len(heard.said) < len(needs(heard.phase)):
                return opened
            entries = (bodies[0].parsed for _, bodies in sorted(heard.said.items()))
            step = Step(*opened.place, tuple(entries))
            position = opened.position._replace(step=opened.position.step + 1)
            opened = Open(position, step.after, heard.phase)
        return None

    def _opening(self, made: Iterable[Course], ahead: Iterable[Open] = ()) -> Branches:
        """With these logs, and whatever follows from what was said in their open steps; with these
        steps of deals ahead."""
        heard, ends, whole = dict(self.heard), dict(self.ends), dict(self.whole)
        newest, queue, deals = self.newest, list(made), list(ahead)
        for one in queue:
            course, place = one, one.open.place
            hand = heard.get(place[0].hand, {})
            known = hand.get(place, Heard(course.open.phase, (), {}))
            if len(known.courses) == LOGS_EACH:
                continue
            if not known.courses and known.phase is not course.open.phase:
                # rulings made ahead are by the step that was open then
                course = replace(course, open=course.open._replace(phase=known.phase))
            newest = course
            if not needs(course.open.phase):
                whole[course.steps[-1].place] = course
                continue
            if course.outcome is not None:
                ends[place] = course
            opened = replace(known, courses=(*known.courses, course))
            heard[place[0].hand] = {**hand, place: opened}
            deals += [course.ahead] if course.ahead else []
            queue += _closed(course, known.said)
            queue += _cut(course, known.said)
        for position, head, phase in deals:
            hand = heard.get(position.hand, {})
            if (place := (position, head)) not in hand:
                heard[position.hand] = {**hand, place: Heard(phase, (), {})}
        return Branches(heard, ends, whole, newest)


def _closed(course: Course, said: Said) -> Iterator[Course]:
    """The logs in which the open step has closed. (`map` would take a StopIteration of a check for
    its own end, and the step would stay open for ever.)"""
    for paid in _paid(course.open.phase, said):
        yield course.close(paid)


def _dealt(here: Open, said: Said) -> Iterator[Open]:
    """What the steps of a deal ahead open."""
    for paid in _paid(here.phase, said):
        if opened := dealt(here, paid):
            yield opened


def _paid(phase: Phase, said: Said) -> Iterator[dict[Seat, tuple[Parsed, Ruling]]]:
    """Every way in which a step may close: one for each choice among doubled bodies."""
    seats = sorted(needs(phase))
    due = [[one for one in said.get(seat, ()) if one.ruling is not UNDUE] for seat in seats]
    for paid in product(*due):
        yield {Seat(one.parsed.body.seat): (one.parsed, one.ruling) for one in paid}


def _cut(course: Course, said: Said) -> Iterator[Course]:
    """The logs that are cut before the open step."""
    for bodies in said.values():
        if len(bodies) > 1:
            yield course.cut(Equivocation(bodies[0].parsed, bodies[1].parsed))
