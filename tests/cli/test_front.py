"""`--front jsonl` on real streams: nothing but objects, and an end for whoever has gone."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from .calling import P2PTRUCO, run


def test_what_cannot_start_is_one_object() -> None:
    done = run("play", "--front", "jsonl", "--seats", "3")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"].keys() == {"code", "message"}


def started(home: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [P2PTRUCO, "play", "--front", "jsonl", "--lang", "en"],
        env={**os.environ, "P2PTRUCO_HOME": str(home)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_whoever_says_no_more_goes_home(tmp_path: Path) -> None:
    """Every line is an object, the last one says how it ended, standard error is empty."""
    process = started(tmp_path)
    out, errors = process.communicate(b"nothing\n", timeout=60)
    first, *_, last = [json.loads(line) for line in out.splitlines()]
    assert (first["front"], first["run"]) == (1, "play")
    assert last == {"matches": []}
    assert (process.returncode, errors) == (0, b"")


def test_whoever_reads_no_more_ends_the_program(tmp_path: Path) -> None:
    """As a closed terminal does: no traceback, and no process is left behind."""
    process = started(tmp_path)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(60) == 1
    assert process.stderr.read() == b""
    process.stdin.close()
    process.stderr.close()
