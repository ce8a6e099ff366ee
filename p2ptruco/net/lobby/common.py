"""What host and guest have in common: the room, talk, and news for whoever looks on."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from typing import NamedTuple

import trio

from ...table.identity import Identity
from ..mesh.mesh import Mesh
from .room import Room
from .sitting import NotSeated, Seated, Wish

SIGNING_SECONDS = 30.0
"""For everybody to sign, once the host has started."""
NEWS = 256
"""News kept for a listener that is slow; what comes then is lost to it."""


class Line(NamedTuple):
    """Something that somebody said; clean."""

    name: str
    text: str


News = Room | Line


class Lobby(ABC):
    """One room, seen from one seat."""

    def __init__(self, mesh: Mesh, me: Identity, name: str, room: Room | None) -> None:
        self._mesh, self._me, self.name = mesh, me, name
        self.room = room
        self._tell, self.news = trio.open_memory_channel[News](NEWS)

    @abstractmethod
    async def run(self) -> Seated:
        """Stay until the match can begin."""

    @abstractmethod
    def talk(self, text: str) -> None:
        """Say something to everybody."""

    @abstractmethod
    def hears(self, identity: bytes) -> bool:
        """Whether somebody of the room is heard here, by a link of our own or through the host."""

    def _show(self, news: News) -> None:
        with contextlib.suppress(trio.WouldBlock, trio.BrokenResourceError):
            self._tell.send_nowait(news)

    def _wish(self, room: Room) -> Wish:
        """What the agreement is to say of us, as the room shows it."""
        chair = room.chair_of(self._me.public)
        if chair is None:
            raise NotSeated("refused")
        return Wish(self.name, room.seat_of(chair.identity), room.seat_of(chair.operator))
