"""What a table does with an entry that is early, late, doubled or on an unknown head."""

from __future__ import annotations

from itertools import permutations

import pytest
from msgspec.structs import replace

from p2ptruco.rules.presets import MINEIRO
from p2ptruco.table.codec import encode
from p2ptruco.table.entries import (
    Commit,
    Content,
    Entry,
    Lay,
    Leave,
    Position,
    Ready,
    Reveal,
    Say,
    Seal,
    Shuffle,
    Tokens,
    parse,
    write,
)
from p2ptruco.table.entries import Open as OpenKeys
from p2ptruco.table.identity import ENTRY
from p2ptruco.table.steps.dealing import Committing, Opening, Readying, Shuffling
from p2ptruco.table.steps.playing import Choosing, Revealing, Tokening
from p2ptruco.table.steps.sealing import Sealing
from p2ptruco.table.table import KEPT_EACH, Table
from p2ptruco.table.violation import LinkFault
from tests.kit.court import TO_IRON, cards_only
from tests.kit.ed25519 import sign_again
from tests.kit.opendeck import open_deck
from tests.kit.party import Party, Peer, stayer


@pytest.fixture(autouse=True)
def _open():
    with open_deck():
        yield


def party(players: int = 2, seed: int = 5) -> Party:
    return Party(MINEIRO, players, seed, stayer)


def until(made: Party, kind: type, hands: int = 0) -> Party:
    """Play until every table stands at a step of this kind and nothing is on its way."""

    def there() -> bool:
        heads = {peer.table.open[:2] for peer in made.peers}
        open_one = made.peers[0].table
        return (
            len(heads) == 1
            and isinstance(open_one.open.phase, kind)
            and not open_one.paid
            and len(open_one.hands) >= hands
            and not any(peer.inbox or peer.table.paid for peer in made.peers)
        )

    while not there():
        reader = next((peer for peer in made.peers if peer.inbox), None)
        if reader is None:
            made.speak(next(peer for peer in made.peers if peer.due))
        elif not reader.table.knows(entry := reader.inbox.pop()):
            made.take(reader, entry)
    return made


def at(peer: Peer, content: Content, step: int = 0, head: bytes | None = None) -> Entry:
    """A good signature on `content`, `step` steps after the open one."""
    position, here, _ = peer.table.open
    place = position._replace(step=position.step + step)
    return write(peer.table.agreement, place, peer.seat, head or here, content, peer.identity)


def take(table: Table, entry: Entry) -> bool:
    return table.submit(table.check(entry))


def refused(table: Table, entry: Entry) -> str:
    before = snapshot(table)
    with pytest.raises(LinkFault) as fault:
        table.check(entry)
    assert snapshot(table) == before
    return fault.value.word


def snapshot(table: Table) -> tuple[object, ...]:
    kept = {seat: list(entries) for seat, entries in table._kept.items()}
    return (
        table.open,
        list(table.steps),
        list(table.paid),
        set(table._bodies),
        kept,
        list(table.violations),
        table.outcome,
    )


def test_looking_at_an_entry_changes_nothing():
    """`check` may run in any thread: only `submit` moves the table."""
    made = until(party(), Committing)
    one, two = made.peers
    before = snapshot(one.table)
    one.table.check(made.word_of(two))
    one.table.check(at(two, Ready(), step=3, head=bytes(32)))
    assert snapshot(one.table) == before


def test_a_seat_that_owes_nothing_is_not_due():
    made = until(party(4), Shuffling)
    turn = made.peers[0].table.open.phase.turn
    for peer in made.peers:
        word = at(peer, Ready())
        assert refused(made.peers[turn].table, word) == "not_due"


