"""The second wall of links (table/unforeseen.py): what a peer's bytes raise ends its link only."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from ..table.unforeseen import unforeseen
from ..table.violation import LinkFault
from .transport.channel import BROKEN
from .transport.fault import Fault, Reason

log = logging.getLogger(__name__)


class Links(Protocol):
    """What closes links: a mesh."""

    def close(self, peer: bytes, reason: Reason) -> None: ...


@contextmanager
def blaming(links: Links, peer: bytes) -> Iterator[None]:
    """Do what a peer asked for; if it is wrong in any way, foreseen or not, its link closes."""
    try:
        with unforeseen("what a peer said"):
            yield
    except LinkFault as fault:
        log.info("closing a link: %s", fault)
        links.close(peer, fault.word)


@contextmanager
def walled(what: str) -> Iterator[None]:
    """`unforeseen` where a link is made or carried: raises Fault, and passes a broken stream on."""
    try:
        with unforeseen(what, Fault, *BROKEN):
            yield
    except LinkFault as fault:
        raise Fault(fault.word) from None
