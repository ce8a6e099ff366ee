"""The table: one log, no referee, the same on every peer (table.md §1, §6).

Laws:
1. `check` is heavy, pure and callable from any thread; `submit` is light and alone changes
   the table. A local entry and a remote one take the same road.
2. (position, head) names a step exactly. An entry for the open step is ruled on; for a step
   not reached, or on another head, it is kept; two bodies of one seat in one place are
   equivocation and nothing else is.
3. A match that every seat has sealed is beyond any proof: who comes to hold all seals of an
   end that a proof has taken back stands there again.
4. A step closes when its last seat has paid; its first fault in seat order is then computed
   by everybody from the same bytes. Silence is absence, never a fault.
5. Whatever an entry raises that nobody foresaw closes its link, and the table stands as before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass

from ..mental.chance import Source
from ..rules.hand import Hand
from ..rules.match import Match
from ..rules.seating import Seat
from .agreement import Agreement
from .chain import Step
from .course import Course, Equivocation, Open, Outcome, begin, rule
from .entries import Entry, Key, Parsed, Position, Seal, parse, read_parsed
from .phases import Need, NotDue, Phase, Ruling
from .sealing import Sealing
from .unforeseen import unforeseen
from .violation import LinkFault, Violation

__all__ = ["Checked", "Equivocation", "Open", "Table"]

KEPT_EACH = 64
"""Correctly signed entries on heads not reached, or others, kept of one seat."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A signed entry, and the ruling of the phase it was made for (None: another step's)."""

    parsed: Parsed
    phase: Phase | None = None
    ruling: Ruling = None


