"""Whatever goes wrong beside the command, in a library's loop or a thread, prints nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from p2ptruco.hooks.offers import described
from p2ptruco.net.transport.ticket import Address, Ticket
from tests.kit.signals import restored

posix = pytest.mark.skipif(os.name != "posix", reason="a shell, and its signals")

SCRIPT = """
import asyncio, threading
from p2ptruco.cli import entry

def wrong(*_):
    async def late():
        asyncio.get_running_loop().call_soon(lambda: 1 / 0)
        await asyncio.sleep(0.01)
    asyncio.run(late())
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
    return 0

entry._invoke = wrong
raise SystemExit(entry.run([]))
"""


def test_what_fails_in_a_library_or_a_thread_prints_no_traceback():
    """A neighbour's announcement that the multicast library cannot write again printed one, with
    whatever the neighbour had put in it, on the terminal of everybody who looked for a table."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


EARLY = """
import os, signal, sys

class Early:
    def find_spec(self, name, *_):
        if name == "p2ptruco.cli.entry":
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Early())
from p2ptruco.cli import main
main()
"""


@posix
def test_ctrl_c_before_the_command_has_begun_prints_no_traceback():
    """For some tenths of a second, while the program loads, it printed one of the imports."""
    done = subprocess.run(
        [sys.executable, "-c", EARLY],
        preexec_fn=restored,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (-signal.SIGINT, b"")


@posix
@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("identity >&-", 0),
        ("identity >&- 2>&-", 0),
        ("verify - <&-", 2),
        ("judge - <&-", 2),
        ("join - <&-", 2),
        ("identity --json >/dev/full", 1),
        ("play --nonsense --json >/dev/full", 1),
    ],
)
def test_a_stream_that_is_closed_or_full_is_no_error_inside(
    command: str, status: int, tmp_path: Path
):
    """A service without a terminal, or a full disk, would get a traceback, or lose its match to an
    error that nobody understands; a socket of ours would have the number of its output."""
    shell = f"exec {sys.executable} -m p2ptruco {command}"
    environment = {**os.environ, "P2PTRUCO_HOME": str(tmp_path)}
    done = subprocess.run(
        ["/bin/sh", "-c", shell], env=environment, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == status
    assert b"Traceback" not in done.stderr
    assert b"inside p2ptruco" not in done.stderr


def test_a_ticket_to_watch_takes_no_seat(tmp_path: Path):
    """Announced by a neighbour as an open table, it ended the program of whoever chose it."""
    ticket = Ticket((Address("127.0.0.1", 9),), bytes(16), bytes(10)).to_watch()
    done = subprocess.run(
        [sys.executable, "-m", "p2ptruco", "join", str(ticket), "--json"],
        env={**os.environ, "P2PTRUCO_HOME": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert json.loads(done.stdout)["error"]["code"] == "bad_ticket"


def test_an_error_that_cannot_be_told_has_a_name():
    """A plugin whose error fails when it is written down would stop every command."""

    class Untold(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    assert described(Untold()) == "Untold"
