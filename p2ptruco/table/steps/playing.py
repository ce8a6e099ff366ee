"""A dealt hand: tokens, then choices, and in a blind hand the tokens that open a play.

Laws:
1. `audience` says who may see a slot; the tokens of deal.md §6 make it so. No other line here
   decides what is opened to whom.
2. A token for a slot of one's own leaves only after the tokens step has closed.
3. An open face is B − Σ tokens, never "it decrypts to a valid card": every token is proved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ...mental import tokens
from ...mental.deck import Deck
from ...mental.group import SIZE, Point
from ...mental.keys import Joint
from ...mental.refused import Refused
from ...rules.hand import Hand, How
from ...rules.moves import ACCEPT, CALL, FOLD, PLAY_ON, REFUSE, RUN, Move, Play
from ...rules.play import IllegalMove, act, audience, awaited, lose, show, speaker
from ...rules.seating import Seat, Slot, owner_of, slots_of, team_of, vira_slot
from ..entries import Content, Lay, Reveal, Say, Tokens
from ..violation import BrokenTable
from .phases import Choice, Duty, Fault, Need, NotDue, Over, Phase, Ruling, everyone, fault

SAID: Mapping[str, Move] = {
    "call": CALL,
    "accept": ACCEPT,
    "run": RUN,
    "fold": FOLD,
    "play": PLAY_ON,
    "refuse": REFUSE,
}

Opened = Mapping[Slot, Mapping[Seat, Point]]
"""Slot → seat → its public, proved token."""


@dataclass(frozen=True, slots=True)
class Game:
    """A hand and what has been published to open it."""

    joint: Joint
    deck: Deck
    hand: Hand
    opened: Opened

    @property
    def players(self) -> int:
        return self.hand.players

    def with_tokens(self, more: Mapping[Seat, Mapping[Slot, Point]]) -> Game:
        opened = {slot: dict(by_seat) for slot, by_seat in self.opened.items()}
        for seat, by_slot in more.items():
            for slot, token in by_slot.items():
                opened.setdefault(slot, {})[seat] = token
        return replace(self, opened=opened)

    def face(self, slot: Slot) -> int:
        """The deck index of a slot that all seats opened."""
        index = tokens.face(self.deck, slot, list(self.opened[slot].values()))
        if index is None:
            raise BrokenTable(f"slot {slot} shows no card though every proof holds")
        return index


def batches(hand: Hand, seat: Seat) -> list[tuple[Slot, ...]]:
    """The slots of each batch that `seat` owes in the tokens step (deal.md §6).

    One batch for each other seat whose cards somebody may see, in seat order, then the vira.
    """
    owners = [Seat(other) for other in range(hand.players) if other != seat]
    owed = [slots_of(owner) for owner in owners if audience(hand, slots_of(owner)[0])]
    vira = vira_slot(hand.players)
    return [*owed, (vira,)] if hand.variant.has_vira else owed


def partners_batches(hand: Hand, seat: Seat) -> dict[Seat, tuple[Slot, ...]]:
    """Own slots whose tokens go to a partner in a private frame (special hand).

    To those who may see all of them: one that lies open is everybody's, the others are not.
    """
    mine = slots_of(seat)
    partners = frozenset.intersection(*(audience(hand, slot) for slot in mine)) - {seat}
    return dict.fromkeys(sorted(partners), mine)


@dataclass(frozen=True, slots=True)
class Tokening:
    """Every seat publishes its tokens for the others' cards and the vira, at once."""

    joint: Joint
    deck: Deck
    hand: Hand

    @property
    def needs(self) -> Mapping[Seat, Need]:
        return everyone(self.hand.players, "tokens")

    def rule(self, seat: Seat, content: Content) -> Ruling:
        if not isinstance(content, Tokens):
            raise NotDue
        owed = batches(self.hand, seat)
        if len(content.batches) != len(owed):
            return Fault("bad_token", seat)
        by_slot: dict[Slot, Point] = {}
        try:
            for slots, blob in zip(owed, content.batches, strict=True):
                points = tokens.check(self.joint, seat, self.deck, slots, blob)
                by_slot.update(zip(slots, points, strict=True))
        except Refused as refused:
            return fault(refused, "bad_token", seat)
        return by_slot

    def close(self, rulings: Mapping[Seat, Ruling]) -> Phase | Fault:
        return advance(Game(self.joint, self.deck, self.hand, {}).with_tokens(rulings))


