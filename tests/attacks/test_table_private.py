"""Cards in private frames: whoever may not see them does not look, good ones though they are.

Gain: opponents, or partners in an ordinary hand, show one another their cards through honest
programs, which then play on what they were shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import pytest

from p2ptruco.net.session import partners
from p2ptruco.players.offload import in_thread
from p2ptruco.rules.hand import Kind
from p2ptruco.rules.moves import Move
from p2ptruco.rules.play import legal
from p2ptruco.rules.seating import Seat, owner_of, slots_of
from p2ptruco.table.entries import Position
from p2ptruco.table.private import Cards
from p2ptruco.table.steps.playing import Choosing, Game
from tests.kit.court import TO_IRON, cards_only
from tests.kit.minds import SHORT
from tests.kit.opendeck import open_deck
from tests.kit.party import Party, Peer


@pytest.fixture(autouse=True)
def _open() -> Iterator[None]:
    with open_deck():
        yield


def first(game: Game, seat: Seat, rng: object) -> Move:
    """The first card, and every special hand."""
    return legal(game.hand, seat)[0]


def reach(kind: Kind) -> tuple[Party, Game]:
    """A party of four in its first hand of a kind, cards dealt to all, none laid."""
    variant, choose = (TO_IRON, cards_only) if kind is Kind.IRON else (SHORT, first)
    party = Party(variant, 4, 1, choose)

    def dealt() -> bool:
        open_steps = [peer.table.open for peer in party.peers]
        same = len({here[:2] for here in open_steps}) == 1
        phase = open_steps[0].phase
        return same and isinstance(phase, Choosing) and phase.game.hand.kind is kind

    party.play(until=dealt)
    phase = party.peers[0].table.open.phase
    assert isinstance(phase, Choosing)
    return party, phase.game


def shown(peer: Peer, game: Game) -> bytes:
    """This seat's good tokens of its own three cards, due to somebody or not."""
    return peer.keeper._release(game, slots_of(peer.seat))


@pytest.mark.parametrize("kind", Kind)
def test_private_frame_read_by_an_opponent(kind: Kind) -> None:
    """In each kind of hand each seat gets each other's good tokens: partners of the team that
    decides a special hand take them, nobody else does, and nobody sees a card more."""
    party, game = reach(kind)
    for sender, reader in permutations(party.peers, 2):
        before = reader.keeper.sees(game)
        deciding = game.hand.special == sender.seat % 2 == reader.seat % 2
        due = kind is Kind.SPECIAL and deciding
        assert reader.keeper.from_partner(game, sender.seat, shown(sender, game)) == due
        more = {owner_of(slot) for slot in reader.keeper.sees(game).keys() - before.keys()}
        assert more == ({sender.seat} if due else set())


def test_private_cards_of_a_hand_that_is_over() -> None:
    """The same good tokens when the key is already that of another hand."""
    party, game = reach(Kind.SPECIAL)
    sender = next(peer for peer in party.peers if peer.keeper.for_partners(game))
    reader = party.peers[(sender.seat + 2) % 4]
    blob = shown(sender, game)
    reader.keeper.drop()
    assert not reader.keeper.from_partner(game, sender.seat, blob)
    fresh = Party(SHORT, 4, 2, first).play(60)
    reader.keeper._held = fresh.peers[reader.seat].keeper._held
    assert reader.keeper._held is not None
    assert not reader.keeper.from_partner(game, sender.seat, blob)
    assert reader.keeper._held.partners == {}


async def test_private_cards_of_the_next_hand_wait_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A partner that is a step ahead shows its cards early: they are not spent on this hand.
    Gain, for whoever can delay one link: a partner who decides blind."""
    taken: list[int] = []
    take = SimpleNamespace(from_partner=lambda game, seat, blob: taken.append(seat) or True)
    local: Any = SimpleNamespace(seat=Seat(0), keeper=take, stir=lambda: None, offload=in_thread)
    nothing: Any = None
    table: Any = SimpleNamespace(agreement=SimpleNamespace(identities=tuple(range(4))))
    ours = partners.Partners(nothing, table, local)
    here = Position(3, 0, 0)
    game = SimpleNamespace(joint=SimpleNamespace(context=here))
    monkeypatch.setattr(partners, "game_of", lambda table: game)
    await ours.hear(Seat(2), Cards(bytes(32), 0, 4, 0, bytes(160)))
    assert taken == []
    game.joint.context = Position(4, 0, 0)
    await ours.look()
    assert taken == [2]
