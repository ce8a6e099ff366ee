"""What keeps an arena from being played, as a Failure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from p2ptruco.cli.failure import WRONG_USE, Failure

if TYPE_CHECKING:
    from p2ptruco.arena.errors import Unplayable


@contextmanager
def faults_told(options: Mapping[str, Any]) -> Iterator[None]:
    """Turn what the ring of the arena raises into one sentence; `options` are the command's."""
    from p2ptruco.arena.cluster import NoCluster
    from p2ptruco.arena.errors import Unplayable
    from p2ptruco.arena.journal import BadJournal
    from p2ptruco.cli.choices import printable
    from p2ptruco.ui.arena.reasons import reason

    try:
        yield
    except Unplayable as fault:
        raise _unplayable(fault) from fault
    except BadJournal as fault:
        message = reason(fault.code, name=printable(options["resume"]))
        raise Failure(fault.code, message, WRONG_USE) from fault
    except NoCluster as fault:
        message = reason(fault.code, name=printable(options["dask"]))
        raise Failure(fault.code, message) from fault


def _unplayable(fault: Unplayable) -> Failure:
    """Why a bot cannot play: as everywhere else, or because loading it fails in its own way."""
    from p2ptruco.arena.guard import LOADING
    from p2ptruco.cli.choices import hints, printable
    from p2ptruco.hooks import NoBot, shelf
    from p2ptruco.ui.arena.reasons import REASONS, reason
    from p2ptruco.ui.reasons import no_bot

    name, detail = printable(fault.name), printable(fault.detail) if fault.detail else ""
    if fault.code in REASONS:
        told = reason(fault.code, name=name, detail=detail, seconds=f"{LOADING:.0f}")
        return Failure(fault.code, told)
    hint = hints(fault.name, shelf().bots) if fault.code == "unknown_bot" else ""
    return Failure(fault.code, no_bot(NoBot(fault.code, name, detail)) + hint, WRONG_USE)