CONTENTS: tuple[Content, ...] = (
    Commit(bytes(32)),
    OpenKeys(bytes(128)),
    Shuffle(bytes(64), bytes(96)),
    Ready(),
    Tokens((bytes(96),)),
    Lay(0, False, bytes(96)),
    Say("call"),
    Reveal(bytes(96)),
    Leave(),
    Seal(0, (12, 0), (1, 0)),
)
DUE: dict[type, set[type]] = {
    Committing: {Commit},
    Opening: {OpenKeys},
    Shuffling: {Shuffle},
    Readying: {Ready},
    Tokening: {Tokens},
    Choosing: {Lay, Say},
    Revealing: {Reveal},
    Sealing: {Seal},
}


@pytest.mark.parametrize("kind", DUE, ids=lambda kind: kind.__name__)
def test_a_content_of_another_step_is_not_due(kind: type):
    """Gain: an honest process that ends in the middle of a match, on a content without what its
    step looks for, or a duty that is paid with something else. Leaving is due but at the seals."""
    made = until(Party(TO_IRON, 2, 5, cards_only), kind)
    table = made.peers[0].table
    peer = made.peers[next(iter(table.owed))]
    due = DUE[kind] | ({Leave} if kind is not Sealing else set())
    for content in CONTENTS:
        if type(content) not in due:
            assert refused(table, at(peer, content)) == "not_due"
    assert take(table, made.word_of(peer))


def test_a_seat_that_owed_nothing_in_a_closed_step_is_not_due():
    """Its author has no body there to differ from: nothing but noise."""
    made = until(party(), Shuffling)
    silent = made.peers[1 - made.peers[0].table.open.phase.turn]
    late = at(silent, Commit(bytes(32)))
    made.play(until=lambda: made.peers[0].table.open.position.step > 4)
    assert refused(made.peers[0].table, late) == "not_due"


def test_a_repetition_is_nothing():
    made = until(party(), Committing)
    one, two = made.peers
    entry = made.word_of(two)
    assert not one.table.knows(entry)
    assert take(one.table, entry)
    assert one.table.knows(entry)
    before = snapshot(one.table)
    assert not take(one.table, entry)
    signature = sign_again(two.identity.seed, ENTRY + entry.body)
    assert not take(one.table, Entry(entry.body, signature))
    assert snapshot(one.table) == before


def test_at_most_64_entries_of_a_seat_are_kept():
    """Gain of a flood: memory. Only its author's own room is full, nobody else's."""
    made = until(party(4), Committing)
    table, crook, other = made.peers[0].table, made.peers[1], made.peers[2]
    sent = [at(crook, Ready(), step=n, head=bytes(31) + b"\1") for n in range(200)]
    assert not any(take(table, entry) for entry in sent), "nothing kept is passed on"
    assert [table.knows(entry) for entry in sent] == [True] * KEPT_EACH + [False] * 136
    assert len(table._kept[crook.seat]) == KEPT_EACH
    take(table, ahead := at(other, Ready(), step=1, head=bytes(32)))
    assert table.knows(ahead)
    assert take(table, made.word_of(crook))
    assert take(table, made.word_of(other))


def test_what_is_due_is_looked_at_however_much_of_its_author_is_kept():
    """Gain, were it not: whoever floods the others in a seat's name that it holds stops the table;
    and of one of whom little is kept all is looked at."""
    made = until(party(4), Committing)
    table, crook = made.peers[0].table, made.peers[1]
    for step in range(KEPT_EACH):
        early = at(crook, Ready(), step=step, head=bytes(32))
        assert not table.moot(early)
        take(table, early)
    assert table.moot(at(crook, Ready(), step=KEPT_EACH, head=bytes(32)))
    assert not table.moot(made.word_of(crook))
    early = parse(made.agreement, at(crook, Ready(), step=KEPT_EACH, head=bytes(32))).body
    for other in (replace(early, table=bytes(32)), replace(early, epoch=1)):
        strange = encode(other)
        signed = Entry(strange, crook.identity.sign(ENTRY, strange))
        assert not table.moot(signed), "its link is closed for it"


