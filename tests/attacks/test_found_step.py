"""Two cheats double themselves in one step: the honest ones hear of it in another order."""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from trio.testing import MockClock

from p2ptruco.rules.presets import MINEIRO
from p2ptruco.table.entries import Commit, Content, Entry, Leave, Position, Ready, write
from p2ptruco.table.table import Table
from tests.attacks.test_found_ends import over, sealed
from tests.kit.cheats.doubles import TwoCommitments
from tests.kit.opendeck import open_deck
from tests.kit.party import Party
from tests.kit.threads import on_the_loop

TWO = Commit(bytes(32)), Commit(bytes([1] * 32))


def doubled(party: Party, table: Table, seat: int, *two: Content) -> list[Entry]:
    """Two words of a seat where this table stands."""
    (position, head, _), me = table.open, party.peers[seat].identity
    return [write(party.agreement, position, seat, head, one, me) for one in two or TWO]


@pytest.mark.parametrize("order", list(permutations([1, 2, 3])))
def test_of_two_proofs_in_the_open_step_the_earlier_seat_decides(order: tuple[int, ...]) -> None:
    """The first proof closes nothing: what the others say in that step is still heard.

    Gain, for two cheats of different teams: one honest peer hears of the one first and ends with
    a victory of that team, the next of the other; nothing that they tell each other changes it.
    """
    party = Party(MINEIRO, 4)
    table = Table(party.agreement, party.source)
    proofs = [entry for seat in order for entry in doubled(party, table, seat)]
    for entry in proofs:
        table.submit(table.check(entry))
    assert [found.seat for found in table.violations] == [1]


def slowly(table: Table, entry: Entry, *meanwhile: Entry) -> None:
    """Check an entry, hear others while its check is on its way, then submit it."""
    checked = table.check(entry)
    for other in meanwhile:
        table.submit(table.check(other))
    table.submit(checked)
    for parsed in table.ripe():
        table.submit(table.check(parsed))


def test_a_check_that_began_before_its_step_and_ends_after_the_proof() -> None:
    """Gain: the entry is put away for a step that never comes, and known ever after: one honest
    peer lacks a half that all the others have."""
    with open_deck():
        party = Party(MINEIRO, 4)
        table, ahead = (Table(party.agreement, party.source) for _ in range(2))
        commits = [doubled(party, table, seat)[0] for seat in range(4)]
        for one in (table, ahead):
            for entry in commits[: 3 if one is table else 4]:
                one.submit(one.check(entry))
        halves = doubled(party, ahead, 1, Leave(), Ready())
        slowly(table, halves[0], commits[3], *doubled(party, ahead, 2, Leave(), Ready()))
        table.submit(table.check(halves[1]))
        assert [found.seat for found in table.violations] == [1]


def test_a_check_of_the_last_seal_that_began_before_the_end_and_ends_after_the_proof() -> None:
    """Gain: one honest peer stands where the proof put it, all others at the end that is sealed."""
    with open_deck():
        party, full, proof = over(0, 2, 3)
        held = list(full.held(Position(0, 0, 0)))
        last, seals = held[-4], held[-3:]
        table = Table(party.agreement, party.source)
        for entry in held[:-4]:
            table.submit(table.check(entry))
        slowly(table, sealed(party, full, 1)[0], last, *seals, *proof)
        assert table.finished
        assert not table.violations


class ToOneOnly(TwoCommitments):
    """Doubles itself before one honest peer, as another does before the next."""

    def share(self, first: Entry, second: Entry) -> None:
        victim = {1: 3, 2: 0}[self.seat]
        self.send(first, [victim])
        self.send(second, [victim])


@pytest.mark.parametrize("seed", range(3))
async def test_two_cheats_each_before_another_peer(seed: int, autojump_clock: MockClock) -> None:
    """Gain: as above. Whose proof it is depends on what is sealed first."""
    with open_deck():
        evening = await ToOneOnly.evening(
            4,
            seed=seed,
            cheats={1: ToOneOnly, 2: ToOneOnly},
            offload=on_the_loop(random.Random(seed), 0.05),
        ).play()
        evening.check_honest()
        assert evening.words == {"caught equivocation"}
        (found,) = evening.violations
        assert found.seat in (1, 2)
