"""The course of a match: what a closed step makes of it (table.md §1, §6).

Laws:
1. Everything here follows from the closed steps and their rulings, so it is the same on every
   peer; nothing here knows how entries arrive.
2. A step's first fault in seat order is computed by everybody from the same bytes. An illegal
   move loses the hand, any other fault the match; leaving gives away both.
3. A proven equivocation cuts the log before its step; of several the earliest decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..mental import coin
from ..mental.chance import Source
from ..mental.context import Context
from ..rules.hand import Hand, How
from ..rules.match import Match
from ..rules.play import lose
from ..rules.seating import Seat, Team, rival_of, team_of
from .agreement import Agreement
from .chain import Step, cut_head, end_head, first_head, join_head
from .dealing import Committing, Dealt, Opening
from .entries import Content, Leave, Parsed, Position, Seal
from .phases import Fault, Need, Phase, Ruling
from .playing import Choosing, Played, Revealing, Tokening
from .sealing import Sealing
from .violation import Violation

LEFT = object()
"""The ruling on a seat that leaves."""


def rule(phase: Phase, seat: Seat, content: Content) -> Ruling:
    """A phase's own ruling; leaving is due wherever anything is, but the seals."""
    if isinstance(content, Leave) and not isinstance(phase, Sealing):
        return LEFT
    return phase.rule(seat, content)


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


class Outcome(NamedTuple):
    """How a match (or set) ended; nobody wins what both teams left at once."""

    winner: Team | None
    score: tuple[int, int]
    won: tuple[int, int]


class End(NamedTuple):
    """What a proof takes back of a match that was over, to be taken up again if it was sealed."""

    open: Open
    outcome: Outcome | None
    steps: list[Step]
    hands: list[Hand]
    matches: list[Match]
    found: list[tuple[Position, Violation]]
    equivocation: Equivocation | None


class Equivocation(NamedTuple):
    """Two bodies of one seat in one place."""

    first: Parsed
    second: Parsed

    @property
    def place(self) -> tuple[Position, int]:
        return self.first.position, self.first.body.seat


