"""What a mesh tells of its links, beside the messages that come over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ..transport import frames
from ..transport.fault import Reason
from ..transport.ticket import Purpose


@dataclass(frozen=True, slots=True)
class Linked:
    """A link is up, perhaps in place of another: compare heads, resend what may be lost."""

    purpose: Purpose


@dataclass(frozen=True, slots=True)
class Dropped:
    """The link is gone and none has taken its place; `theirs`: the other end ended it."""

    reason: Reason
    theirs: bool = False

    @property
    def goodbye(self) -> bool:
        """Whether the other end said that it leaves."""
        return self.theirs and self.reason == "leaving"


Event = Linked | Dropped | frames.Message
Heard = tuple[bytes, Event]
"""A peer's identity key, and what came of it."""


class Away(NamedTuple):
    """A peer without a link: since when (trio's clock); `goodbye`: it said that it was leaving."""

    since: float
    goodbye: bool = False