def test_half_of_a_proof_is_not_moot() -> None:
    """Gain, were it: a second body that nobody looks at."""
    made = until(party(), Committing)
    table, crook = made.peers[0].table, made.peers[1]
    take(table, first := at(crook, Commit(bytes(32))))
    assert table.moot(first)
    assert not table.moot(at(crook, Commit(b"2" * 32)))


def test_an_early_entry_that_comes_again_takes_no_more_room():
    made = until(party(), Committing)
    table = made.peers[0].table
    early = at(made.peers[1], Ready(), step=3, head=bytes(32))
    checked = [table.check(early) for _ in range(3)]
    assert not any(table.submit(entry) for entry in checked)
    assert len(table._kept[1]) == 1


def test_an_author_on_an_unknown_head_is_to_be_asked_once_its_step_is_reached():
    made = until(party(), Opening)
    table, other = made.peers[0].table, made.peers[1]
    here, ahead = at(other, Ready(), head=bytes(32)), at(other, Ready(), step=4, head=bytes(32))
    for entry in (here, ahead):
        assert not take(table, entry)
        assert table.ripe() == []
    assert [parsed.entry for parsed in table.unsupported] == [here]
    assert not table.violations


def test_an_early_entry_waits_for_its_step():
    """Two commitments arrive, then an opening, the opening first: nothing is lost."""
    made = until(party(), Committing)
    one, two = made.peers
    own, other = made.word_of(one), made.word_of(two)
    for peer in made.peers:
        take(peer.table, own)
        if peer is two:
            take(peer.table, other)
    opening = made.word_of(two)
    assert not take(one.table, opening), "kept, and not passed on"
    assert one.table.ripe() == []
    take(one.table, other)
    (ripe,) = one.table.ripe()
    assert ripe.entry == opening
    assert one.table.submit(one.table.check(ripe))
    assert one.table.paid == [ripe]


def test_an_entry_checked_in_one_step_and_submitted_in_the_next_is_kept():
    """Threads: what a check found of another step is never used."""
    made = until(party(), Committing)
    one, two = made.peers
    mine, other = made.word_of(one), made.word_of(two)
    for entry in (mine, other):
        take(two.table, entry)
    early = one.table.check(opening := made.word_of(two))
    for entry in (mine, other):
        take(one.table, entry)
    assert not one.table.submit(early)
    assert one.table.paid == []
    (ripe,) = one.table.ripe()
    assert ripe.entry == opening


def test_entries_of_a_step_come_in_any_order():
    """Every order of four commitments closes the step with the same head."""
    made = until(party(4), Committing)
    entries = [made.word_of(peer) for peer in made.peers]
    heads = set()
    for order in permutations(entries):
        table = Table(made.agreement, made.source)
        for entry in order:
            take(table, entry)
        heads.add(table.open.head)
        assert table.open.position == Position(0, 0, 1)
    assert len(heads) == 1


def test_only_the_speaker_answers_for_its_team():
    """Its partner may press, in private; in the log it is not due."""
    made = until(party(4, 8), Choosing)
    table = made.peers[0].table
    caller = table.open.phase.speaker
    call = at(made.peers[caller], Say("call"))
    assert all(take(peer.table, call) for peer in made.peers)
    speaker = table.open.phase.speaker
    assert speaker == (caller + 1) % 4
    partner = made.peers[(speaker + 2) % 4]
    assert refused(table, at(partner, Say("accept"))) == "not_due"
    assert take(table, at(made.peers[speaker], Say("accept")))


def test_a_table_is_what_it_was_fed():
    """The same entries make the same table, whoever holds it."""
    made = until(party(), Choosing, hands=1)
    first = made.peers[0].table
    again = Table(made.agreement, made.source)
    for entry in first.held(Position(0, 0, 0)):
        take(again, entry)
    assert again.open[:2] == first.open[:2]
    assert again.hands == first.hands
    assert again.owed == first.owed
