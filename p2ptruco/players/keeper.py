"""The keys of one seat: pays every duty, opens what the seat may see.

Laws:
1. A key lives for one hand. It is drawn once, to be committed to, and dropped when the hand is
   over. The key of the next hand may be there already, while its deal runs behind the play.
2. An offline part is drawn after the keys are open, used once, and never leaves memory.
3. Nothing here decides anything, and nothing of it is ever shown: no repr, no pickle.
4. Threads come late: whatever is asked for a hand whose key is gone opens nothing and pays
   nothing (`Forgotten`), and no key meets the deck of another hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock

from ..mental import keys, shuffle, tokens
from ..mental.chance import Source
from ..mental.context import Context
from ..mental.deck import start_deck
from ..mental.group import Point
from ..mental.keys import KeyPair
from ..mental.refused import Refused
from ..mental.shuffle import Offline
from ..rules.cards import Card
from ..rules.moves import Move, Play
from ..rules.seating import Seat, Slot, owner_of, slots_of
from ..table.entries import Commit, Content, Lay, Ready, Reveal, Say, Shuffle, Tokens
from ..table.entries import Open as OpenKeys
from ..table.steps.dealing import Committing, Opening, Readying, Shuffling
from ..table.steps.phases import Phase
from ..table.steps.playing import SAID, Game, Revealing, Tokening, batches, partners_batches
from ..table.steps.sealing import Sealing
from ..table.violation import BrokenTable

WORDS: Mapping[Move, str] = {move: word for word, move in SAID.items()}


class Forgotten(Exception):
    """The hand that this was asked for is over: its key is gone."""


@dataclass(slots=True)
class Held:
    """The secrets of one hand, and what they opened."""

    context: Context
    keys: KeyPair = field(repr=False)
    offline: Offline | None = field(default=None, repr=False)
    drawing: Lock = field(default_factory=Lock, repr=False, compare=False)
    partners: dict[Slot, Point] = field(default_factory=dict, repr=False)
    tokens: dict[tuple[Slot, ...], bytes] = field(default_factory=dict, repr=False)
    """Batches of the tokens step that were made beforehand."""
    shown: bytes | None = field(default=None, repr=False)
    """Own tokens as partners get them."""
    seen: dict[Slot, Card] = field(default_factory=dict, repr=False)


class Keeper:
    """Holds a seat's secrets of the hand under way, and of the one after it."""

    def __init__(self, seat: Seat, source: Source) -> None:
        self.seat = seat
        self._source = source
        self._held: Held | None = None
        self._ahead: Held | None = None
        self._drawing = Lock()

    def __repr__(self) -> str:
        return f"Keeper(seat={self.seat})"

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("keys do not leave their process")

    def pay(self, phase: Phase) -> Content:
        """The content that `phase` asks of this seat as a duty; heavy. `Forgotten` if too late."""
        match phase:
            case Committing():
                return self._commit(phase)
            case Opening():
                context = phase.deal.context
                mine = self._of(context).keys
                return OpenKeys(keys.open_keys(context, self.seat, mine, self._source))
            case Shuffling():
                return self._shuffle(phase)
            case Readying():
                return Ready()
            case Tokening():
                return self._tokens(phase)
            case Revealing():
                return Reveal(self._release(phase.game, (phase.slot,)))
            case Sealing():
                return phase.seal
        raise AssertionError(f"no duty in {type(phase).__name__}")

    def say(self, game: Game, move: Move) -> Content:
        """A choice as content; an open card brings its token. `Forgotten` if too late."""
        if not isinstance(move, Play):
            return Say(WORDS[move])  # type: ignore[arg-type]
        token = b"" if move.face_down else self._release(game, (move.slot,))
        return Lay(move.slot, move.face_down, token)

    def prepare(self, phase: Phase) -> None:
        """Draw the offline part while others shuffle; harmless to skip, heavy."""
        if not isinstance(phase, Shuffling) or phase.turn >= self.seat:
            return
        if held := self._find(phase.joint.context):
            self._drawn(held, phase)

    def foresee(self, phase: Readying, slots: tuple[Slot, ...]) -> None:
        """Make a batch of the tokens step beforehand; harmless to skip, heavy. It leaves in that
        step and never before."""
        joint, deck = phase.joint, phase.deck
        held = self._find(joint.context)
        if held is not None and slots not in held.tokens:
            made = tokens.release(joint, self.seat, held.keys, deck, slots, self._source)
            held.tokens[slots] = made

    def turn_to(self, hand: int) -> None:
        """Forget every secret of the hands before this one."""
        kept = [held for held in (self._held, self._ahead) if held and held.context.hand >= hand]
        self._held, self._ahead = (*kept, None, None)[:2]

    def drop(self) -> None:
        """The match is over: forget every secret."""
        self._held = self._ahead = None

    # Seeing.

    def sees(self, game: Game) -> dict[Slot, Card]:
        """The faces this seat may see that are not on the table for all: its own, partners'."""
        held = self._find(game.joint.context)
        if held is None:
            return {}
        for slot, published in game.opened.items():
            owner = owner_of(slot)
            lacks_owner = owner not in published and len(published) == game.players - 1
            if slot in held.seen or not lacks_owner:
                continue
            mine = owner == self.seat
            missing = tokens.own(held.keys, game.deck, slot) if mine else held.partners.get(slot)
            if missing is None:
                continue
            index = tokens.face(game.deck, slot, [*published.values(), missing])
            if index is None:
                raise BrokenTable(f"slot {slot} shows no card though every proof holds")
            held.seen[slot] = game.hand.variant.deck[index]
        return dict(held.seen)

    def for_partners(self, game: Game) -> dict[Seat, bytes]:
        """In a special hand: what to send to each partner, privately; made once. `Forgotten` if too
        late."""
        owed = partners_batches(game.hand, self.seat)
        if not owed:
            return {}
        held = self._of(game.joint.context)
        held.shown = held.shown or self._release(game, slots_of(self.seat))
        return dict.fromkeys(owed, held.shown)

    def has_partners(self, game: Game) -> bool:
        """Whether every partner's cards that this seat may see are open to it."""
        held = self._find(game.joint.context)
        opened = held.partners if held else {}
        owed = partners_batches(game.hand, self.seat)
        return all(slots_of(mate)[0] in opened for mate in owed)

    def from_partner(self, game: Game, partner: Seat, blob: bytes) -> bool:
        """Take a partner's tokens; False if they are not due or do not hold."""
        held, slots = self._find(game.joint.context), slots_of(partner)
        if held is None:
            return False
        if self.seat not in partners_batches(game.hand, partner):
            return False
        try:
            points = tokens.check(game.joint, partner, game.deck, slots, blob)
        except Refused:
            return False
        held.partners.update(zip(slots, points, strict=True))
        return True

    # Paying.

    def _of(self, context: Context) -> Held:
        """The secrets of this hand."""
        held = self._find(context)
        if held is None:
            raise Forgotten
        return held

    def _find(self, context: Context) -> Held | None:
        held = (self._held, self._ahead)
        return next((one for one in held if one and one.context == context), None)

    def _commit(self, phase: Committing) -> Commit:
        """The key of a hand is drawn once, whoever asks: it is the one that was committed to."""
        with self._drawing:
            hand, both = phase.context.hand, (self._held, self._ahead)
            held = self._find(phase.context) or Held(phase.context, keys.draw(self._source))
            before = [one for one in both if one and one.context.hand == hand - 1]
            self._held, self._ahead = (*before, held, None)[:2]
        return Commit(keys.commit(phase.context, self.seat, held.keys))

    def _shuffle(self, phase: Shuffling) -> Shuffle:
        held = self._of(phase.joint.context)
        offline, held.offline = self._drawn(held, phase), None
        before = phase.shuffles[-1] if phase.shuffles else start_deck(phase.deal.cards)
        deck, proof = shuffle.shuffle(offline, before, self._source)
        return Shuffle(deck, proof)

    def _drawn(self, held: Held, phase: Shuffling) -> Offline:
        """The offline part; a thread that asks while another one draws it waits for that one."""
        with held.drawing:
            if held.offline is None:
                cards = len(phase.deal.cards)
                held.offline = shuffle.prepare(phase.joint, self.seat, cards, self._source)
            return held.offline

    def _tokens(self, phase: Tokening) -> Tokens:
        joint, deck = phase.joint, phase.deck
        held = self._of(joint.context)
        return Tokens(
            tuple(
                held.tokens.get(slots)
                or tokens.release(joint, self.seat, held.keys, deck, slots, self._source)
                for slots in batches(phase.hand, self.seat)
            )
        )

    def _release(self, game: Game, slots: tuple[Slot, ...]) -> bytes:
        mine = self._of(game.joint.context).keys
        return tokens.release(game.joint, self.seat, mine, game.deck, slots, self._source)
