"""A dealt hand: tokens, then choices, and in a blind hand the tokens that open a play.

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
from ...mental.tokens import PROOF_SIZE
from ...rules.hand import Hand, How
from ...rules.moves import ACCEPT, CALL, FOLD, PLAY_ON, REFUSE, RUN, Move, Play
from ...rules.play import IllegalMove, act, audience, awaited, lose, show, speaker
from ...rules.seating import Seat, Slot, owner_of, slots_of, team_of, vira_slot
from ..entries import Content, Lay, Reveal, Say, Tokens
from ..violation import BrokenTable
from .phases import Choice, Duty, Fault, Needs, Phase, Ruling, everyone, fault

SAID: Mapping[str, Move] = {
    "call": CALL,
    "accept": ACCEPT,
    "run": RUN,
    "fold": FOLD,
    "play": PLAY_ON,
    "refuse": REFUSE,
}

Rulings = Mapping[Seat, Ruling]
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
class Tokening(Phase):
    """Every seat publishes its tokens for the others' cards and the vira, at once."""

    joint: Joint
    deck: Deck
    hand: Hand


@dataclass(frozen=True, slots=True)
class Choosing(Phase):
    """One seat speaks: a play, a call, an answer, a decision."""

    game: Game

    @property
    def speaker(self) -> Seat:
        seat = speaker(self.game.hand)
        assert seat is not None
        return seat


@dataclass(frozen=True, slots=True)
class Revealing(Phase):
    """A card was laid blind: every other seat owes its token for exactly that slot."""

    game: Game
    slot: Slot


@dataclass(frozen=True, slots=True)
class Played(Phase):
    """A hand that has a result."""

    hand: Hand


def advance(game: Game) -> Revealing | Choosing | Played:
    """Where a game stands, after every slot that all seats opened is shown."""
    slot = awaited(game.hand)
    if slot is not None and len(game.opened.get(slot, {})) < game.players:
        return Revealing(game, slot)
    if slot is not None:
        card = game.hand.variant.deck[game.face(slot)]
        return advance(replace(game, hand=show(game.hand, slot, card)))
    return Played(game.hand) if game.hand.result else Choosing(game)


# Tokens.


def owed_tokens(phase: Tokening) -> Needs:
    return everyone(phase.hand.players, "tokens")


def given(phase: Tokening, seat: Seat, content: Tokens) -> Ruling:
    """The seat's token for each slot that it owes."""
    owed = batches(phase.hand, seat)
    if len(content.batches) != len(owed):
        return Fault("bad_token", seat)
    by_slot: dict[Slot, Point] = {}
    try:
        for slots, blob in zip(owed, content.batches, strict=True):
            points = tokens.check(phase.joint, seat, phase.deck, slots, blob)
            by_slot.update(zip(slots, points, strict=True))
    except Refused as refused:
        return fault(refused, "bad_token", seat)
    return by_slot


def begun(phase: Tokening, rulings: Rulings) -> Phase:
    """The hand, with what its tokens open."""
    return advance(Game(phase.joint, phase.deck, phase.hand, {}).with_tokens(rulings))


# Choices.


@dataclass(frozen=True, slots=True)
class Chosen:
    """A legal move, and the token that an open card brings."""

    move: Move
    tokens: Mapping[Slot, Point]


def owed_choice(phase: Choosing) -> Needs:
    return {phase.speaker: Choice(phase.speaker)}


def chosen(phase: Choosing, seat: Seat, content: Lay | Say) -> Ruling:
    """A `Chosen`."""
    move = move_of(content)
    try:
        act(phase.game.hand, seat, move)
    except IllegalMove:
        return Fault("illegal_move", seat)
    if not isinstance(content, Lay):
        return Chosen(move, {})
    return _token(phase.game, seat, content, move)


def _token(game: Game, seat: Seat, lay: Lay, move: Move) -> Ruling:
    """Exactly an open card carries its owner's token."""
    slot = Slot(lay.slot)
    if lay.face_down:
        return Fault("bad_token", seat) if lay.token else Chosen(move, {})
    try:
        (point,) = tokens.check(game.joint, seat, game.deck, (slot,), lay.token)
    except Refused as refused:
        return fault(refused, "bad_token", seat)
    return Chosen(move, {slot: point})


def acted(phase: Choosing, rulings: Rulings) -> Phase:
    """The hand after a move."""
    said: Chosen = rulings[phase.speaker]
    game = phase.game.with_tokens({phase.speaker: said.tokens})
    return advance(replace(game, hand=act(game.hand, phase.speaker, said.move)))


def conceded(phase: Choosing) -> Played:
    """The hand, lost by the speaker's illegal move."""
    return Played(lose(phase.game.hand, team_of(phase.speaker), How.ILLEGAL))


# Blind cards.


def owed_reveals(phase: Revealing) -> Needs:
    owner = owner_of(phase.slot)
    seats = map(Seat, range(phase.game.players))
    return {seat: Duty("reveal") for seat in seats if seat != owner}


def revealed(phase: Revealing, seat: Seat, content: Reveal) -> Ruling:
    """The seat's token for the slot."""
    game = phase.game
    try:
        (point,) = tokens.check(game.joint, seat, game.deck, (phase.slot,), content.token)
    except Refused as refused:
        return fault(refused, "bad_token", seat)
    return {phase.slot: point}


def turned(phase: Revealing, rulings: Rulings) -> Phase:
    """The hand with the card shown."""
    return advance(phase.game.with_tokens(rulings))


def tokens_of(content: Content) -> int:
    """How many tokens an entry gives: of a batch that is too short for its proof, none."""
    match content:
        case Tokens(batches=batches):
            return sum(max(0, (len(batch) - PROOF_SIZE) // SIZE) for batch in batches)
        case Reveal():
            return 1
        case Lay(face_down=face_down):
            return int(not face_down)
    return 0


def move_of(content: Lay | Say) -> Move:
    if isinstance(content, Lay):
        return Play(Slot(content.slot), content.face_down)
    return SAID[content.word]
