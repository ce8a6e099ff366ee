"""The game of `play` as small ints that change in place, for whoever plays millions of hands.

1. It is the same game: a test holds it equal to `legal`, `speaker` and `act` over every toggle and
   size. The rules are defined there, not here.
2. It knows every card, so it never stands behind a table: it is for search, training and measuring.
3. A move is a code of `codes`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from p2ptruco.rules.cards import Card
from p2ptruco.rules.codes import (
    ACCEPT,
    ANSWERS,
    ANSWERS_AT_THE_TOP,
    CALL,
    DECISIONS,
    FOLD,
    PLAY_ON,
    RUN,
    turns,
)
from p2ptruco.rules.hand import Hand, Phase, unplayed
from p2ptruco.rules.options import AllTied, CallInSpecial, PartnersTie
from p2ptruco.rules.seating import CARDS_EACH, Slot, seats_at, team_of
from p2ptruco.rules.tricks import UNSEEN, strengths, strongest, taker
from p2ptruco.rules.variant import Variant

PLAYING, ANSWERING, DECIDING, OVER = range(4)
KINDS = NORMAL, SPECIAL, IRON = range(3)

NOBODY: Final = -1
"""In the place of a team: a tied trick, a hand that nobody has won."""

_PHASES: Final = {
    Phase.PLAYING: PLAYING,
    Phase.ANSWERING: ANSWERING,
    Phase.DECIDING: DECIDING,
    Phase.OVER: OVER,
}


class FastRules:
    """What a variant and a size come to in ints, made once and shared by all hands."""

    def __init__(self, variant: Variant, players: int) -> None:
        if players not in variant.players:
            raise ValueError(f"{variant.name} is not for {players} players")
        self.variant, self.players = variant, players
        self.deck = variant.deck
        self.dealt = players * CARDS_EACH + variant.has_vira
        self.steps = variant.scale.steps
        self.top = len(self.steps) - 1
        self.target, self.special_at = variant.target, variant.special_at
        self.special_decision = variant.special_decision
        self.forfeit = variant.call_in_special is CallInSpecial.FORFEIT
        self.mates_win = variant.partners_tie is PartnersTie.TRICK
        self.all_tied = variant.all_tied
        viras = variant.deck if variant.has_vira else (None,)
        self.strength = [[strengths(variant, vira)[card] for card in self.deck] for vira in viras]
        """By the vira's place in the deck (0 without one), then by the card's."""
        self.menus = [
            [_menus(variant, kind, trick) for trick in range(CARDS_EACH)] for kind in KINDS
        ]
        """By kind of hand, trick, then the cards left as bits, and above them whether to call."""
        self.ceiling = (self.top, self.top + 1 if self.forfeit else 0, 0)
        """The step below which a call may be made, by kind of hand."""

    def deal(self, cards: Sequence[int], dealer: int, score: tuple[int, int]) -> FastHand:
        """A hand before its first move; `cards`: places in the deck by slot, the vira's last."""
        vira = cards[-1] if self.variant.has_vira else 0
        return FastHand(self, cards, self.strength[vira], dealer, score)

    def resume(self, hand: Hand, faces: Mapping[Slot, Card]) -> FastHand:
        """A hand as it stands, with the faces of the seats' slots that are not on the table.

        ValueError while the hand waits for a face, or a face is not given.
        """
        if hand.phase not in _PHASES:
            raise ValueError("the hand waits for a face")
        left = [unplayed(hand, seat) for seat in seats_at(self.players)]
        missing = [slot for slots in left for slot in slots if slot not in faces]
        if missing:
            raise ValueError(f"no card for slot {missing[0]}")
        place = self.deck.index
        slots = map(Slot, range(self.players * CARDS_EACH))
        cards = [place(faces[slot]) if slot in faces else 0 for slot in slots]
        vira = 0 if hand.vira is None else place(hand.vira)
        fast = FastHand(self, cards, self.strength[vira], hand.dealer, hand.score)
        fast.left = [sum(1 << slot % CARDS_EACH for slot in slots) for slots in left]
        fast.take_over(hand)
        return fast


def _menus(variant: Variant, kind: int, trick: int) -> tuple[tuple[int, ...], ...]:
    since = variant.face_down_from
    hide = since is not None and trick + 1 >= since and kind != IRON
    return turns(hide=hide, fold=variant.fold and kind != IRON)


