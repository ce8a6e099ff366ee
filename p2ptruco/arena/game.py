"""One match on the bare rules.

1. The dealer and the cards come from the plan's seed and the pair alone; a bot's own chance from
   these, its seat and its name. So nothing depends on where, when or after what a match is played.
2. Each seat has a bot of its own, made for this match. A team's answers and decisions are asked of
   its speaker. The lifecycle calls come in the order of a table's, before the next question.
3. A bot that fails to be made loses the match, as one that is late does (`seated`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from p2ptruco.arena.mark import Mark
from p2ptruco.arena.plan import Fixture, Plan
from p2ptruco.arena.records import CRASH, Fault, Game
from p2ptruco.arena.seated import Forfeit, Ledger, Seated
from p2ptruco.hooks.specs import EVENTS
from p2ptruco.rules.cards import Card
from p2ptruco.rules.hand import Hand, Kind, Phase
from p2ptruco.rules.match import Match
from p2ptruco.rules.play import audience, show, speaker
from p2ptruco.rules.seating import CARDS_EACH, TEAMS, Seat, Slot, Team, seats_at, team_of


@dataclass(frozen=True, slots=True)
class Court:
    """What all matches of a process have in common."""

    plan: Plan
    makes: Sequence[Callable[[], Any]]
    """What makes an entrant's bots, by entrant."""
    names: Sequence[str]
    """The entrants', all different."""
    mark: Mark
    times: dict[int, list[int]] = field(default_factory=dict)
    """How many nanoseconds each decision took, by entrant, since somebody emptied it."""
    shown: dict[tuple[Kind, Team | None], list[list[Slot]]] = field(default_factory=dict)
    """Seat by seat the slots that it may see, by the kind of hand and the special team."""

    def ledger(self, entrant: int) -> Ledger:
        """The entrant's for one match."""
        times = self.times.setdefault(entrant, [])
        return Ledger(entrant, self.plan.budget_ms, self.mark, times)


def play_match(court: Court, fixture: Fixture) -> Game:
    """The match of a fixture."""
    match = _Match(court, fixture)
    try:
        match.sit_down()
        match.play()
    except Forfeit as forfeit:
        winner = fixture.other(forfeit.entrant)
        return Game(fixture, winner, (0, 0), 0, forfeit.kind, match.faults)
    return Game(fixture, match.winner, match.points, match.hands, "", match.faults)


class _Match:
    """A match under way."""

    def __init__(self, court: Court, fixture: Fixture) -> None:
        self.court, self.fixture = court, fixture
        self.hands = 0
        self._ledgers = {e: court.ledger(e) for e in (fixture.a, fixture.b)}
        self._chance = random.Random(f"{court.plan.seed}/{fixture.pair}")
        dealer = Seat(self._chance.randrange(court.plan.seats))
        self._match = Match(court.plan.variant, court.plan.seats, dealer)
        self._scored = [0, 0]
        self._seats: list[Seated] = []
        self._hearers: dict[str, list[Seated]] = {}

    @property
    def winner(self) -> int:
        """The entrant that has won."""
        assert self._match.winner is not None
        return self.fixture.entrant(self._match.winner)

    @property
    def points(self) -> tuple[int, int]:
        """Scored by entrant a and by entrant b."""
        leg = self.fixture.leg
        return self._scored[leg], self._scored[1 - leg]

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What both did wrong."""
        return tuple([fault for one in self._ledgers.values() for fault in one.faults.values()])

    def sit_down(self) -> None:
        """Make a bot for every seat."""
        court = self.court
        seats = seats_at(court.plan.seats)
        names = tuple([court.names[self.fixture.entrant(team_of(seat))] for seat in seats])
        for seat in seats:
            entrant = self.fixture.entrant(team_of(seat))
            ledger = self._ledgers[entrant]
            seed = f"{court.plan.seed}/{self.fixture.pair}/{seat}/{court.names[entrant]}"
            make = court.makes[entrant]
            seated = ledger.call(partial(_seat, make, seat, ledger, seed, names))
            if seated is None:
                raise Forfeit(entrant, CRASH)
            self._seats.append(seated)
        for event in EVENTS:
            self._hearers[event] = [seated for seated in self._seats if event in seated.hears]

    def play(self) -> None:
        """Hand after hand until a team has won."""
        while self._match.winner is None:
            hand = self._match.hand()
            dealt = len(self._seats) * CARDS_EACH + hand.variant.has_vira
            over = self._play_hand(hand, self._chance.sample(hand.variant.deck, dealt))
            self._close(over)

    def _play_hand(self, hand: Hand, cards: Sequence[Card]) -> Hand:
        """A hand from its first event to its result; `cards` are the faces of its slots."""
        self._show_own(hand, cards)
        hand = _shown(hand, cards)
        self._open(hand)
        seats, tricks = self._seats, 0
        while hand.result is None:
            seat = speaker(hand)
            assert seat is not None
            hand = seats[seat].decide(hand, self._match)
            if hand.phase is Phase.SHOWING:
                hand = _shown(hand, cards)
            if len(hand.tricks) > tricks:
                tricks += 1
                self._tell("trick_done", hand)
        return hand

    def _show_own(self, hand: Hand, cards: Sequence[Card]) -> None:
        """Give every seat the faces that it may see of cards in hand: they stay the same."""
        for seated, slots in zip(self._seats, self._entitled(hand), strict=True):
            seated.deal({slot: cards[slot] for slot in slots})

    def _entitled(self, hand: Hand) -> Sequence[Sequence[Slot]]:
        """Seat by seat the slots that it may see; the same in every hand of a kind."""
        kind, shown = (hand.kind, hand.special), self.court.shown
        if kind not in shown:
            shown[kind] = [[] for _ in self._seats]
            for place in range(len(self._seats) * CARDS_EACH):
                for seat in audience(hand, Slot(place)):
                    shown[kind][seat].append(Slot(place))
        return shown[kind]

    def _open(self, hand: Hand) -> None:
        if self.hands == 0:
            self._tell("match_started", hand)
        self._tell("hand_started", hand)

    def _close(self, hand: Hand) -> None:
        self._match = match = self._match.after(hand)
        for team in TEAMS:
            self._scored[team] += match.score[team] - hand.score[team]
        self.hands += 1
        for seated in self._seats:
            seated.past = (*seated.past, hand)
        self._tell("hand_done", hand)
        if match.winner is not None:
            self._tell("match_done", hand)

    def _tell(self, event: str, hand: Hand) -> None:
        for seated in self._hearers[event]:
            seated.hear(event, hand, self._match)


def _seat(
    make: Callable[[], Any], seat: Seat, ledger: Ledger, seed: str, names: tuple[str, ...]
) -> Seated:
    return Seated(seat, make(), ledger, seed, names)


def _shown(hand: Hand, cards: Sequence[Card]) -> Hand:
    """The hand once the table has seen the face that it waits for, if it does."""
    slot = hand.awaited
    return hand if slot is None else show(hand, slot, cards[slot])