class Course:
    """A match as its closed steps made it, and the step that is open."""

    def __init__(self, agreement: Agreement, source: Source) -> None:
        self.agreement = agreement
        self.source = source
        """Random bytes of the verifier's own, for the weights of batched checks."""
        self.steps: list[Step] = []
        """The closed steps, in order: the log."""
        self.hands: list[Hand] = []
        """The finished hands, in order."""
        self.equivocation: Equivocation | None = None
        self.outcome: Outcome | None = None
        self.open: Open
        self._matches: list[Match] = []
        self._found: list[tuple[Position, Violation]] = []
        self._needs: Mapping[Seat, Need] = {}
        self._behind = agreement.id
        self._begin(0)

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
    def violations(self) -> list[Violation]:
        """What was broken, in the order in which it was found."""
        return [violation for _, violation in self._found]

    def _wait_for(self, position: Position, head: bytes, phase: Phase) -> None:
        """Open a step. The one place that sets `open`: a single assignment, read by `check`."""
        self._needs = phase.needs
        self.open = Open(position, head, phase)

    def _begin(self, hand: int) -> None:
        """Open the first step of a hand's chain."""
        agreement, attempt = self.agreement, 0
        head = first_head(agreement, hand, attempt, self._behind)
        first = first_phase(agreement, hand, attempt, self.source)
        self._wait_for(Position(hand, attempt, 0), head, first)

    def close(self, paid: Mapping[Seat, tuple[Parsed, Ruling]]) -> None:
        """Close the open step, which every seat that owed has paid, and open the next."""
        position, head, phase = self.open
        step = Step(position, head, tuple(paid[seat][0] for seat in sorted(paid)))
        self.steps.append(step)
        if isinstance(phase, Tokening):
            self._behind = step.after
        rulings: Mapping[Seat, Ruling] = {seat: paid[seat][1] for seat in sorted(paid)}
        if isinstance(phase, Opening):
            rulings = phase.beside(rulings)
        faults = [ruling for ruling in rulings.values() if isinstance(ruling, Fault)]
        gone = frozenset(team_of(seat) for seat, ruling in rulings.items() if ruling is LEFT)
        if gone and not faults:
            self._leave(step, gone)
            return
        result = faults[0] if faults else phase.close(rulings)
        if isinstance(result, Fault):
            self._convict(phase, step, result)
        else:
            self._enter(_next(position), step.after, result)

    def _enter(self, position: Position, head: bytes, phase: Phase) -> None:
        if isinstance(phase, Played):
            self._played(position, head, phase.hand)
        elif isinstance(phase, Dealt):
            hand = self._match_of(phase).hand()
            joined = join_head(head, self._before(position.hand))
            self._wait_for(position, joined, Tokening(phase.joint, phase.deck, hand))
        else:
            self._wait_for(position, head, phase)

    def _before(self, hand: int) -> bytes:
        """The head after the last step of the hand before; in the first hand the table's id."""
        played = (step for step in reversed(self.steps) if step.position.hand < hand)
        step = next(played, None)
        return step.after if step else self.agreement.id

    def _match_of(self, dealt: Dealt) -> Match:
        """The match; its first dealer is the coin of the first hand (deal.md §7)."""
        if not self._matches:
            players = self.agreement.players
            dealer = Seat(coin.draw(dealt.joint.nonce, b"dealer", players))
            self._matches.append(Match(self.agreement.variant, players, dealer))
        return self._matches[-1]

    def _played(self, position: Position, head: bytes, hand: Hand) -> None:
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
        violation = Violation(fault.word, hand, number - fault.back, fault.seat)
        self._found.append((step.position, violation))
        if isinstance(phase, Choosing) and fault.word == "illegal_move":
            self._enter(_next(step.position), step.after, phase.conceded())
        else:
            self._forfeit(_next(step.position), step.after, _team(fault.seat), self.match)

    def _leave(self, step: Step, teams: frozenset[Team]) -> None:
        """The hand and the match go to the other team; to nobody, if both left at once."""
        match = self.match
        if match is not None and len(teams) == 1:
            lost = lose(self.hand or match.hand(), min(teams), How.ABSENT)
            self.hands.append(lost)
            match = match.after(lost)
        self._forfeit(_next(step.position), step.after, teams, match)

    def cut(self, proof: Equivocation) -> None:
        """End the match before the step of a proven equivocation; its hand is not scored."""
        position, seat = proof.place
        match = self._matches[position.hand] if position.hand < len(self._matches) else self.match
        self.equivocation = proof
        self.steps = [step for step in self.steps if step.position < position]
        self.hands = self.hands[: position.hand]
        self._matches = self._matches[: position.hand + 1]
        violation = Violation("equivocation", position.hand, position.step, seat)
        kept = [found for found in self._found if found[0] < position]
        self._found = [*kept, (position, violation)]
        head = cut_head(proof.first.body.head, position.step, seat)
        self._forfeit(_next(position), head, _team(seat), match)

    @property
    def end(self) -> End:
        """Where the log stands. `cut` changes none of these lists, it makes others."""
        log = self.steps, self.hands, self._matches
        return End(self.open, self.outcome, *log, self._found, self.equivocation)

    def take_up(self, end: End) -> None:
        """Stand there again."""
        self._needs = end.open.phase.needs
        self.open, self.outcome = end.open, end.outcome
        self.steps, self.hands, self._matches = end.steps, end.hands, end.matches
        self._found, self.equivocation = end.found, end.equivocation

    def _forfeit(
        self, position: Position, head: bytes, teams: frozenset[Team], match: Match | None
    ) -> None:
        """The other team wins, whatever the score, which stays; nobody, if both are named."""
        score, won = (match.score, match.won) if match else ((0, 0), (0, 0))
        winner = rival_of(min(teams)) if len(teams) == 1 else None
        ended = end_head(head, self._before(position.hand))
        self._end(position, ended, Outcome(winner, score, won))

    def _end(self, position: Position, head: bytes, outcome: Outcome) -> None:
        self.outcome = outcome
        seal = Seal(outcome.winner, outcome.score, outcome.won)
        self._wait_for(position, head, Sealing(self.agreement.players, seal))


def _next(position: Position) -> Position:
    return position._replace(step=position.step + 1)


def _team(seat: int) -> frozenset[Team]:
    return frozenset({team_of(Seat(seat))})
