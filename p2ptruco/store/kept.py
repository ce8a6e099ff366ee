"""The records in the data folder, newest first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from .home import records

NAME: Final = re.compile(r"([0-9]{8}T[0-9]{6}Z)-([0-9a-f]{12})-([A-Za-z0-9.-]+)\.trec")
"""As `record_name` makes them: what else lies there is none of ours, and may not be fit to show;
nor is what is no file."""


class Kept(NamedTuple):
    """A record, as its name tells: played at (UTC), table, variant."""

    number: int
    played: str
    table: str
    variant: str
    path: Path


def kept() -> Iterator[Kept]:
    """Every record of ours, numbered from 1. HomeFault; OSError."""
    paths = sorted(records().iterdir(), key=lambda path: path.name, reverse=True)
    named = ((NAME.fullmatch(path.name), path) for path in paths)
    ours = ((match, path) for match, path in named if match is not None and path.is_file())
    for number, (match, path) in enumerate(ours, 1):
        stamp, id_, variant = match.groups()
        played = f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]} {stamp[9:11]}:{stamp[11:13]}"
        yield Kept(number, played, id_, variant, path)


def record_of(name: str) -> Path | None:
    """The record of that name; None: it is none of ours, or not there."""
    path = records() / name
    return path if NAME.fullmatch(name) and path.is_file() else None
