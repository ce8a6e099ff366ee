"""Whoever looks on at a table: a person's console, a demo.

Laws:
1. They are told while what a peer sent is being judged, and that they fail is no fault of it:
   nobody foresaw it, so it is logged (table/unforeseen.py), and the match goes on.
2. Where the system refuses to show any more (a pipe that nobody reads), the session ends.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec

import trio

from ...table.unforeseen import unforeseen
from ...table.violation import LinkFault

P = ParamSpec("P")


def safely(tell: Callable[P, None], tasks: Callable[[], trio.Nursery]) -> Callable[P, None]:
    """`tell`, which raises nothing; an OSError ends the `tasks` of the session."""

    def told(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            with unforeseen("showing the table", OSError):
                tell(*args, **kwargs)
        except LinkFault:
            pass
        except OSError as error:
            tasks().start_soon(_end, error)

    return told


async def _end(error: OSError) -> None:
    raise error
