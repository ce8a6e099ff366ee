"""The course of a match: what a closed step makes of it (table.md §1, §6).

Laws:
1. Everything here follows from the closed steps and their rulings, so it is the same on every
   peer; nothing here knows how entries arrive.
2. A step's first fault in seat order is computed by everybody from the same bytes. An illegal
   move loses the hand, any other fault the match; leaving gives away both.
3. A proven equivocation cuts the log before its step; of several the earliest decides.
4. Of the deal behind a hand nothing is in a log before that hand has ended (`ahead`, `dealt`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ..mental import coin
from ..mental.chance import Source
from ..mental.context import Context
from ..rules.hand import Hand, How
from ..rules.match import Match
from ..rules.play import lose
from ..rules.seating import Seat, Team, rival_of, team_of
from .agreement import Agreement
from .chain import Step, Steps, cut_head, end_head, first_head, join_head
from .entries import Parsed, Place, Position, Seal
from .steps.dealing import Committing, Dealt
from .steps.order import close, together
from .steps.phases import LEFT, Fault, Phase, Ruling
from .steps.playing import Choosing, Played, Revealing, Tokening, conceded
from .steps.sealing import Sealing
from .violation import Violation


def first_phase(agreement: Agreement, hand: int, attempt: int, source: Source) -> Committing:
    """Where the deal of a hand begins."""
    deck = tuple(map(str, agreement.variant.deck))
    epoch = agreement.terms.epoch
    context = Context(agreement.id, epoch, hand, attempt, agreement.identities)
    return Committing(context, deck, source)


class Open(NamedTuple):
    """The step that a table waits for, as one immutable value."""

    position: Position
    head: bytes
    phase: Phase

    @property
    def place(self) -> Place:
        return self.position, self.head


class Outcome(NamedTuple):
    """How a match (or set) ended; nobody wins what both teams left at once."""

    winner: Team | None
    score: tuple[int, int]
    won: tuple[int, int]


class Equivocation(NamedTuple):
    """Two bodies of one seat in one place."""

    first: Parsed
    second: Parsed

    @property
    def order(self) -> tuple[Position, int]:
        """Of several proofs the first in this order is the earliest."""
        return self.first.position, self.first.body.seat


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """A match as its closed steps made it, and the step that is open: a value. Closing a step and
    cutting the log make another."""

    agreement: Agreement
    source: Source
    """Random bytes of the verifier's own, for the weights of batched checks."""
    open: Open
    behind: bytes
    """What the next hand's chain begins with: the head after the last tokens step."""
    steps: Steps = field(default_factory=Steps)
    """The closed steps, in order: the log."""
    hands: tuple[Hand, ...] = ()
    """The finished hands, in order."""
    matches: tuple[Match, ...] = ()
    """Score and dealer before each hand."""
    found: tuple[tuple[Position, Violation], ...] = ()
    """What was broken, in the order in which it was found."""
    equivocation: Equivocation | None = None
    outcome: Outcome | None = None

    @property
    def match(self) -> Match | None:
        """Score and dealer before the hand under way; None until the first keys are open."""
        return self.matches[-1] if self.matches else None

    @property
    def hand(self) -> Hand | None:
        """The hand under way, from its tokens step on."""
        phase = self.open.phase
        if isinstance(phase, Tokening):
            return phase.hand
        return phase.game.hand if isinstance(phase, (Choosing, Revealing)) else None

    @property
    def ahead(self) -> Open | None:
        """Where the deal of the next hand begins, as soon as this hand's tokens are in."""
        if not isinstance(self.open.phase, (Choosing, Revealing)):
            return None
        hand = self.open.position.hand + 1
        return _first_step(self.agreement, hand, self.behind, self.source)

    def close(self, paid: Mapping[Seat, tuple[Parsed, Ruling]]) -> Course:
        """Close the open step, which every seat that owed has paid, and open the next."""
        phase, step = self.open.phase, _step(self.open, paid)
        behind = step.after if isinstance(phase, Tokening) else self.behind
        closed = replace(self, steps=self.steps.and_then(step), behind=behind)
        rulings = together(phase, {seat: paid[seat][1] for seat in sorted(paid)})
        faults = [ruling for ruling in rulings.values() if isinstance(ruling, Fault)]
        gone = frozenset(team_of(seat) for seat, ruling in rulings.items() if ruling is LEFT)
        if gone and not faults:
            return closed._leave(step, gone)
        result = faults[0] if faults else close(phase, rulings)
        if isinstance(result, Fault):
            return closed._convict(phase, step, result)
        return closed._enter(_next(step.position), step.after, result)

    def _enter(self, position: Position, head: bytes, phase: Phase) -> Course:
        if isinstance(phase, Played):
            return self._played(position, head, phase.hand)
        if isinstance(phase, Dealt):
            matches = self.matches or (self._first_match(phase),)
            joined = join_head(head, self._before(position.hand))
            tokening = Tokening(phase.joint, phase.deck, matches[-1].hand())
            return replace(self, matches=matches, open=Open(position, joined, tokening))
        return replace(self, open=Open(position, head, phase))

    def _before(self, hand: int) -> bytes:
        """The head after the last step of the hand before; in the first hand the table's id."""
        played = (step for step in reversed(self.steps) if step.position.hand < hand)
        step = next(played, None)
        return step.after if step else self.agreement.id

    def _first_match(self, dealt: Dealt) -> Match:
        """The first dealer is the coin of the first hand (deal.md §7)."""
        players = self.agreement.players
        dealer = Seat(coin.draw(dealt.joint.nonce, b"dealer", players))
        return Match(self.agreement.variant, players, dealer)

    def _played(self, position: Position, head: bytes, hand: Hand) -> Course:
        hands, match = (*self.hands, hand), self.matches[-1].after(hand)
        if match.winner is None:
            opened = _first_step(self.agreement, position.hand + 1, self.behind, self.source)
            return replace(self, hands=hands, matches=(*self.matches, match), open=opened)
        outcome = Outcome(match.winner, match.score, match.won)
        return replace(self, hands=hands)._end(position, head, outcome)

    def _convict(self, phase: Phase, step: Step, fault: Fault) -> Course:
        """An illegal move loses the hand, anything else the match."""
        hand, _, number = step.position
        violation = Violation(fault.word, hand, number - fault.back, fault.seat)
        convicted = replace(self, found=(*self.found, (step.position, violation)))
        if isinstance(phase, Choosing) and fault.word == "illegal_move":
            return convicted._enter(_next(step.position), step.after, conceded(phase))
        team = _team(fault.seat)
        return convicted._forfeit(_next(step.position), step.after, team, self.match)

    def _leave(self, step: Step, teams: frozenset[Team]) -> Course:
        """The hand and the match go to the other team; to nobody, if both left at once."""
        hands, match = self.hands, self.match
        if match is not None and len(teams) == 1:
            lost = lose(self.hand or match.hand(), min(teams), How.ABSENT)
            hands, match = (*hands, lost), match.after(lost)
        left = replace(self, hands=hands)
        return left._forfeit(_next(step.position), step.after, teams, match)

    def cut(self, proof: Equivocation) -> Course:
        """End the match before the open step, which a seat doubled; its hand is not scored."""
        position, seat = proof.order
        violation = Violation("equivocation", position.hand, position.step, seat)
        found = (*self.found, (position, violation))
        before = replace(self, found=found, equivocation=proof)
        head = cut_head(proof.first.body.head, position.step, seat)
        return before._forfeit(_next(position), head, _team(seat), self.match)

    def _forfeit(
        self, position: Position, head: bytes, teams: frozenset[Team], match: Match | None
    ) -> Course:
        """The other team wins, whatever the score, which stays; nobody, if both are named."""
        score, won = (match.score, match.won) if match else ((0, 0), (0, 0))
        winner = rival_of(min(teams)) if len(teams) == 1 else None
        ended = end_head(head, self._before(position.hand))
        return self._end(position, ended, Outcome(winner, score, won))

    def _end(self, position: Position, head: bytes, outcome: Outcome) -> Course:
        sealing = Sealing(self.agreement.players, Seal(*outcome))
        return replace(self, outcome=outcome, open=Open(position, head, sealing))


