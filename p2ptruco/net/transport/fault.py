"""Why a link was refused or closed: one word each, blaming the link and nobody named inside.

Source: wire.md §5, table.md §6.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

from ...table.violation import LinkWord

Reason = Literal[
    LinkWord,  # what the other end did
    # what happened to the link
    "too_slow",  # it did not read what was sent to it
    "too_late",  # the handshake, a name or a signature took too long
    "wrong_peer",  # not who was dialled, or ourselves
    "duplicate",  # another link between the two stays
    "silent",  # nothing heard, not even a heartbeat
    "lost",  # the network broke it
    "leaving",  # a polite end
    "turned_away",  # by the host of a lobby
    "name_taken",  # somebody in the lobby has it
    "seats_held",  # by players of the match before, who have not answered yet
]
REASONS: Final[frozenset[str]] = frozenset(get_args(Reason))


class Fault(Exception):
    """A link cannot go on; `theirs`: the other end said so, and need not be told."""

    def __init__(self, reason: Reason, *, theirs: bool = False) -> None:
        super().__init__(reason)
        self.reason: Reason = reason
        self.theirs = theirs