@dataclass(frozen=True, slots=True)
class Choosing:
    """One seat speaks: a play, a call, an answer, a decision."""

    game: Game

    @property
    def speaker(self) -> Seat:
        seat = speaker(self.game.hand)
        assert seat is not None
        return seat

    @property
    def needs(self) -> Mapping[Seat, Need]:
        return {self.speaker: Choice(self.speaker)}

    def rule(self, seat: Seat, content: Content) -> Ruling:
        if not isinstance(content, (Lay, Say)):
            raise NotDue
        move = move_of(content)
        try:
            act(self.game.hand, seat, move)
        except IllegalMove:
            return Fault("illegal_move", seat)
        if not isinstance(content, Lay):
            return Chosen(move, {})
        return self._token(seat, content, move)

    def _token(self, seat: Seat, lay: Lay, move: Move) -> Ruling:
        """Exactly an open card carries its owner's token."""
        slot = Slot(lay.slot)
        if lay.face_down:
            return Fault("bad_token", seat) if lay.token else Chosen(move, {})
        try:
            (point,) = tokens.check(self.game.joint, seat, self.game.deck, (slot,), lay.token)
        except Refused as refused:
            return fault(refused, "bad_token", seat)
        return Chosen(move, {slot: point})

    def close(self, rulings: Mapping[Seat, Ruling]) -> Phase | Fault:
        chosen = rulings[self.speaker]
        game = self.game.with_tokens({self.speaker: chosen.tokens})
        return advance(replace(game, hand=act(game.hand, self.speaker, chosen.move)))

    def conceded(self) -> Played:
        """The hand, lost by the speaker's illegal move."""
        return Played(lose(self.game.hand, team_of(self.speaker), How.ILLEGAL))


@dataclass(frozen=True, slots=True)
class Chosen:
    """A legal move, and the token that an open card brings."""

    move: Move
    tokens: Mapping[Slot, Point]


@dataclass(frozen=True, slots=True)
class Revealing:
    """A card was laid blind: every other seat owes its token for exactly that slot."""

    game: Game
    slot: Slot

    @property
    def needs(self) -> Mapping[Seat, Need]:
        owner = owner_of(self.slot)
        return {
            seat: Duty("reveal") for seat in map(Seat, range(self.game.players)) if seat != owner
        }

    def rule(self, seat: Seat, content: Content) -> Ruling:
        if not isinstance(content, Reveal):
            raise NotDue
        game = self.game
        try:
            (point,) = tokens.check(game.joint, seat, game.deck, (self.slot,), content.token)
        except Refused as refused:
            return fault(refused, "bad_token", seat)
        return {self.slot: point}

    def close(self, rulings: Mapping[Seat, Ruling]) -> Phase | Fault:
        return advance(self.game.with_tokens(rulings))


@dataclass(frozen=True, slots=True)
class Played(Over):
    """A hand that has a result."""

    hand: Hand


def advance(game: Game) -> Phase:
    """The phase in which a game stands, after every slot that all seats opened is shown."""
    slot = awaited(game.hand)
    if slot is not None and len(game.opened.get(slot, {})) < game.players:
        return Revealing(game, slot)
    if slot is not None:
        card = game.hand.variant.deck[game.face(slot)]
        return advance(replace(game, hand=show(game.hand, slot, card)))
    return Played(game.hand) if game.hand.result else Choosing(game)


def tokens_of(content: Content) -> int:
    """How many tokens an entry gives: of a batch that is too short for its proof, none."""
    match content:
        case Tokens(batches=batches):
            return sum(max(0, (len(batch) - tokens.PROOF_SIZE) // SIZE) for batch in batches)
        case Reveal():
            return 1
        case Lay(face_down=face_down):
            return int(not face_down)
    return 0


def move_of(content: Lay | Say) -> Move:
    if isinstance(content, Lay):
        return Play(Slot(content.slot), content.face_down)
    return SAID[content.word]
