"""One agreement, until everybody has signed it (wire.md §6)."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from ...table.agreement import Agreement
from ...table.identity import Identity
from ..mesh.mesh import Mesh
from ..transport import frames
from ..transport.ticket import Address
from ..wall import blaming


@dataclass(frozen=True, slots=True)
class Seated:
    """A signed agreement, one signature a seat, and our seat."""

    agreement: Agreement
    signatures: tuple[bytes, ...]
    seat: int


class Signing:
    """One agreement on its way to everybody's signature."""

    def __init__(
        self,
        mesh: Mesh,
        me: Identity,
        agreement: Agreement,
        where: tuple[frames.Addresses, ...],
    ) -> None:
        self._mesh, self._agreement = mesh, agreement
        self._seat = agreement.identities.index(me.public)
        self._signatures: dict[int, bytes] = {}
        self._roster = dict(zip(agreement.identities, map(_unpacked, where), strict=True))
        mesh.queues.forget_table()
        mesh.set_roster(agreement.id, self._roster)
        self._add(self._seat, agreement.sign(me), None)

    async def finish(self) -> Seated:
        while len(self._signatures) < self._agreement.players:
            peer, signature = await self._mesh.queues.for_signing()
            with blaming(self._mesh, peer):
                self._take(peer, signature)
        self._mesh.close_door()
        signatures = tuple(self._signatures[seat] for seat in range(self._agreement.players))
        return Seated(self._agreement, signatures, self._seat)

    def give_up(self) -> frozenset[bytes]:
        """Dial and let in nobody who has not signed; whoever has."""
        signers = {self._agreement.identities[seat] for seat in self._signatures}
        kept = {peer: where for peer, where in self._roster.items() if peer in signers}
        self._mesh.set_roster(self._agreement.id, kept)
        return frozenset(signers)

    def _take(self, peer: bytes, said: frames.Signature) -> None:
        if said.table != self._agreement.id or said.seat >= self._agreement.players:
            self._mesh.close(peer, "wrong_table")
        elif said.seat in self._signatures:
            return
        elif self._agreement.signed_by(said.seat, said.signature):
            self._add(said.seat, said.signature, peer)
        else:
            self._mesh.close(peer, "bad_signature")

    def _add(self, seat: int, signature: bytes, source: bytes | None) -> None:
        self._signatures[seat] = signature
        table = self._agreement.id
        known = [frames.Signature(table, *item) for item in sorted(self._signatures.items())]
        self._mesh.greet(known)
        self._mesh.flood(frames.Signature(table, seat, signature), source)


def _unpacked(addresses: frames.Addresses) -> tuple[Address, ...]:
    """Addresses as they can be dialled; what no address is, is left out."""
    return tuple(
        Address(str(ipaddress.ip_address(host)), port)
        for host, port in addresses
        if len(host) in (4, 16) and any(host) and port
    )
