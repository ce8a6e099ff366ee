"""Which end of a match a table stands at (table.md §6), by hand and as the model has it.

The match is that of tests/kit/last_words.py: seat 1 has two words that end it, A and B, and has
said something else in an old place. CUT and OLD are the ends after these two proofs.
"""

from __future__ import annotations

import io
import random
from itertools import permutations

import pytest

from p2ptruco.rules.presets import MINEIRO
from p2ptruco.table.entries import (
    Lay,
    Leave,
    Position,
    Ready,
    Seal,
    parse,
    read_parsed,
    write,
)
from p2ptruco.table.record.audit import audit
from p2ptruco.table.record.file import write_record
from p2ptruco.table.steps.playing import Choosing
from p2ptruco.table.table import Table
from tests.attacks.test_found_ends import commits_twice, leaves, sealed, torn
from tests.attacks.test_found_step import doubled
from tests.kit.court import ONE_HAND
from tests.kit.ends import CROOK, OLD_AND_LAST, Body, meeting
from tests.kit.ends import Seal as Sealed
from tests.kit.last_words import Ends, clone, tell
from tests.kit.opendeck import open_deck
from tests.kit.party import Party, stayer
from tests.kit.schedules import Event, Leaving, Play, Seals, State, Told, by_chance
from tests.kit.stands import CASES, CUT, OLD_PROOF, A, B, Case


@pytest.fixture(autouse=True)
def _open():
    with open_deck():
        yield


@pytest.fixture(scope="module")
def ends():
    with open_deck():
        return Ends(1)


def hears(ends: Ends, table: Table, *what: Body | Sealed) -> Table:
    """Let a table hear bodies and seals, by their names."""
    for one in what:
        entry = ends.seal(*one) if isinstance(one[0], int) else ends.entries[one]  # type: ignore[arg-type, index]
        tell(table, entry)
    return table


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.about)
def test_where_a_table_stands(ends: Ends, case: Case) -> None:
    """In whatever order it comes, but for the first word: what is here decides. Its record says
    the same, and who has not sealed that end."""
    first, *rest = case.heard
    orders = list(permutations(rest))
    for order in random.Random(1).sample(orders, min(len(orders), 20)):
        table = hears(ends, ends.table(), first, *order)
        assert ends.end_of(table) == case.end
        assert table.hands == ends.reached[case.end].hands
        assert table.violations == ends.reached[case.end].violations
    if table.sealed_by or table.equivocation:
        me = ends.party.peers[0].identity
        record = b"".join(write_record(table, ends.party.signatures, 0, me))
        found = audit(io.BytesIO(record), random.Random(1).randbytes)
        assert found.table.outcome == table.outcome
        assert found.status == "unsealed"
        assert set(found.unsealed_by) == set(range(4)) - table.sealed_by


def test_who_asks_is_told_everything_wherever_one_stands(ends: Ends) -> None:
    """Gain, were it otherwise: an end that a peer was moved from, and its seals, are lost to all
    that have not heard of them."""
    for _, _, end, heard in CASES[:-1]:
        one = hears(ends, ends.table(), *heard)
        two = tell(ends.table(), *one.held(Position(one.open.position.hand, 0, 0)))
        assert two.known == one.known
        assert ends.end_of(two) == end


TWO_SEATS: list[tuple[str, bool, list[str]]] = [
    ("nobody has sealed", True, ["proof"]),
    ("the other has sealed the end", False, ["proof", "theirs"]),
    ("the other has sealed both", True, ["proof", "theirs", "their cut"]),
    ("we have sealed the end", False, ["ours", "proof", "their cut"]),
    ("we have sealed the cut", True, ["proof", "our cut", "theirs"]),
]


@pytest.mark.parametrize(("why", "cut", "heard"), TWO_SEATS, ids=[why for why, *_ in TWO_SEATS])
def test_with_two_seats_what_the_other_has_sealed_stands(
    why: str, cut: bool, heard: list[str]
) -> None:
    """Unless one has sealed something else oneself. Gain: none; each seat is alone in its belief,
    and an end that both have sealed is a whole record."""
    party = Party(ONE_HAND, 2, 22, stayer).play()
    whole = party.peers[0].table
    end = tell(Table(party.agreement, party.source), *whole.held(Position(0, 0, 0)))
    first = whole.steps[0]
    proof = write(
        party.agreement, first.position, CROOK, first.head, Leave(), party.peers[CROOK].identity
    )
    log = [parsed.entry for step in whole.steps[:-1] for parsed in step.entries]
    over = tell(Table(party.agreement, party.source), *log)
    taken = tell(clone(over), proof)
    ours, theirs = sealed(party, over, 0, CROOK)
    our_cut, their_cut = sealed(party, taken, 0, CROOK)
    said = {
        "proof": proof,
        "ours": ours,
        "theirs": theirs,
        "our cut": our_cut,
        "their cut": their_cut,
    }
    for order in permutations(heard):
        table = tell(clone(over), *(said[name] for name in order))
        assert bool(table.violations) == cut
        assert table.outcome == (taken if cut else end).outcome


