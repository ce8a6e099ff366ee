"""Sitting down at given addresses: claims, one proposal, everybody's signature (wire.md §6).

    guest → host   Claim(seat, name, operator, nonce, where it listens)
    host → guests  Proposal(agreement, where each seat listens)
    everybody      Signature, flooded

Laws:
1. Nobody signs an agreement that does not name it as it claimed, with its own fresh nonce, and
   with a variant and times that it consents to; the host none with a claim that it does not.
2. Addresses travel beside the agreement: nobody signs them, no record has them.
3. It is done when every seat's signature has been seen; whoever links later is told them all.
4. The host steers who sits where, and nothing else.
"""

from __future__ import annotations

import ipaddress
import math
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import trio
from msgspec.structs import replace

from ...rules.variant import Variant
from ...table.agreement import Agreement, Place, Times, propose, read_agreement
from ...table.codec import Malformed
from ...table.identity import Identity
from ...table.unforeseen import unforeseen
from ...table.violation import LinkFault
from ...text import is_clean
from ..mesh.mesh import Dropped, Event, Mesh
from ..transport import frames
from ..transport.fault import Reason
from ..transport.ticket import MOST_ADDRESSES, Address
from ..wall import blaming

EARLY = 512
"""Messages of the table kept from peers that were ready first; more are asked for again."""


class NotSeated(Exception):
    """No seat: `code` is the host's reason (fault.py), lost, refused (by us) or bad_proposal;
    `late`: who has not signed, by name, where that is known."""

    def __init__(self, code: str, late: tuple[str, ...] = ()) -> None:
        super().__init__(code)
        self.code, self.late = code, late


@dataclass(frozen=True, slots=True)
class Wish:
    """What a peer wants the agreement to say of it. None: any seat; operated by itself."""

    name: str
    seat: int | None = None
    operator: int | None = None
    nonce: bytes = field(default_factory=lambda: secrets.token_bytes(32))


@dataclass(frozen=True, slots=True)
class Seated:
    """A signed agreement, one signature a seat, our seat, and what came before we were done."""

    agreement: Agreement
    signatures: tuple[bytes, ...]
    seat: int
    early: tuple[tuple[bytes, Event], ...]


async def host_table(
    mesh: Mesh,
    me: Identity,
    wish: Wish,
    variant: Variant,
    players: int,
    *,
    addresses: tuple[Address, ...] | None = None,
    times: Times | None = None,
    consents: Callable[[bytes, frames.Claim], bool] = lambda peer, claim: True,
    seconds: float = math.inf,
) -> Seated:
    """Seat `players` - 1 guests beside us (seat 0 unless wished), propose, sign, wait for all.

    `addresses`: where guests reach us, if not where the mesh listens. `consents`: whether a peer
    may claim this. Cancellation gives up. NotSeated("not_signed"): not all did in `seconds`; those
    who did are still linked, all others are not.
    """
    claims = _Claims(mesh, me, wish, players, consents)
    signing: _Signing | None = None
    with trio.move_on_after(seconds):
        await claims.collect()
        roster, where = claims.roster(mesh.addresses if addresses is None else addresses)
        agreement = propose(variant, roster, times=times)
        mesh.flood(frames.Proposal(agreement.blob, where))  # before any signature on it
        signing = _Signing(mesh, me, agreement, where)
        return await signing.finish()
    stay = claims.peers if signing is None else signing.give_up()
    for peer in mesh.linked - stay:
        mesh.close(peer, "too_late")
    raise NotSeated("not_signed")


async def join_table(
    mesh: Mesh, me: Identity, host: bytes, wish: Wish, consents: Callable[[Agreement], bool]
) -> Seated:
    """Claim a seat at the table of a linked host; sign what it proposes if we consent."""
    own = _all_packed(mesh.addresses)
    mesh.send(host, frames.Claim(wish.seat, wish.name, wish.operator, wish.nonce, own))
    proposal = await _proposal(mesh, host)
    with proposed(mesh, host):
        agreement = _read(proposal, me, host, wish)
        if not consents(agreement):
            mesh.close(host, "leaving")
            raise NotSeated("refused")
        where = list(proposal.addresses)
        hosts = agreement.identities.index(host)
        where[hosts] = _reachable(where[hosts], mesh.origin(host))
        signing = _Signing(mesh, me, agreement, tuple(where))
    return await signing.finish()


