"""What is ours to do while a peer is heard: it blames no peer.

Laws:
1. What our program fails at once an entry is logged ends the session, whoever brought the entry.
2. What cannot be shown to whoever looks on, a person's console or a demo, is logged and no more
   (table/unforeseen.py); but where the system refuses to show any more (a pipe that nobody
   reads), the session ends.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec

import trio

from ...table.unforeseen import unforeseen
from ...table.violation import LinkFault

P = ParamSpec("P")
Tasks = Callable[[], trio.Nursery]
"""Those of the session: an error in one of them ends it."""


def ours(work: Callable[P, None], tasks: Tasks) -> Callable[P, None]:
    """`work`, which raises nothing here: an error of it ends the session."""

    def done(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            work(*args, **kwargs)
        except Exception as error:
            tasks().start_soon(_end, error)

    return done


def shown(tell: Callable[P, None], tasks: Tasks) -> Callable[P, None]:
    """`tell` for whoever looks on, which raises nothing here: only an OSError ends the session."""

    def told(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            with unforeseen("showing the table", OSError):
                tell(*args, **kwargs)
        except LinkFault:
            pass

    return ours(told, tasks)


async def _end(error: Exception) -> None:
    raise error
