"""Two bodies of one seat in one place cut the log, whenever they come to light."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import permutations

import pytest

from p2ptruco.rules.presets import MINEIRO
from p2ptruco.table.chain import Step, cut_head, end_head
from p2ptruco.table.entries import Commit, Content, Entry, Leave, Open, Ready, Say, parse, write
from p2ptruco.table.identity import ENTRY
from p2ptruco.table.record.audit import audit
from p2ptruco.table.record.file import write_record
from p2ptruco.table.table import Equivocation, Table
from p2ptruco.table.violation import LinkFault
from tests.kit.court import TO_IRON, cards_only
from tests.kit.ed25519 import sign_again
from tests.kit.opendeck import open_deck
from tests.kit.party import Party, stayer


@pytest.fixture(autouse=True)
def _open():
    with open_deck():
        yield


THREE = replace(TO_IRON, best_of=3)


def played(players: int = 2, seed: int = 2, variant=MINEIRO, choose=stayer) -> Party:
    """A whole match, sealed."""
    return Party(variant, players, seed, choose).play()


def copy_of(party: Party, seals: int = 0) -> Table:
    """A table that was fed the whole log, and as many seals."""
    full, table = party.peers[0].table, Table(party.agreement, party.source)
    log, sealing = full.steps[:-1], full.steps[-1]
    for entry in [p.entry for step in log for p in step.entries] + [
        p.entry for p in sealing.entries[:seals]
    ]:
        assert table.submit(table.check(entry))
    return table


def second_body(party: Party, step: int, seat: int | None = None, content=Leave()) -> Entry:  # noqa: B008
    """Another body for the place of a logged entry, signed by the same seat."""
    found = party.peers[0].table.steps[step]
    entries = found.entries
    parsed = entries[0] if seat is None else next(p for p in entries if p.body.seat == seat)
    author = party.peers[parsed.body.seat]
    return write(party.agreement, found.position, author.seat, found.head, content, author.identity)


def tell(table: Table, entry: Entry) -> bool:
    return table.submit(table.check(entry))


def choices(party: Party) -> list[int]:
    """The numbers, in the log, of the steps that one seat owed in play."""
    steps, players = party.peers[0].table.steps[:-1], len(party.peers)
    return [i for i, step in enumerate(steps) if step.position.step > players + 3]


@pytest.mark.parametrize("which", [0, 1, 2, 3, 5, -1])
def test_the_log_is_cut_before_the_step(which: int):
    """From the first commitment to the last card of a match that is over."""
    party = played()
    steps = [0, 1, 2, 4, *choices(party)]
    number = steps[which]
    table, found = copy_of(party), party.peers[0].table.steps[number]
    assert tell(table, entry := second_body(party, number))
    seat = found.entries[0].body.seat
    assert table.steps == party.peers[0].table.steps[:number]
    assert table.hands == party.peers[0].table.hands[: found.position.hand]
    assert table.open.position == found.position._replace(step=found.position.step + 1)
    cut = cut_head(found.head, found.position.step, seat)
    played_before = [s for s in table.steps if s.position.hand < found.position.hand]
    last = played_before[-1].after if played_before else party.agreement.id
    assert table.open.head == end_head(cut, last)
    assert table.outcome is not None
    assert table.outcome.winner == 1 - seat % 2
    assert table.knows(entry)
    assert not tell(table, entry)


@pytest.mark.parametrize("hands", [0, 1, 2, 3])
def test_the_hand_of_the_cut_is_not_scored(hands: int):
    """The score is what it was when that hand began."""
    party = played(choose=cards_only)
    scores: dict[int, tuple[int, int]] = {}
    table = Table(party.agreement, party.source)
    for step in party.peers[0].table.steps[:-1]:
        for parsed in step.entries:
            tell(table, parsed.entry)
        if table.match and not table.outcome:
            scores[table.open.position.hand] = table.match.score
    number = next(i for i in choices(party) if party.peers[0].table.steps[i].position.hand == hands)
    tell(table, second_body(party, number))
    assert table.outcome is not None
    assert table.outcome.score == scores[hands]


def test_a_cut_in_a_set_takes_back_matches_that_were_won_after_it():
    """Gain: a match of the set won by who had already cheated."""
    party = played(variant=THREE, choose=cards_only)
    table = copy_of(party)
    assert table.outcome is not None
    assert sum(table.outcome.won) >= 2
    tell(table, second_body(party, choices(party)[0]))
    assert table.outcome is not None
    assert table.outcome.won == (0, 0)
    assert table.outcome.score == (0, 0)
    assert len(table.violations) == 1


def test_of_several_proofs_the_earliest_decides_whatever_comes_first():
    """Gain of another rule: whoever hears last chooses the end."""
    party = played(4)
    places = choices(party)
    proofs = [second_body(party, n) for n in (places[1], places[-1], 0)]
    proofs.append(second_body(party, 0, seat=2))
    ends = set()
    for order in permutations(proofs):
        table = copy_of(party)
        for entry in order:
            table.submit(table.check(entry))
        (found,) = table.violations
        ends.add((table.open[:2], found, table.outcome))
    assert len(ends) == 1
    (((position, _), found, _),) = ends
    assert (position.hand, position.step) == (0, 1)
    assert (found.hand, found.step, found.seat) == (0, 0, 0)


def test_a_match_that_all_sealed_stands():
    """Gain: a lost match unmade by signing another word for an old step."""
    party = played()
    table = copy_of(party, seals=2)
    assert table.finished
    before = table.outcome
    assert tell(table, second_body(party, choices(party)[-1])), "the proof is passed on"
    assert table.outcome == before
    assert table.finished
    assert not table.violations


def test_a_body_on_another_head_is_no_second_body():
    """Its author was told something else: it is asked, not blamed."""
    party = played()
    table, number = copy_of(party), choices(party)[0]
    found = party.peers[0].table.steps[number]
    author = party.peers[found.entries[0].body.seat]
    for n in range(10):
        head = bytes([n]) * 32
        entry = write(
            party.agreement, found.position, author.seat, head, Say("fold"), author.identity
        )
        assert not tell(table, entry)
    assert not table.violations
    assert len(table.unsupported) == 10


def test_a_second_signature_is_no_second_body():
    """Gain: anybody could be made to look double, or make forks of its own without evidence."""
    party = played()
    table, number = copy_of(party), choices(party)[0]
    entry = party.peers[0].table.steps[number].entries[0].entry
    author = party.peers[party.peers[0].table.steps[number].entries[0].body.seat]
    again = Entry(entry.body, sign_again(author.identity.seed, ENTRY + entry.body))
    assert again.signature != entry.signature
    assert not tell(table, again)
    assert not table.violations


def early(party: Party, *contents: Content) -> tuple[Table, list[Entry]]:
    """A table at the first step that holds words of seat 1 for the second; the first's entries."""
    two = party.peers[1]
    party.play(until=lambda: two.table.open.position.step == 1 and two.due)
    position, head, _ = two.table.open
    table = Table(party.agreement, party.source)
    for content in contents:
        tell(table, write(party.agreement, position, 1, head, content, two.identity))
    assert not table.violations
    return table, [parsed.entry for parsed in two.table.steps[0].entries]


