"""Who wants to sit where, as the host hears it, and where each is reached (wire.md §6)."""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from msgspec.structs import replace

from ...table.agreement import Place
from ...table.identity import Identity
from ...text import is_clean
from ..mesh.events import Dropped
from ..mesh.mesh import Mesh
from ..transport import frames
from ..transport.fault import Reason
from ..transport.ticket import MOST_ADDRESSES, Address
from ..wall import blaming


@dataclass(frozen=True, slots=True)
class Wish:
    """What a peer wants the agreement to say of it. None: any seat; operated by itself."""

    name: str
    seat: int | None = None
    operator: int | None = None
    nonce: bytes = field(default_factory=lambda: secrets.token_bytes(32))


class Claims:
    """The host's list of who wants to sit, in the order of arrival; their addresses as they are
    reached from here."""

    def __init__(
        self,
        mesh: Mesh,
        me: Identity,
        wish: Wish,
        players: int,
        consents: Callable[[bytes, frames.Claim], bool],
    ) -> None:
        self._mesh, self._players, self._me = mesh, players, me.public
        self._consents = consents
        own = frames.Claim(wish.seat or 0, wish.name, wish.operator, wish.nonce, ())
        self._claims = {me.public: own}

    @property
    def peers(self) -> frozenset[bytes]:
        """Whoever has claimed a seat."""
        return frozenset(self._claims)

    async def collect(self) -> None:
        while len(self._claims) < self._players:
            peer, event = await self._mesh.events.receive()
            if isinstance(event, frames.Claim):
                self._claims.pop(peer, None)
                with blaming(self._mesh, peer):
                    self._take(peer, event)
            elif isinstance(event, Dropped):
                self._claims.pop(peer, None)

    def _take(self, peer: bytes, claim: frames.Claim) -> None:
        if (reason := self._fault(peer, claim)) is None:
            where = reachable(claim.addresses, self._mesh.origin(peer))
            self._claims[peer] = replace(claim, addresses=where)
        else:
            self._mesh.close(peer, reason)

    def _fault(self, peer: bytes, claim: frames.Claim) -> Reason | None:
        if not is_clean(claim.name) or max(claim.operator or 0, claim.seat or 0) >= self._players:
            return "malformed"
        if not self._consents(peer, claim):
            return "malformed"
        if claim.seat is not None and claim.seat in self._wished():
            return "table_full"
        return None

    def _wished(self) -> set[int]:
        return {claim.seat for claim in self._claims.values() if claim.seat is not None}

    def roster(
        self, own: tuple[Address, ...]
    ) -> tuple[tuple[Place, ...], tuple[frames.Addresses, ...]]:
        """Places and addresses by seat; who wished no seat gets what the others left."""
        free = iter(sorted(set(range(self._players)) - self._wished()))
        places: dict[int, Place] = {}
        where: dict[int, frames.Addresses] = {}
        for peer, claim in self._claims.items():
            seat = next(free) if claim.seat is None else claim.seat
            operator = seat if claim.operator is None else claim.operator
            places[seat] = Place(peer, claim.name, operator, claim.nonce)
            where[seat] = all_packed(own) if peer == self._me else claim.addresses
        seats = range(self._players)
        return tuple(places[seat] for seat in seats), tuple(where[seat] for seat in seats)


def reachable(addresses: frames.Addresses, heard: str | None) -> frames.Addresses:
    """Who listens everywhere is found where we hear it, in the family that we hear."""
    origin = ipaddress.ip_address(heard or "0.0.0.0").packed
    named = tuple(one for one in addresses if any(one[0]))
    everywhere = [port for host, port in addresses if not any(host) and len(host) == len(origin)]
    return (named + tuple((origin, port) for port in everywhere))[:MOST_ADDRESSES]


def all_packed(addresses: tuple[Address, ...]) -> frames.Addresses:
    packed = [(ipaddress.ip_address(host).packed, port) for host, port in addresses]
    return tuple(packed[:MOST_ADDRESSES])