class Table:
    """What one peer knows of a match; equal on every peer that received the same entries."""

    def __init__(self, agreement: Agreement, source: Source) -> None:
        self.agreement, self.source = agreement, source
        self._course = begin(agreement, source)
        """Where this peer stands. A single assignment changes it: `check` reads it in threads."""
        self._paid: dict[Seat, Checked] = {}
        self._said: dict[Key, Parsed] = {}
        self._bodies: set[bytes] = set()
        self._closed: set[tuple[Position, bytes]] = set()
        self._kept: dict[int, list[Parsed]] = {}
        self._stopped: dict[tuple[Position, bytes], Phase] = {}
        """The step that a proof found open: two bodies of an earlier seat in it would decide."""
        self._ends: dict[tuple[Position, bytes], tuple[Course, dict[Seat, Checked]]] = {}
        """Ends that proofs have taken back, with their seals, by the place of these."""

    # Where the match stands.

    @property
    def open(self) -> Open:
        """The step that is waited for; the same object while nothing moves."""
        return self._course.open

    @property
    def steps(self) -> tuple[Step, ...]:
        """The closed steps, in order: the log."""
        return self._course.steps

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The finished hands, in order."""
        return self._course.hands

    @property
    def match(self) -> Match | None:
        """Score and dealer before the hand under way; None until the first keys are open."""
        return self._course.match

    @property
    def hand(self) -> Hand | None:
        """The hand under way, from its tokens step on."""
        return self._course.hand

    @property
    def outcome(self) -> Outcome | None:
        return self._course.outcome

    @property
    def equivocation(self) -> Equivocation | None:
        """The proof that cut the log."""
        return self._course.equivocation

    @property
    def violations(self) -> list[Violation]:
        """What was broken, in the order in which it was found."""
        return [violation for _, violation in self._course.found]

    # What is waited for.

    @property
    def owed(self) -> Mapping[Seat, Need]:
        """Who still owes what in the open step."""
        return {s: need for s, need in self.open.phase.needs.items() if s not in self._paid}

    @property
    def paid(self) -> list[Parsed]:
        """What is in of the open step, in seat order."""
        return [checked.parsed for _, checked in sorted(self._paid.items())]

    def need(self, seat: Seat) -> Need | None:
        """What the table waits for from this seat."""
        return None if seat in self._paid else self.open.phase.needs.get(seat)

    @property
    def sealed_by(self) -> frozenset[Seat]:
        """The seats whose seal is in, once the match is over."""
        if self.outcome is None:
            return frozenset()
        sealing = isinstance(self.open.phase, Sealing)
        return frozenset(self._paid if sealing else map(Seat, range(self.agreement.players)))

    @property
    def finished(self) -> bool:
        """Over, and sealed by everybody."""
        return len(self.sealed_by) == self.agreement.players

    @property
    def unsupported(self) -> list[Parsed]:
        """Kept entries on another head than ours in a step that was reached: their authors are
        to be asked for what stands behind them (table.md §6)."""
        here = self.open.position
        return [p for kept in self._kept.values() for p in kept if p.position <= here]

    def held(self, since: Position) -> Iterator[Entry]:
        """Every entry from a position on, in the order of the log; then a proof of equivocation
        and the seals of ends that were taken back."""
        for step in self.steps:
            if step.position >= since:
                yield from (parsed.entry for parsed in step.entries)
        yield from (parsed.entry for parsed in self.paid)
        if self.equivocation:
            yield from (parsed.entry for parsed in self.equivocation)
        for _, seals in self._ends.values():
            yield from (seal.parsed.entry for seal in seals.values())

    # The door.

    def knows(self, entry: Entry) -> bool:
        """Whether this very body is here: nothing to check, nothing to pass on."""
        return entry.body in self._bodies

    def moot(self, entry: Entry) -> bool:
        """Whether nothing can come of an entry, whoever signed it: its place has what it needs of
        its author, or nobody hears it and no more of that author is kept. `LinkFault` if it has no
        shape."""
        parsed = read_parsed(entry)
        body, place, terms = parsed.body, parsed.place, self.agreement.terms
        if body.table != self.agreement.id or body.epoch != terms.epoch:
            return False
        known = self._said.get(parsed.key)
        if known is not None:
            return self._proof(known, parsed) is None
        heard = place in self._closed or self._phase(place) is not None
        return not heard and len(self._kept.get(body.seat, ())) >= KEPT_EACH

    @unforeseen("checking an entry")
    def check(self, entry: Entry | Parsed) -> Checked:
        """Verify signature, place, legality and proofs; `LinkFault` for what is of the link."""
        parsed = parse(self.agreement, entry) if isinstance(entry, Entry) else entry
        place = parsed.place
        phase, closed = self._phase(place), place in self._closed
        if parsed.key in self._said:  # looked at last: what a closed step holds was said before
            return Checked(parsed)
        if closed:
            raise LinkFault("not_due", "in a closed step")
        return Checked(parsed, phase, _ruling(phase, parsed)) if phase else Checked(parsed)

    def _phase(self, place: tuple[Position, bytes]) -> Phase | None:
        """What hears entries in a place: the open step, one that a proof found open, or the seals
        of another end."""
        position, head, phase = self.open
        if place == (position, head):
            return phase
        end, _ = self._ends.get(place, (None, {}))
        return end.open.phase if end else self._stopped.get(place)

    @unforeseen("logging an entry")
    def submit(self, checked: Checked) -> bool:
        """Log or keep an entry, or `LinkFault`; whether it is to be passed on.

        What is kept is not: where it is known not to be due it would close an honest link.
        """
        parsed = checked.parsed
        known = self._said.get(parsed.key)
        if known is not None:
            return self._again(known, parsed)
        if checked.phase is None or checked.phase is not self._phase(parsed.place):
            self._keep(parsed)
            return False
        with self._whole():
            self._log(checked)
        return True

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """All of a change, or nothing of it if it raises."""
        holders = (list, dict, set)
        before = {n: copy(v) if isinstance(v, holders) else v for n, v in vars(self).items()}
        try:
            yield
        except BaseException:
            vars(self).update(before)
            raise

    def _log(self, checked: Checked) -> None:
        """An entry in a place that hears it."""
        parsed, place = checked.parsed, checked.parsed.place
        self._said[parsed.key] = parsed
        self._bodies.add(parsed.entry.body)
        if checked.phase is self.open.phase:
            self._pay(checked)
        elif place in self._ends:
            self._seal(place, checked)

    def _pay(self, checked: Checked) -> None:
        """One entry of the open step, which closes with its last."""
        self._paid[Seat(checked.parsed.body.seat)] = checked
        if len(self._paid) == len(self.open.phase.needs):
            paid, self._paid = self._paid, {}
            self._closed.add(self.open[:2])
            rulings = {seat: (one.parsed, one.ruling) for seat, one in paid.items()}
            self._course = self._course.close(rulings)

    def _seal(self, place: tuple[Position, bytes], checked: Checked) -> None:
        """A seal of an end that was taken back: with the last of them it stands again."""
        end, seals = self._ends[place]
        seals[Seat(checked.parsed.body.seat)] = checked
        if len(seals) == self.agreement.players and not self.finished:
            del self._ends[place]
            self._course = end
            self._paid = seals
            self._pay(checked)

    def ripe(self) -> list[Parsed]:
        """Kept entries whose place is heard by now, taken out: to be checked and submitted.

        Their bodies are news again: one that is not due may yet come as half of a proof.
        """
        heard = {self.open[:2], *self._stopped, *self._ends}
        found = []
        for seat, kept in self._kept.items():
            now = [p for p in kept if p.place in heard or p.key in self._said]
            self._kept[seat] = [p for p in kept if p not in now]
            self._bodies -= {p.entry.body for p in now if p.key not in self._said}
            found += now
        return found

    def _keep(self, parsed: Parsed) -> None:
        kept = self._kept.setdefault(parsed.body.seat, [])
        if parsed.entry.body not in self._bodies and len(kept) < KEPT_EACH:
            kept.append(parsed)
            self._bodies.add(parsed.entry.body)

    def _again(self, known: Parsed, parsed: Parsed) -> bool:
        """A place that already holds a body of this seat: the same one, or equivocation."""
        proof = self._proof(known, parsed)
        if proof is None:
            return False
        with self._whole():
            self._bodies.add(parsed.entry.body)
            if self.outcome is not None:
                self._ends[self.open[:2]] = (self._course, self._paid)
            if parsed.place == self.open[:2]:
                self._stopped = {self.open[:2]: self.open.phase}
            self._paid = {}
            self._course = self._course.cut(proof)
        return True

    def _proof(self, known: Parsed, parsed: Parsed) -> Equivocation | None:
        """What two bodies of a seat in one place prove here; None: nothing.

        Beside a good seal any other is nothing: all that a seal says follows from the log.
        """
        proof = Equivocation(known, parsed)
        earlier = self.equivocation is None or proof.place < self.equivocation.place
        same = known.entry.body == parsed.entry.body or isinstance(known.body.content, Seal)
        return None if same or self.finished or not earlier else proof

    @unforeseen("a proof of equivocation")
    def prove(self, proof: Equivocation) -> None:
        """Take a proof of equivocation in the open step, as a record brings it.

        `LinkFault` where the two are not what a proof is made of.
        """
        first, second = proof
        if first.key != second.key or first.entry.body == second.entry.body:
            raise LinkFault("malformed", "no two bodies in one place")
        if first.place != self.open[:2]:
            raise LinkFault("wrong_table", "another place than the end of this log")
        _ruling_of_either(self.open.phase, proof)
        with self._whole():
            self._paid = {}
            self._course = self._course.cut(proof)


def _ruling(phase: Phase, parsed: Parsed) -> Ruling:
    """What an open step says of an entry in its place; `LinkFault` if it asks for none such."""
    seat = Seat(parsed.body.seat)
    try:
        if seat not in phase.needs:
            raise NotDue
        return rule(phase, seat, parsed.body.content)
    except NotDue:
        raise LinkFault("not_due", f"seat {seat} in {type(phase).__name__}") from None


def _ruling_of_either(phase: Phase, proof: Equivocation) -> Ruling:
    """One body of a proof at least was due: two that are not close a link and are nothing."""
    try:
        return _ruling(phase, proof.first)
    except LinkFault:
        return _ruling(phase, proof.second)
