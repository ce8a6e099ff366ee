"""Whatever goes wrong beside the command, in a library's loop or a thread, prints nothing."""

from __future__ import annotations

import subprocess
import sys

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
