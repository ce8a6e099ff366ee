"""Talk at a session: whatever a peer says counts, whether there is anything to show or not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.net.session.talk import Sent, Talk
from p2ptruco.net.transport.frames import unpad
from p2ptruco.net.transport.limits import TALK_BURST, TALK_RATE
from p2ptruco.rules.seating import Seat
from p2ptruco.table.private import read_private

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


class Links:
    """A mesh that is linked with some of the others."""

    def __init__(self, *linked: bytes) -> None:
        self._linked = linked
        self.carried: list[bytes] = []

    def send(self, peer: bytes, message: object) -> bool:
        self.carried += [peer] * (peer in self._linked)
        return peer in self._linked


def talking(linked: list[int]) -> Talk:
    """Seat 1 of four, linked with some of the others."""
    peers = tuple(one.public for one in identities(4))
    agreement: Any = SimpleNamespace(identities=peers, id=bytes(32), terms=SimpleNamespace(epoch=0))
    mesh: Any = Links(*(peers[seat] for seat in linked))
    return Talk(mesh, agreement, Seat(1), lambda *line: None)


@pytest.mark.parametrize(
    ("linked", "said", "signalled"),
    [
        ([0, 2, 3], Sent((0, 2, 3), ()), Sent((3,), ())),  # type: ignore[arg-type]
        ([0, 3], Sent((0, 3), (2,)), Sent((3,), ())),  # type: ignore[arg-type]
        ([2], Sent((2,), (0, 3)), Sent((), (3,))),  # type: ignore[arg-type]
        ([], Sent((), (0, 2, 3)), Sent((), (3,))),  # type: ignore[arg-type]
    ],
)
async def test_whoever_speaks_learns_whom_no_link_leads_to(
    linked: list[int], said: Sent, signalled: Sent
) -> None:
    """A wink to a partner without a link was told as said."""
    talk = talking(linked)
    assert (talk.say("oi"), talk.signal("zap")) == (said, signalled)
    carried: Any = talk._mesh
    assert len(carried.carried) == len(said.to) + len(signalled.to)


async def test_what_nobody_would_hear_is_not_sent(autojump_clock: MockClock) -> None:
    """Nothing is left of a line, or it is one too many: the others drop it without a word."""
    talk = talking([0, 2, 3])
    assert talk.say("\x1b") == talk.signal("") == Sent(fault="empty")
    for _ in range(int(TALK_BURST)):
        assert not talk.say("oi").fault
    assert talk.say("oi") == talk.signal("oi") == Sent(fault="too_fast")
    await trio.sleep(1 / TALK_RATE)
    assert not talk.signal("oi").fault


@pytest.mark.parametrize("private", [False, True])
async def test_what_we_say_is_cleaned_before_it_is_sent(private: bool) -> None:
    """Gain, were it not: a line pasted from elsewhere plays tricks on the others' terminals, or
    closes our link as one that no honest program sends."""
    talk, sent = talking([0, 2, 3]), list[Any]()
    talk._mesh.send = lambda peer, message: sent.append(message) is None  # type: ignore
    (talk.signal if private else talk.say)("\u202ezap\x1b[2J")
    for message in sent:
        text = read_private(unpad(message)).text if private else message.text  # type: ignore
        assert text == "zap[2J"
    assert len(sent) == (1 if private else 3)