@contextmanager
def proposed(mesh: Mesh, host: bytes) -> Iterator[None]:
    """Look at what a host proposes: what is wrong with it, foreseen or not, closes its link."""
    try:
        with unforeseen("what a host said", NotSeated):
            yield
    except LinkFault as fault:
        mesh.close(host, fault.word)
        raise NotSeated("bad_proposal") from fault


def _read(proposal: frames.Proposal, me: Identity, host: bytes, wish: Wish) -> Agreement:
    """An agreement that says of us what we claimed, or LinkFault."""
    try:
        agreement = read_agreement(proposal.agreement)
    except Malformed as error:
        raise LinkFault("malformed", "a proposal") from error
    if len(proposal.addresses) != agreement.players or not _as_wished(agreement, me, host, wish):
        raise LinkFault("malformed", "a proposal")
    return agreement


async def _proposal(mesh: Mesh, host: bytes) -> frames.Proposal:
    async for peer, event in mesh.events:
        if peer == host and isinstance(event, frames.Proposal):
            return event
        if peer == host and isinstance(event, Dropped):
            raise NotSeated(event.reason if event.theirs else "lost")
    raise NotSeated("lost")


def _as_wished(agreement: Agreement, me: Identity, host: bytes, wish: Wish) -> bool:
    if not {me.public, host} <= set(agreement.identities) or agreement.terms.epoch != 0:
        return False
    seat = agreement.identities.index(me.public)
    if wish.seat not in (None, seat):
        return False
    operator = seat if wish.operator is None else wish.operator
    return agreement.terms.roster[seat] == Place(me.public, wish.name, operator, wish.nonce)


class _Claims:
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
            where = _reachable(claim.addresses, self._mesh.origin(peer))
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
            where[seat] = _all_packed(own) if peer == self._me else claim.addresses
        seats = range(self._players)
        return tuple(places[seat] for seat in seats), tuple(where[seat] for seat in seats)


class _Signing:
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
        self._early: list[tuple[bytes, Event]] = []
        self._roster = dict(zip(agreement.identities, map(_unpacked, where), strict=True))
        mesh.set_roster(agreement.id, self._roster)
        self._add(self._seat, agreement.sign(me), None)

    async def finish(self) -> Seated:
        while len(self._signatures) < self._agreement.players:
            peer, event = await self._mesh.events.receive()
            if isinstance(event, frames.Signature):
                with blaming(self._mesh, peer):
                    self._take(peer, event)
            elif len(self._early) < EARLY:
                self._early.append((peer, event))
        self._mesh.close_door()
        signatures = tuple(self._signatures[seat] for seat in range(self._agreement.players))
        return Seated(self._agreement, signatures, self._seat, tuple(self._early))

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


def _reachable(addresses: frames.Addresses, heard: str | None) -> frames.Addresses:
    """Who listens everywhere is found where we hear it, in the family that we hear."""
    origin = ipaddress.ip_address(heard or "0.0.0.0").packed
    named = tuple(one for one in addresses if any(one[0]))
    everywhere = [port for host, port in addresses if not any(host) and len(host) == len(origin)]
    return (named + tuple((origin, port) for port in everywhere))[:MOST_ADDRESSES]


def _all_packed(addresses: tuple[Address, ...]) -> frames.Addresses:
    packed = [(ipaddress.ip_address(host).packed, port) for host, port in addresses]
    return tuple(packed[:MOST_ADDRESSES])


def _unpacked(addresses: frames.Addresses) -> tuple[Address, ...]:
    """Addresses as they can be dialled; what no address is, is left out."""
    return tuple(
        Address(str(ipaddress.ip_address(host)), port)
        for host, port in addresses
        if len(host) in (4, 16) and any(host) and port
    )
