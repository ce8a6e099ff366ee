"""What a stopped arena has, as a file: it is gone on with later, elsewhere, or with more pairs.

1. The first line is the plan; then comes a line for every batch, appended when it is done (`disk`),
   so that a run that is killed, or a machine that crashes, loses at most the batches under way. A
   last line that was cut off is forgotten.
2. A file that is damaged further on is read up to there; what follows is played again.
3. One arena writes to a file at a time: a lock of the system's beside it is held meanwhile.

What it cannot know is whether the code of a bot has changed since: that is for its owner to say.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from filelock import FileLock, Timeout

from p2ptruco.arena.plan import Plan
from p2ptruco.arena.records import Batch, Game, as_object, from_object
from p2ptruco.arena.standing import Pair
from p2ptruco.disk import ANYBODY, append, write_whole

VERSION = 1
NOT_OURS = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
"""What a line raises that no arena has written."""


class BadJournal(Exception):
    """`code`: `no_journal` (not such a file), `other_arena` (of another plan), or `journal_in_use`
    (another arena writes to it)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Journal:
    """A file that batches are appended to. OSError where it cannot be read or written."""

    def __init__(self, path: Path, plan: Plan) -> None:
        """Go on with a file of this plan, whatever its number of pairs, or begin one."""
        self.path, self.plan = path, plan
        self.batches: list[Batch] = []
        self.damaged = 0
        """The number of the first line that is none of an arena's; 0: all are."""
        self._lock = FileLock(
            f"{path}.lock", timeout=0, fallback_to_soft=False, preserve_lock_file=True
        )
        try:
            self._lock.acquire()
        except Timeout:
            raise BadJournal("journal_in_use") from None
        try:
            self._file = self._opened()
        except BaseException:
            self._lock.release()
            raise

    def _opened(self) -> FileIO:
        """The file, at the end of what is whole."""
        if self.path.exists() and (not self.path.is_file() or self.path.stat().st_size):
            told, self.batches, whole, self.damaged = read(self.path)
            if replace(told, pairs=self.plan.pairs) != self.plan:
                raise BadJournal("other_arena")
        else:
            head = _line({"p2ptruco-arena": VERSION, "plan": self.plan.as_object()})
            write_whole(self.path, head, ANYBODY)
            whole = len(head)
        file = self.path.open("r+b", buffering=0)
        file.truncate(whole)
        file.seek(whole)
        return file

    def add(self, batch: Batch) -> None:
        """Append a batch of whole pairs; it is on the disk then, or not in the file."""
        append(self._file, _line(as_object(batch)))

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self._file.close()
        self._lock.release()


def _line(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


class Read(NamedTuple):
    """What a file holds: `whole` bytes of it are good; `damaged`: the number of the line after
    them, or 0."""

    plan: Plan
    batches: list[Batch]
    whole: int
    damaged: int


def read(path: Path) -> Read:
    """The plan and the batches of a file. Raises BadJournal where there is no plan."""
    if not (path.is_file() or path.is_dir()):  # a pipe, or what has no end
        raise BadJournal("no_journal")
    content = path.read_bytes()
    head, *lines = content[: content.rfind(b"\n") + 1].splitlines(keepends=True) or [b""]
    try:
        told = json.loads(head)
        if told["p2ptruco-arena"] != VERSION:
            raise BadJournal("no_journal")
        plan = Plan.from_object(told["plan"])
    except NOT_OURS as error:
        raise BadJournal("no_journal") from error
    batches, whole = list[Batch](), len(head)
    for number, line in enumerate(lines, 2):
        try:
            batch = from_object(json.loads(line))
            paired(batch.games)
        except NOT_OURS:
            return Read(plan, batches, whole, number)
        batches.append(batch)
        whole += len(line)
    return Read(plan, batches, whole, 0)


def paired(games: Iterable[Game]) -> list[Pair]:
    """The two legs of each pair beside each other. ValueError if they are not in that order."""
    legs = iter(games)
    pairs = list(zip(legs, legs, strict=True))
    for first, second in pairs:
        if second.fixture != first.fixture._replace(leg=1) or first.fixture.leg:
            raise ValueError("not the two legs of a pair")
    return pairs
