"""When a token may leave: after everybody's READY on one head, after the hand before has ended.

Whoever had a token earlier would see cards of a deck, or at a score, on which others do not agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from unittest import mock

import pytest

from p2ptruco.players import keeper
from p2ptruco.rules.seating import Slot, owner_of
from p2ptruco.table.chain import Step
from p2ptruco.table.entries import Position, Ready
from p2ptruco.table.steps.dealing import Readying, Shuffling
from p2ptruco.table.table import Checked, Table
from tests.kit.court import TO_IRON, cards_only
from tests.kit.opendeck import open_deck
from tests.kit.party import Party, Peer


class Release(NamedTuple):
    """Tokens that a seat made, and its log at that moment."""

    seat: int
    hand: int
    slots: tuple[Slot, ...]
    log: tuple[Step, ...]
    hands: int


@contextmanager
def releases(party: Party) -> Iterator[list[Release]]:
    """Every token that any seat makes, for whomever."""
    made: list[Release] = []
    honest = keeper.tokens.release

    def release(joint, seat, keys, deck, slots, source):  # type: ignore[no-untyped-def]
        table = party.peers[seat].table
        hand = joint.context.hand
        made.append(Release(seat, hand, tuple(slots), tuple(table.steps), len(table.hands)))
        return honest(joint, seat, keys, deck, slots, source)

    with mock.patch.object(keeper.tokens, "release", release):
        yield made


def closed(release: Release, step: int) -> Step | None:
    """This step of the hand, if it is in the log."""
    wanted = Position(release.hand, 0, step)
    return next((one for one in release.log if one.position == wanted), None)


@pytest.mark.parametrize("players", [2, 4, 8])
def test_token_before_ready(players: int) -> None:
    """Gain: a card of a deck that another seat has not verified, or has another version of."""
    with open_deck():
        party = Party(TO_IRON, players, 5, cards_only)
        with releases(party) as made:
            party.play()
    assert {one.hand for one in made} >= {0, 1, 2}
    for one in made:
        ready = closed(one, players + 2)
        assert ready is not None
        assert [parsed.body.seat for parsed in ready.entries] == list(range(players))
        assert all(isinstance(parsed.body.content, Ready) for parsed in ready.entries)
        assert {parsed.body.head for parsed in ready.entries} == {ready.head}


@pytest.mark.parametrize("players", [2, 4, 8])
def test_token_before_the_previous_hand_ended(players: int) -> None:
    """Gain: a look at the next cards while one may still choose what this hand is worth."""
    with open_deck():
        party = Party(TO_IRON, players, 6, cards_only)
        with releases(party) as made:
            party.play()
    assert {one.hand for one in made} >= {0, 1, 2}
    assert all(one.hands == one.hand for one in made)


@pytest.mark.parametrize("players", [2, 4, 8])
def test_own_slot_token_before_the_tokens_step_closed(players: int) -> None:
    """Gain: an opponent's card, before it is agreed which kind of hand this is."""
    with open_deck():
        party = Party(TO_IRON, players, 7, cards_only)
        with releases(party) as made:
            party.play()
    mine = [one for one in made for slot in one.slots if owner_of(slot) == one.seat]
    assert mine
    for one in mine:
        tokens = closed(one, players + 3)
        assert tokens is not None
        assert len(tokens.entries) == players


class Torn(Party):
    """A party that may be in two parts, which do not hear each other."""

    parts: tuple[tuple[Peer, ...], ...] = ()

    def submit(self, peer: Peer, checked: Checked) -> None:
        if peer.table.submit(checked):
            for other in self.peers:
                if other is not peer and self.hears(peer, other):
                    other.inbox.append(checked.parsed.entry)

    def hears(self, one: Peer, other: Peer) -> bool:
        """Whether the two are in one part."""
        return not self.parts or any(one in part and other in part for part in self.parts)

    def heal(self) -> None:
        """The parts meet again: everybody tells what it holds."""
        self.parts = ()
        for peer in self.peers:
            for other in self.peers:
                other.inbox += peer.table.held(Position(0, 0, 0))


def to_its_shuffle(party: Party, cheat: Peer) -> None:
    """Play until this seat is to shuffle, and nothing is under way."""
    party.play(until=lambda: isinstance(cheat.table.open.phase, Shuffling) and cheat.due)
    while waiting := [peer for peer in party.peers if peer.inbox]:
        for peer in waiting:
            if not peer.table.knows(entry := peer.inbox.pop()):
                party.take(peer, entry)
    assert len({peer.table.open[:2] for peer in party.peers}) == 1


def twin(party: Party, peer: Peer) -> Peer:
    """The same seat a second time, where `peer` stands: a cheat with a face for either part."""
    table = Table(party.agreement, party.source)
    for entry in peer.table.held(Position(0, 0, 0)):
        table.submit(table.check(entry))
    return Peer(table, peer.keeper, peer.identity)


def test_deck_sent_differently_to_two_peers() -> None:
    """Gain: each part holds a well-proved deck, and pays with its tokens for slots whose cards are
    the other part's: the shuffler sees a card that nobody meant to show it.

    The READYs of the two parts stand on two heads, so neither has everybody's; no token leaves.
    """
    party = Torn(TO_IRON, 4, 8, cards_only)
    cheat = party.peers[1]
    to_its_shuffle(party, cheat)
    again = twin(party, cheat)
    first, second = party.word_of(cheat), party.word_of(again)
    assert first.body != second.body
    party.peers.append(again)
    party.parts = ((party.peers[0], cheat), (party.peers[2], party.peers[3], again))
    for peer, entry in ((cheat, first), (again, second)):
        peer.said.add(peer.table.open[:2])
        party.take(peer, entry)
    with releases(party) as made:
        party.play()
        assert {type(peer.table.open.phase) for peer in party.parts[1]} == {Readying}
        assert party.peers[2].table.paid, "their part has verified its deck"
        assert not made
        honest = [party.peers[seat] for seat in (0, 2, 3)]
        party.peers = party.peers[:4]
        party.heal()
        party.play()
        assert not made
    for peer in honest:
        (found,) = peer.table.violations
        assert (found.word, found.seat, found.step) == ("equivocation", 1, 3)
