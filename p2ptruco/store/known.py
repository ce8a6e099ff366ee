"""The peers we have met, by key: so that a name that comes back with another key is noticed.

`known.json` in the data folder, its owner's alone, written whole or not at all. Nothing in it is
secret to the peers, and nothing of it is ever sent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

import msgspec

from p2ptruco.disk import write_whole

from .home import home, read_plain

LARGEST = 4 * 1024 * 1024
MOST = 5000
"""Peers remembered; those not seen for longest are forgotten first."""


class Meeting(StrEnum):
    """What a peer at the table is to us."""

    NEW = "new"
    KNOWN = "known"
    RENAMED = "renamed"
    """A key that we know, under another name."""
    OTHER_KEY = "other_key"
    """A name that we know, with a key that we do not."""


class Met(msgspec.Struct, forbid_unknown_fields=True):
    """One peer: the name it last had, when we met (UTC), matches played together."""

    name: str
    first: str
    last: str
    matches: int = 0


@dataclass
class Known:
    """Everybody we have met: key in hexadecimal → `Met`."""

    peers: dict[str, Met] = field(default_factory=dict)

    def judge(self, identity: bytes, name: str) -> Meeting:
        """What to point out before sitting down with this peer."""
        met = self.peers.get(identity.hex())
        if met is not None:
            return Meeting.KNOWN if met.name.casefold() == name.casefold() else Meeting.RENAMED
        names = {one.name.casefold() for one in self.peers.values()}
        return Meeting.OTHER_KEY if name.casefold() in names else Meeting.NEW

    def met(self, identity: bytes, name: str, now: datetime | None = None) -> None:
        """Remember a match that began with this peer."""
        moment = (now or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds")
        before = self.peers.get(identity.hex())
        first, matches = (before.first, before.matches) if before else (moment, 0)
        self.peers[identity.hex()] = Met(name, first, moment, matches + 1)


def load() -> Known:
    """What is remembered; nothing, if the file is not there or cannot be understood."""
    try:
        content = read_plain(_path(), LARGEST)
        return Known(msgspec.json.decode(content, type=dict[str, Met]))
    except (OSError, msgspec.MsgspecError, ValueError):
        return Known()


def save(known: Known) -> None:
    """Write it, whole or not at all. OSError if the folder cannot be written."""
    latest = sorted(known.peers.items(), key=lambda item: item[1].last)[-MOST:]
    write_whole(_path(), msgspec.json.format(msgspec.json.encode(dict(latest))))


def _path() -> Path:
    return home() / "known.json"
