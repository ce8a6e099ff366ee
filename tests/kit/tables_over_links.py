"""Whole tables in one trio run: a real `Session` a seat over a real mesh, honest or not.

`Evening` seats one `Peer` a chair, links them over memory streams or TCP and plays until every
honest session has ended or nothing has moved for a while. What became of it is read off the honest
peers only: `Evening.word` is the set of words of the table at the end of `protocol/table.md`.

What a peer would do in a worker thread is done on the loop (`kit/threads`), for the mock clock.
"""

from __future__ import annotations

import io
import random
from collections.abc import AsyncIterator, Callable, Container, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import trio
from trio.testing import memory_stream_pair

from p2ptruco.net.mesh.events import Dropped, Event
from p2ptruco.net.mesh.mesh import Mesh
from p2ptruco.net.mesh.queues import FOR_LOBBY
from p2ptruco.net.session.intake import INBOX
from p2ptruco.net.session.session import Session
from p2ptruco.net.transport.limits import LIMITS, TALK_BURST, TALK_RATE, Limits
from p2ptruco.net.transport.network import Network, Tcp
from p2ptruco.players.local import LocalSeat
from p2ptruco.players.offload import Offload
from p2ptruco.rules.moves import Move, Play
from p2ptruco.rules.seating import Seat
from p2ptruco.rules.variant import Variant
from p2ptruco.table.agreement import Agreement, Place, Times, propose
from p2ptruco.table.entries import Lay, Say
from p2ptruco.table.identity import Identity
from p2ptruco.table.record.audit import audit
from p2ptruco.table.record.file import write_record
from p2ptruco.table.steps.playing import move_of
from p2ptruco.table.table import KEPT_EACH, Table
from p2ptruco.table.violation import Violation
from p2ptruco.text import CHAT_BYTES, CHAT_GRAPHEMES, is_clean
from tests.kit.minds import BLIND as BLIND
from tests.kit.minds import SHORT as SHORT
from tests.kit.minds import Mind as Mind
from tests.kit.minds import Policy as Policy
from tests.kit.minds import first_card as first_card
from tests.kit.minds import uniform as uniform
from tests.kit.threads import on_the_loop
from tests.net.kit import Pair, Village

TIMES = Times(grace=2)
PROOFS = 8
"""Second bodies that an honest peer may have taken for proofs, at the cheats' tables."""


@dataclass(frozen=True)
class Closed:
    """A link that ended at one honest peer, and why; `theirs`: the other end said so."""

    at: int
    peer: int
    reason: str
    theirs: bool