class Following:
    """Tables that hear what the model's peers hear."""

    def __init__(self, ends: Ends, play: Play) -> None:
        self.ends, self.play = ends, play
        self.tables = {seat: ends.table() for seat in play.start}

    def follow(self, event: Event, state: State) -> None:
        match event:
            case Told(seat, what):
                hears(self.ends, self.tables[seat], what)
            case Seals(seat):
                hears(self.ends, self.tables[seat], (seat, state[seat].sealed))  # type: ignore[arg-type]
        self.check(state)

    def check(self, state: State) -> None:
        """Where everybody stands, whose seals are heard, and who knows the same as whom."""
        views = {seat: self.play.view(peer) for seat, peer in state.items()}
        for seat, peer in state.items():
            assert self.ends.end_of(self.tables[seat]) == self.play.stands(peer)
            heard = views[seat].culprits | {one for one, _ in views[seat].seals}
            assert self.tables[seat].settled == (len(heard) == self.play.world.players)
        for one, two in permutations(state, 2):
            same = views[one].cuts == views[two].cuts and views[one].seals == views[two].seals
            assert (self.tables[one].known == self.tables[two].known) == same


@pytest.mark.parametrize("leaving", ["in time", "early", "never"])
def test_tables_stand_where_the_model_says(ends: Ends, leaving: Leaving) -> None:
    play = Play(OLD_AND_LAST, meeting, leaving)
    for seed in range(20):
        by_chance(play, random.Random(seed), 60, Following(ends, play).follow)


def test_a_third_word_counts_once_somebody_goes_on_from_it(ends: Ends) -> None:
    """Two bodies are a proof, and more of them a flood. Gain, if no third were ever heard: honest
    peers whom the crook told other last words have no room for each other's; if all were: memory.
    """
    table = hears(ends, ends.table(), A, (0, A))
    position, head, phase = ends.before.open
    assert isinstance(phase, Choosing)
    crook = ends.party.peers[CROOK].identity
    rubbish = [
        write(ends.party.agreement, position, CROOK, head, Lay(0, False, bytes([n] * 96)), crook)
        for n in range(20)
    ]
    assert [table.submit(table.check(entry)) for entry in rubbish] == [True] + [False] * 19
    assert not table.submit(table.check(ends.entries[B]))
    assert table.moot(ends.entries[B])
    assert table.check(ends.entries[B]).phase is None, "no proof of it is looked at"
    hears(ends, table, (2, B))
    assert [parsed.entry for parsed in table.unsupported] == [ends.seal(2, B)]
    hears(ends, table, B)
    assert table.unsupported == []
    assert ends.end_of(table) == CUT


def test_a_second_word_that_is_not_due_is_a_proof_and_opens_no_log(ends: Ends) -> None:
    """Gain: a step that closes with what it does not ask for."""
    table = hears(ends, ends.table(), A)
    position, head, _ = ends.before.open
    crook = ends.party.peers[CROOK].identity
    tell(table, write(ends.party.agreement, position, CROOK, head, Ready(), crook))
    assert ends.end_of(table) == CUT
    assert len(table._branches.ends) == 2


def test_all_proofs_and_seals_are_told_from_wherever_one_asks(ends: Ends) -> None:
    one = hears(ends, ends.table(), A, (0, A), OLD_PROOF, B, (2, CUT))
    late = Position(99, 0, 0)
    told = {parsed.body: parsed for parsed in map(read_parsed, one.held(late))}
    assert len(told) == 6
    assert {(body.seat, type(body.content)) for body in told} >= {(0, Seal), (2, Seal)}
    assert [body.seat for body in told if not isinstance(body.content, Seal)] == [CROOK] * 4


def test_a_seal_that_comes_before_the_last_word_is_no_reason_to_ask(ends: Ends) -> None:
    """Its author is only ahead; once the match is over here, it is asked for what is behind."""
    table = hears(ends, ends.table(), (0, A))
    assert table.unsupported == []
    assert [p.entry for p in hears(ends, table, B).unsupported] == [ends.seal(0, A)]
    ahead = hears(ends, ends.table(), OLD_PROOF, (2, B))
    assert [p.entry for p in ahead.unsupported] == [ends.seal(2, B)]


@pytest.mark.parametrize("first", [1, 2])
def test_of_two_proofs_in_one_step_the_first_seat_decides_what_seals_do_not(first: int) -> None:
    """Two cheats: one honest seat has heard of the one first, the next of the other."""
    party = Party(MINEIRO, 4)
    fresh = Table(party.agreement, party.source)
    taken = {seat: tell(clone(fresh), *doubled(party, fresh, seat)) for seat in (1, 2)}
    seals = {seat: sealed(party, taken[seat], by)[0] for seat, by in ((1, 0), (2, 3))}
    table = clone(taken[first])
    tell(table, *doubled(party, fresh, 3 - first), seals[first], seals[3 - first])
    assert [found.seat for found in table.violations] == [1]
    assert tell(clone(taken[2]), seals[2], *doubled(party, fresh, 1)).violations[0].seat == 2


@pytest.mark.parametrize("last", [leaves, commits_twice])
def test_two_scores_sealed_in_one_deal(last) -> None:
    """Two last words of a hand, and an end in the deal of the next, which both logs share. Each
    table has sealed the end of its own; another proof in that deal comes later.

    Gain: as with two last words of a match, or the later proof decides for whoever hears of it.
    """
    party, one, two = torn()
    entries = last(party, one)
    hand = one.open.position.hand
    for table, seat in ((one, 0), (two, 2)):
        tell(table, *entries)
        tell(table, *sealed(party, table, seat))
    assert one.open.place != two.open.place
    behind = Position(hand - 1, 0, 0)
    for table, other in ((one, two), (two, one)):
        tell(table, *other.held(behind))
    for table in (one, two):
        assert [(found.hand, found.seat) for found in table.violations] == [(hand - 1, CROOK)]
    assert one.known == two.known
    end, (position, head) = one.open.place, parse(party.agreement, entries[-1]).place
    tell(one, write(party.agreement, position, CROOK, head, Ready(), party.peers[CROOK].identity))
    assert one.open.place == end == two.open.place
