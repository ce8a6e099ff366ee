"""What a stopped arena has, as a file: it is gone on with later, elsewhere, or with more pairs.

The first line is the plan; then comes a line for every batch, appended when it is done (`disk`), so
that a run that is killed, or a machine that crashes, loses at most the batches under way. A last
line that was cut off is forgotten.
What it cannot know is whether the code of a bot has changed since: that is for its owner to say.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from p2ptruco.arena.plan import Plan
from p2ptruco.arena.records import Batch, Game, as_object, from_object
from p2ptruco.arena.standing import Pair
from p2ptruco.disk import ANYBODY, append, write_whole

VERSION = 1


class BadJournal(Exception):
    """`code`: `no_journal` (not such a file) or `other_arena` (of another plan)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Journal:
    """A file that batches are appended to. OSError where it cannot be read or written."""

    def __init__(self, path: Path, plan: Plan) -> None:
        """Go on with a file of this plan, whatever its number of pairs, or begin one."""
        self.path, self.plan = path, plan
        self.batches: list[Batch] = []
        if path.exists() and (not path.is_file() or path.stat().st_size):
            told, self.batches, whole = read(path)
            if replace(told, pairs=plan.pairs) != plan:
                raise BadJournal("other_arena")
        else:
            head = _line({"p2ptruco-arena": VERSION, "plan": plan.as_object()})
            write_whole(path, head, ANYBODY)
            whole = len(head)
        self._file = path.open("r+b", buffering=0)
        self._file.truncate(whole)
        self._file.seek(whole)

    def add(self, batch: Batch) -> None:
        """Append a batch of whole pairs; it is on the disk then, or not in the file."""
        append(self._file, _line(as_object(batch)))

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self._file.close()


def _line(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def read(path: Path) -> tuple[Plan, list[Batch], int]:
    """The plan, the batches, and how many bytes of the file are whole lines. Raises BadJournal."""
    if not (path.is_file() or path.is_dir()):  # a pipe, or what has no end
        raise BadJournal("no_journal")
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    try:
        head, *batches = [json.loads(line) for line in content[:whole].splitlines()]
        if head["p2ptruco-arena"] != VERSION:
            raise BadJournal("no_journal")
        played = [from_object(told) for told in batches]
        for batch in played:
            paired(batch.games)
        return Plan.from_object(head["plan"]), played, whole
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise BadJournal("no_journal") from error


def paired(games: Iterable[Game]) -> list[Pair]:
    """The two legs of each pair beside each other. ValueError if they are not in that order."""
    legs = iter(games)
    pairs = list(zip(legs, legs, strict=True))
    for first, second in pairs:
        if second.fixture != first.fixture._replace(leg=1) or first.fixture.leg:
            raise ValueError("not the two legs of a pair")
    return pairs
