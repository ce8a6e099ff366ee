"""What a seat is asked late: after a card lies open, or when a proof has ended the hand."""

from __future__ import annotations

import random
from collections.abc import Mapping

import trio

from p2ptruco.players.keeper import Keeper
from p2ptruco.players.local import LocalSeat
from p2ptruco.rules.cards import Card
from p2ptruco.rules.hand import Kind
from p2ptruco.rules.moves import Play
from p2ptruco.rules.play import legal
from p2ptruco.rules.seating import Slot, owner_of, slots_of
from p2ptruco.rules.variant import Variant
from p2ptruco.table.steps.playing import Choosing, Game, partners_batches
from tests.kit.opendeck import open_deck
from tests.kit.party import Party, Peer
from tests.kit.tables_over_links import SHORT, Mind, uniform


def playing(variant: Variant, kind: Kind, laid: int) -> tuple[Peer, Game]:
    """Somebody who has laid so many cards in a hand of this kind, the first slot open."""
    party = Party(variant, 4, 5, lambda game, seat, rng: legal(game.hand, seat)[0])

    def found() -> bool:
        phase = party.peers[0].table.open.phase
        if not isinstance(phase, Choosing):
            return False
        hand = phase.game.hand
        return hand.kind is kind and len(hand.laid) >= laid

    party.play(until=found)
    phase = party.peers[0].table.open.phase
    assert isinstance(phase, Choosing)
    hand = phase.game.hand
    return party.peers[owner_of(hand.laid[0].slot) if laid else hand.leader], phase.game


def test_nobody_is_sent_the_cards_left_once_one_lies_open() -> None:
    """Gain: everybody may see a card that lies open, so everybody was sent the tokens of all
    three."""
    with open_deck():
        peer, game = playing(SHORT, Kind.NORMAL, 1)
        assert game.hand.laid[0].slot == slots_of(peer.seat)[0]
        assert peer.keeper.for_partners(game) == {}


def test_in_a_special_hand_partners_alone_are_sent_tokens_however_late() -> None:
    """Gain: a seat of the other team asks late, and sees the deciding team's cards."""
    with open_deck():
        _, game = playing(SHORT, Kind.SPECIAL, 2)
        seats = [owner_of(lay.slot) for lay in game.hand.laid]
        assert len({seat % 2 for seat in seats}) == 2
        for seat in seats:
            mates = {(seat + 2) % 4} if game.hand.special == seat % 2 else set()
            assert partners_batches(game.hand, seat).keys() == mates


class Ended(Keeper):
    """Its hand ends while the thread that looks is on its way."""

    scope: trio.CancelScope

    def sees(self, game: Game) -> Mapping[Slot, Card]:  # type: ignore[override]
        self.drop()
        trio.from_thread.run_sync(self.scope.cancel)
        return super().sees(game)


async def test_a_hand_that_ends_while_its_cards_are_looked_at_asks_no_mind() -> None:
    """Gain: the proof sent as the time of an honest seat is up ends its process: the default of
    the rules needs faces, and there are none any more."""
    with open_deck():
        peer, game = playing(SHORT, Kind.NORMAL, 0)
        assert any(isinstance(move, Play) for move in legal(game.hand, peer.seat))
        rng = random.Random(1)
        mind = Mind(uniform, rng, (0.0, 0.0))
        local = LocalSeat(peer.table, peer.seat, peer.identity, mind, rng)
        local.keeper = Ended(peer.seat, peer.table.source)
        local.keeper._held = peer.keeper._held
        with trio.CancelScope() as local.keeper.scope:
            await local.view(game)
        assert local.keeper.scope.cancelled_caught
