"""A table of ours, told to the network for as long as somebody may still sit down."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from p2ptruco.net.discovery import REMIND, Announcement, Host, announcing
from p2ptruco.net.lobby import HostLobby
from p2ptruco.net.ticket import Ticket
from p2ptruco.table.identity import fingerprint

log = logging.getLogger(__name__)
EVERY = 0.5
"""Seconds between two looks at what has changed."""


@asynccontextmanager
async def announced(
    me: bytes, ticket: Ticket, lobby: HostLobby, shown: str | None
) -> AsyncIterator[None]:
    """Announce for the time of a block; while there is no network the ticket will do. `shown`: the
    ticket if the table is an open one."""
    async with trio.open_nursery() as tasks:
        tasks.start_soon(_announce, me, ticket, lobby, shown)
        yield
        tasks.cancel_scope.cancel()


async def _announce(me: bytes, ticket: Ticket, lobby: HostLobby, shown: str | None) -> None:
    label = f"{fingerprint(me)}-{ticket.addresses[0].port}"
    while not lobby.room.started:
        try:
            async with announcing(label) as announcer:
                await _keep_saying(announcer, me, ticket, lobby, shown)
        except OSError:
            log.info("no network to announce on")
            await trio.sleep(REMIND)


async def _keep_saying(
    announcer: Host, me: bytes, ticket: Ticket, lobby: HostLobby, shown: str | None
) -> None:
    said, since = -1, trio.current_time()
    while not lobby.room.started:
        room, now = lobby.room, trio.current_time()
        free = 0 if room.locked else len(room.free)
        if free != said:
            said, since = free, now
            name, scale = room.variant.name, str(room.variant.scale)
            seats, print_ = len(room.chairs), fingerprint(me)
            table = Announcement(
                lobby.name, name, scale, seats, free, print_, shown, ticket.addresses
            )
            await announcer.say(table)
        elif now - since > REMIND:
            since = now
            announcer.remind()
        await trio.sleep(EVERY)
