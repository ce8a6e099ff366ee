"""What a table has verified, and who may see which card: from its log, never from anybody's cards.

Laws:
1. Only closed steps count: what they hold is verified here, by the table.
2. The proofs of a deal's shuffles are judged together, when the last of them is in.
3. Who sees a card is what the rules say (`audience`). That nobody else does is what was verified.

Source: deal.md §3 to §6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ..rules.hand import Hand
from ..rules.seating import Seat, owner_of, slots_of, vira_slot
from ..rules.turns import audience
from ..table.chain import Step
from ..table.entries import Content, Open, Ready, Shuffle, Tokens
from ..table.steps.playing import tokens_of
from ..table.table import Table
from . import events

KINDS = SIGNATURE, KEY, SHUFFLE, TOKEN = "signatures", "keys", "shuffles", "tokens"


class DeckWatch:
    """Reads the log of a table as it grows."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._begin()
        self._told: events.Deck | None = None

    def _begin(self) -> None:
        self._read = 0
        self._deal = (0, 0)
        """Hand and attempt of the deal that is read."""
        self._done: dict[type[Content], set[Seat]] = {}
        self._counts: Counter[str] = Counter()

    def news(self) -> Iterator[events.Deck]:
        """The deck, if it is not as it was told last."""
        steps = self._table.steps
        if len(steps) < self._read:  # a proof has cut the log
            self._begin()
        for step in steps[self._read :]:
            self._take(step)
        self._read = len(steps)
        deck = self._deck()
        if deck != self._told and self._counts:
            self._told = deck
            yield deck

    def _take(self, step: Step) -> None:
        deal = step.position.hand, step.position.attempt
        if deal != self._deal:
            self._deal, self._done = deal, {}
        for parsed in step.entries:
            content = parsed.body.content
            self._done.setdefault(type(content), set()).add(Seat(parsed.body.seat))
            self._counts[SIGNATURE] += 1
            if isinstance(content, Open):
                self._counts[KEY] += 1
            self._counts[TOKEN] += tokens_of(content)
        if len(self._by(Shuffle)) == self._table.agreement.players and _shuffles(step):
            self._counts[SHUFFLE] += self._table.agreement.players

    def _by(self, kind: type[Content]) -> tuple[Seat, ...]:
        return tuple(sorted(self._done.get(kind, ())))

    def _hand(self) -> Hand | None:
        """The hand of this deal, once its cards are dealt."""
        number, over = self._deal[0], self._table.hands
        if number < len(over):
            return over[number]
        return self._table.hand if self._table.open.position.hand == number else None

    def _deck(self) -> events.Deck:
        table, shuffled, hand = self._table, self._by(Shuffle), self._hand()
        dealt = tuple(sights(hand)) if hand is not None else ()
        cards = len(table.agreement.variant.deck)
        return events.Deck(
            number=self._deal[0],
            cards=cards,
            opened=self._by(Open),
            shuffled=shuffled,
            proved=shuffled if len(shuffled) == table.agreement.players else (),
            ready=self._by(Ready),
            released=self._by(Tokens),
            sights=dealt,
            stock=cards - len(dealt),
            held=events.Checks(**{kind: self._counts[kind] for kind in KINDS}),
        )


def _shuffles(step: Step) -> bool:
    return any(isinstance(parsed.body.content, Shuffle) for parsed in step.entries)


def sights(hand: Hand) -> Iterator[events.Sight]:
    """Who may see the cards of a hand that were dealt, by the rules."""
    seats: Iterable[Seat] = map(Seat, range(hand.players))
    for seat in seats:
        for slot in slots_of(seat):
            yield events.Sight(slot, owner_of(slot), tuple(sorted(audience(hand, slot))))
    if hand.variant.has_vira:
        slot = vira_slot(hand.players)
        yield events.Sight(slot, None, tuple(sorted(audience(hand, slot))))
