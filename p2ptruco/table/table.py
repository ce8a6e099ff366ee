"""The table: one log, no referee, the same on every peer (table.md §1, §6).

Laws:
1. `check` is heavy, pure and callable from any thread; `submit` is light and alone changes
   the table. A local entry and a remote one take the same road.
2. (position, head) names a step exactly. An entry for a step that was reached here is ruled on; for
   another it is kept; two bodies of one seat in one place are equivocation and nothing else is.
3. Where proofs and seals disagree, `standing` says which log is the table's. All others go on
   hearing entries, and what is here is told to whoever asks, whichever log it is of.
4. A step closes when its last seat has paid; its first fault in seat order is then computed
   by everybody from the same bytes. Silence is absence, never a fault.
5. Whatever an entry raises that nobody foresaw closes its link, and the table stands as before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..mental.chance import Source
from ..rules.hand import Hand
from ..rules.match import Match
from ..rules.seating import Seat
from .agreement import Agreement
from .branches import Branches
from .chain import Steps
from .course import Equivocation, Open, Outcome, begin
from .entries import Entry, Key, Parsed, Position, parse, read_parsed
from .rulings import Checked, beside, ruled
from .standing import culprits, known, seals, standing
from .steps.order import needs
from .steps.phases import Need
from .steps.sealing import Sealing
from .unforeseen import unforeseen
from .violation import LinkFault, Violation

__all__ = ["Checked", "Equivocation", "Open", "Table"]

KEPT_EACH = 64
"""Correctly signed entries on heads not reached, or others, kept of one seat."""


class Table:
    """What one peer knows of a match; equal on every peer that received the same entries."""

    def __init__(self, agreement: Agreement, source: Source) -> None:
        self.agreement, self.source = agreement, source
        self._course = begin(agreement, source)
        """Where this peer stands. A single assignment changes it: `check` reads it in threads."""
        self._branches = Branches.of(self._course)
        self._ahead: Open | None = None
        self._said: dict[Key, tuple[Parsed, ...]] = {}
        self._logged: list[Parsed] = []
        """Everything that was said, in the order in which it came to be heard."""
        self._bodies: set[bytes] = set()
        self._kept: dict[int, list[Parsed]] = {}

    # Where the match stands.

    @property
    def open(self) -> Open:
        """The step that is waited for; the same object while nothing moves."""
        return self._course.open

    @property
    def ahead(self) -> Open | None:
        """The step that the deal behind the hand under way waits for, if it waits for any."""
        return self._ahead

    @property
    def steps(self) -> Steps:
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
    def _paid(self) -> Mapping[Seat, Parsed]:
        return self._said_in(self.open)

    def _said_in(self, here: Open) -> Mapping[Seat, Parsed]:
        said = self._branches.said(here.place)
        return {seat: bodies[0].parsed for seat, bodies in sorted(said.items())}

    @property
    def paid(self) -> list[Parsed]:
        """What is in of the open step, in seat order."""
        return list(self._paid.values())

    @property
    def owed(self) -> Mapping[Seat, Need]:
        """Who still owes what in the open step."""
        paid = self._paid
        return {seat: need for seat, need in needs(self.open.phase).items() if seat not in paid}

    def need(self, seat: Seat) -> Need | None:
        """What the table waits for from this seat."""
        return self.owed.get(seat)

    def need_ahead(self, seat: Seat) -> Need | None:
        """What the deal ahead waits for from this seat; no match waits for it."""
        here = self._ahead
        paid = here is None or seat in self._said_in(here)
        return None if here is None or paid else needs(here.phase).get(seat)

    # The end.

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
    def heard_of_all(self) -> bool:
        """Whether every seat has sealed an end that was reached here."""
        return self._unheard == frozenset()

    @property
    def settled(self) -> bool:
        """The same, but for proven culprits."""
        return self._unheard <= culprits(self._branches)

    @property
    def _unheard(self) -> frozenset[Seat]:
        heard = {seat for seats in seals(self._branches).values() for seat in seats}
        return frozenset(map(Seat, range(self.agreement.players))) - heard

    @property
    def known(self) -> bytes:
        """The hash of all proofs and seals that are here, 32 bytes (table.md §4)."""
        return known(self.agreement, self._branches)

    # What is told to others.

    @property
    def unsupported(self) -> list[Parsed]:
        """Kept entries on another head than ours in a step that was reached, and kept seals once
        the match is over: their authors are to be asked for what stands behind them (table.md §6).
        """
        reached, over = self._branches.reached, self.outcome is not None
        kept = (parsed for each in self._kept.values() for parsed in each)
        return [p for p in kept if reached(p.position) or (over and p.is_seal)]

    def beside(self, parsed: Parsed) -> tuple[Parsed, ...]:
        """What its author has said in its place, the first body first."""
        return self._said.get(parsed.key, ())

    def held(self, since: Position) -> Iterator[Entry]:
        """Every entry of every log from a position on, and all proofs and seals: in an order in
        which each finds its step open."""
        for parsed in self._logged:
            if parsed.position >= since or parsed.is_seal or len(self.beside(parsed)) > 1:
                yield parsed.entry

    @property
    def seals(self) -> list[Entry]:
        """Every seal that was heard, of whichever end."""
        return [parsed.entry for parsed in self._logged if parsed.is_seal]

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
        if parsed.key in self._said:
            return self._idle(parsed)
        return self._branches.at(place) is None and len(self._kept.get(body.seat, ())) >= KEPT_EACH

    def _idle(self, parsed: Parsed) -> bool:
        """Whether another body in a place changes nothing.

        A seal says what follows from the log: another beside it is nothing. A third body is looked
        at only if something of another seat is kept that may follow from it.
        """
        before = self._said[parsed.key]
        if before[0].is_seal or parsed.entry.body in self._bodies:
            return True
        follows = any(p.position > parsed.position for p in self._of_others(parsed))
        return len(before) > 1 and not follows

    def _of_others(self, parsed: Parsed) -> Iterator[Parsed]:
        """What is kept of other seats."""
        for seat, kept in tuple(self._kept.items()):  # `check` may be in another thread
            if seat != parsed.body.seat:
                yield from kept

    @unforeseen("checking an entry")
    def check(self, entry: Entry | Parsed) -> Checked:
        """Verify signature, place, legality and proofs; `LinkFault` for what is of the link."""
        parsed = parse(self.agreement, entry) if isinstance(entry, Entry) else entry
        phase = self._branches.phase(parsed.place)
        if phase is None:
            return Checked(parsed)
        if parsed.key in self._said:
            return Checked(parsed) if self._idle(parsed) else beside(phase, parsed)
        return ruled(phase, parsed)

    @unforeseen("logging an entry")
    def submit(self, checked: Checked) -> bool:
        """Log or keep an entry, or `LinkFault`; whether it is to be passed on.

        What is kept is not: where it is known not to be due it would close an honest link.
        """
        parsed = checked.parsed
        before, phase = self.beside(parsed), self._branches.phase(parsed.place)
        if before and self._idle(parsed):
            return False
        if phase is None or checked.phase is not phase:
            self._keep(parsed)
            return False
        grown = self._branches.add(checked, before)
        if len(before) > 1 and not self._awaited(parsed, grown):
            return False
        self._move(grown, parsed)
        return True

    def _awaited(self, parsed: Parsed, grown: Branches) -> bool:
        """Whether it opens a step for which something of another seat is kept."""
        places = (kept.place for kept in self._of_others(parsed))
        return any(grown.at(place) and not self._branches.at(place) for place in places)

    def _move(self, grown: Branches, *said: Parsed) -> None:
        """Log what was said, and stand where it leads to."""
        stands = standing(grown, self.agreement.players)
        self._logged += said
        for parsed in said:
            self._said[parsed.key] = (*self.beside(parsed), parsed)
            self._bodies.add(parsed.entry.body)
        self._branches, self._course = grown, stands
        self._ahead = grown.ahead(stands)

    def ripe(self) -> list[Parsed]:
        """Kept entries whose place is heard by now, taken out: to be checked and submitted.

        Their bodies are news again: one that is not due may yet come as half of a proof.
        """
        found = []
        for seat, kept in self._kept.items():
            now = [p for p in kept if self._branches.at(p.place)]
            self._kept[seat] = [p for p in kept if p not in now]
            self._bodies -= {p.entry.body for p in now}
            found += now
        return found

    def _keep(self, parsed: Parsed) -> None:
        kept = self._kept.setdefault(parsed.body.seat, [])
        if parsed.entry.body not in self._bodies and len(kept) < KEPT_EACH:
            kept.append(parsed)
            self._bodies.add(parsed.entry.body)

    @unforeseen("a proof of equivocation")
    def prove(self, proof: Equivocation) -> None:
        """Take a proof of equivocation in the open step, as a record brings it.

        `LinkFault` where the two are not what a proof is made of.
        """
        first, second = proof
        if first.key != second.key or first.entry.body == second.entry.body:
            raise LinkFault("malformed", "no two bodies in one place")
        if first.place != self.open.place:
            raise LinkFault("wrong_table", "another place than the end of this log")
        phase = self.open.phase
        try:
            due, other = ruled(phase, first), beside(phase, second)
        except LinkFault:  # two that are not due close a link and are nothing
            due, other = ruled(phase, second), beside(phase, first)
        grown = self._branches.add(due, ()).add(other, (due.parsed,))
        self._move(grown, due.parsed, other.parsed)
