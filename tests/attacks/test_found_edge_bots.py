"""A bot's file before anybody sits down (players/sandbox): loaded, never trusted."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest
import trio

from p2ptruco.hooks import NoBot
from p2ptruco.players.sandbox.limits import Limits
from p2ptruco.players.sandbox.mind import probe

SOUND = "def choose(view):\n    return view.legal[0]\n"


def written(folder: Path, source: str) -> str:
    path = folder / "bot.py"
    path.write_text(source + "\n" + SOUND)
    return str(path)


@pytest.mark.skipif(os.name != "posix", reason="groups of processes")
async def test_what_a_file_starts_ends_with_the_look_at_it(tmp_path: Path):
    """Naming a file once would leave its author a process on the machine for good."""
    pid = tmp_path / "pid"
    starts = f"""import subprocess
child = subprocess.Popen([{sys.executable!r}, "-c", "import time; time.sleep(60)"])
open({str(pid)!r}, "w").write(str(child.pid))"""
    assert await probe(written(tmp_path, starts), Limits()) == "bot"
    with trio.fail_after(10):
        while alive(int(pid.read_text())):  # noqa: ASYNC110
            await trio.sleep(0.05)


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent does not."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat")
        return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


async def test_what_a_file_prints_is_not_collected(tmp_path: Path):
    """Two gigabytes of what it printed would be held in the memory of whoever named it."""
    resource = pytest.importorskip("resource")
    prints = "import os\nwhile True: os.write(2, b'x' * 65536)"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.monotonic()
    with pytest.raises(NoBot) as missing:
        await probe(written(tmp_path, prints), Limits(start=1.0))
    assert missing.value.code == "slow_file"
    assert time.monotonic() - began < 15
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 32 << 10


async def test_a_file_that_answers_for_the_sandbox_is_no_bot(tmp_path: Path):
    """Bytes on the pipe that are no answer would end the program with an error of its own."""
    forges = """import os
for pipe in range(3, 20):
    try: os.write(pipe, b'no answer\\n')
    except OSError: pass
os._exit(0)"""
    with pytest.raises(NoBot):
        await probe(written(tmp_path, forges), Limits())


async def test_a_file_that_speaks_for_its_process_is_a_broken_one(tmp_path: Path):
    """It would name a reason that nobody has a sentence for, and end the program that asked."""
    says = """import json, os
for pipe in range(3, 20):
    try:
        os.write(pipe, json.dumps({"no_bot": "mine", "name": "x", "detail": "x"}).encode() + b"\\n")
    except OSError:
        pass"""
    with pytest.raises(NoBot) as missing:
        await probe(written(tmp_path, says), Limits())
    assert missing.value.code == "broken_file"
