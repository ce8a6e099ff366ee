"""A party with one dishonest seat, and what its honest peers make of it.

When the moment comes, the deed tells each peer something in the place of what the crook owes.
Everybody else plays on honestly, and so does the crook afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import msgspec

from p2ptruco.rules.hand import Phase as Question
from p2ptruco.rules.moves import ACCEPT, CALL, REFUSE, Move, Play
from p2ptruco.rules.play import legal
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.scale import Scale
from p2ptruco.rules.variant import Variant
from p2ptruco.table.codec import encode, strict
from p2ptruco.table.entries import Body, Content, Entry, Parsed, write
from p2ptruco.table.identity import ENTRY
from p2ptruco.table.steps.phases import Phase
from p2ptruco.table.violation import LinkFault
from tests.kit.party import Choose, Party, Peer, stayer

Told = Mapping[int, list[Entry]]
"""What each seat is told; seats left out hear nothing."""
Deed = Callable[["Court", Peer], Told]
Moment = Callable[[Peer], bool]

TO_IRON = replace(MINEIRO, scale=Scale.parse("2,truco:4"), target=4)
ONE_HAND = replace(MINEIRO, scale=Scale.parse("1,truco:2"), target=2)


def cards_only(game, seat, rng) -> Move:
    """Nobody calls or folds, and who may refuse does: with TO_IRON a way to iron hands."""
    moves = legal(game.hand, seat)
    if game.hand.phase is Question.DECIDING:
        return REFUSE
    return next(move for move in moves if isinstance(move, Play))


def caller(game, seat, rng) -> Move:
    """Whoever can calls, whoever is asked accepts: with ONE_HAND a match of one hand."""
    moves = legal(game.hand, seat)
    for move in (ACCEPT, CALL):
        if move in moves:
            return move
    return next(move for move in moves if isinstance(move, Play))


@dataclass(frozen=True)
class Cheat:
    """What is done and when: at its turn, or `uninvited`; `real` where it needs proofs."""

    deed: Deed
    moment: Moment
    verdict: str
    """What all honest peers must end with: see `Court.verdict`."""
    variant: Variant = MINEIRO
    choose: Choose = stayer
    real: bool = False
    uninvited: bool = False


class Court(Party):
    """Peers, one of them the crook, and the links that the others closed."""

    def __init__(self, cheat: Cheat, players: int, seed: int = 0, crook: int = 1) -> None:
        super().__init__(cheat.variant, players, seed, cheat.choose)
        self.cheat, self.crook, self.done = cheat, crook, False
        self.closed: list[str] = []
        """The words with which honest peers closed the link to the crook."""

    @property
    def honest(self) -> list[Peer]:
        return [peer for peer in self.peers if peer.seat != self.crook]

    def turn(self, peer: Peer) -> None:
        crook = self.peers[self.crook]
        if self.cheat.uninvited and not self.done and self.cheat.moment(crook):
            self._do(crook)
        if peer.due or peer.inbox:
            super().turn(peer)

    def speak(self, peer: Peer) -> None:
        mine = peer.seat == self.crook and not self.cheat.uninvited
        if mine and not self.done and self.cheat.moment(peer):
            here = peer.table.open[:2]
            self._do(peer)
            peer.said.add(here)
        else:
            super().speak(peer)

    def _do(self, crook: Peer) -> None:
        self.done = True
        for seat, entries in self.cheat.deed(self, crook).items():
            for entry in entries:
                self.take(self.peers[seat], entry)

    def take(self, peer: Peer, entry: Entry) -> None:
        self._try(peer, entry)
        while ripe := peer.table.ripe():
            for parsed in ripe:
                self._try(peer, parsed)

    def _try(self, peer: Peer, entry: Entry | Parsed) -> None:
        try:
            self.submit(peer, peer.table.check(entry))
        except LinkFault as fault:
            if peer.seat != self.crook:
                self.closed.append(fault.word)

    # What a deed is made of.

    def said(self, peer: Peer, content: Content, **fields: object) -> Entry:
        """A content, well signed, where `peer` stands, with any field of the body changed."""
        position, head, _ = peer.table.open
        made = write(self.agreement, position, peer.seat, head, content, peer.identity)
        return resigned(peer, made, **fields)

    def everybody(self, *entries: Entry) -> Told:
        """The same to every seat, the crook's own table first."""
        seats = sorted(range(len(self.peers)), key=lambda seat: seat != self.crook)
        return {seat: list(entries) for seat in seats}

    def others(self, *entries: Entry) -> Told:
        return {peer.seat: list(entries) for peer in self.honest}

    # What came of it.

    def verdict(self) -> str:
        """`caught WORD`, `link WORD`, `healed` or `suspended`, as all honest peers see it."""
        assert self.done, "the moment never came"
        first = self.honest[0].table
        for peer in self.honest:
            assert peer.table.violations == first.violations
            assert peer.table.outcome == first.outcome
            assert peer.table.hands == first.hands
            assert peer.table.open[:2] == first.open[:2]
        assert all(found.seat == self.crook for found in first.violations)
        if first.violations:
            (found,) = first.violations
            return f"caught {found.word}"
        if self.closed:
            (word,) = set(self.closed)
            return f"link {word}"
        return "healed" if first.outcome else "suspended"


def resigned(peer: Peer, entry: Entry, **fields: object) -> Entry:
    """An entry with some fields of its body changed, signed by `peer` again."""
    body = encode(msgspec.structs.replace(strict(Body, entry.body), **fields))
    return Entry(body, peer.identity.sign(ENTRY, body))


def at(kind: type[Phase], hand: int = 0) -> Moment:
    """When the crook owes something in a phase of this kind."""
    return lambda peer: (
        isinstance(peer.table.open.phase, kind) and peer.table.open.position.hand >= hand
    )
