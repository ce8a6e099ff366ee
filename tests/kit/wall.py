"""Tables at which the judging of what others sent raises anything, at random, at each place."""

from __future__ import annotations

import io
import random

import trio

from p2ptruco.net.session import session
from p2ptruco.net.session.healing import Healing
from p2ptruco.net.session.intake import Intake
from p2ptruco.net.session.session import Session
from p2ptruco.net.session.talk import Talk
from p2ptruco.net.transport import frames
from p2ptruco.players.keeper import Keeper
from p2ptruco.players.local import LocalSeat
from p2ptruco.table import rulings, table
from p2ptruco.table.agreement import Times
from p2ptruco.table.branches import Branches
from p2ptruco.table.chain import Step
from p2ptruco.table.course import Course
from p2ptruco.table.entries import Seal
from p2ptruco.table.private import Advice, Cards, write_private
from p2ptruco.table.record.audit import audit
from p2ptruco.table.table import Table
from tests.kit.opendeck import open_deck
from tests.kit.raising import Place, Raising
from tests.kit.tables_over_links import Evening, Peer, uniform
from tests.kit.threads import on_the_loop

PLACES: dict[str, tuple[Place, ...]] = {
    "check": ((table, "parse"), (Branches, "phase"), (Table, "check")),
    "rule": ((rulings, "rule"),),
    "submit": ((Branches, "add"), (table, "standing"), (Table, "submit")),
    "close": ((Course, "close"), (Course, "_enter"), (Course, "_played"), (Course, "_end")),
    "frames": (
        (Session, "_hear"),
        (Intake, "put"),
        (Healing, "linked"),
        (Healing, "compare"),
        (Healing, "answer"),
        (Healing, "ask_for_support"),
    ),
    "private": (
        (Session, "_private"),
        (session, "read_private"),
        (Keeper, "from_partner"),
        (LocalSeat, "hear"),
        (Talk, "hear"),
    ),
}
PLACES["everywhere"] = tuple(place for places in PLACES.values() for place in places)
ONE_OF = {"check": 20, "rule": 6, "submit": 20, "close": 10, "frames": 25, "private": 8} | {
    "everywhere": 60
}
"""One of how many calls raises."""


class Chatty(Peer):
    """Plays honestly, talks all the time, and sends its partner all that partners may send."""

    presses = True

    async def play(self) -> None:
        async with trio.open_nursery() as tasks:
            tasks.start_soon(self._chat)
            await super().play()
            tasks.cancel_scope.cancel()

    async def _chat(self) -> None:
        table = self.agreement.id
        while True:
            self.session.talk.say("oi")
            self.session.talk.signal("psst")
            here = self.table.open
            hand = here.position.hand
            for message in (
                Cards(table, 0, hand, 0, bytes(160)),
                Advice(table, 0, *here.position, here.head, "accept"),
            ):
                self.mesh.flood(frames.pad(write_private(message)))
            await trio.sleep(0.5)


def same_match(evening: Evening) -> None:
    """Everybody came to one end, each by its own moves; who left first may lack a seal."""
    first = evening.honest[0].table
    assert first.outcome is not None
    for peer in evening.honest:
        assert peer.table.outcome == first.outcome
        assert peer.table.hands == first.hands
        assert [s.after for s in played(peer)] == [s.after for s in played(evening.honest[0])]
        assert audit(io.BytesIO(peer.record), random.Random(0).randbytes).breach is None
    evening._everybody_played_its_own_mind()


def played(peer: Peer) -> list[Step]:
    """Its log without the seals."""
    seals = (step for step in peer.table.steps if isinstance(step.entries[0].body.content, Seal))
    last = next(seals, None)
    return [step for step in peer.table.steps if step is not last]


async def play(where: str, size: int, seed: int) -> Raising:
    """One match among honest peers, at which this place raises; AssertionError if it did harm."""
    raising, chatty = Raising(seed, ONE_OF[where]), dict.fromkeys(range(size), Chatty)
    more = {"times": Times(grace=60), "patience": 300.0, "pause": (0.1, 0.3)}
    evening = Evening(size, chatty, seed=seed, policy=uniform, **more)
    evening.offload = on_the_loop(random.Random(seed), 0.01)
    with open_deck():
        with raising.at(*PLACES[where]):
            await evening.play()
        same_match(evening)
    assert evening.violations == []
    assert {one.reason for one in evening.closed if not one.theirs} <= {"malformed", "duplicate"}
    return raising
