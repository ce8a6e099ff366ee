"""When a peer is asked for what stands behind its heartbeat, and from where on."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import trio

from p2ptruco.net.session.healing import Healing
from p2ptruco.net.transport import frames
from p2ptruco.table.entries import Entry, Position
from p2ptruco.table.table import Open

US, THEM = bytes(32), b"\1" * 32
HEAD, OTHER = b"h" * 32, b"o" * 32
KNOWN = b"k" * 32
HERE = Position(3, 0, 5)
BEHIND = Position(2, 0, 0)


class Mesh:
    """One link, and what was sent over it."""

    def __init__(self) -> None:
        self.linked = {THEM}
        self.sent: list[Any] = []

    def send(self, peer: bytes, message: Any) -> None:
        assert peer == THEM
        self.sent.append(message)

    @property
    def asked(self) -> list[Position]:
        asks = (message for message in self.sent if isinstance(message, frames.Ask))
        return [Position(ask.hand, ask.attempt, ask.step) for ask in asks]


def healing(unsupported: tuple[object, ...] = (), outcome: object = None) -> tuple[Healing, Mesh]:
    """At a table of two, in the middle of its fourth hand."""
    terms = SimpleNamespace(epoch=0)
    agreement = SimpleNamespace(identities=(US, THEM), terms=terms)
    table: Any = SimpleNamespace(
        open=Open(HERE, HEAD, None),  # type: ignore[arg-type]
        agreement=agreement,
        unsupported=list(unsupported),
        outcome=outcome,
        known=KNOWN,
    )
    mesh: Any = Mesh()
    return Healing(mesh, table), mesh


def pulse(position: Position, head: bytes, known: bytes = KNOWN) -> frames.Pulse:
    return frames.Pulse(0, *position, head, 0, known)


LATER, BEFORE = HERE._replace(step=6), HERE._replace(step=4)


@pytest.mark.parametrize(
    ("pulses", "asked"),
    [
        ([(HERE, HEAD)], False),
        ([(HERE, OTHER)], True),
        ([(BEFORE, OTHER)], False),
        ([(LATER, OTHER)], False),
        ([(LATER, OTHER), (LATER, OTHER)], True),
        ([(HERE, HEAD), (LATER, OTHER)], False),
        ([(LATER, OTHER), (HERE, HEAD)], False),
        ([(BEFORE, OTHER), (BEFORE, OTHER)], False),
    ],
    ids=[
        *("with us", "on another head", "behind", "ahead once", "ahead twice"),
        *("just gone ahead", "we caught up", "stays behind"),
    ],
)
async def test_whoever_forked_or_stays_ahead_is_asked_from_the_hand_before_on(
    pulses: list[tuple[Position, bytes]], asked: bool, autojump_clock: object
) -> None:
    """Nobody else is: each ask costs its answer."""
    ours, mesh = healing()
    for one in pulses:
        ours.compare(THEM, pulse(*one))
        await trio.sleep(2)
    assert mesh.asked == ([BEHIND] if asked else [])


async def test_nobody_is_asked_twice_within_a_second_but_over_a_new_link(
    autojump_clock: object,
) -> None:
    ours, mesh = healing()
    for _ in range(3):
        ours.compare(THEM, pulse(HERE, OTHER))
    assert mesh.asked == [BEHIND]
    ours.linked(THEM)
    assert mesh.asked == [BEHIND, HERE]
    await trio.sleep(2)
    ours.compare(THEM, pulse(HERE, OTHER))
    assert mesh.asked == [BEHIND, HERE, BEHIND]


async def test_a_new_link_is_asked_for_what_an_unknown_head_stands_on() -> None:
    """Else for what came since: a hand less."""
    for unsupported, since in (((), HERE), ((object(),), BEHIND)):
        ours, mesh = healing(unsupported)
        ours.linked(THEM)
        assert mesh.asked == [since]


async def test_who_knows_other_proofs_and_seals_at_the_end_for_a_while_is_asked(
    autojump_clock: object,
) -> None:
    """What was under way when the match ended comes by itself, and before the end all do differ."""
    for outcome, seconds, asked in ((None, 5, []), ("won", 0.5, []), ("won", 1.5, [BEHIND])):
        ours, mesh = healing(outcome=outcome)
        ours.compare(THEM, pulse(HERE, HEAD, OTHER))
        await trio.sleep(seconds)
        ours.compare(THEM, pulse(HERE, HEAD, OTHER))
        assert mesh.asked == asked
    ours, mesh = healing(outcome="won")
    for known in (OTHER, KNOWN, OTHER):
        ours.compare(THEM, pulse(HERE, HEAD, known))
        await trio.sleep(2)
    assert mesh.asked == []


async def test_all_agree_when_every_peer_that_has_not_left_knows_what_we_know() -> None:
    """A link that is down is no leave: its peer may come back with another seal."""
    ours, mesh = healing()
    assert not ours.agreed()
    for known, agreed in ((OTHER, False), (KNOWN, True), (OTHER, False)):
        ours.compare(THEM, pulse(HERE, HEAD, known))
        assert ours.agreed() == agreed
    mesh.linked = set()
    assert not ours.agreed()
    ours.left(THEM)
    assert ours.agreed()


async def test_an_ask_of_another_epoch_is_not_answered() -> None:
    ours, mesh = healing()
    entry = Entry(b"body", bytes(64))
    ours._table.held = lambda since: [entry]  # type: ignore[method-assign]
    ours._table.seals = []  # type: ignore[misc]
    ours.answer(THEM, frames.Ask(1, *HERE))
    assert mesh.sent == []
    ours.answer(THEM, frames.Ask(0, *HERE))
    assert [type(message) for message in mesh.sent] == [frames.EntryFrame, frames.Pulse]


async def test_a_heartbeat_says_whom_its_speaker_hears() -> None:
    """By seat; what others make of it is `Hearing`'s."""
    ours, mesh = healing()
    assert ours.pulse().hears == 0b10
    mesh.linked = set()
    assert ours.pulse().hears == 0
