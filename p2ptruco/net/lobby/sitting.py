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

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import trio

from ...rules.variant import Variant
from ...table.agreement import Agreement, Place, Times, propose, read_agreement
from ...table.codec import Malformed
from ...table.identity import Identity
from ...table.unforeseen import unforeseen
from ...table.violation import LinkFault
from ..mesh.events import Dropped
from ..mesh.mesh import Mesh
from ..transport import frames
from ..transport.ticket import Address
from .claims import Claims, Wish, all_packed, reachable
from .signing import Seated, Signing

__all__ = ["NotSeated", "Seated", "Wish", "host_table", "join_table"]


class NotSeated(Exception):
    """No seat: `code` is the host's reason (fault.py), lost, refused (by us) or bad_proposal;
    `late`: who has not signed, by name, where that is known."""

    def __init__(self, code: str, late: tuple[str, ...] = ()) -> None:
        super().__init__(code)
        self.code, self.late = code, late


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
    claims = Claims(mesh, me, wish, players, consents)
    signing: Signing | None = None
    with trio.move_on_after(seconds):
        await claims.collect()
        roster, where = claims.roster(mesh.addresses if addresses is None else addresses)
        agreement = propose(variant, roster, times=times)
        mesh.flood(frames.Proposal(agreement.blob, where))  # before any signature on it
        signing = Signing(mesh, me, agreement, where)
        return await signing.finish()
    stay = claims.peers if signing is None else signing.give_up()
    for peer in mesh.linked - stay:
        mesh.close(peer, "too_late")
    raise NotSeated("not_signed")


async def join_table(
    mesh: Mesh, me: Identity, host: bytes, wish: Wish, consents: Callable[[Agreement], bool]
) -> Seated:
    """Claim a seat at the table of a linked host; sign what it proposes if we consent."""
    own = all_packed(mesh.addresses)
    mesh.send(host, frames.Claim(wish.seat, wish.name, wish.operator, wish.nonce, own))
    proposal = await _proposal(mesh, host)
    with proposed(mesh, host):
        agreement = _read(proposal, me, host, wish)
        if not consents(agreement):
            mesh.close(host, "leaving")
            raise NotSeated("refused")
        where = list(proposal.addresses)
        hosts = agreement.identities.index(host)
        where[hosts] = reachable(where[hosts], mesh.origin(host))
        signing = Signing(mesh, me, agreement, tuple(where))
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
