"""Who at the table is heard: by us, or by a peer that we hear (table.md §5).

Laws:
1. A seat without a link of ours is heard while a peer that we are linked with says so.
2. What peers say here is shown to people and decides nothing.
"""

from __future__ import annotations

import trio

from ...rules.seating import Seat
from ...table.agreement import Agreement
from ..mesh.events import Away
from ..mesh.mesh import Mesh
from ..transport import frames
from .situation import Contact


class Hearing:
    """What links and heartbeats say of every other seat."""

    def __init__(self, mesh: Mesh, agreement: Agreement, seat: Seat) -> None:
        self._mesh, self._agreement, self._seat = mesh, agreement, seat
        self._begun = Away(trio.current_time())
        self._says: dict[bytes, int] = {}
        self._last = dict.fromkeys(range(agreement.players), float("-inf"))
        """When another peer last said that it hears a seat."""

    def note(self, peer: bytes, pulse: frames.Pulse) -> None:
        """A heartbeat."""
        self._says[peer] = pulse.hears
        now = trio.current_time()
        for seat in self._last:
            if pulse.hears >> seat & 1:
                self._last[seat] = now

    def contacts(self) -> dict[Seat, Contact]:
        """Every other seat, as it is heard now."""
        seats = enumerate(self._agreement.identities)
        return {Seat(n): self._contact(n, peer) for n, peer in seats if n != self._seat}

    def links(self) -> dict[Seat, frozenset[Seat]]:
        """Whom each seat hears by links of its own: we by ours, the others by what those say that
        we are linked with."""
        seats = {peer: Seat(n) for n, peer in enumerate(self._agreement.identities)}
        ours = {seats[peer] for peer in self._mesh.linked if peer in seats}
        said = {
            seats[peer]: frozenset(seat for seat in seats.values() if says >> seat & 1)
            for peer, says in self._says.items()
            if seats.get(peer) in ours
        }
        return {Seat(self._seat): frozenset(ours), **said}

    def _contact(self, seat: int, peer: bytes) -> Contact:
        linked = self._mesh.linked
        others = (says for other, says in self._says.items() if other in linked)
        if peer in linked or any(says >> seat & 1 for says in others):
            return Contact(peer in linked, True, trio.current_time())
        away = self._mesh.missing().get(peer, self._begun)
        return Contact(False, False, max(away.since, self._last[seat]), away.goodbye)