@pytest.mark.parametrize("reached", [False, True])
def test_a_third_body_is_heard_only_if_something_waits_for_its_step(reached: bool):
    """What is kept on a head that nobody knows, or on one that the first two have led to, waits
    for no third body. Gain: bodies without end in one place, each the root of a log."""
    party = Party(MINEIRO, 2, 4, stayer)
    one, two = party.peers
    position, head, _ = one.table.open
    table, ours = Table(party.agreement, party.source), party.word_of(one)

    def commit(n: int) -> Entry:
        place = position, 1, head
        return write(party.agreement, *place, Commit(bytes([n]) * 32), two.identity)

    after = Step(position, head, tuple(parse(party.agreement, e) for e in (ours, commit(1)))).after
    behind, unknown = position._replace(step=1), bytes(32)
    tell(table, ours)
    opening = write(
        party.agreement, behind, 0, after if reached else unknown, Open(b"one"), one.identity
    )
    assert not tell(table, opening)
    assert tell(table, commit(1))
    assert tell(table, commit(2))
    assert not tell(table, commit(3))
    assert len(table.beside(parse(party.agreement, commit(3)))) == 2


def ripen(table: Table) -> list[str]:
    """Feed what has become ripe; the words of what was refused."""
    words = []
    for parsed in table.ripe():
        try:
            table.submit(table.check(parsed))
        except LinkFault as fault:
            words.append(fault.word)
    return words


def test_a_pair_that_came_too_early_counts_when_its_step_comes():
    """Gain: a proof sent ahead of time is used up before it counts."""
    party = Party(MINEIRO, 2, 4, stayer)
    table, before = early(party, Open(b"one"), Open(b"two"))
    for entry in before:
        tell(table, entry)
    assert ripen(table) == []
    (found,) = table.violations
    assert (found.word, found.hand, found.step, found.seat) == ("equivocation", 0, 1, 1)


