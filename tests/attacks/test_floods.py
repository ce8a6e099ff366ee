"""What is cheap to send must not be dear to get: operations are counted here, not time.

One honest seat, and a crook that sends without end. What a second of each flood costs is measured
by `tests/soak/floods.py`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.net.session import Session, partners
from p2ptruco.net.session.healing import (
    ANSWER_BURST,
    ANSWER_LEAST,
    ANSWER_MOST,
    ANSWER_RATE,
    Healing,
)
from p2ptruco.net.session.partners import TRIES, Partners
from p2ptruco.net.transport import frames
from p2ptruco.net.transport.frames import EntryFrame
from p2ptruco.players.offload import in_thread
from p2ptruco.rules.hand import Kind
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.seating import Seat
from p2ptruco.table import entries
from p2ptruco.table.entries import Entry, Position, Ready, write
from p2ptruco.table.private import Cards
from p2ptruco.table.steps.playing import partners_batches
from p2ptruco.table.table import KEPT_EACH, Table
from tests.attacks.test_found_ends import CROOK, over, sealed
from tests.attacks.test_found_halves import Closing
from tests.attacks.test_table_private import reach
from tests.kit.opendeck import open_deck
from tests.kit.party import Party
from tests.kit.quiet import Quiet
from tests.kit.threads import on_the_loop

BEARER = 2
MANY = 2000


@contextmanager
def signatures_checked() -> Iterator[list[bytes]]:
    """The bodies of all entries whose signatures are checked meanwhile."""
    checked: list[bytes] = []
    verify = entries.verify

    def counted(key: bytes, label: bytes, body: bytes, signature: bytes) -> bool:
        checked.append(body)
        return verify(key, label, body, signature)

    with mock.patch.object(entries, "verify", counted):
        yield checked


def sitting(party: Party, table: Table) -> tuple[Session, Closing]:
    """The session of seat 0, and a mesh that notes what it does with it."""
    me, rng = party.peers[0].identity, random.Random(1)
    local = Quiet(table, Seat(0), me, None, rng, offload=on_the_loop())  # type: ignore[arg-type]
    return Session(wire := Closing(), table, local), wire  # type: ignore[arg-type]


async def hear(session: Session, *said: tuple[int, Entry]) -> None:
    """Hear entries, each over the link of a seat, and do all that follows from them."""
    async with trio.open_nursery() as session._tasks:
        for seat, entry in said:
            peer = session.table.agreement.identities[seat]
            session._hear(peer, EntryFrame(entry.body, entry.signature))
            await trio.sleep(0.001)
        await trio.sleep(10)
        session._tasks.cancel_scope.cancel()
    session._intake._inboxes.clear()


def unknown(party: Party, table: Table, count: int) -> list[Entry]:
    """The crook's, signed, on heads that nobody knows."""
    place, crook = table.open.position, party.peers[CROOK].identity
    heads = (number.to_bytes(32, "big") for number in range(count))
    return [write(party.agreement, place, CROOK, head, Ready(), crook) for head in heads]


async def test_entries_on_unknown_heads_are_dropped_unchecked_once_no_more_are_kept(
    autojump_clock: MockClock,
) -> None:
    """Gain: a third of a core of everybody's, without end, for a signature of its own each. The
    room is the author's, whoever bears its entries: two cheats have no more than one."""
    with open_deck():
        party, table, _ = over()
        session, wire = sitting(party, table)
        flood = [
            (BEARER if at % 2 else CROOK, entry)
            for at, entry in enumerate(unknown(party, table, MANY))
        ]
        with signatures_checked() as checked:
            await hear(session, *flood)
    assert len(checked) == KEPT_EACH == len(table.unsupported)
    assert wire.closed == []


async def test_a_full_room_keeps_nobody_from_what_is_due(autojump_clock: MockClock) -> None:
    """Gain: an author that has filled its room could leave its second body, or its seal, unheard
    by some and heard by others."""
    with open_deck():
        party, table, (second,) = over()
        session, _ = sitting(party, table)
        rubbish = [(CROOK, entry) for entry in unknown(party, table, KEPT_EACH + 1)]
        await hear(session, *rubbish, (BEARER, second))
        assert [found.word for found in table.violations] == ["equivocation"]
        await hear(session, *((BEARER, seal) for seal in sealed(party, table, 3, CROOK)))
        assert table.sealed_by == {3, CROOK}


