"""A link between partners is cut just as they show each other their cards."""

from __future__ import annotations

import random

import trio
from trio.testing import MockClock

from p2ptruco.rules.hand import Kind, Phase
from p2ptruco.rules.view import View
from p2ptruco.table.steps.playing import Tokening
from tests.kit.opendeck import open_deck
from tests.kit.tables_over_links import Evening, first_card

PARTNERS = {(0, 2), (1, 3)}


async def test_partners_whose_link_comes_back_are_shown_the_cards(
    autojump_clock: MockClock,
) -> None:
    """Gain, for whoever can cut a cable for a second: a special hand decided and played blind by
    those whom the rules show their partners' cards."""
    shown: dict[Phase, list[int]] = {}

    def looking(view: View, rng: random.Random) -> object:
        if view.kind is Kind.SPECIAL and view.team == view.hand.special:
            shown.setdefault(view.hand.phase, []).append(len(view.partner_cards))
        return first_card(view, rng)

    evening = Evening(4, policy=looking)  # type: ignore[arg-type]

    async def cutter() -> None:
        one = evening.peers[0]
        while (hand := one.table.hand) is None or hand.kind is not Kind.SPECIAL:
            await one.session._moved.wait()
        assert isinstance(one.table.open.phase, Tokening)
        evening.part(PARTNERS)
        await trio.sleep(1)
        evening.part()

    with open_deck():
        async with evening.linked(), trio.open_nursery() as tasks:
            tasks.start_soon(cutter)
            for peer in evening.peers:
                tasks.start_soon(peer.play)
            await evening._over()
            tasks.cancel_scope.cancel()
    assert shown[Phase.DECIDING] == [3]