def test_a_pair_that_was_never_due_is_no_pair():
    """Each is dropped as it comes, so no two peers can differ on whether it counts."""
    party = Party(MINEIRO, 2, 4, stayer)
    table, before = early(party, Ready(), Commit(bytes(32)))
    for entry in before:
        tell(table, entry)
    assert ripen(table) == ["not_due", "not_due"]
    assert not table.violations
    two = party.peers[1]
    place = two.table.open.position, 1, table.open.head
    first, second = (
        parse(party.agreement, write(party.agreement, *place, content, two.identity))
        for content in (Ready(), Commit(bytes(32)))
    )
    with pytest.raises(LinkFault, match="not_due"):
        table.prove(Equivocation(first, second))


def test_half_of_a_pair_that_came_too_early_counts_when_it_comes_again():
    """Gain of sending first what is not due: whoever kept it would not hear of the proof."""
    party = Party(MINEIRO, 2, 4, stayer)
    table, before = early(party, Ready(), Open(b"one"))
    for entry in before:
        tell(table, entry)
    assert ripen(table) == ["not_due"]
    assert not table.violations
    two = party.peers[1]
    place = two.table.open.position, 1, table.open.head
    again = write(party.agreement, *place, Ready(), two.identity)
    assert not table.knows(again)
    assert tell(table, again)
    assert [(found.word, found.seat) for found in table.violations] == [("equivocation", 1)]


def test_a_record_of_every_cut_verifies_and_names_its_place():
    """Cut anywhere, seal, write, audit: the same end."""
    party = played(4, seed=9)
    for number in [0, 1, 2, 5, 7, *choices(party)[::7]]:
        table, found = copy_of(party), party.peers[0].table.steps[number]
        tell(table, second_body(party, number))
        for peer in party.peers:
            position, head, phase = table.open
            tell(
                table, write(party.agreement, position, peer.seat, head, phase.seal, peer.identity)
            )
        assert table.finished
        record = write_record(table, party.signatures, 0, party.peers[0].identity)
        result = audit(io.BytesIO(b"".join(record)), party.source)
        assert result.status == "complete"
        assert result.table.outcome == table.outcome
        (violation,) = result.table.violations
        assert (violation.hand, violation.step) == (found.position.hand, found.position.step)


def test_what_was_checked_before_a_cut_moves_nobody_after_it():
    """Threads: the step for which an entry was found good is not where the table stands. It is
    logged all the same: others may have gone on there, and sealed its end."""
    party = Party(MINEIRO, 2, 4, cards_only)
    party.play(until=lambda: bool(party.peers[0].table.hands) and party.peers[1].due)
    table, one = Table(party.agreement, party.source), party.peers[1]
    for step in one.table.steps:
        for parsed in step.entries:
            tell(table, parsed.entry)
    assert table.open[:2] == one.table.open[:2]
    checked = table.check(party.word_of(one))
    tell(table, second_body_of(party, one.table, 0))
    end, steps = table.open[:2], table.steps
    assert table.submit(checked)
    assert table.open[:2] == end
    assert table.steps == steps
    assert table.paid == []


def second_body_of(party: Party, table: Table, step: int) -> Entry:
    found = table.steps[step]
    author = party.peers[found.entries[0].body.seat]
    place = found.position, author.seat, found.head
    return write(party.agreement, *place, Leave(), author.identity)


def test_what_a_record_calls_a_proof_is_looked_at_by_the_table_too():
    """Gain, were it not: whoever writes a record cuts away the hand that it lost with two bodies
    that are none of one place, or one body twice, or two of another place than the log's end."""
    party = played()
    steps = party.peers[0].table.steps
    table = Table(party.agreement, party.source)
    commits, opens = ([p.entry for p in step.entries] for step in steps[:2])
    ours = parse(party.agreement, commits[1])
    other = parse(party.agreement, second_body(party, 0, 1))
    wrong = {
        "malformed": [(ours, ours), (parse(party.agreement, commits[0]), ours)],
        "wrong_table": [
            tuple(parse(party.agreement, e) for e in (opens[1], second_body(party, 1, 1)))
        ],
    }
    for word, pairs in wrong.items():
        for pair in pairs:
            with pytest.raises(LinkFault) as fault:
                table.prove(Equivocation(*pair))
            assert fault.value.word == word
            assert table.outcome is None
    table.prove(Equivocation(ours, other))
    assert table.outcome is not None


@pytest.mark.parametrize("swapped", [False, True])
def test_a_record_may_prove_a_body_that_was_due_by_one_that_was_not(swapped: bool):
    """A proof stands in the order of its bytes, whichever of the two was due."""
    party = played()
    table = Table(party.agreement, party.source)
    due = parse(party.agreement, party.peers[0].table.steps[0].entries[1].entry)
    other = parse(party.agreement, second_body(party, 0, 1, Ready()))
    table.prove(Equivocation(other, due) if swapped else Equivocation(due, other))
    assert [found.seat for found in table.violations] == [1]
