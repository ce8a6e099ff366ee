"""Files that a stranger sent, or left lying in the data folder: endless ones, pipes, and names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = (sys.executable, "-m", "p2ptruco")
ENDLESS = 400 << 20
"""More bytes than anybody should read of what is no record and no hand."""

posix = pytest.mark.skipif(os.name != "posix", reason="named pipes")


def run(home: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*PROGRAM, *words],
        env={**os.environ, "P2PTRUCO_HOME": str(home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )


@posix
@pytest.mark.parametrize("command", ["verify", "replay", "judge"])
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(tmp_path: Path, command: str):
    """A pipe in an archive of records would hold up whoever verifies them all, for good."""
    pipe = tmp_path / "match.trec"
    os.mkfifo(pipe)
    assert run(tmp_path, command, str(pipe)).returncode == 2


@posix
def test_an_identity_that_is_a_pipe_is_refused(tmp_path: Path):
    """Every command that asks who we are would wait for good."""
    os.mkfifo(tmp_path / "identity.key")
    assert run(tmp_path, "identity").returncode == 1


@pytest.mark.parametrize("command", ["verify", "judge"])
def test_what_has_no_end_is_not_read_to_it(tmp_path: Path, command: str):
    """A few bytes, unpacked on the way, would take all memory of whoever reads them."""
    process = subprocess.Popen([*PROGRAM, command, "-"], stdin=subprocess.PIPE, bufsize=0)
    assert process.stdin is not None
    sent, zeros = 0, bytes(1 << 20)
    try:
        while sent < ENDLESS:
            sent += process.stdin.write(zeros)
        pytest.fail("it was read to its end")
    except BrokenPipeError:
        assert process.wait(60) == 2
    finally:
        process.kill()
        process.stdin.close()


@pytest.mark.parametrize("command", ["verify", "judge"])
def test_a_file_larger_than_memory_is_no_record_and_no_hand(tmp_path: Path, command: str):
    """It takes no room on the disk of who sends it."""
    with open(tmp_path / "sparse", "wb") as file:
        file.truncate(1 << 40)
    done = run(tmp_path, command, str(tmp_path / "sparse"))
    assert done.returncode == 2
    assert b"MemoryError" not in done.stderr


@posix
def test_a_file_among_our_records_cannot_speak_to_the_terminal(tmp_path: Path):
    """A record saved under the name that its sender gave it would draw on the terminal, or show
    itself as another match, whenever the matches are listed."""
    records = tmp_path / "records"
    records.mkdir()
    ours = "20260101T000000Z-0123456789ab-mineiro.trec"
    for name in (ours, ours.replace("mineiro", "\x1b[2Jx"), ours.replace("mineiro", "\u202ex")):
        (records / name).touch()
    listed = run(tmp_path, "matches").stdout.decode()
    assert ours in listed
    assert len(listed.splitlines()) == 1