class Noting(Session):
    """A session that notes which links ended, and every message that came."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.closed: list[Closed] = []
        self.heard: list[tuple[bytes, Event]] = []

    def _hear(self, peer: bytes, event: Event) -> None:
        seats = self.table.agreement.identities
        self.heard.append((peer, event))
        if isinstance(event, Dropped) and peer in seats:
            here, there = self.local.seat, seats.index(peer)
            self.closed.append(Closed(here, there, event.reason, event.theirs))
        super()._hear(peer, event)


class Peer:
    """One process of an honest player. A cheat is a subclass that changes one thing."""

    honest = True
    presses = False
    """Whether it presses answers while its partner speaks."""
    forks_records = False
    """Whether records may differ though all logs are the same: in a second signature on one body,
    in which two of three bodies are the proof."""

    def __init__(self, evening: Evening, seat: int) -> None:
        self.evening, self.seat = evening, Seat(seat)
        self.rng = random.Random(f"{evening.seed}/{seat}")
        self.identity = evening.identities[seat]
        network = evening.network(seat)
        self.mesh = Mesh(self.identity, network, limits=self.limits, chance=self.rng)
        self.table = Table(evening.agreement, self.rng.randbytes)
        self.mind = Mind(evening.policy, self.rng, evening.pause)
        mouth = self.mouth()
        self.local = mouth(
            self.table, self.seat, self.identity, self.mind, self.rng, offload=evening.offload
        )
        self.lines: list[tuple[Seat, str, bool]] = []
        """What was heard: who, what, whether in private."""
        self.session = Noting(
            self.mesh,
            self.table,
            self.local,
            said=lambda *line: self.lines.append(line),
            ahead=evening.ahead,
        )
        self.ended = False

    def mouth(self) -> Callable[..., LocalSeat]:
        return LocalSeat

    @property
    def limits(self) -> Limits:
        return self.evening.limits

    @property
    def agreement(self) -> Agreement:
        return self.evening.agreement

    async def play(self) -> None:
        await self.session.run()
        self.ended = True

    @property
    def record(self) -> bytes:
        signatures = self.evening.signatures
        return b"".join(write_record(self.table, signatures, self.seat, self.identity))

    @property
    def log(self) -> list[bytes]:
        """Every body this peer holds, in the order of the log."""
        table = self.table
        closed = [parsed.entry.body for step in table.steps for parsed in step.entries]
        return closed + [parsed.entry.body for parsed in table.paid]

    @property
    def moves(self) -> list[Move]:
        """What the log says that this seat chose, as this peer has it."""
        said = [parsed.body for step in self.table.steps for parsed in step.entries]
        mine = [body.content for body in said if body.seat == self.seat]
        return [move_of(content) for content in mine if isinstance(content, (Lay, Say))]


Kind = Callable[["Evening", int], Peer]


@dataclass
class Evening:
    """One table and its peers. `cheats`: which seats are not honest, and how."""

    size: int
    cheats: Mapping[int, Kind] = field(default_factory=dict)
    variant: Variant = SHORT
    seed: int = 0
    policy: Policy = first_card
    pause: tuple[float, float] = (0.0, 0.0)
    """Seconds that a choice takes, between these two."""
    times: Times = TIMES
    tcp: bool = False
    patience: float = 40.0
    """Seconds without a step after which a table is called suspended."""
    limits: Limits = LIMITS
    """Of the honest peers."""
    pair: Pair = memory_stream_pair
    offload: Offload = field(default_factory=on_the_loop)
    ahead: bool = False
    """Whether everybody deals the next hand behind the play."""
    peers: list[Peer] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.village = Village(self.pair)
        source = random.Random(f"{self.seed}/table").randbytes
        self.identities = [Identity.generate(source) for _ in range(self.size)]
        places = [
            Place(one.public, f"p{seat + 1}", seat, source(32))
            for seat, one in enumerate(self.identities)
        ]
        self.agreement = propose(self.variant, places, times=self.times)
        self.signatures = tuple(self.agreement.sign(one) for one in self.identities)

    def network(self, seat: int) -> Network:
        return Tcp("127.0.0.1") if self.tcp else self.village.house(seat)

    @property
    def honest(self) -> list[Peer]:
        return [peer for peer in self.peers if peer.honest]

    @property
    def guilty(self) -> set[int]:
        return {int(peer.seat) for peer in self.peers if not peer.honest}

    # Playing.

    async def play(self) -> Evening:
        """Until every honest session has ended, or nothing has moved for `patience` seconds."""
        async with self.linked(), trio.open_nursery() as tasks:
            for peer in self.peers:
                tasks.start_soon(peer.play)
            await self._over()
            tasks.cancel_scope.cancel()
        return self

    @asynccontextmanager
    async def linked(self) -> AsyncIterator[None]:
        """Everybody seated, every mesh running and linked to every other."""
        self.peers = [self.cheats.get(seat, Peer)(self, seat) for seat in range(self.size)]
        async with trio.open_nursery() as tasks:
            for peer in self.peers:
                await tasks.start(peer.mesh.run)
            self.part()
            for peer in self.peers:
                await peer.mesh.all_linked()
            yield
            tasks.cancel_scope.cancel()

    def part(self, apart: Container[tuple[int, int]] = ()) -> None:
        """Link everybody, but the pairs (lower seat, higher seat) that are `apart`."""
        for peer in self.peers:
            near = [
                other
                for other in self.peers
                if (min(peer.seat, other.seat), max(peer.seat, other.seat)) not in apart
            ]
            where = {other.identity.public: other.mesh.addresses for other in near}
            peer.mesh.set_roster(self.agreement.id, where)
            for linked in peer.mesh.linked - where.keys():
                peer.mesh.close(linked, "lost")

    async def _over(self) -> None:
        moved, before = trio.current_time(), self._standing()
        while not all(peer.ended for peer in self.honest):
            await trio.sleep(self.patience / 40)
            if (now := self._standing()) != before:
                moved, before = trio.current_time(), now
            if trio.current_time() - moved > self.patience:
                break

    def _standing(self) -> list[object]:
        return [(peer.table.open[:2], len(peer.table.paid), peer.ended) for peer in self.honest]

    # What became of it, as the honest peers have it.

    @property
    def violations(self) -> list[Violation]:
        found = [peer.table.violations for peer in self.honest]
        assert all(one == found[0] for one in found), found
        return found[0]

    @property
    def closed(self) -> list[Closed]:
        """Links that an honest peer closed, or lost, while the match was on."""
        return [closed for peer in self.honest for closed in peer.session.closed]

    @property
    def words(self) -> set[str]:
        """`caught word`, `closed word`, and how the match ended: played, unsealed, suspended.

        How it ended is left out where a violation ended it: whether its author seals says nothing.
        """
        caught = {f"caught {violation.word}" for violation in self.violations}
        shut = {f"closed {one.reason}" for one in self.closed if not one.theirs}
        over = any(violation.ends_match for violation in self.violations)
        ending = set() if over and self.ending != "suspended" else {self.ending}
        return caught | shut | ending

    @property
    def ending(self) -> str:
        tables = [peer.table for peer in self.honest]
        if any(table.outcome is None for table in tables):
            return "suspended"
        return "played" if all(table.finished for table in tables) else "unsealed"

    def check_honest(self) -> None:
        """What holds whatever a cheat does."""
        self._nobody_honest_is_accused()
        self._everybody_has_the_same()
        self._everybody_played_its_own_mind()
        self._nobody_overhears()

    def check_memory(self) -> None:
        """What an honest peer keeps of others is bounded, whatever they send."""
        for peer in self.honest:
            table, session = peer.table, peer.session
            kept = [len(entries) for entries in table._kept.values()]
            assert all(count <= KEPT_EACH for count in kept)
            assert len(table._bodies) <= len(table._said) + sum(kept) + PROOFS
            assert len(peer.mesh.queues._lobby) <= FOR_LOBBY
            assert len(peer.lines) <= TALK_BURST + TALK_RATE * trio.current_time()
            for inbox in session._intake._inboxes.values():
                assert inbox.statistics().current_buffer_used <= INBOX

    def _nobody_overhears(self) -> None:
        """Private lines come from partners only, and every line is clean."""
        for peer in self.honest:
            for seat, line, private in peer.lines:
                assert not private or seat % 2 == peer.seat % 2
                assert is_clean(line, CHAT_BYTES, CHAT_GRAPHEMES)

    def _nobody_honest_is_accused(self) -> None:
        for peer in self.honest:
            accused = {violation.seat for violation in peer.table.violations}
            assert accused <= self.guilty, (peer.seat, peer.table.violations)
        for one in self.closed:
            assert one.peer in self.guilty, one

    def _everybody_has_the_same(self) -> None:
        first = self.honest[0]
        for peer in self.honest:
            assert peer.table.violations == first.table.violations
            assert peer.table.outcome == first.table.outcome
            assert peer.table.hands == first.table.hands
            assert peer.table.open[:2] == first.table.open[:2]
            assert peer.log == first.log
        if first.table.outcome is not None and not any(peer.forks_records for peer in self.peers):
            assert len({peer.record for peer in self.honest}) == 1
        found = audit(io.BytesIO(first.record), random.Random(0).randbytes)
        assert found.breach is None, found.breach
        assert found.table.violations == first.table.violations

    def _everybody_played_its_own_mind(self) -> None:
        """All of it, or the cards where a partner may answer in its place."""
        for peer in self.honest:
            alone = not any(mate.presses for mate in self.peers if mate.seat % 2 == peer.seat % 2)
            made, chosen = (
                [move for move in moves if alone or isinstance(move, Play)]
                for moves in (peer.moves, peer.mind.chosen)
            )
            assert made == chosen[: len(made)], (peer.seat, made, chosen)
