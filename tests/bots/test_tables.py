"""Faulty bots at real tables: the match goes on, ends, verifies, and says whose fault it was."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ..cli.calling import P2PTRUCO
from .kit import write_bot

FAULTY = {
    "looping": ("while True: pass", "timeout"),
    "crashing": ("1 / 0", "crash"),
    "illegal": ("return 'truco!'", "illegal"),
    "hungry": ("return 'x' * (1 << 30)", "crash"),
}


def faulty(folder: Path, name: str) -> str:
    return write_bot(folder, f"def choose(view):\n    {FAULTY[name][0]}\n", name)


def test_a_demo_of_faulty_bots_ends_and_names_them(tmp_path: Path) -> None:
    """Every seat fails in its own way; the rules play the match, the record verifies."""
    bots = ",".join(faulty(tmp_path, name) for name in FAULTY)
    words = ("--seats", "4", "--bots", bots, "--budget", "300", "--no-record", "--seed", "1")
    done = subprocess.run(
        [P2PTRUCO, "demo", *words, "--json"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"P2PTRUCO_BOT_MEMORY": "512"},
    )
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["verified"], answer["status"]) == (0, True, "complete")
    assert set(answer["faults"]) == set(FAULTY)
    for name, (_code, kind) in FAULTY.items():
        told = answer["faults"][name]
        assert told[kind] > 0, told
        assert told["details"]
        assert f"{name} failed to decide" in done.stderr
    assert "ZeroDivisionError" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Traceback" in "".join(answer["faults"]["crashing"]["details"])


@contextmanager
def talking(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """A command with a home of its own; what it has printed so far, line by line."""
    process = subprocess.Popen(
        [P2PTRUCO, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"P2PTRUCO_HOME": str(folder)},
    )
    printed: list[str] = []
    assert process.stdout is not None
    reader = threading.Thread(target=printed.extend, args=(process.stdout,), daemon=True)
    reader.start()
    try:
        yield process, printed
    finally:
        process.kill()
        process.wait()
        reader.join(5)


def type_until_over(process: subprocess.Popen[str], *others: subprocess.Popen[str]) -> None:
    """Start, fold whenever it is our turn, run from every call, each twice since what loses a match
    is asked for again; then want no other match."""
    deadline = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < deadline:
        for typist, text in (
            (process, "start\nf\nf\nrun\nrun\nplay\nn\n"),
            *((o, "n\n") for o in others),
        ):
            assert typist.stdin is not None
            try:
                typist.stdin.write(text)
                typist.stdin.flush()
            except OSError:
                continue
        time.sleep(0.2)


def test_a_faulty_bot_of_a_host_is_named(tmp_path: Path) -> None:
    """Beside a person who folds every hand."""
    bot = faulty(tmp_path, "crashing")
    words = ("host", "--seats", "2", "--bots", "1", "--bot", bot, "--private", "--no-record")
    with talking(tmp_path / "host", *words) as (host, printed):
        type_until_over(host)
        assert host.wait(10) == 0
    text = "".join(printed)
    assert "B won the match" in text
    assert "crashing failed to decide" in text
    assert "ZeroDivisionError" in text
    assert "Traceback" not in text


def test_a_faulty_bot_that_joins_is_named(tmp_path: Path) -> None:
    """To whoever seats it; the table waits for its budget and no longer."""
    bot = faulty(tmp_path, "looping")
    hosting = ("host", "--seats", "2", "--private", "--no-record")
    with talking(tmp_path / "host", *hosting) as (host, printed):
        ticket = ticket_in(printed)
        joining = ("join", ticket, "--bot", bot, "--no-record")
        with talking(tmp_path / "guest", *joining) as (guest, heard):
            type_until_over(host, guest)
            assert host.wait(10) == 0
            assert guest.wait(20) == 0
    assert "B won the match" in "".join(printed)
    assert "looping failed to decide" in "".join(heard)
    assert "choose: more than 1 s" in "".join(heard)


def ticket_in(printed: list[str]) -> str:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        for line in list(printed):
            if line.startswith("Ticket: "):
                return line.split(": ")[1].strip()
        time.sleep(0.05)
    raise AssertionError(printed)


@pytest.mark.parametrize("name", ["broken.py", "missing.py"])
def test_a_bot_that_is_none_is_refused_before_anybody_sits_down(tmp_path: Path, name: str) -> None:
    """One sentence, nobody waits."""
    (tmp_path / "broken.py").write_text("import nothing_like_this\n")
    for words in (("demo", "--bots"), ("join", "TRUCO:X", "--bot"), ("host", "--bots=1", "--bot")):
        done = subprocess.run(
            [P2PTRUCO, *words, str(tmp_path / name)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 2
        assert name in done.stderr or words[0] == "join"
        assert "Traceback" not in done.stderr
