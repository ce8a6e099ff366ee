"""What a record says of itself, without verifying any of it: for a list of matches.

Whoever has to know uses `audit`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import BinaryIO

from ..agreement import Agreement, read_agreement
from ..codec import Malformed
from ..entries import Entry, Seal, read_parsed
from ..unforeseen import unforeseen
from ..violation import LinkFault
from .file import Cut, NoRecord, Reader, Said, Trailed


@dataclass(frozen=True, slots=True)
class Glance:
    """Who sat there, and the end that the last seal says; `sealed_by` so many seats. No `end`: the
    match was broken off."""

    agreement: Agreement
    end: Seal | None
    sealed_by: int

    @property
    def status(self) -> str:
        """complete, unsealed or interrupted."""
        if self.end is None:
            return "interrupted"
        return "complete" if self.sealed_by == self.agreement.players else "unsealed"


def glance(file: BinaryIO) -> Glance:
    """Look at a record from its beginning to its end. NoRecord; OSError."""
    try:
        with unforeseen("a record", NoRecord, OSError, Malformed, Cut):
            return _glance(file)
    except (LinkFault, Malformed, Cut) as error:
        raise NoRecord(str(error)) from error


def _glance(file: BinaryIO) -> Glance:
    reader = Reader(file)
    agreement = read_agreement(reader.signed().agreement)
    last: deque[Said] = deque(maxlen=agreement.players)
    for item in reader:
        if isinstance(item, Said):
            last.append(item)
        elif isinstance(item, Trailed):
            last.clear()
    parsed = (read_parsed(Entry(item.body, item.signature)).body.content for item in last)
    seals = [content for content in parsed if isinstance(content, Seal)]
    return Glance(agreement, seals[-1] if seals else None, len(seals))