def dealt(open: Open, paid: Mapping[Seat, tuple[Parsed, Ruling]]) -> Open | None:
    """What a step of a deal opens, whatever hand is played meanwhile; None where that is not its to
    say: the deal is over, or something in it will be judged when its hand has begun."""
    rulings = together(open.phase, {seat: paid[seat][1] for seat in sorted(paid)})
    if any(ruling is LEFT or isinstance(ruling, Fault) for ruling in rulings.values()):
        return None
    result = close(open.phase, rulings)
    if isinstance(result, (Fault, Dealt)):
        return None
    step = _step(open, paid)
    return Open(_next(step.position), step.after, result)


def _step(open: Open, paid: Mapping[Seat, tuple[Parsed, Ruling]]) -> Step:
    """A step that every seat has paid."""
    return Step(*open.place, tuple(paid[seat][0] for seat in sorted(paid)))


def begin(agreement: Agreement, source: Source) -> Course:
    """A match of which nothing has been said."""
    opened = _first_step(agreement, 0, agreement.id, source)
    return Course(agreement, source, opened, agreement.id)


def _first_step(agreement: Agreement, hand: int, behind: bytes, source: Source) -> Open:
    """The first step of a hand's chain."""
    attempt = 0
    head = first_head(agreement, hand, attempt, behind)
    first = first_phase(agreement, hand, attempt, source)
    return Open(Position(hand, attempt, 0), head, first)


def _next(position: Position) -> Position:
    return position._replace(step=position.step + 1)


def _team(seat: int) -> frozenset[Team]:
    return frozenset({team_of(Seat(seat))})
