"""The door: who may come in, and how many may stand before it (wire.md §3).

Laws:
1. While it is open, whoever proves the ticket comes in as far as there are places; once a
   roster is set its keys come in too; once closed, only they.
2. Strangers share a number of handshakes under way and a rate, and each address has one of its
   own. Each address of the roster has handshakes and a wider rate of its own, so neither a crowd
   nor another player keeps a player out. Where all are taken the newest has the place of the one
   that has waited longest: an honest one is over before its turn comes, whoever keeps his open
   loses it.
3. What is remembered of addresses is bounded.
"""

from __future__ import annotations

import ipaddress
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import trio

from ..transport.fault import Reason
from ..transport.limits import LIMITS, Limits, Meter
from ..transport.ticket import Purpose, Ticket, derive

Asks = Callable[[bytes], Reason | None]
"""Why somebody with this identity key may not come in now; None: they may."""


class Door:
    """`present` answers how many come in for a purpose, this identity apart."""

    def __init__(self, present: Callable[[Purpose, bytes], int], limits: Limits = LIMITS) -> None:
        self._present = present
        self._limits = limits
        self._places: dict[Purpose, int] = {}
        self._keys: dict[Purpose, bytes] = {}
        self._asks: Asks = _anybody
        self._roster: frozenset[bytes] = frozenset()
        self._known_hosts: frozenset[str] = frozenset()
        self._before: defaultdict[str, dict[trio.CancelScope, None]] = defaultdict(dict)
        """Handshakes under way, oldest first: of each address of the roster, of all others
        together."""
        self._players = Meter(limits.known_per_second, limits.known_burst)
        self._strangers = Meter(limits.arrivals_per_second, limits.arrivals_burst)
        self._crowd = Meter(limits.crowd_per_second, limits.crowd_burst)

    def open_to(
        self, ticket: Ticket, places: Mapping[Purpose, int], asks: Asks | None = None
    ) -> None:
        """Let in holders of `ticket`: {"seat": 3} guests who would sit, {"watch": 4} others.
        `asks` is asked about a guest who would sit, before places are counted."""
        self._places, self._asks = dict(places), asks or _anybody
        for purpose in places:
            self._keys[purpose] = ticket.key(purpose)

    def close(self) -> None:
        """The ticket has ended."""
        self._places, self._asks = {}, _anybody
        for purpose in ("seat", "watch"):
            self._keys.pop(purpose, None)

    def set_roster(self, table: bytes, identities: frozenset[bytes], hosts: frozenset[str]) -> None:
        """Let in these keys, on a proof of the table's id; `hosts`: where they are expected."""
        self._keys["roster"] = derive(table, "roster")
        self._roster, self._known_hosts = identities, hosts

    def strike(self, identity: bytes) -> None:
        """Take a key off the roster."""
        self._roster -= {identity}

    def knows(self, identity: bytes) -> bool:
        return identity in self._roster

    def key(self, purpose: Purpose) -> bytes:
        return self._keys.get(purpose) or secrets.token_bytes(32)

    def judge(self, purpose: Purpose, identity: bytes) -> Reason | None:
        if purpose == "roster":
            return None if identity in self._roster else "bad_ticket"
        if purpose not in self._keys:  # closed while this one was being greeted
            return "bad_ticket"
        if purpose == "seat" and (reason := self._asks(identity)) is not None:
            return reason
        if self._present(purpose, identity) >= self._places.get(purpose, 0):
            return "table_full"
        return None

    @contextmanager
    def place(self, origin: str) -> Iterator[bool]:
        """Hold a place for one handshake from this host; yields False if it has come too fast. The
        block is cancelled if the place goes to a newer one."""
        known = origin in self._known_hosts
        if not self._in_time(origin, known):
            yield False
            return
        before = self._before[origin if known else ""]
        if len(before) >= (self._limits.known if known else self._limits.strangers):
            oldest = next(iter(before))
            del before[oldest]
            oldest.cancel()
        with trio.CancelScope() as scope:
            before[scope] = None
            try:
                yield True
            finally:
                before.pop(scope, None)

    def _in_time(self, origin: str, known: bool) -> bool:
        now, address = trio.current_time(), neighbourhood(origin)
        if known:
            return self._players.take(address, now)
        return self._strangers.take(address, now) and self._crowd.take(None, now)


def _anybody(identity: bytes) -> None:
    """Nothing against anybody."""


def neighbourhood(origin: str) -> str:
    """An IPv4 address, or the /64 that one IPv6 customer has to himself."""
    try:
        address = ipaddress.ip_address(origin)
    except ValueError:
        return origin
    if address.version == 4:
        return origin
    return str(ipaddress.ip_network((address, 64), strict=False))
