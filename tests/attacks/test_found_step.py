"""Two cheats double themselves in one step: the honest ones hear of it in another order."""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from trio.testing import MockClock

from p2ptruco.rules.presets import MINEIRO
from p2ptruco.table.entries import Commit, Entry, write
from p2ptruco.table.table import Table
from tests.kit.cheats.doubles import TwoCommitments
from tests.kit.opendeck import open_deck
from tests.kit.party import Party
from tests.kit.tables_over_links import no_threads


def doubled(party: Party, table: Table, seat: int) -> list[Entry]:
    """Two commitments of a seat where this table stands."""
    (position, head, _), me = table.open, party.peers[seat].identity
    both = [Commit(bytes([number] * 32)) for number in (1, 2)]
    return [write(party.agreement, position, seat, head, one, me) for one in both]


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


class ToOneOnly(TwoCommitments):
    """Doubles itself before one honest peer, as another does before the next."""

    def share(self, first: Entry, second: Entry) -> None:
        victim = {1: 3, 2: 0}[self.seat]
        self.send(first, [victim])
        self.send(second, [victim])


@pytest.mark.parametrize("seed", range(3))
async def test_two_cheats_each_before_another_peer(seed: int, autojump_clock: MockClock) -> None:
    """Gain: as above."""
    with open_deck(), no_threads(random.Random(seed), most=0.05):
        evening = await ToOneOnly.evening(4, seed=seed, cheats={1: ToOneOnly, 2: ToOneOnly}).play()
        evening.check_honest()
        assert evening.words == {"caught equivocation"}
        assert [found.seat for found in evening.violations] == [1]
