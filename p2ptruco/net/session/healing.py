"""Healing: who lacks what, and what stands behind an unknown head (table.md §4).

Laws:
1. A peer on another head, ahead of us for two heartbeats, or with other proofs and seals once the
   match is over, is asked from the hand before on.
2. Nobody is asked twice within a second, but over a new link.
3. Answers to a peer are metered in bytes, over all its links. Who asks for more than anybody needs
   is not answered for a while; a hand or two are answered at once.
"""

from __future__ import annotations

import trio

from ...table.entries import Entry, Position
from ...table.table import Table
from ..mesh.mesh import Mesh
from ..transport import frames
from ..transport.limits import Meter

ASK_AGAIN = 1.0
"""Seconds before the same peer is asked again."""
ANSWER_RATE, ANSWER_BURST = 16 * 1024.0, 1024 * 1024.0
"""Bytes a second, and at once, in answers to one peer. Two hands of eight seats are 150,000."""
ANSWER_LEAST = 1024
"""Bytes that an answer counts at least."""
ANSWER_MOST = 1024 * 1024
"""Bytes after which an answer ends; the next one to the same question goes on from there."""


class Healing:
    """What the heartbeats of the others say, and what follows from it."""

    def __init__(self, mesh: Mesh, table: Table) -> None:
        self._mesh, self._table = mesh, table
        self._pulses: dict[bytes, frames.Pulse] = {}
        self._asked: dict[bytes, float] = {}
        self._differs: dict[bytes, float] = {}
        """Since when a peer has known other proofs and seals than we, at the end."""
        self._met: set[bytes] = set()
        """Peers that a link was ever up with."""
        self._left: set[bytes] = set()
        self._answers = Meter(ANSWER_RATE, ANSWER_BURST)
        self._answered: dict[bytes, tuple[Position, int]] = {}
        """Of answers that ended before all was said: from where on, and how many entries."""

    def pulse(self) -> frames.Pulse:
        """Where we stand."""
        agreement, (position, head, _) = self._table.agreement, self._table.open
        links = (peer in self._mesh.linked for peer in agreement.identities)
        hears = sum(1 << seat for seat, linked in enumerate(links) if linked)
        return frames.Pulse(agreement.terms.epoch, *position, head, hears, self._table.known)

    def agreed(self) -> bool:
        """Whether every peer that was ever linked and has not left knows the proofs and seals that
        we know. A link that is down is no leave: it may come back."""
        others = (self._mesh.linked | self._met) - self._left
        known, roster = self._table.known, set(self._table.agreement.identities)
        pulses = (self._pulses.get(peer) for peer in others & roster)
        return all(pulse is not None and pulse.known == known for pulse in pulses)

    def left(self, peer: bytes) -> None:
        """A peer speaks of the next match: it is waited for no more."""
        self._left.add(peer)

    def dropped(self, peer: bytes, *, goodbye: bool) -> None:
        """A link has ended; `goodbye`: the other end said that it leaves."""
        self._met.add(peer)
        if goodbye:
            self._left.add(peer)

    def linked(self, peer: bytes) -> None:
        """A new link: what was under way on the one before may be lost."""
        self._met.add(peer)
        self._asked.pop(peer, None)
        here = self._table.open.position
        self._ask(peer, _behind(here) if self._table.unsupported else here)

    def compare(self, peer: bytes, pulse: frames.Pulse) -> None:
        """A heartbeat: ask whoever has been ahead of us, or is on another head."""
        before, here = self._pulses.get(peer), self.pulse()
        self._met.add(peer)
        self._pulses[peer] = pulse
        ours, theirs = self._table.open.position, _place(pulse)
        forked = theirs == ours and pulse.head != here.head
        ahead = before and min(theirs, _place(before)) > ours
        if forked or ahead or self._disagrees(peer, pulse):
            self._ask(peer, _behind(ours))  # who stays ahead may have come there from another head

    def _disagrees(self, peer: bytes, pulse: frames.Pulse) -> bool:
        """Whether a match is over and a peer has known something else for a while."""
        if self._table.outcome is None or pulse.known == self._table.known:
            self._differs.pop(peer, None)
            return False
        now = trio.current_time()
        return now - self._differs.setdefault(peer, now) >= ASK_AGAIN

    def ask_for_support(self) -> None:
        """Ask the authors of entries that stand on heads which nothing here supports."""
        first = {parsed.body.seat: parsed.position for parsed in reversed(self._table.unsupported)}
        for seat, position in first.items():
            self._ask(self._table.agreement.identities[seat], _behind(position))

    def answer(self, peer: bytes, ask: frames.Ask) -> None:
        """Send all seals, then what we hold from there on, if this peer has not had too much of
        late."""
        now = trio.current_time()
        bucket = self._answers.of(peer, now)
        if ask.epoch != self._table.agreement.terms.epoch or bucket.owed(now):
            return
        since, said, seals = _place(ask), 0, self._table.seals
        before, skipped = self._answered.pop(peer, (since, 0))
        size = sum(self._tell(peer, seal) for seal in seals)
        for said, entry in enumerate(self._table.held(since), 1):
            if (before == since and said <= skipped) or entry in seals:
                continue
            size += self._tell(peer, entry)
            if size >= ANSWER_MOST:
                self._answered[peer] = since, said
                break
        self._mesh.send(peer, self.pulse())
        bucket.charge(max(size, ANSWER_LEAST), now)

    def _tell(self, peer: bytes, entry: Entry) -> int:
        """Send an entry; its bytes."""
        self._mesh.send(peer, frames.EntryFrame(entry.body, entry.signature))
        return len(entry.body) + len(entry.signature)

    def _ask(self, peer: bytes, since: Position) -> None:
        if _rested(self._asked, peer):
            self._mesh.send(peer, frames.Ask(self._table.agreement.terms.epoch, *since))


def _place(frame: frames.Pulse | frames.Ask) -> Position:
    return Position(frame.hand, frame.attempt, frame.step)


def _behind(position: Position) -> Position:
    """The start of the hand before: a fork in its last step shows only in the tokens of this."""
    return Position(max(position.hand - 1, 0), 0, 0)


def _rested(last: dict[bytes, float], peer: bytes) -> bool:
    now = trio.current_time()
    if now - last.get(peer, float("-inf")) < ASK_AGAIN:
        return False
    last[peer] = now
    return True
