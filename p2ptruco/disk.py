"""Files that are there after a crash of the machine: the one way in which anything of ours is kept.

1. A file is written as a draft beside its place, flushed to the disk, put into its place, and then
   the folder is flushed: at any moment there is the old file or the new one, and no half. Only
   `write_copy`, for disks of others, has no draft.
2. What is appended is on the disk when the call returns, or not there at all.
3. OSError says why the system refused, a full disk for one; then no draft stays behind. That of a
   process that was killed is removed by a later writer in its folder: it may hold a secret.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

OWNER = 0o600
"""The mode of a file that is its owner's alone."""
ANYBODY = 0o666
"""The mode of one that the system's mask decides on."""
DRAFT = ".p2ptruco-draft-"
"""How the name of a draft begins."""
FORSAKEN = 3600.0
"""Seconds after which nobody writes a draft any more."""


def write_whole(path: Path, content: bytes, mode: int = OWNER) -> None:
    """A file in the place of whatever is there."""
    with _draft(path, content, mode) as draft:
        os.replace(draft, path)
    _flush(path.parent)


def write_first(path: Path, content: bytes, mode: int = OWNER) -> None:
    """A file where there is none. FileExistsError if there is one: of two at once one is first."""
    with _draft(path, content, mode) as draft:
        os.link(draft, path)
    _flush(path.parent)


def write_copy(path: Path, content: bytes, mode: int = ANYBODY) -> None:
    """A file where there is none, on any disk: some have no hard links, which `write_first` needs.
    FileExistsError if there is one. After a crash half of it may be there."""
    handle = os.open(path, _NEW, mode)
    try:
        with open(handle, "wb", buffering=0) as file:
            append(file, content)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    _flush(path.parent)


def append(file: FileIO, content: bytes) -> None:
    """Add to the end of a file that is open without a buffer."""
    whole, rest = file.tell(), memoryview(content)
    try:
        while rest:
            rest = rest[file.write(rest) or 0 :]
        os.fsync(file.fileno())
    except BaseException:
        with suppress(OSError):
            file.truncate(whole)
            file.seek(whole)
        raise


_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


@contextmanager
def _draft(path: Path, content: bytes, mode: int) -> Iterator[Path]:
    """A file beside its place, on the disk; gone after the block."""
    _tidy(path.parent)
    draft = path.with_name(f"{DRAFT}{secrets.token_hex(8)}")
    try:
        with open(os.open(draft, _NEW, mode), "wb", buffering=0) as file:
            append(file, content)
        yield draft
    finally:
        draft.unlink(missing_ok=True)


def _tidy(folder: Path) -> None:
    """Remove what processes that were killed have left in a folder."""
    with suppress(OSError):
        for draft in folder.glob(f"{DRAFT}*"):
            with suppress(OSError):
                if draft.lstat().st_mtime < time.time() - FORSAKEN:
                    draft.unlink()


def _flush(folder: Path) -> None:
    """The names in a folder, where the system lets anybody flush them."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