async def test_bodies_that_prove_nothing_more_are_dropped_unchecked(
    autojump_clock: MockClock,
) -> None:
    """Gain: as much work as before, at the end of a match, by a seat that is convicted or has
    sealed: a third body in the place of two, another beside a good seal."""
    with open_deck():
        party, table, (second,) = over(0, 2, 3)
        session, wire = sitting(party, table)
        crook, place = party.peers[CROOK].identity, entries.read_parsed(second).place
        third = [
            write(
                party.agreement, place[0], CROOK, place[1], entries.Commit(bytes([n] * 32)), crook
            )
            for n in range(50)
        ]
        with signatures_checked() as checked:
            await hear(session, (CROOK, second), *((CROOK, entry) for entry in third))
        assert checked == [second.body]
        assert wire.closed == []


# Questions.


class Telling(Closing):
    """Counts the bytes of entries that are sent to one peer alone."""

    def __init__(self) -> None:
        super().__init__()
        self.size = 0
        self.told: list[bytes] = []
        """The signatures of these entries."""

    def send(self, peer: bytes, message: object) -> bool:
        if isinstance(message, EntryFrame):
            self.size += len(message.body)
            self.told.append(message.signature)
        return super().send(peer, message)


def answering(party: Party, hands: int) -> tuple[Healing, Telling, frames.Ask]:
    """What answers for a peer whose last hands are as large as any, and a question for them."""
    table, wire = party.peers[0].table, Telling()
    hand = [bytes(6850)] * 8 + [bytes(400)] * 64
    log = [Entry(body, number.to_bytes(64)) for number, body in enumerate(hand * hands)]
    table.held = lambda since: iter(log)  # type: ignore[method-assign]
    return Healing(wire, table), wire, frames.Ask(0, 0, 0, 0)  # type: ignore[arg-type]


async def test_questions_bring_no_more_than_a_rate_whatever_the_link(
    autojump_clock: MockClock,
) -> None:
    """Gain: 10 bytes that cost the one who answers a megabyte, and again over each new link."""
    healing, wire, ask = answering(Party(MINEIRO, 2), hands=9)
    (peer, seconds) = (b"p" * 32, 60)
    for _ in range(seconds * 20):
        healing.linked(peer)
        for _ in range(5):
            healing.answer(peer, ask)
        await trio.sleep(1 / 20)
    assert wire.size <= ANSWER_BURST + ANSWER_RATE * seconds + ANSWER_MOST + 8000
    before = wire.size
    healing.answer(b"q" * 32, ask)
    assert wire.size > before, "who asks too much takes it from nobody else"


async def test_proofs_that_fill_an_answer_hide_no_seals(autojump_clock: MockClock) -> None:
    """Gain: two bodies in each step of a long match, all shown at its end, fill every answer from
    its beginning; a peer that lacks the seals behind them would ask for ever, and wait in vain."""
    party = Party(MINEIRO, 2)
    healing, wire, ask = answering(party, hands=45)
    log = [entry.signature for entry in party.peers[0].table.held(Position(0, 0, 0))]
    for _ in range(6):
        healing.answer(b"p" * 32, ask)
        await trio.sleep(120)
    assert len(wire.told) > len(log)
    assert wire.told == (log + log)[: len(wire.told)], "to the end, then from the beginning"


async def test_an_answer_begins_with_the_seals(autojump_clock: MockClock) -> None:
    """Gain: proofs of some megabytes stand before the seals, and whoever lacks these has gone home
    when its turn comes to be told them."""
    with open_deck():
        _, table, proof = over(0, 2, 3)
        table.submit(table.check(proof[0]))
    seals = [entry.signature for entry in table.seals]
    log = [entry.signature for entry in table.held(Position(0, 0, 0))]
    assert len(seals) == 3
    assert log[-4:] == [*seals, proof[0].signature]
    wire = Telling()
    healing = Healing(wire, table)  # type: ignore[arg-type]
    healing.answer(b"p" * 32, frames.Ask(0, 0, 0, 0))
    assert wire.told == [*seals, *log[:-4], proof[0].signature]


