"""The end of a match under attack: every honest peer comes to one end, whoever tells whom what."""

from __future__ import annotations

import io
import random
from dataclasses import replace

import pytest
import trio

from p2ptruco.net.session import Session
from p2ptruco.net.transport.frames import EntryFrame
from p2ptruco.players.local import LocalSeat
from p2ptruco.rules.play import legal
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.seating import Seat
from p2ptruco.table.entries import Commit, Content, Entry, Leave, Position, write
from p2ptruco.table.record.audit import audit
from p2ptruco.table.record.file import write_record
from p2ptruco.table.steps.order import close, rule
from p2ptruco.table.steps.playing import Choosing, Played
from p2ptruco.table.table import Table
from tests.kit.opendeck import open_deck
from tests.kit.party import Party, Peer, stayer
from tests.kit.quiet import Quiet
from tests.kit.tables_over_links import Mind, uniform

LONG = replace(MINEIRO, target=60)
CROOK = 1


@pytest.fixture(autouse=True)
def _open():
    with open_deck():
        yield


def tell(table: Table, *entries: Entry) -> None:
    for entry in entries:
        table.submit(table.check(entry))
        while ripe := table.ripe():
            for parsed in ripe:
                table.submit(table.check(parsed))


def said(party: Party, table: Table, seat: int, content: Content) -> Entry:
    """A content of a seat where this table stands."""
    position, head, _ = table.open
    return write(party.agreement, position, seat, head, content, party.peers[seat].identity)


def sealed(party: Party, table: Table, *seats: int) -> list[Entry]:
    return [said(party, table, seat, table.open.phase.seal) for seat in seats]


# Two last words of a hand, and an end in the deal of the next.


def last_words(peer: Peer) -> list[Content]:
    """Two moves of the crook that end the hand with two scores, if it has such."""
    phase = peer.table.open.phase
    if not isinstance(phase, Choosing) or phase.speaker != peer.seat:
        return []
    ends: dict[object, Content] = {}
    for move in legal(phase.game.hand, peer.seat):
        content = peer.keeper.say(phase.game, move)
        after = close(phase, {peer.seat: rule(phase, peer.seat, content)})
        if isinstance(after, Played):
            ends[after.hand.result.winner] = content
    return list(ends.values())


def torn() -> tuple[Party, Table, Table]:
    """Two tables that heard another last word of the crook: one deal, two scores."""
    party = Party(LONG, 4, 17, stayer)
    crook = party.peers[CROOK]
    party.play(until=lambda: len(last_words(crook)) > 1)
    tables = Table(party.agreement, party.source), Table(party.agreement, party.source)
    for table, word in zip(tables, last_words(crook), strict=True):
        tell(table, *crook.table.held(Position(0, 0, 0)), said(party, crook.table, CROOK, word))
    one, two = tables
    assert one.open[:2] == two.open[:2]
    assert one.match.score != two.match.score
    return party, one, two


def leaves(party: Party, table: Table) -> list[Entry]:
    others = [said(party, table, seat, Commit(bytes(32))) for seat in (0, 2, 3)]
    return [*others, said(party, table, CROOK, Leave())]


def commits_twice(party: Party, table: Table) -> list[Entry]:
    return [said(party, table, CROOK, Commit(bytes([n] * 32))) for n in (1, 2)]


@pytest.mark.parametrize("ends", [leaves, commits_twice])
def test_two_scores_are_never_sealed_in_one_place(ends) -> None:
    """The heads of a deal bind no score. Gain: honest peers, at one head, each with another
    score, find the other's seal not due, part, and never hear of the two words."""
    party, one, two = torn()
    last = ends(party, one)
    for table in (one, two):
        tell(table, *last)
        assert table.outcome is not None
    assert one.outcome != two.outcome
    assert one.open[:2] != two.open[:2]
    tell(one, *sealed(party, two, 2))
    assert one.unsupported  # its author is asked what stands behind it
    behind = Position(one.open.position.hand - 1, 0, 0)
    tell(one, *list(two.held(behind)))
    tell(two, *list(one.held(behind)))
    assert one.outcome == two.outcome
    assert one.open[:2] == two.open[:2]


# A proof, and the last seal.


