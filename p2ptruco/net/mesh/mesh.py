"""The mesh: every peer linked to every other, each pair once.

Laws:
1. Of two links between one pair the one dialled by the lower identity key stays; of two that
   the same side dialled, the newer; one that has gone stale gives way to any.
2. A roster link that ends is dialled again, with back-off and jitter, until the mesh ends.
3. Everything received comes out of `events`, a bounded channel of (peer, event), in one order:
   Linked, messages, Dropped. Each link waits there for itself, so each gets its turn. `queues`
   sorts them for the lobby and for the table.
4. Peers are identity keys (32 bytes). What they send never ends the mesh; cancellation does.

Source: wire.md §5.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress

import trio

from ..transport import frames
from ..transport.certificate import Leaf, fresh_leaf
from ..transport.channel import BROKEN
from ..transport.fault import Fault, Reason
from ..transport.hello import Acquainted, Errand, Signer, accept, dial
from ..transport.limits import LIMITS, Limits
from ..transport.network import Network
from ..transport.pace import Pace, Paces
from ..transport.ticket import Address, Purpose, Ticket, derive
from ..wall import walled
from .door import Door, neighbourhood
from .events import Away, Dropped, Event, Heard, Linked
from .link import Link
from .queues import Queues
from .redial import Redial

log = logging.getLogger(__name__)
NOWHERE = frames.Pulse(0, 0, 0, 0, bytes(32), 0, bytes(32))


class Mesh:
    """Links of one identity. `run` it in a nursery; everything else is for the same trio run."""

    def __init__(
        self,
        identity: Signer,
        network: Network,
        *,
        limits: Limits = LIMITS,
        leaf: Leaf | None = None,
        chance: random.Random | None = None,
    ) -> None:
        self._me, self._network, self._limits = identity, network, limits
        self._leaf = leaf or fresh_leaf()
        self._chance = chance or random.SystemRandom()
        self._links: dict[bytes, Link] = {}
        self._away: dict[bytes, Away] = {}  # of a roster peer, since when, if it has no link
        self._others: frozenset[bytes] = frozenset()  # the roster without ourselves
        self._changed = trio.Event()
        self._dialling: dict[bytes, trio.CancelScope] = {}
        self._tasks: trio.Nursery | None = None
        self._pulse = frames.write(NOWHERE)
        self._greeting: tuple[bytes, ...] = ()
        self._paces = Paces(limits)
        self.door = Door(self._present, limits)
        self.addresses: tuple[Address, ...] = ()
        self._deliver, self.events = trio.open_memory_channel[Heard](limits.events)
        self.queues = Queues(self.events, lambda peer: peer in self._others)

    async def run(
        self, *, task_status: trio.TaskStatus[tuple[Address, ...]] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Listen and keep links until cancelled; starts with the addresses it listens on."""
        try:
            async with trio.open_nursery() as tasks:
                self.addresses = await tasks.start(self._network.listen, self._arrival)
                self._tasks = tasks
                task_status.started(self.addresses)
        finally:
            self._tasks = None
            self._deliver.close()

    # what a table does

    def set_roster(self, table: bytes, roster: Mapping[bytes, tuple[Address, ...]]) -> None:
        """Let these keys in and dial them from now on; `table`: the table's id, 32 bytes.

        A peer without addresses is waited for. Whoever was dialled and is not named any more is
        left alone.
        """
        others = {peer: where for peer, where in roster.items() if peer != self._me.public}
        hosts = frozenset(host for where in others.values() for host, _ in where)
        self.door.set_roster(table, frozenset(others), hosts)
        for scope in self._dialling.values():
            scope.cancel()
        self._dialling = {peer: trio.CancelScope() for peer in others}
        self._others = frozenset(others)
        self._away = dict.fromkeys(others, Away(trio.current_time()))
        for link in self._links.values():
            link.keep(self._pace(link.peer, link.origin))
        key = derive(table, "roster")
        for peer, where in ((p, w) for p, w in others.items() if w):
            errand = Errand("roster", key, peer.__eq__)
            self._start(self._keep, peer, where, errand, self._dialling[peer])

    def close_door(self) -> None:
        """End the ticket; who is not in the roster goes, by whichever door it came: another
        match's roster is none here."""
        self.door.close()
        for link in tuple(self._links.values()):
            if link.purpose != "watch" and not self.door.knows(link.peer):
                link.close("table_full")

    async def join(self, ticket: Ticket, purpose: Purpose = "seat") -> bytes:
        """Link to a ticket's host and return its identity key.

        Raises Fault with why the host turned us away (or wrong_peer: it is not the one that the
        ticket names; bad_ticket: this one does not open that), OSError if nobody answers at any
        of its addresses.
        """
        try:
            errand = Errand(purpose, ticket.key(purpose), ticket.names)
        except ValueError:  # it does not open that
            raise Fault("bad_ticket") from None
        failure: Exception = OSError("nobody there")
        for address in ticket.addresses:
            try:
                who = await self._dial(address, errand)
            except (Fault, *BROKEN) as error:
                failure = error
            else:
                self._start(self._carry, self._admit(who, address.host))
                return who.identity
        raise failure

    def send(self, peer: bytes, message: frames.Message) -> bool:
        """Queue a message for one peer; False if there is no link to it."""
        link = self._links.get(peer)
        if link is not None:
            link.send(message)
        return link is not None

    def flood(self, message: frames.Message, except_: bytes | None = None) -> None:
        """Queue a message for every peer but one, usually whom it came from."""
        frame = frames.write(message)
        for peer, link in tuple(self._links.items()):
            if peer != except_:
                link.send_frame(frame)

    def beat(self, pulse: frames.Pulse) -> None:
        """Where this peer stands, for the heartbeats from now on."""
        self._pulse = frames.write(pulse)

    def greet(self, messages: Iterable[frames.Message]) -> None:
        """What every new link is told first, from now on."""
        self._greeting = tuple(map(frames.write, messages))

    def origin(self, peer: bytes) -> str | None:
        """The host address at which a linked peer is heard."""
        link = self._links.get(peer)
        return link.origin if link else None

    def close(self, peer: bytes, reason: Reason) -> None:
        """Close the link to a peer; one of the roster is dialled again."""
        if (link := self._links.get(peer)) is not None:
            link.close(reason)

    def strike(self, peer: bytes, reason: Reason) -> None:
        """Close the link to a peer, and neither dial it nor let it in by the roster any more."""
        self.door.strike(peer)
        self._others -= {peer}
        if (scope := self._dialling.pop(peer, None)) is not None:
            scope.cancel()
        self.close(peer, reason)
        self._notice()

    @property
    def linked(self) -> frozenset[bytes]:
        return frozenset(self._links)

    def missing(self) -> dict[bytes, Away]:
        """Roster peers without a link."""
        return {
            peer: away
            for peer, away in self._away.items()
            if peer in self._dialling and peer not in self._links
        }

    async def all_linked(self) -> None:
        """Until every other peer of the roster is linked."""
        await self._until(lambda: not self._others - self._links.keys())

    async def drained(self) -> None:
        """Until every live link has given all that was queued to the network."""
        for link in tuple(self._links.values()):
            await link.drained()

    # links

    def _start(self, task: Callable[..., Awaitable[None]], *args: object) -> None:
        if self._tasks is None:
            raise RuntimeError("the mesh is not running")
        self._tasks.start_soon(task, *args)

    def _present(self, purpose: Purpose, identity: bytes) -> int:
        links = self._links.values()
        return sum(link.purpose == purpose and link.peer != identity for link in links)

    async def _arrival(self, stream: trio.abc.Stream, origin: str) -> None:
        who: Acquainted | None = None
        try:
            with walled("an arrival"):
                with self.door.place(origin) as admitted:
                    if not admitted:
                        await trio.aclose_forcefully(stream)
                        return
                    who = await accept(stream, self._leaf, self._me, self.door, self._limits)
                if who is not None:  # else a newer one has its place
                    await self._carry(self._admit(who, origin))
        except (Fault, *BROKEN) as fault:
            log.info("refused a link: %s", fault)

    async def _dial(self, address: Address, errand: Errand) -> Acquainted:
        with walled("dialling"), trio.move_on_after(self._limits.dial_seconds):
            stream = await self._network.dial(address)
            return await dial(stream, self._leaf, self._me, errand, self._limits)
        raise OSError("no answer in time")

    async def _keep(
        self,
        peer: bytes,
        where: tuple[Address, ...],
        errand: Errand,
        scope: trio.CancelScope,
    ) -> None:
        """Whenever there is no link to this peer, make one, until the scope is cancelled."""
        redial = Redial(where, self._me.public < peer, self._limits, self._chance)

        async def attempt(address: Address) -> None:
            try:
                who = await self._dial(address, errand)
            except (Fault, *BROKEN) as error:
                log.info("dialling failed: %s", error)
            else:
                self._start(self._carry, self._admit(who, address.host))

        with scope:
            await redial.run(lambda: peer not in self._links, self._until, attempt)

    async def _until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            await self._changed.wait()

    def _admit(self, who: Acquainted, origin: str) -> Link:
        """The link to this peer, put in its place, or closed if it is not the one that stays."""
        link = Link(
            who,
            lambda: self._pulse,
            self._limits,
            origin=origin,
            greeting=self._greeting,
            ended=self._forget,
            pace=self._pace(who.identity, origin),
        )
        old = self._links.get(link.peer)
        accepted = link.dialled_by == link.peer
        if accepted and (reason := self.door.judge(link.purpose, link.peer)) is not None:
            link.close(reason)
        elif old is not None and not _gives_way(old, link):
            link.close("duplicate")
        else:
            self._links[link.peer] = link
            link.admitted = True
            self._notice()
            if old is not None:
                old.close("duplicate")
        return link

    def _pace(self, peer: bytes, origin: str) -> Pace:
        """Of the roster each has its own; others make keys at will, and share one by address."""
        return self._paces.of(peer if peer in self._others else neighbourhood(origin))

    async def _carry(self, link: Link) -> None:
        """Run a link to its end."""

        async def deliver(event: Event) -> None:
            await self._deliver.send((link.peer, event))

        await link.run(deliver, Linked(link.purpose))
        if link.admitted and link.peer not in self._links:
            with suppress(*BROKEN):  # nobody listens any more
                await deliver(_end_of(link))

    def _forget(self, link: Link) -> None:
        if self._links.get(link.peer) is link:
            del self._links[link.peer]
            if link.peer in self._others:
                self._away[link.peer] = Away(trio.current_time(), _end_of(link).goodbye)
            self._notice()

    def _notice(self) -> None:
        self._changed.set()
        self._changed = trio.Event()


def _end_of(link: Link) -> Dropped:
    return Dropped(link.reason or "lost", link.theirs)


def _gives_way(old: Link, new: Link) -> bool:
    if old.stale or old.dialled_by == new.dialled_by:
        return True
    return new.dialled_by < old.dialled_by
