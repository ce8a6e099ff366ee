"""A table of ours, told to the network for as long as somebody may still sit down.

1. What is told is so: where this machine's addresses change, the table is announced anew on those
   of now, under a ticket that names them, and the host is told. Tickets of before stay good where
   one of their addresses still leads here.
2. While there is no network the ticket will do; with the network the announcements come back.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import trio

from ..net.discovery import REMIND, Announcement, Host, announcing, interfaces
from ..net.lobby import HostLobby
from ..net.transport.ticket import MOST_ADDRESSES, Address, Ticket
from ..table.identity import fingerprint

log = logging.getLogger(__name__)
EVERY = 0.5
"""Seconds between two looks at what has changed."""

Look = Callable[[], Sequence[str]]
"""This machine's addresses that face a network."""


def reach(hosts: Sequence[str], port: int) -> tuple[Address, ...]:
    """Where guests find a table: what of these addresses a ticket has room for."""
    return tuple(Address(host, port) for host in hosts[:MOST_ADDRESSES])


@asynccontextmanager
async def announced(
    me: bytes,
    ticket: Ticket,
    lobby: HostLobby,
    *,
    private: bool,
    moved: Callable[[Ticket], None],
    look: Look = interfaces,
) -> AsyncIterator[None]:
    """Announce for the time of a block. `private`: without the ticket; `moved` hears of the ticket
    that is good from now on."""
    notice = _Notice(me, ticket, lobby, private, moved, look)
    async with trio.open_nursery() as tasks:
        tasks.start_soon(notice.run)
        yield
        tasks.cancel_scope.cancel()


@dataclass(slots=True)
class _Notice:
    """What is told of one lobby."""

    me: bytes
    ticket: Ticket
    lobby: HostLobby
    private: bool
    moved: Callable[[Ticket], None]
    look: Look

    async def run(self) -> None:
        port = self.ticket.addresses[0].port
        label = f"{fingerprint(self.me)}-{port}"
        while not self.lobby.room.started:
            hosts = self.look()
            self._follow(reach(hosts, port))
            try:
                async with announcing(label, hosts) as announcer:
                    await self._keep_saying(announcer, hosts)
            except OSError:
                log.info("no network to announce on")
                await trio.sleep(REMIND)

    def _follow(self, addresses: tuple[Address, ...]) -> None:
        """A new ticket with the secret of before, if this machine is found elsewhere now."""
        if set(addresses) != set(self.ticket.addresses):
            self.ticket = replace(self.ticket, addresses=addresses)
            self.moved(self.ticket)

    async def _keep_saying(self, announcer: Host, hosts: Sequence[str]) -> None:
        """Until the match starts, or this machine has other addresses than these."""
        said, since = -1, trio.current_time()
        while not self.lobby.room.started and set(self.look()) == set(hosts):
            now, free = trio.current_time(), self._free
            if free != said:
                said, since = free, now
                await announcer.say(self._announcement(free))
            elif now - since > REMIND:
                since = now
                announcer.remind()
            await trio.sleep(EVERY)

    @property
    def _free(self) -> int:
        room = self.lobby.room
        return 0 if room.locked else len(room.free)

    def _announcement(self, free: int) -> Announcement:
        variant, seats = self.lobby.room.variant, len(self.lobby.room.chairs)
        shown = None if self.private else str(self.ticket.nearby())
        return Announcement(
            self.lobby.name,
            variant.name,
            str(variant.scale),
            seats,
            free,
            fingerprint(self.me),
            shown,
            self.ticket.addresses,
        )
