"""The identity, non-canonical points and scalars in every place of an entry or a private frame.

Gain: implementations that read two encodings as one value take the same bytes for two histories;
an identity is a key without a secret, a card without a mask, a token that opens nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import replace
from functools import cache

import pytest

from p2ptruco.rules.hand import Kind
from p2ptruco.rules.presets import CORE
from p2ptruco.table.entries import Content, Lay, Open, Reveal, Shuffle, Tokens, parse, write
from p2ptruco.table.steps.dealing import Opening, Shuffling
from p2ptruco.table.steps.order import rule
from p2ptruco.table.steps.phases import Fault, Phase
from p2ptruco.table.steps.playing import Choosing, Revealing, Tokening
from tests.attacks.test_deal_encodings import NO_POINTS, NO_SCALARS
from tests.kit.court import TO_IRON, cards_only
from tests.kit.party import Party, Peer
from tests.kit.remembering import remembering

Bad = tuple[bytes, int]
"""Bytes that hold no value in one place, and which."""
VIRA = replace(CORE["paulista"], players=frozenset({2}))


Place = tuple[str, int]
Spoilt = Callable[[Content], Iterator[tuple[Content, Place]]]


@cache
def standing(kind: type[Phase], seat: int, vira: bool = False) -> tuple[Party, Peer, Content]:
    """A table in such a step with the real deck, whose seat owes there, and what it would say."""
    party = Party(VIRA if vira else TO_IRON, 2, 5, cards_only)
    peer, other = party.peers[seat], party.peers[1 - seat]

    def there() -> bool:
        same = peer.table.open[:2] == other.table.open[:2]
        return same and isinstance(peer.table.open.phase, kind) and peer.due

    with remembering():
        party.play(until=there)
    assert there()
    return party, peer, parse(party.agreement, party.word_of(peer)).body.content


def values(blob: bytes, points: Container[int], others: Container[int] = ()) -> Iterator[Bad]:
    """`blob` with each of its points and scalars (not the `others`) replaced by what is none."""
    for at in range(len(blob) // 32):
        wrong = () if at in others else NO_POINTS if at in points else NO_SCALARS
        for bad in wrong:
            yield blob[: 32 * at] + bad + blob[32 * at + 32 :], at


def opening(content: Content) -> Iterator[tuple[Content, Place]]:
    assert isinstance(content, Open)
    for blob, at in values(content.opening, {0}, others={1}):
        yield Open(blob), ("opening", at)


def shuffled(content: Content) -> Iterator[tuple[Content, Place]]:
    assert isinstance(content, Shuffle)
    for blob, at in values(content.deck, range(80)):
        yield Shuffle(blob, content.proof), ("deck", at)
    for blob, at in values(content.proof, {*range(6), 47}):
        yield Shuffle(content.deck, blob), ("proof", at)


def tokens(content: Content) -> Iterator[tuple[Content, Place]]:
    assert isinstance(content, Tokens)
    for number, batch in enumerate(content.batches):
        for blob, at in values(batch, range(len(batch) // 32 - 2)):
            batches = (*content.batches[:number], blob, *content.batches[number + 1 :])
            yield Tokens(batches), (f"batch {number}", at)


def laid(content: Content) -> Iterator[tuple[Content, Place]]:
    assert isinstance(content, Lay)
    for blob, at in values(content.token, {0}):
        yield Lay(content.slot, False, blob), ("card", at)


def revealed(content: Content) -> Iterator[tuple[Content, Place]]:
    assert isinstance(content, Reveal)
    for blob, at in values(content.token, {0}):
        yield Reveal(blob), ("reveal", at)


@pytest.mark.parametrize(
    ("kind", "seat", "vira", "spoilt", "places"),
    [
        pytest.param(Opening, 1, False, opening, 3, id="opening"),
        pytest.param(Shuffling, 0, False, shuffled, 80 + 129, id="shuffle"),
        pytest.param(Tokening, 1, True, tokens, 5 + 3, id="tokens and the vira's"),
        pytest.param(Choosing, 1, False, laid, 3, id="a card"),
        pytest.param(Revealing, 1, False, revealed, 3, id="a card laid blind"),
    ],
)
def test_what_is_no_point_and_no_scalar_in_an_entry(
    kind: type[Phase], seat: int, vira: bool, spoilt: Spoilt, places: int
) -> None:
    """Each place of each content: `not_in_group` of its author, when the step is ruled on."""
    party, peer, content = standing(kind, seat, vira)
    position, head, phase = peer.table.open
    found = set()
    for wrong, place in spoilt(content):
        assert rule(phase, peer.seat, wrong) == Fault("not_in_group", peer.seat), place
        found.add(place)
    assert len(found) == places
    entry = write(party.agreement, position, peer.seat, head, content, peer.identity)
    assert not isinstance(peer.table.check(entry).ruling, Fault), "the unchanged content holds"


def test_what_is_no_point_and_no_scalar_in_a_partners_frame() -> None:
    """A partner's cards: nothing is opened, nobody is blamed."""
    party = Party(TO_IRON, 4, 3, cards_only)

    def special() -> bool:
        phase = party.peers[0].table.open.phase
        return isinstance(phase, Choosing) and phase.game.hand.kind is Kind.SPECIAL

    with remembering():
        party.play(until=special)
    game = party.peers[0].table.open.phase.game
    seat = next(seat for seat in range(4) if party.peers[seat].keeper.for_partners(game))
    mate = party.peers[(seat + 2) % 4]
    blob = party.peers[seat].keeper.for_partners(game)[mate.seat]
    for wrong, place in values(blob, range(3)):
        assert not mate.keeper.from_partner(game, party.peers[seat].seat, wrong), place
    assert not mate.keeper.has_partners(game)
    assert mate.keeper.from_partner(game, party.peers[seat].seat, blob)
    assert mate.keeper.has_partners(game)