class FastHand:
    """A hand in play."""

    __slots__ = (
        "best",
        "caller",
        "cards",
        "ceiling",
        "closed",
        "dealer",
        "first",
        "holder",
        "kind",
        "laid",
        "lead",
        "left",
        "menus",
        "phase",
        "points",
        "rules",
        "score",
        "side",
        "special",
        "step",
        "strength",
        "trick",
        "turn",
        "winner",
    )

    def __init__(
        self,
        rules: FastRules,
        cards: Sequence[int],
        strength: Sequence[int],
        dealer: int,
        score: tuple[int, int],
    ) -> None:
        self.rules, self.cards, self.strength = rules, cards, strength
        """The place in the deck of the card in each slot, and what each place is worth."""
        self.dealer, self.score = dealer, score
        self.left = [7] * rules.players
        """Which of its three places a seat has not laid yet, as bits."""
        self.lead = self.turn = (dealer + 1) % rules.players
        self.trick = self.laid = 0
        """Tricks finished, and cards laid in the one in progress."""
        self.best = UNSEEN
        self.holder = self.side = NOBODY
        """Of the trick in progress: the best strength, who laid it first, the team it is of."""
        self.first = NOBODY
        """The team that won the first trick."""
        self.step = 0
        self.caller = self.closed = NOBODY
        """Who called last, and the team that may not call: its own."""
        self.winner = NOBODY
        self.points = 0
        near, theirs = score[0] >= rules.special_at, score[1] >= rules.special_at
        self.kind = kind = near + theirs
        self.menus, self.ceiling = rules.menus[kind], rules.ceiling[kind]
        self.phase, self.special = PLAYING, NOBODY
        if kind == SPECIAL:
            self.special = 0 if near else 1
            if rules.special_decision:
                self.phase = DECIDING
            else:
                self.step = 1

    def copy(self) -> FastHand:
        """Another hand that stands the same; the cards are shared, they do not change."""
        twin = FastHand.__new__(FastHand)
        twin.rules, twin.cards, twin.strength = self.rules, self.cards, self.strength
        twin.dealer, twin.score, twin.left = self.dealer, self.score, self.left[:]
        twin.lead, twin.turn, twin.trick, twin.laid = self.lead, self.turn, self.trick, self.laid
        twin.best, twin.holder, twin.side = self.best, self.holder, self.side
        twin.first, twin.step = self.first, self.step
        twin.caller, twin.closed = self.caller, self.closed
        twin.phase, twin.special, twin.kind = self.phase, self.special, self.kind
        twin.menus, twin.ceiling = self.menus, self.ceiling
        twin.winner, twin.points = self.winner, self.points
        return twin

    def take_over(self, hand: Hand) -> None:
        """Stand where another hand does; the cards left are the caller's to say."""
        self.phase, self.step = _PHASES[hand.phase], hand.step
        if hand.caller is not None:
            self.caller, self.closed = hand.caller, team_of(hand.caller)
        self.trick, self.laid = len(hand.tricks), len(hand.table)
        self.lead = hand.leader
        self.turn = (self.lead + self.laid) % hand.players
        if hand.tricks and hand.tricks[0].winner is not None:
            self.first = hand.tricks[0].winner
        if hand.table:
            best = strongest(hand.variant, hand.vira, hand.table)
            card, team = best[0].card, taker(hand.variant, hand.vira, hand.table)
            self.best = UNSEEN if card is None else strengths(hand.variant, hand.vira)[card]
            self.holder, self.side = best[0].seat, NOBODY if team is None else team
        if hand.result is not None:
            self.winner = NOBODY if hand.result.winner is None else hand.result.winner
            self.points = hand.result.points

    def seat(self) -> int:
        """Whose word it is: the speaker of the seats that are asked."""
        if self.phase == PLAYING:
            return self.turn
        players = self.rules.players
        if self.phase == ANSWERING:
            return (self.caller + 1) % players
        after = (self.dealer + 1) % players
        return after if after % 2 == self.special else (after + 1) % players

    def legal(self) -> tuple[int, ...]:
        """What that seat may do, in the order of `turns.legal`; () once the hand is over."""
        if self.phase == PLAYING:
            turn = self.turn
            call = self.step < self.ceiling and turn & 1 != self.closed
            return self.menus[self.trick][self.left[turn] | call << 3]
        if self.phase == ANSWERING:
            return ANSWERS if self.step + 1 < self.ceiling else ANSWERS_AT_THE_TOP
        return DECISIONS if self.phase == DECIDING else ()

    def act(self, code: int) -> None:
        """Make a legal move of the seat whose word it is."""
        if code < CALL:
            self._lay(code)
        elif code == CALL:
            self._call()
        elif code == ACCEPT:
            self.step += 1
            self.phase = PLAYING
        elif code == PLAY_ON:
            self.step = 1
            self.phase = PLAYING
        elif code == FOLD:
            self._end(1 - (self.turn & 1))
        elif code == RUN:
            self._end(self.closed)
        else:
            self._end(1 - self.special)

    def _call(self) -> None:
        if self.kind == SPECIAL:
            rival = 1 - (self.turn & 1)
            self._end(rival)
            self.points = self.rules.target - self.score[rival]
            return
        if self.phase == ANSWERING:
            self.caller = (self.caller + 1) % self.rules.players
            self.step += 1
        else:
            self.caller = self.turn
            self.phase = ANSWERING
        self.closed = self.caller & 1

    def _lay(self, code: int) -> None:
        seat = self.turn
        if code < CARDS_EACH:
            self.left[seat] ^= 1 << code
            strength = self.strength[self.cards[seat * CARDS_EACH + code]]
        else:
            self.left[seat] ^= 1 << code - CARDS_EACH
            strength = UNSEEN
        if not self.laid or strength > self.best:
            self.best, self.holder, self.side = strength, seat, seat & 1
        elif strength == self.best and (self.side != seat & 1 or not self.rules.mates_win):
            self.side = NOBODY
        self.laid += 1
        players = self.rules.players
        if self.laid == players:
            self._finish()
        else:
            self.turn = seat + 1 if seat + 1 < players else 0

    def _finish(self) -> None:
        """End the trick, and the hand if that decides it."""
        won, trick = self.side, self.trick
        self.laid, self.trick = 0, trick + 1
        self.turn = self.lead = self.holder
        if trick == 0:
            self.first = won
        elif trick == 1:
            if self.first == NOBODY:
                if won != NOBODY:
                    self._end(won)
            elif won in (NOBODY, self.first):
                self._end(self.first)
        elif won != NOBODY or self.first != NOBODY:
            self._end(self.first if won == NOBODY else won)
        else:
            self._all_tied()

    def _all_tied(self) -> None:
        if self.rules.all_tied is AllTied.NOBODY:
            self.phase = OVER
        elif self.rules.all_tied is AllTied.DEALER:
            self._end(self.dealer & 1)
        else:
            self._end(1 - (self.dealer & 1))

    def _end(self, winner: int) -> None:
        self.phase, self.winner, self.points = OVER, winner, self.rules.steps[self.step]
