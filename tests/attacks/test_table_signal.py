"""What partners tell each other reaches no opponent: every byte that each process received,
decrypted, is searched."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import pytest
from trio.testing import MockClock

from p2ptruco.net.transport import frames
from p2ptruco.net.transport.channel import Channel
from p2ptruco.players.keeper import Keeper
from p2ptruco.rules.moves import CALL, Move
from p2ptruco.rules.scale import Scale
from p2ptruco.rules.variant import Variant
from p2ptruco.rules.view import View
from p2ptruco.table.private import read_private
from tests.kit.tables_over_links import Evening, Peer

SIGNAL = "eu tenho o zap"
LONG = Variant(name="long", scale=Scale.parse("2,truco:4"), target=6)


def caller(view: View, rng: random.Random) -> Move:
    """Calls whenever it may, accepts, plays every hand: answers and special hands abound."""
    return CALL if CALL in view.legal and not view.pending else view.legal[0]


class Adviser(Peer):
    """A person: presses answers for its team, and signals to its partner."""

    presses = True

    def __init__(self, evening: Evening, seat: int) -> None:
        super().__init__(evening, seat)
        self.mind.advises = True  # type: ignore[misc]
        self.signalled = False

    async def play(self) -> None:
        self.session.talk.signal(SIGNAL)
        await super().play()


@contextmanager
def tapped() -> Iterator[dict[bytes, bytearray]]:
    """Everything that came out of the channels of each process, by its channel key."""
    heard: dict[bytes, bytearray] = defaultdict(bytearray)
    honest = Channel.receive_some

    async def receive_some(channel: Channel) -> bytes:
        data = await honest(channel)
        heard[channel.own] += data
        return data

    with mock.patch.object(Channel, "receive_some", receive_some):
        yield heard


@contextmanager
def shown() -> Iterator[dict[int, set[bytes]]]:
    """The tokens that each seat gave its partner for its own cards, hand by hand."""
    given: dict[int, set[bytes]] = defaultdict(set)
    honest = Keeper.for_partners

    def for_partners(keeper: Keeper, game):  # type: ignore[no-untyped-def]
        owed = honest(keeper, game)
        for blob in owed.values():
            given[keeper.seat] |= {blob[at : at + 32] for at in (0, 32, 64)}
        return owed

    with mock.patch.object(Keeper, "for_partners", for_partners):
        yield given


async def test_opponents_receive_neither_cards_nor_advice_nor_signals(
    autojump_clock: MockClock,
) -> None:
    """Gain: to see a team's six cards in its special hand, or which answer a partner presses."""
    kinds = dict.fromkeys(range(4), Adviser)
    with tapped() as heard, shown() as given:
        evening = Evening(4, kinds, variant=LONG, seed=2, policy=caller, pause=(0.1, 0.3))
        await evening.play()
    assert evening.ending == "played"
    received = {peer.seat: bytes(heard[peer.mesh._leaf.key]) for peer in evening.peers}
    private = {peer.seat: privates(peer) for peer in evening.peers}
    assert any(given.values()), "no special hand was played"
    assert {kind for seat in private for _, kind in private[seat]} == {"Cards", "Advice", "Signal"}
    for seat in range(4):
        assert {sender % 2 for sender, _ in private[seat]} == {seat % 2}
    for seat, tokens in given.items():
        published = {token for token in tokens if on_the_table(evening, token)}
        for other in range(4):
            found = {token for token in tokens - published if token in received[other]}
            partner = other % 2 == seat % 2 and other != seat
            assert found == (tokens - published if partner else set())
    for seat, data in received.items():
        count = data.count(SIGNAL.encode())
        assert count == 1, (seat, count)


def privates(peer: Peer) -> list[tuple[int, str]]:
    """Who sent this peer a private frame, and of which kind."""
    seats = peer.agreement.identities
    return [
        (seats.index(who), type(read_private(frames.unpad(event))).__name__)
        for who, event in peer.session.heard
        if isinstance(event, frames.Private)
    ]


def on_the_table(evening: Evening, token: bytes) -> bool:
    """Whether a token is in the log: its card was played open."""
    return any(token in body for body in evening.peers[0].log)


@pytest.mark.parametrize("size", [2, 4])
async def test_no_private_frame_in_a_hand_without_partners_to_tell(
    size: int, autojump_clock: MockClock
) -> None:
    """With two seats there is no partner, in special hands either."""
    evening = await Evening(size, variant=LONG, seed=1, policy=caller).play()
    kinds = {kind for peer in evening.peers for _, kind in privates(peer)}
    assert kinds == (set() if size == 2 else {"Cards"})
