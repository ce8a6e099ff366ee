"""Threads come late: a hand may end, by a cheat's choice of the moment, while one is on its way.

Gain: an honest process that ends with an exception, or opens a card with the key of another hand.
"""

from __future__ import annotations

import random

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.players.keeper import Forgotten, Keeper
from p2ptruco.rules.moves import Play
from p2ptruco.rules.seating import Seat, slots_of
from p2ptruco.table.steps.playing import Choosing, Game
from tests.kit.cheats import every_cheat
from tests.kit.cheats.base import Dishonest, cheated
from tests.kit.cheats.doubles import TwoBodies, TwoPlacesLater
from tests.kit.cheats.privates import BadCardsToPartner
from tests.kit.opendeck import open_deck
from tests.kit.party import Party
from tests.kit.tables_over_links import SHORT
from tests.kit.threads import on_the_loop

HASTY = "special hand decided before the cards are shown"
SUDDEN = [kind for kind in every_cheat() if issubclass(kind, (TwoBodies, TwoPlacesLater))]
"""Cheats that end a match at once, whatever the others are doing."""


@pytest.mark.parametrize("seed", range(1))
@pytest.mark.parametrize("kind", [kind for kind in SUDDEN if not kind.real])
async def test_a_match_that_ends_while_threads_are_on_their_way(
    kind: type[Dishonest], seed: int, autojump_clock: MockClock
) -> None:
    """Every cheat that ends a match at once, while others are still working on it."""
    rng = random.Random(f"{kind.title}/{seed}")
    with open_deck():
        evening = await kind.evening(
            max(kind.sizes), seed=seed, pause=(0.0, 0.1), offload=on_the_loop(rng, 0.05)
        ).play()
        evening.check_honest()
        assert cheated(evening)
        assert evening.words == {"caught equivocation"}


@pytest.mark.parametrize("seed", [0, 3])
async def test_a_special_hand_refused_before_the_partners_cards_are_shown(
    seed: int, autojump_clock: MockClock
) -> None:
    """The speaker refuses at once; its partner's thread comes when the key is gone."""
    hasty = next(kind for kind in every_cheat() if kind.title == HASTY)
    with open_deck():
        evening = await hasty.evening(
            4, seed=seed, offload=on_the_loop(random.Random(seed), 0.1)
        ).play()
        evening.check_honest()
        assert cheated(evening)


def dealt(hands: int) -> tuple[Party, Game]:
    """A party in its hand number `hands`, and the game that its seat 0 sees."""
    party = Party(SHORT, 2, seed=5)
    one = party.peers[0].table
    party.play(until=lambda: len(one.hands) == hands and isinstance(one.open.phase, Choosing))
    phase = one.open.phase
    assert isinstance(phase, Choosing)
    return party, phase.game


def test_no_key_meets_the_deck_of_another_hand() -> None:
    """Asked too late for a hand that is over: nothing is opened, paid or taken, nothing breaks."""
    with open_deck():
        party, old = dealt(0)
        keeper = party.peers[0].keeper
        assert keeper.sees(old)
        party.play(until=lambda: len(party.peers[0].table.hands) == 1)
        party.play(until=lambda: isinstance(party.peers[0].table.open.phase, Choosing))
        refuses(keeper, old)
        keeper.drop()
        refuses(keeper, old)


def refuses(keeper: Keeper, old: Game) -> None:
    assert keeper.sees(old) == {}
    assert not keeper.from_partner(old, Seat(1), bytes(160))
    with pytest.raises(Forgotten):
        keeper.say(old, Play(slots_of(Seat(0))[0]))


class Pest(BadCardsToPartner):
    """Sends cards all the time, from before the hand is dealt."""

    async def scheme(self) -> None:
        while True:
            self.show(self.table.open.position.hand)
            await trio.sleep(0.03)


async def test_cards_that_two_peers_send_at_one_time(autojump_clock: MockClock) -> None:
    """While a thread looks at one peer's, another task looks at the other's."""
    with open_deck():
        evening = await Pest.evening(
            4, cheats={1: Pest, 3: Pest}, offload=on_the_loop(random.Random(2), 0.05)
        ).play()
        evening.check_honest()
        assert evening.words == {"played"}
