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
from typing import Any

from p2ptruco.arena.mark import Mark
from p2ptruco.arena.plan import Fixture, Plan
from p2ptruco.arena.records import CRASH, Game
from p2ptruco.arena.seated import EVENTS, Forfeit, Ledger, Seated
from p2ptruco.arena.times import counted
from p2ptruco.rules.cards import Card
from p2ptruco.rules.hand import Hand, Kind
from p2ptruco.rules.match import Match
from p2ptruco.rules.play import audience, show, speaker
from p2ptruco.rules.seating import CARDS_EACH, TEAMS, Seat, Slot, Team, seats_at, team_of

Makes = Sequence[Callable[[], Any]]
"""What makes an entrant's bots, by entrant."""


def play_match(
    plan: Plan, fixture: Fixture, makes: Makes, names: Sequence[str], mark: Mark
) -> Game:
    """The match of a fixture; `names` are the entrants' and all different."""
    ledgers = {e: Ledger(e, plan.budget_ms, mark) for e in (fixture.a, fixture.b)}
    match = _Match(plan, fixture, ledgers)
    try:
        match.sit_down(makes, names)
        match.play()
    except Forfeit as forfeit:
        return _game(match, fixture.other(forfeit.entrant), forfeit.kind)
    return _game(match, match.winner)


def _game(match: _Match, winner: int, forfeit: str = "") -> Game:
    ledgers = match.ledgers.values()
    a, b = (counted(ledger.times) for ledger in ledgers)
    faults = tuple(fault for ledger in ledgers for fault in ledger.faults.values())
    points, hands = ((0, 0), 0) if forfeit else (match.points, match.hands)
    return Game(match.fixture, winner, points, hands, forfeit, faults, (a, b))


class _Match:
    """A match under way."""

    def __init__(self, plan: Plan, fixture: Fixture, ledgers: dict[int, Ledger]) -> None:
        self.plan, self.fixture, self.ledgers = plan, fixture, ledgers
        self.hands = 0
        self._chance = random.Random(f"{plan.seed}/{fixture.pair}")
        dealer = Seat(self._chance.randrange(plan.seats))
        self._match = Match(plan.variant, plan.seats, dealer)
        self._scored = [0, 0]
        self._seats: list[Seated] = []
        self._hearers: dict[str, list[Seated]] = {}
        self._shown: dict[tuple[Kind, Team | None], list[list[Slot]]] = {}

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

    def sit_down(self, makes: Makes, names: Sequence[str]) -> None:
        """Make a bot for every seat."""
        for seat in seats_at(self.plan.seats):
            entrant = self.fixture.entrant(team_of(seat))
            ledger = self.ledgers[entrant]
            made = ledger.call(makes[entrant])
            if made is None:
                ledger.note(CRASH, "no bot was made")
                raise Forfeit(entrant, CRASH)
            seed = f"{self.plan.seed}/{self.fixture.pair}/{seat}/{names[entrant]}"
            self._seats.append(Seated(seat, made, ledger, seed))
        for event in EVENTS:
            self._hearers[event] = [seated for seated in self._seats if event in seated.hears]

    def play(self) -> None:
        """Hand after hand until a team has won."""
        while self._match.winner is None:
            hand = self._match.hand()
            dealt = self.plan.seats * CARDS_EACH + hand.variant.has_vira
            over = self._play_hand(hand, self._chance.sample(hand.variant.deck, dealt))
            self._close(over)

    def _play_hand(self, hand: Hand, cards: Sequence[Card]) -> Hand:
        """A hand from its first event to its result; `cards` are the faces of its slots."""
        self._show_own(hand, cards)
        if hand.awaited is not None:
            hand = show(hand, hand.awaited, cards[hand.awaited])
        self._open(hand)
        tricks = 0
        while hand.result is None:
            slot = hand.awaited
            if slot is not None:
                hand = show(hand, slot, cards[slot])
            else:
                seat = speaker(hand)
                assert seat is not None
                hand = self._seats[seat].decide(hand, self._match)
            if len(hand.tricks) > tricks:
                tricks += 1
                self._tell("trick_done", hand)
        return hand

    def _show_own(self, hand: Hand, cards: Sequence[Card]) -> None:
        """Give every seat the faces that it may see of cards in hand: they stay the same."""
        for seated, slots in zip(self._seats, self._entitled(hand), strict=True):
            seated.seen = {slot: cards[slot] for slot in slots}

    def _entitled(self, hand: Hand) -> Sequence[Sequence[Slot]]:
        """Seat by seat the slots that it may see; the same in every hand of a kind."""
        kind = hand.kind, hand.special
        if kind not in self._shown:
            shown: list[list[Slot]] = [[] for _ in self._seats]
            self._shown[kind] = shown
            for place in range(len(self._seats) * CARDS_EACH):
                for seat in audience(hand, Slot(place)):
                    shown[seat].append(Slot(place))
        return self._shown[kind]

    def _open(self, hand: Hand) -> None:
        if self.hands == 0:
            self._tell("match_started", hand)
        self._tell("hand_started", hand)

    def _close(self, hand: Hand) -> None:
        self._match = match = self._match.after(hand)
        for team in TEAMS:
            self._scored[team] += match.score[team] - hand.score[team]
        self.hands += 1
        self._tell("hand_done", hand)
        if match.winner is not None:
            self._tell("match_done", hand)

    def _tell(self, event: str, hand: Hand) -> None:
        for seated in self._hearers[event]:
            seated.hear(event, hand, self._match)
