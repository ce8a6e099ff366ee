"""What a bot failed to do, for the report and for its author."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BotFault:
    """One decision, or one call, that the bot failed in.

    `kind`: timeout, crash or illegal. `detail`: the call, then the traceback, the move, the time,
    or how the process ended and what it printed last.
    """

    kind: str
    detail: str
