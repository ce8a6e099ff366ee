"""The matches played on this machine: a list, a file, a verdict."""

from __future__ import annotations

import os
import secrets
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final

import trio

from p2ptruco.app.plain import TEAMS
from p2ptruco.rules.seating import Seat, team_of
from p2ptruco.store.home import HomeFault
from p2ptruco.store.kept import Kept, kept, record_of
from p2ptruco.table.record.audit import audit
from p2ptruco.table.record.file import NoRecord
from p2ptruco.table.record.glance import Glance, glance
from p2ptruco.ui.terminal.audit import LIMITS, MEANING, as_object
from p2ptruco.ui.web.refused import Refused
from p2ptruco.ui.words import _

SHOWN: Final = 30
"""Matches in the list."""
LARGEST: Final = 64 << 20
"""Bytes of a record that is sent."""


class Matches:
    """Looks at records; remembers what it saw of each, and how far a verification is."""

    def __init__(self, me: bytes) -> None:
        self._me = me
        self._seen: dict[tuple[str, int, int], Glance | None] = {}
        self._shares: dict[str, float] = {}

    async def listed(self) -> list[dict[str, Any]]:
        """The newest matches; what a record says, unverified."""
        return await trio.to_thread.run_sync(self._listed)

    def _listed(self) -> list[dict[str, Any]]:
        try:
            newest = [one for one, _number in zip(kept(), range(SHOWN), strict=False)]
        except (HomeFault, OSError):
            return []
        looked = ((one, self._look(one.path)) for one in newest)
        return [self._told(one, seen) for one, seen in looked if seen is not None]

    def _look(self, path: Path) -> Glance | None:
        try:
            state = path.stat()
            key = path.name, state.st_size, state.st_mtime_ns
            if key not in self._seen:
                with path.open("rb") as file:
                    self._seen[key] = _glanced(file)
        except OSError:
            return None
        return self._seen[key]

    def _told(self, one: Kept, seen: Glance) -> dict[str, Any]:
        terms, end = seen.agreement.terms, seen.end
        seats = [seat for seat, place in enumerate(terms.roster) if place.identity == self._me]
        mine = Seat(seats[0]) if seats else None
        winner = None if end is None else end.winner
        return {
            "file": one.path.name,
            "when": f"{one.played}Z".replace(" ", "T"),
            "players": [place.name for place in terms.roster],
            "seat": None if mine is None else mine + 1,
            "variant": seen.agreement.variant.name,
            "score": None if end is None else list(end.score),
            "winner": None if winner is None else TEAMS[winner],
            "mine": None if mine is None or winner is None else team_of(mine) == winner,
            "how": seen.status,
        }

    def file(self, name: str) -> tuple[bytes, str]:
        """A record as it lies there, and its name. Refused."""
        path = _path(name)
        try:
            with path.open("rb") as file:
                content = file.read(LARGEST + 1)
        except OSError as error:
            raise _none() from error
        if len(content) > LARGEST:
            raise _none()
        return content, path.name

    # Verifying.

    def share(self, name: str) -> float | None:
        """How far the verification of a record is, from 0 to 1; None: it is not verified now."""
        return self._shares.get(name)

    async def verify(self, name: str) -> dict[str, Any]:
        """The verdict as `verify --json` has it, and what it means in words. One at a time; it ends
        when nobody waits for it. Refused."""
        path = _path(name)
        if self._shares:
            sentence = _("A record is being verified; wait for its verdict.")
            raise Refused("busy", sentence, 409)
        self._shares[name] = 0.0
        try:
            work = partial(self._audit, path)
            return await trio.to_thread.run_sync(work)
        finally:
            del self._shares[name]

    def _audit(self, path: Path) -> dict[str, Any]:
        def progress(share: float) -> None:
            trio.from_thread.check_cancelled()
            self._shares[path.name] = share

        pool = ThreadPoolExecutor(os.cpu_count())
        try:
            with path.open("rb") as file:
                found = audit(file, secrets.token_bytes, progress, pool)
        except (NoRecord, OSError) as error:
            raise _none() from error
        finally:
            pool.shutdown(cancel_futures=True)
        return as_object(found) | {"meaning": _(MEANING), "limits": _(LIMITS)}


def _glanced(file: Any) -> Glance | None:
    try:
        return glance(file)
    except NoRecord:
        return None


def _path(name: str) -> Path:
    try:
        path = record_of(name)
    except (HomeFault, OSError, ValueError):
        path = None
    if path is None:
        raise _none()
    return path


def _none() -> Refused:
    return Refused("no_match", _("There is no such match."), 404)
