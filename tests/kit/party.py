"""A table of sans-IO peers in one place: every peer its own `Table`, entries in seeded disorder.

`Party.play` delivers entries one at a time, in any order, sometimes twice, and lets each seat
speak when its own table waits for it; nothing is shared but bytes.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from p2ptruco.players.keeper import Keeper
from p2ptruco.rules.moves import FOLD, Move
from p2ptruco.rules.play import legal
from p2ptruco.rules.seating import Seat
from p2ptruco.rules.variant import Variant
from p2ptruco.table.agreement import Agreement, Place, Times, propose
from p2ptruco.table.entries import Entry, write
from p2ptruco.table.identity import Identity
from p2ptruco.table.record.audit import Audit, audit
from p2ptruco.table.record.file import write_record
from p2ptruco.table.steps.phases import Choice
from p2ptruco.table.steps.playing import Game
from p2ptruco.table.steps.sealing import Sealing
from p2ptruco.table.table import Checked, Table

Choose = Callable[[Game, Seat, random.Random], Move]


def uniform(game: Game, seat: Seat, rng: random.Random) -> Move:
    """Any legal move."""
    return rng.choice(legal(game.hand, seat))


def stayer(game: Game, seat: Seat, rng: random.Random) -> Move:
    """Any legal move but a fold: longer hands."""
    return rng.choice([move for move in legal(game.hand, seat) if move != FOLD])


@dataclass
class Peer:
    """One process of an honest player."""

    table: Table
    keeper: Keeper
    identity: Identity
    inbox: list[Entry] = field(default_factory=list)
    said: set[tuple[object, bytes]] = field(default_factory=set)
    sealed: bool = False

    @property
    def seat(self) -> Seat:
        return self.keeper.seat

    @property
    def due(self) -> bool:
        """Whether the table waits for it; of the ends of a match it seals one."""
        if self.sealed and isinstance(self.table.open.phase, Sealing):
            return False
        return self.table.need(self.seat) is not None and self.table.open[:2] not in self.said


class Party:
    """Peers, and the mail between them."""

    def __init__(
        self, variant: Variant, players: int, seed: int = 0, choose: Choose = uniform
    ) -> None:
        self.rng = random.Random(seed)
        self.source = self.rng.randbytes
        self.choose = choose
        identities = [Identity.generate(self.source) for _ in range(players)]
        places = [
            Place(identity.public, f"p{seat + 1}", seat, self.source(32))
            for seat, identity in enumerate(identities)
        ]
        self.agreement: Agreement = propose(variant, places, times=Times())
        self.signatures = tuple(self.agreement.sign(identity) for identity in identities)
        self.peers = [
            Peer(Table(self.agreement, self.source), Keeper(Seat(seat), self.source), identity)
            for seat, identity in enumerate(identities)
        ]
        self.watch: Callable[[Peer], None] = lambda peer: None

    def play(self, steps: int = 1_000_000, until: Callable[[], bool] | None = None) -> Party:
        """Go on until every table is finished (or `until`), or nothing can happen any more."""
        done = until or (lambda: all(peer.table.finished for peer in self.peers))
        for _ in range(steps):
            if done():
                break
            ready = [peer for peer in self.peers if peer.due or peer.inbox]
            if not ready:
                break
            self.turn(self.rng.choice(ready))
        return self

    def turn(self, peer: Peer) -> None:
        """One thing that one peer does: read an entry, or speak."""
        open_before = peer.table.open
        if peer.inbox and (not peer.due or self.rng.random() < 0.5):
            entry = peer.inbox.pop(self.rng.randrange(len(peer.inbox)))
            if not peer.table.knows(entry):
                self.take(peer, entry)
        else:
            self.speak(peer)
        if peer.table.open is not open_before:
            self.watch(peer)

    def speak(self, peer: Peer) -> None:
        entry = self.word_of(peer)
        peer.said.add(peer.table.open[:2])
        peer.sealed = isinstance(peer.table.open.phase, Sealing)
        self.take(peer, entry)

    def word_of(self, peer: Peer) -> Entry:
        """What an honest seat says now."""
        position, head, phase = peer.table.open
        if isinstance(peer.table.need(peer.seat), Choice):
            game = phase.game
            content = peer.keeper.say(game, self.choose(game, peer.seat, self.rng))
        else:
            content = peer.keeper.pay(phase)
        return write(self.agreement, position, peer.seat, head, content, peer.identity)

    def take(self, peer: Peer, entry: Entry) -> None:
        """Check, submit, pass on what is news, and the kept entries that are ripe."""
        self.submit(peer, peer.table.check(entry))
        while ripe := peer.table.ripe():
            for parsed in ripe:
                self.submit(peer, peer.table.check(parsed))

    def submit(self, peer: Peer, checked: Checked) -> None:
        if peer.table.submit(checked):
            peer.keeper.turn_to(peer.table.open.position.hand)
            entry = checked.parsed.entry
            for other in self.peers:
                doubled = self.rng.random() < 0.1
                if other is not peer and (doubled or not other.table.knows(entry)):
                    other.inbox.append(entry)

    def record(self, seat: int = 0) -> bytes:
        peer = self.peers[seat]
        return b"".join(write_record(peer.table, self.signatures, seat, peer.identity))

    def audit(self, seat: int = 0) -> Audit:
        return audit(io.BytesIO(self.record(seat)), self.source)