def over(*seals: int) -> tuple[Party, Table, list[Entry]]:
    """A match of four that these seats have sealed, and a second body of the crook in it."""
    party = Party(MINEIRO, 4, 2, stayer).play()
    log = party.peers[0].table.steps[:-1]
    table = Table(party.agreement, party.source)
    tell(table, *(parsed.entry for step in log for parsed in step.entries))
    tell(table, *sealed(party, table, *seals))
    own = [n for n, s in enumerate(log) if [p.body.seat for p in s.entries] == [CROOK]]
    return party, table, [second(party, own[0])]


def second(party: Party, step: int) -> Entry:
    """Another body of the crook in a closed step."""
    place, me = party.peers[0].table.steps[step], party.peers[CROOK].identity
    return write(party.agreement, place.position, CROOK, place.head, Leave(), me)


def test_a_proof_and_the_last_seal_in_either_order() -> None:
    """Gain: the last seal for one honest peer, the proof for the other, and the cheat has won
    here and lost there for good."""
    party, one, proof = over(0, 2, 3)
    _, two, _ = over(0, 2, 3)
    last = sealed(party, one, CROOK)
    tell(one, *last, *proof)
    tell(two, *proof, *last)
    for table in (one, two):
        assert table.finished
        assert not table.violations
    assert one.outcome == two.outcome
    assert one.hands == two.hands
    assert list(map(str, one.steps)) == list(map(str, two.steps))


def test_the_seals_of_an_end_that_was_taken_back_are_told_when_asked() -> None:
    """Gain: two honest peers, each with a seal that the other lacks."""
    party, one, proof = over(0, 2)
    _, two, _ = over(3)
    tell(two, *sealed(party, one, CROOK))
    for table in (one, two):
        tell(table, *proof)
    since = two.open.position
    tell(one, *list(two.held(since)))
    tell(two, *list(one.held(since)))
    assert one.finished
    assert two.finished
    assert one.outcome == two.outcome


class Wire:
    """A mesh that only notes what is passed on."""

    linked: frozenset[bytes] = frozenset()

    def __init__(self) -> None:
        self.flooded: list[object] = []

    def flood(self, message: object, except_: bytes | None = None) -> None:
        self.flooded.append(message)

    def beat(self, pulse: object) -> None:
        pass


async def test_a_seal_of_an_end_where_one_does_not_stand_is_passed_on() -> None:
    """Gain: whoever takes it knows of that end, and the others, who were not told, do not."""
    party, table, proof = over()
    tell(table, *proof)
    seal = sealed(party, table, 2)
    _, table, _ = over(0)
    tell(table, *proof)
    assert not table.violations
    local = Quiet(table, Seat(3), party.peers[3].identity, None, random.Random(1))  # type: ignore[arg-type]
    session = Session(wire := Wire(), table, local)  # type: ignore[arg-type]
    async with trio.open_nursery() as session._tasks:
        await session._intake.take(seal[0], None)
    assert EntryFrame(seal[0].body, seal[0].signature) in wire.flooded
    assert table.violations


async def test_a_seat_seals_one_end_of_a_match() -> None:
    """Gain: two records of one match with another winner, each sealed by everybody."""
    party, table, proof = over()
    me, rng = party.peers[0].identity, random.Random(1)
    local = LocalSeat(table, Seat(0), me, Mind(uniform, rng, (0.0, 0.0)), rng)
    assert local.due
    seal = await local.speak(table.open)
    assert seal is not None
    cut = over()[1]
    tell(cut, *proof)
    tell(table, seal, *proof, *sealed(party, cut, 2))
    assert table.violations
    assert table.need(Seat(0)) is not None
    assert not local.due


def test_a_cut_that_nobody_has_sealed_is_a_record() -> None:
    """It needs no seal, being signed twice itself. Gain: no honest peer could show what the cheat
    did."""
    party, table, proof = over()
    tell(table, *proof)
    record = b"".join(write_record(table, party.signatures, 0, party.peers[0].identity))
    found = audit(io.BytesIO(record), party.source)
    assert found.status == "unsealed"
    assert found.unsealed_by == (0, 1, 2, 3)
    assert found.violation.word == "equivocation"
