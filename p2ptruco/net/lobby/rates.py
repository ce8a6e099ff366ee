"""How much may be said in a lobby (wire.md §7).

Laws:
1. A guest has a rate, and so has an address, for whoever has the ticket makes keys at will.
2. What everybody is told has a rate too, whatever it comes from: it leaves once for each guest.
"""

from __future__ import annotations

import trio

from ..mesh.door import neighbourhood
from ..transport.limits import Meter

ENTER_RATE, ENTER_BURST = 2.0, 16.0
"""Changes of mind a second, and at once, of one guest."""
NEIGHBOURS = 4
"""So many times as much of all the guests of one address together."""
ROOM_RATE, ROOM_BURST = 10.0, 32.0
"""Rooms a second, and at once, that a host tells as soon as they change; what is beyond waits for
the next second."""
HOST_RATE, HOST_BURST = 25.0, 250.0
"""Rooms and lines a second, and at once, that a guest takes of its host: more than a host tells."""


class GuestMeter:
    """A bucket for each guest, and one for each address."""

    def __init__(self, rate: float, burst: float) -> None:
        self._guests = Meter(rate, burst)
        self._addresses = Meter(NEIGHBOURS * rate, NEIGHBOURS * burst)

    def take(self, peer: bytes, origin: str | None) -> bool:
        """Whether this guest may say one thing more; if so it is counted."""
        now, address = trio.current_time(), neighbourhood(origin or "")
        return self._guests.take(peer, now) and self._addresses.take(address, now)
