"""The auditor of examples/auditor beside ours: what each says of the same bytes."""

from __future__ import annotations

import io
import json
import secrets
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from p2ptruco.table.record.audit import audit
from p2ptruco.table.record.file import NoRecord
from p2ptruco.ui.terminal.audit import as_object

SCRIPT = Path(__file__).parents[2] / "examples" / "auditor" / "test" / "many.mjs"


def ours(record: bytes) -> dict[str, Any]:
    """The object of `verify --json`, without the message to people."""
    try:
        found = audit(io.BytesIO(record), secrets.token_bytes)
    except NoRecord:
        return {"error": "no_record"}
    return plain(json.loads(json.dumps(as_object(found))))


def plain(found: dict[str, Any]) -> dict[str, Any]:
    """What two programs must agree on: all but the words to people."""
    if "error" in found:
        return {"error": found["error"]["code"]}
    if found["violation"] is not None:
        found["violation"].pop("message", None)
    return found


class Theirs:
    """The other program, which reads one file after the other."""

    def __init__(self, process: subprocess.Popen[str], folder: Path) -> None:
        self._process, self._file = process, folder / "second-reader.trec"

    def __call__(self, record: bytes) -> dict[str, Any]:
        self._file.write_bytes(record)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{self._file}\n")
        self._process.stdin.flush()
        return plain(json.loads(self._process.stdout.readline()))


@contextmanager
def theirs(folder: Path) -> Iterator[Theirs]:
    """The other program for the time of a block, with a folder for its files."""
    pipe = subprocess.PIPE
    with subprocess.Popen(["node", SCRIPT], stdin=pipe, stdout=pipe, text=True) as process:
        yield Theirs(process, folder)
        assert process.stdin is not None
        process.stdin.close()
