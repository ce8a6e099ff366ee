"""What another process of the same user gets of ours (process.py): its memory, its environment.

Gain, for a bot that runs beside a player's program, or an opponent's bot beside a partner's: every
key, and every card of the hand.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from p2ptruco.process import environment

ROOT = Path(__file__).parent.parent
NOBODY = 65534
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="Linux only")

SOMEBODY = f"""
import ctypes, json, os, resource, sys
from p2ptruco.process import close_memory
libc = ctypes.CDLL(None, use_errno=True)
PR_SET_DUMPABLE, PR_SET_PTRACER, ANYBODY = 4, 0x59616d61, ctypes.c_ulong(-1)
if os.getuid() == 0:  # who is root reads everything
    os.setgroups([])
    os.setgid({NOBODY})
    os.setuid({NOBODY})
"""

KEEPER = """
libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # as any program that its user has started
libc.prctl(PR_SET_PTRACER, ANYBODY, 0, 0, 0)  # let no other guard do the work
resource.setrlimit(resource.RLIMIT_CORE, (4096, 4096))
CLOSE
print(json.dumps(resource.getrlimit(resource.RLIMIT_CORE)), flush=True)
sys.stdin.read()
"""

SPY = """
libc.ptrace.argtypes = (ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
keeper, got = int(sys.argv[1]), []
for name in ("environ", "mem", "maps", "fd"):
    try:
        place = f"/proc/{keeper}/{name}"
        os.listdir(place) if name == "fd" else open(place, "rb").close()
        got.append(name)
    except OSError:
        pass
if libc.ptrace(16, keeper, None, None) == 0:  # PTRACE_ATTACH
    os.waitpid(keeper, 0x40000000)
    libc.ptrace(17, keeper, None, None)
    got.append("ptrace")
print(json.dumps(got))
"""


def run(program: str, *words: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    command = (sys.executable, "-c", SOMEBODY + program, *words)
    return subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)


def spied_on(close: str) -> tuple[list[int], list[str]]:
    """What a process says of its cores, and what another of the same user reads of it."""
    with run(KEEPER.replace("CLOSE", close)) as keeper:
        assert keeper.stdin is not None
        assert keeper.stdout is not None
        cores = json.loads(keeper.stdout.readline())
        with run(SPY, str(keeper.pid)) as spy:
            got = json.loads(spy.communicate()[0])
        keeper.stdin.close()
    return cores, got


@LINUX
def test_nobody_but_root_reads_a_process_that_has_closed_its_memory() -> None:
    open_to_all = spied_on("")
    assert open_to_all == ([4096, 4096], ["environ", "mem", "maps", "fd", "ptrace"])
    assert spied_on("close_memory()") == ([0, 0], [])


PROGRAMS = {
    "a command": (
        "from p2ptruco.store import home\n"
        "home.myself = report\n"
        "sys.argv = ['p2ptruco', 'identity']\n"
        "from p2ptruco.cli import main\n"
        "main()\n"
    ),
    "a seat": "from p2ptruco.app import seat\nseat.json.loads = report\nseat.main()\n",
    "a bot": (
        "from p2ptruco.players.sandbox import inside\ninside.json.loads = report\ninside.main()\n"
    ),
}
"""Programs that hold a secret, made to report where they would read the first."""

REPORT = """
import ctypes, os, resource, sys
def report(*_):
    dumpable = ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)  # PR_GET_DUMPABLE
    os.write(2, f"{dumpable} {resource.getrlimit(resource.RLIMIT_CORE)}".encode())
    os._exit(0)
"""


@LINUX
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_closes_its_memory_before_it_reads_a_secret(program: str) -> None:
    command = (sys.executable, "-c", REPORT + PROGRAMS[program])
    ended = subprocess.run(command, input=b"{}\n", capture_output=True, timeout=60, check=False)
    assert ended.stderr.decode() == "0 (0, 0)"


SHOWING = """
import os
from p2ptruco.app import join
out = os.dup(1)
def report(ticket):
    os.write(out, open("/proc/self/cmdline", "rb").read() + ticket.encode())
    os._exit(0)
join.read_ticket = report
from p2ptruco.cli import main
main()
"""


@LINUX
def test_a_ticket_does_not_stay_among_the_arguments() -> None:
    """Gain: a seat for whoever is on the same machine, of any user, by listing processes."""
    ticket = "TRUCO:AIAACAOAVAARJHF3CAII2ILSY4DFMI5AQLHA7PMIXLOAUAABAIBQIBIGA4EAS4AWHI"
    command = (sys.executable, "-c", SHOWING, "join", "--name", "Ana", ticket, "--lang", "en")
    shown = subprocess.run(command, capture_output=True, timeout=60, check=True).stdout
    arguments, _, read = shown.rpartition(b"\0")
    assert read.decode() == ticket
    words = [b"join", b"--name", b"Ana", b"x" * len(ticket), b"--lang", b"en"]
    assert arguments.split(b"\0")[-6:] == words


def test_a_strangers_process_is_told_no_more_than_it_needs() -> None:
    """Else a bot reads where the identity is, and whatever a person's shell knows besides."""
    kept = {"PATH": "/bin", "LC_ALL": "C", "PYTHONPATH": "x", "OMP_NUM_THREADS": "1", "BOT_A": "1"}
    ours = {"P2PTRUCO_HOME": "/home", "P2PTRUCO_BOT_MEMORY": "1", "P2PTRUCO_ANYTHING": "1"}
    plugins = {"P2PTRUCO_LOAD_PLUGINS": "a", "P2PTRUCO_DISABLE_PLUGINS": "b"}
    others = {"AWS_SECRET_ACCESS_KEY": "s", "SSH_AUTH_SOCK": "/tmp/agent", "LCD": "1"}
    hashes = {"PYTHONHASHSEED": "0"}
    got = environment(kept | ours | plugins | others | {"PYTHONHASHSEED": "random"})
    assert got == kept | plugins | hashes
    assert environment() == environment(os.environ)