async def test_small_answers_have_a_rate_too(autojump_clock: MockClock) -> None:
    """Gain: a frame for each frame, and the search of the log for what there is."""
    healing, wire, ask = answering(Party(MINEIRO, 2), hands=0)
    for _ in range(5000):
        healing.answer(b"p" * 32, ask)
    assert len(wire.sent) == ANSWER_BURST / ANSWER_LEAST + 1


async def test_what_an_honest_peer_may_need_is_told_at_once(autojump_clock: MockClock) -> None:
    """Three hands of eight seats, asked for over each of four links that are lost at once; then
    again as often as links live as long as they must to be dialled again without a pause."""
    healing, wire, ask = answering(Party(MINEIRO, 2), hands=3)
    one = 3 * (8 * 6850 + 64 * 400)
    for count in range(1, 5):
        healing.linked(b"p" * 32)
        healing.answer(b"p" * 32, ask)
        assert wire.size == count * one
    await trio.sleep(60)
    for count in range(5, 9):
        healing.answer(b"p" * 32, ask)
        assert wire.size == count * one


# Cards in private frames.


class Keys:
    """A seat whose keys note what they are asked to check."""

    def __init__(self, good: bytes) -> None:
        self.seat, self.keeper, self.offload = Seat(0), self, in_thread
        self.good = good
        self.checked: list[bytes] = []

    def from_partner(self, game: object, partner: Seat, blob: bytes) -> bool:
        self.checked.append(blob)
        return blob == self.good

    def stir(self) -> None:
        pass


EIGHT: Any = SimpleNamespace(agreement=SimpleNamespace(identities=tuple(range(8))))


def cards(blob: bytes, hand: int = 3) -> Cards:
    return Cards(bytes(32), 0, hand, 0, blob)


@pytest.fixture
def hand_three(monkeypatch: pytest.MonkeyPatch) -> None:
    game = SimpleNamespace(joint=SimpleNamespace(context=SimpleNamespace(hand=3, attempt=0)))
    monkeypatch.setattr(partners, "game_of", lambda table: game)


@pytest.mark.usefixtures("hand_three")
async def test_a_partners_bad_tokens_are_checked_a_few_times_a_hand() -> None:
    """Gain: a frame a proof, half a core; an opponent's never come to the keys at all."""
    keys = Keys(b"good")
    ours = Partners(None, EIGHT, keys)  # type: ignore[arg-type]
    for number in range(50):
        await ours.hear(Seat(1), cards(b"good"))
        await ours.hear(Seat(2), cards(b"%d" % number))
    assert keys.checked == [b"%d" % number for number in range(TRIES)]
    await ours.hear(Seat(4), cards(b"good"))
    assert keys.checked[-1] == b"good", "another partner's are looked at all the same"


@pytest.mark.usefixtures("hand_three")
async def test_good_tokens_are_checked_once() -> None:
    """They come again over each new link."""
    keys = Keys(b"good")
    ours = Partners(None, EIGHT, keys)  # type: ignore[arg-type]
    for blob in (b"bad", b"good", b"good", b"bad", b"good"):
        await ours.hear(Seat(2), cards(blob))
    assert keys.checked == [b"bad", b"good"]


def test_own_tokens_for_partners_are_made_once_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gain: a proof of ours for each link that a partner loses and makes again."""
    with open_deck():
        party, game = reach(Kind.SPECIAL)
        owing = [peer.keeper for peer in party.peers if partners_batches(game.hand, peer.seat)]
        made: list[Seat] = []
        for keeper in owing:
            release = keeper._release
            monkeypatch.setattr(
                keeper, "_release", lambda *of, r=release, k=keeper: made.append(k.seat) or r(*of)
            )
            assert keeper.for_partners(game) == keeper.for_partners(game) != {}
        assert made == [keeper.seat for keeper in owing]
