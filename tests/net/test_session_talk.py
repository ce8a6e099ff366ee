"""Talk at a session: whatever a peer says counts, whether there is anything to show or not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.net.limits import TALK_BURST, TALK_RATE
from p2ptruco.net.session.talk import Talk
from p2ptruco.rules.seating import Seat

from .kit import identities


@pytest.mark.parametrize("private", [False, True])
async def test_talk_is_metered_before_it_is_cleaned(
    private: bool, autojump_clock: MockClock
) -> None:
    """A peer would have everybody clean lines of nothing as fast as its link carries them."""
    peers = tuple(one.public for one in identities(2))
    said: list[tuple[Seat, str, bool]] = []
    agreement: Any = SimpleNamespace(identities=peers)
    nothing: Any = None
    talk = Talk(nothing, agreement, Seat(0), lambda *line: said.append(line))
    for text in ["\x1b"] * int(TALK_BURST) + ["oi"]:
        talk.hear(peers[1], text, private=private)
    await trio.sleep(1 / TALK_RATE)
    talk.hear(peers[1], "later", private=private)
    assert said == [(Seat(1), "later", private)]
