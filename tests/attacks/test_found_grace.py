"""An agreement that grants no time after the end."""

from __future__ import annotations

import random

import pytest
from trio.testing import MockClock

from p2ptruco.table.agreement import Times
from tests.kit.opendeck import open_deck
from tests.kit.tables_over_links import Evening
from tests.kit.threads import on_the_loop


@pytest.mark.parametrize("grace", [0, 1])
async def test_seals_are_waited_for_whatever_the_host_grants(
    grace: int, autojump_clock: MockClock
) -> None:
    """Gain: no match of this host is ever sealed, and of a match that it lost its honest guests
    have a record that is incomplete, or no better than one that the host makes up."""
    with open_deck():
        evening = await Evening(
            4, times=Times(grace=grace), offload=on_the_loop(random.Random(grace), 0.3)
        ).play()
        evening.check_honest()
        assert evening.words == {"played"}
