"""The table: one log, no referee, the same on every peer (table.md §1, §6).

Laws:
1. `check` is heavy, pure and callable from any thread; `submit` is light and alone changes
   the table. A local entry and a remote one take the same road.
2. (position, head) names a step exactly. An entry for the open step is ruled on; for a step
   not reached, or on another head, it is kept; two bodies of one seat in one place are
   equivocation and nothing else is.
3. A step closes when its last seat has paid; its first fault in seat order is then computed
   by everybody from the same bytes. Silence is absence, never a fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ..mental import coin
from ..mental.chance import Source
from ..mental.deck import Context
from ..rules.hand import Hand
from ..rules.match import Match
from ..rules.seating import Seat, Team, rival_of, team_of
from .agreement import Agreement
from .chain import Step, cut_head, first_head, join_head
from .dealing import Committing, Dealt
from .entries import Entry, Key, Parsed, Position, Seal, parse
from .phases import Fault, Need, NotDue, Phase, Ruling
from .playing import Choosing, Played, Revealing, Tokening
from .sealing import Sealing
from .violation import LinkFault, Violation

KEPT_EACH = 64
"""Correctly signed entries on heads not reached, or others, kept of one seat."""


class Open(NamedTuple):
    """The step that a table waits for, as one immutable value."""

    position: Position
    head: bytes
    phase: Phase


@dataclass(frozen=True, slots=True)
class Checked:
    """A signed entry, and the ruling of the phase it was made for (None: another step's)."""

    parsed: Parsed
    phase: Phase | None = None
    ruling: Ruling = None


class Outcome(NamedTuple):
    """How a match (or set) ended."""

    winner: Team
    score: tuple[int, int]
    won: tuple[int, int]


class Equivocation(NamedTuple):
    """Two bodies of one seat in one place."""

    first: Parsed
    second: Parsed

    @property
    def place(self) -> tuple[Position, int]:
        return self.first.position, self.first.body.seat


class Table:
    """What one peer knows of a match; equal on every peer that received the same entries."""

    def __init__(self, agreement: Agreement, source: Source) -> None:
        self.agreement = agreement
        self.source = source
        """Random bytes of the verifier's own, for the weights of batched checks."""
        self.steps: list[Step] = []
        """The closed steps, in order: the log."""
        self.hands: list[Hand] = []
        """The finished hands, in order."""
        self.violations: list[Violation] = []
        self.equivocation: Equivocation | None = None
        self.outcome: Outcome | None = None
        self.open: Open
        self._matches: list[Match] = []
        self._paid: dict[Seat, Checked] = {}
        self._said: dict[Key, Parsed] = {}
        self._bodies: set[bytes] = set()
        self._closed: set[tuple[Position, bytes]] = set()
        self._kept: dict[int, list[Parsed]] = {}
        self._behind = self._last = agreement.id
        self._needs: Mapping[Seat, Need] = {}
        self._begin(0)

    # What is waited for.

    @property
    def match(self) -> Match | None:
        """Score and dealer before the hand under way; None until the first keys are open."""
        return self._matches[-1] if self._matches else None

    @property
    def hand(self) -> Hand | None:
        """The hand under way, from its tokens step on."""
        phase = self.open.phase
        if isinstance(phase, Tokening):
            return phase.hand
        return phase.game.hand if isinstance(phase, (Choosing, Revealing)) else None

    @property
    def owed(self) -> Mapping[Seat, Need]:
        """Who still owes what in the open step."""
        return {s: need for s, need in self._needs.items() if s not in self._paid}

    @property
    def paid(self) -> list[Parsed]:
        """What is in of the open step, in seat order."""
        return [checked.parsed for _, checked in sorted(self._paid.items())]

    def need(self, seat: Seat) -> Need | None:
        """What the table waits for from this seat."""
        return None if seat in self._paid else self._needs.get(seat)

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
        """Every entry from a position on, in the order of the log, proofs of equivocation last."""
        for step in self.steps:
            if step.position >= since:
                yield from (parsed.entry for parsed in step.entries)
        yield from (parsed.entry for parsed in self.paid)
        if self.equivocation:
            yield from (parsed.entry for parsed in self.equivocation)

    # The door.

    def knows(self, entry: Entry) -> bool:
        """Whether this very body is here: nothing to check, nothing to pass on."""
        return entry.body in self._bodies

    def check(self, entry: Entry | Parsed) -> Checked:
        """Verify signature, place, legality and proofs; `LinkFault` for what is of the link."""
        parsed = parse(self.agreement, entry) if isinstance(entry, Entry) else entry
        position, head, phase = self.open
        here = (position, head)
        place = (parsed.position, parsed.body.head)
        if parsed.key in self._said or not (place == here or place in self._closed):
            return Checked(parsed)
        seat = Seat(parsed.body.seat)
        try:
            if place in self._closed or seat not in phase.needs:
                raise NotDue
            return Checked(parsed, phase, phase.rule(seat, parsed.body.content))
        except NotDue:
            raise LinkFault("not_due", f"seat {seat} in {type(phase).__name__}") from None

    def submit(self, checked: Checked) -> bool:
        """Log or keep an entry; whether it is news here, to be passed on."""
        parsed = checked.parsed
        known = self._said.get(parsed.key)
        if known is not None:
            return self._again(known, parsed)
        if checked.phase is not self.open.phase:
            return self._keep(parsed)
        self._said[parsed.key] = parsed
        self._bodies.add(parsed.entry.body)
        self._paid[Seat(parsed.body.seat)] = checked
        if len(self._paid) == len(self._needs):
            self._close()
        return True

    def ripe(self) -> list[Parsed]:
        """Kept entries whose place has been reached, taken out: to be checked and submitted."""
        here = (self.open.position, self.open.head)
        found = []
        for seat, kept in self._kept.items():
            now = [p for p in kept if (p.position, p.body.head) == here or p.key in self._said]
            self._kept[seat] = [p for p in kept if p not in now]
            found += now
        return found

    def _keep(self, parsed: Parsed) -> bool:
        kept = self._kept.setdefault(parsed.body.seat, [])
        if parsed.entry.body in self._bodies or len(kept) >= KEPT_EACH:
            return False
        kept.append(parsed)
        self._bodies.add(parsed.entry.body)
        return True

    def _again(self, known: Parsed, parsed: Parsed) -> bool:
        """A place that already holds a body of this seat: the same one, or equivocation."""
        proof = Equivocation(known, parsed)
        earlier = self.equivocation is None or proof.place < self.equivocation.place
        if known.entry.body == parsed.entry.body or self.finished or not earlier:
            return False
        self._bodies.add(parsed.entry.body)
        self._cut(proof)
        return True

    def prove(self, proof: Equivocation) -> None:
        """Take a proof of equivocation in the open step, as a record brings it.

        `LinkFault` where the two are not what a proof is made of.
        """
        first, second = proof
        if first.key != second.key or first.entry.body == second.entry.body:
            raise LinkFault("malformed", "no two bodies in one place")
        if (first.position, first.body.head) != (self.open.position, self.open.head):
            raise LinkFault("wrong_table", "another place than the end of this log")
        if first.body.seat not in self._needs:
            raise LinkFault("not_due")
        self._cut(proof)

    # How a step ends.

    def _wait_for(self, position: Position, head: bytes, phase: Phase) -> None:
        """Open a step. The one place that sets `open`: a single assignment, read by `check`."""
        self._needs = phase.needs
        self.open = Open(position, head, phase)

    def _begin(self, hand: int) -> None:
        """Open the first step of a hand's chain."""
        agreement, attempt = self.agreement, 0
        deck = tuple(map(str, agreement.variant.deck))
        context = Context(agreement.id, agreement.terms.epoch, hand, attempt, agreement.identities)
        head = first_head(agreement, hand, attempt, self._behind)
        first = Committing(context, deck, self.source)
        self._wait_for(Position(hand, attempt, 0), head, first)

    def _close(self) -> None:
        position, head, phase = self.open
        paid = sorted(self._paid.items())
        step = Step(position, head, tuple(checked.parsed for _, checked in paid))
        self.steps.append(step)
        self._closed.add((position, head))
        self._paid = {}
        if isinstance(phase, Tokening):
            self._behind = step.after
        rulings = {seat: checked.ruling for seat, checked in paid}
        faults = [ruling for ruling in rulings.values() if isinstance(ruling, Fault)]
        result = faults[0] if faults else phase.close(rulings)
        if isinstance(result, Fault):
            return self._convict(phase, step, result)
        return self._enter(position._replace(step=position.step + 1), step.after, result)

    def _enter(self, position: Position, head: bytes, phase: Phase) -> None:
        if isinstance(phase, Played):
            self._played(position, head, phase.hand)
        elif isinstance(phase, Dealt):
            hand = self._match_of(phase).hand()
            joined = join_head(head, self._last)
            self._wait_for(position, joined, Tokening(phase.joint, phase.deck, hand))
        else:
            self._wait_for(position, head, phase)

    def _match_of(self, dealt: Dealt) -> Match:
        """The match; its first dealer is the coin of the first hand (deal.md §7)."""
        if not self._matches:
            players = self.agreement.players
            dealer = Seat(coin.draw(dealt.joint.nonce, b"dealer", players))
            self._matches.append(Match(self.agreement.variant, players, dealer))
        return self._matches[-1]

    def _played(self, position: Position, head: bytes, hand: Hand) -> None:
        self._last = head
        self.hands.append(hand)
        match = self._matches[-1].after(hand)
        if match.winner is None:
            self._matches.append(match)
            self._begin(position.hand + 1)
        else:
            self._end(position, head, Outcome(match.winner, match.score, match.won))

    def _convict(self, phase: Phase, step: Step, fault: Fault) -> None:
        """An illegal move loses the hand, anything else the match."""
        hand, _, number = step.position
        self.violations.append(Violation(fault.word, hand, number - fault.back, fault.seat))
        after = step.position._replace(step=number + 1)
        if isinstance(phase, Choosing) and fault.word == "illegal_move":
            self._enter(after, step.after, phase.conceded())
        else:
            self._forfeit(after, step.after, fault.seat, self.match)

    def _cut(self, proof: Equivocation) -> None:
        """End the match before the step of a proven equivocation; its hand is not scored."""
        position, seat = proof.place
        match = self._matches[position.hand] if position.hand < len(self._matches) else self.match
        self.equivocation = proof
        self.steps = [step for step in self.steps if step.position < position]
        del self.hands[position.hand :]
        del self._matches[position.hand + 1 :]
        kept = [v for v in self.violations if (v.hand, v.step) < (position.hand, position.step)]
        self.violations = [*kept, Violation("equivocation", position.hand, position.step, seat)]
        self._paid = {}
        head = cut_head(proof.first.body.head, position.step, seat)
        self._forfeit(position._replace(step=position.step + 1), head, seat, match)

    def _forfeit(self, position: Position, head: bytes, seat: int, match: Match | None) -> None:
        """The other team wins the match; the score stays as the last finished hand left it."""
        winner = rival_of(team_of(Seat(seat)))
        score, won = (match.score, match.won) if match else ((0, 0), (0, 0))
        self._end(position, head, Outcome(winner, score, won))

    def _end(self, position: Position, head: bytes, outcome: Outcome) -> None:
        self.outcome = outcome
        seal = Seal(outcome.winner, outcome.score, outcome.won)
        self._wait_for(position, head, Sealing(self.agreement.players, seal))
