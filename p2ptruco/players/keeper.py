"""The keys of one seat: pays every duty, opens what the seat may see.

Laws:
1. A key lives for one hand. It is drawn to be committed to and dropped when the hand is over.
2. An offline part is drawn after the keys are open, used once, and never leaves memory.
3. Nothing here decides anything, and nothing of it is ever shown: no repr, no pickle.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..mental import keys, shuffle, tokens
from ..mental.chance import Source
from ..mental.deck import start_deck
from ..mental.group import Point
from ..mental.keys import KeyPair
from ..mental.refused import Refused
from ..mental.shuffle import Offline
from ..rules.cards import Card
from ..rules.moves import Move, Play
from ..rules.play import audience
from ..rules.seating import Seat, Slot, owner_of, slots_of
from ..table.dealing import Committing, Opening, Readying, Shuffling
from ..table.entries import Commit, Content, Lay, Ready, Reveal, Say, Shuffle, Tokens
from ..table.entries import Open as OpenKeys
from ..table.phases import Phase
from ..table.playing import (
    SAID,
    Game,
    Revealing,
    Tokening,
    batches,
    partners_batches,
)
from ..table.sealing import Sealing
from ..table.violation import BrokenTable

WORDS: Mapping[Move, str] = {move: word for word, move in SAID.items()}


class Keeper:
    """Holds a seat's secrets of the hand under way."""

    def __init__(self, seat: Seat, source: Source) -> None:
        self.seat = seat
        self._source = source
        self._keys: KeyPair | None = None
        self._offline: Offline | None = None
        self._partners: dict[Slot, Point] = {}
        self._seen: dict[Slot, Card] = {}

    def __repr__(self) -> str:
        return f"Keeper(seat={self.seat})"

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("keys do not leave their process")

    def pay(self, phase: Phase) -> Content:
        """The content that `phase` asks of this seat as a duty; heavy."""
        match phase:
            case Committing():
                return self._commit(phase)
            case Opening():
                context = phase.deal.context
                return OpenKeys(keys.open_keys(context, self.seat, self._held, self._source))
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
        """A choice as an entry's content; an open card brings its token."""
        if not isinstance(move, Play):
            return Say(WORDS[move])  # type: ignore[arg-type]
        token = b"" if move.face_down else self._release(game, (move.slot,))
        return Lay(move.slot, move.face_down, token)

    def prepare(self, phase: Phase) -> None:
        """Draw the offline part while others shuffle; harmless to skip, heavy."""
        if isinstance(phase, Shuffling) and self._offline is None and phase.turn <= self.seat:
            cards = len(phase.deal.cards)
            self._offline = shuffle.prepare(phase.joint, self.seat, cards, self._source)

    def drop(self) -> None:
        """The hand is over: forget every secret of it."""
        self._keys = self._offline = None
        self._partners, self._seen = {}, {}

    # Seeing.

    def sees(self, game: Game) -> dict[Slot, Card]:
        """The faces this seat may see that are not on the table for all: its own, partners'."""
        keys, seen, mates = self._keys, self._seen, self._partners
        for slot, published in game.opened.items():
            owner = owner_of(slot)
            lacks_owner = owner not in published and len(published) == game.players - 1
            if keys is None or slot in seen or not lacks_owner:
                continue
            mine = owner == self.seat
            missing = tokens.own(keys, game.deck, slot) if mine else mates.get(slot)
            if missing is None:
                continue
            index = tokens.face(game.deck, slot, [*published.values(), missing])
            if index is None:
                raise BrokenTable(f"slot {slot} shows no card though every proof holds")
            seen[slot] = game.hand.variant.deck[index]
        return dict(seen)

    def for_partners(self, game: Game) -> dict[Seat, bytes]:
        """In a special hand: what to send to each partner, privately."""
        owed = partners_batches(game.hand, self.seat)
        if not owed:
            return {}
        blob = self._release(game, slots_of(self.seat))
        return dict.fromkeys(owed, blob)

    def has_partners(self, game: Game) -> bool:
        """Whether every partner's cards that this seat may see are open to it."""
        return all(
            slots_of(mate)[0] in self._partners for mate in partners_batches(game.hand, self.seat)
        )

    def from_partner(self, game: Game, partner: Seat, blob: bytes) -> bool:
        """Take a partner's tokens; False if they are not due or do not hold."""
        slots = slots_of(partner)
        if partner == self.seat or self.seat not in audience(game.hand, slots[0]):
            return False
        try:
            points = tokens.check(game.joint, partner, game.deck, slots, blob)
        except Refused:
            return False
        self._partners.update(zip(slots, points, strict=True))
        return True

    # Paying.

    @property
    def _held(self) -> KeyPair:
        assert self._keys is not None, "no key is held"
        return self._keys

    def _commit(self, phase: Committing) -> Commit:
        self.drop()
        self._keys = keys.draw(self._source)
        return Commit(keys.commit(phase.context, self.seat, self._keys))

    def _shuffle(self, phase: Shuffling) -> Shuffle:
        self.prepare(phase)
        offline, self._offline = self._offline, None
        assert offline is not None
        before = phase.shuffles[-1] if phase.shuffles else start_deck(phase.deal.cards)
        deck, proof = shuffle.shuffle(offline, before, self._source)
        return Shuffle(deck, proof)

    def _tokens(self, phase: Tokening) -> Tokens:
        joint, deck, mine = phase.joint, phase.deck, self._held
        return Tokens(
            tuple(
                tokens.release(joint, self.seat, mine, deck, slots, self._source)
                for slots in batches(phase.hand, self.seat)
            )
        )

    def _release(self, game: Game, slots: tuple[Slot, ...]) -> bytes:
        return tokens.release(game.joint, self.seat, self._held, game.deck, slots, self._source)
