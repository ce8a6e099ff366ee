"""The record of a match, written whole or not at all."""

from __future__ import annotations

from pathlib import Path

from ..disk import ANYBODY, write_whole
from ..store.home import record_name
from ..table.agreement import Agreement


def keep(record: bytes, place: Path, agreement: Agreement) -> str:
    """Write a record into a folder or as a file; its path. OSError."""
    name = record_name(agreement.variant.name, agreement.id)
    path = place / name if place.is_dir() else place
    write_whole(path, record, ANYBODY)
    return str(path)
