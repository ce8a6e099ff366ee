"""A bot in a process of its own: whatever it does, the table goes on, and the fault has a name."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import trio

from p2ptruco.hooks import NoBot, find_bot
from p2ptruco.players.mind import Mind
from p2ptruco.players.sandbox.limits import Limits, limits
from p2ptruco.players.sandbox.mind import LIVES, Sandbox, probe, sandboxed
from p2ptruco.rules.match import Match
from p2ptruco.rules.moves import Move, Play
from p2ptruco.rules.play import default
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.seating import Seat, Slot
from p2ptruco.rules.view import View

from .kit import decisions, first_view, write_bot

QUICK = Limits(budget=0.4, grace=0.3, memory=256 << 20)
PATIENT = Limits(budget=20, grace=1)
LAST = "def choose(view):\n    return view.plays[2]\n"
"""A bot that plays its last card, which is not what the rules would play for it."""

FAULTY = {
    "broken": ("raise", "crash", "RuntimeError"),
    "crashing": ("1 / 0", "crash", "ZeroDivisionError"),
    "leaving": ("raise SystemExit", "crash", "SystemExit"),
    "interrupting": ("raise KeyboardInterrupt", "crash", "KeyboardInterrupt"),
    "recursing": ("choose(view)", "crash", "RecursionError"),
    "looping": ("while True: pass", "timeout", "choose"),
    "deaf": (
        "import signal\n    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n"
        "    while True: pass",
        "timeout",
        "choose",
    ),
    "stuck in C": ("sum(range(10**15))", "timeout", "choose"),
    "slow": ("import time; time.sleep(0.5); return view.legal[0]", "timeout", "choose"),
    "illegal": ("return 42", "illegal", "42"),
    "silent": ("return None", "illegal", "None"),
    "playing another's card": ("return type(view.plays[0])(3)", "illegal", "Play(slot=3"),
    "pretending": (
        "class Any:\n        def __eq__(self, other): return True\n    return Any()",
        "illegal",
        "Any",
    ),
    "ending its process": ("import os; os._exit(3)", "crash", "ended (exit 3)"),
    "killing itself": ("import os; os.kill(os.getpid(), 9)", "crash", "ended (SIGKILL)"),
    "crashing the interpreter": ("import ctypes; ctypes.string_at(0)", "crash", "ended (SIGSEGV)"),
    "eating memory": ("'x' * (1 << 29)", "crash", "MemoryError"),
    "talking nonsense to its starter": (
        "import os\n    for fd in range(3, 20):\n        try: os.write(fd, b'{}\\n')\n"
        "        except OSError: pass\n    while True: pass",
        "crash",
        "no answer",
    ),
    "answering in advance": (
        "import os\n    for fd in range(3, 20):\n"
        '        try: os.write(fd, b\'{"n": 2, "ms": 0, "move": "run"}\\n\')\n'
        "        except OSError: pass\n    while True: pass",
        "illegal",
        "run",
    ),
    "flooding its starter": (
        "import os\n    while True:\n        for fd in range(3, 20):\n"
        "            try: os.write(fd, b'x' * 65536)\n            except OSError: pass",
        "crash",
        "ended",
    ),
    "closing everything": ("import os; os.closerange(0, 99)", "crash", ""),
}


def rule(view: View) -> Move:
    return default(view.hand, view.seat, view.cards)


@pytest.mark.parametrize("name", FAULTY)
async def test_a_faulty_bot_plays_the_default_of_the_rules(tmp_path: Path, name: str) -> None:
    """In time, with the kind of the fault, and with what its author needs to see."""
    code, kind, detail = FAULTY[name]
    bot = write_bot(tmp_path, f"def choose(view):\n    {code}\n")
    view = first_view()
    async with sandboxed(bot, "seed", QUICK) as mind:
        began = time.monotonic()
        move = await mind.choose(view)
        took = time.monotonic() - began
    assert move == rule(view)
    assert took < QUICK.budget + 1
    assert [fault.kind for fault in mind.faults] == [kind]
    assert detail in mind.faults[0].detail
    assert mind.name == "bot"


async def test_a_crash_is_told_from_the_bot_s_own_frame_on(tmp_path: Path) -> None:
    """The author sees their file and line, and nothing of ours."""
    bot = write_bot(
        tmp_path, "def inner():\n    return {}['x']\n\ndef choose(view):\n    inner()\n"
    )
    async with sandboxed(bot, "seed", PATIENT) as mind:
        await mind.choose(first_view())
    detail = mind.faults[0].detail
    assert 'bot.py", line 2, in inner' in detail
    assert "KeyError: 'x'" in detail
    assert "sandbox" not in detail


async def test_what_a_bot_prints_reaches_no_pipe_of_ours(tmp_path: Path) -> None:
    """Its standard input is empty; its output is kept for the fault of a process that ends."""
    source = (
        "import sys, os\nprint('{\"n\": 1}')\ncalls = []\n\ndef choose(view):\n"
        "    print('hello'); os.write(1, b'raw\\n'); os.system('echo child')\n"
        "    sys.stderr.write('x' * 300_000 + 'the end'); sys.stderr.flush()\n"
        "    assert sys.stdin.read() == ''\n"
        "    calls.append(view)\n    if len(calls) > 1: os._exit(1)\n    return view.plays[2]\n"
    )
    async with sandboxed(write_bot(tmp_path, source), "seed", PATIENT) as mind:
        view = first_view()
        assert await mind.choose(view) == Play(Slot(2))
        assert mind.faults == []
        assert await mind.choose(view) == rule(view)
    assert mind.faults[0].detail.endswith("the end")
    assert len(mind.faults[0].detail) < 10_000


MARKED = """
import os, pathlib
marks = pathlib.Path(__file__).with_suffix(".marks")

class Bot:
    def __init__(self):
        self.seen = 0

    def choose(self, view):
        self.seen += 1
        if self.seen == 2 and not marks.exists():
            marks.touch()
            {ending}
        return view.plays[self.seen - 1]

import p2ptruco

@p2ptruco.hookimpl
def p2ptruco_register_bots(register):
    register("marked", Bot)
"""


@pytest.mark.parametrize(
    ("ending", "kind"), [("os._exit(0)", "crash"), ("while True: pass", "timeout")]
)
async def test_an_ended_process_starts_again(tmp_path: Path, ending: str, kind: str) -> None:
    """For the next decision, with a new instance: what the bot remembered is lost."""
    bot = write_bot(tmp_path, MARKED.format(ending=ending))
    view = first_view()
    async with sandboxed(bot, "seed", Limits(budget=2)) as mind:
        moves = [await mind.choose(view) for _ in range(4)]
    assert moves[:2] == [Play(Slot(0)), rule(view)]
    assert moves[2:] == [Play(Slot(0)), Play(Slot(1))]
    assert [fault.kind for fault in mind.faults] == [kind]


async def test_a_bot_that_never_decides_is_left_alone(tmp_path: Path) -> None:
    """After some starts in a row the rules decide at once, and each time it counts."""
    bot = write_bot(tmp_path, "def choose(view):\n    while True: pass\n")
    view = first_view()
    async with sandboxed(bot, "seed", Limits(budget=0.2, grace=1)) as mind:
        for _ in range(LIVES + 2):
            await mind.choose(view)
        began = time.monotonic()
        assert await mind.choose(view) == rule(view)
        assert time.monotonic() - began < 0.2
    assert [fault.kind for fault in mind.faults] == ["timeout"] * (LIVES + 3)


LISTENER = """
import pathlib
log = pathlib.Path(__file__).with_suffix(".log")

class Bot:
    def choose(self, view):
        return view.legal[0]

    def hand_done(self, view):
        {hand_done}

    def match_done(self, view):
        with log.open("a") as file:
            print("over", view.budget_ms, file=file)

import p2ptruco

@p2ptruco.hookimpl
def p2ptruco_register_bots(register):
    register("listener", Bot)
"""


async def test_a_bot_that_loops_while_it_listens_is_found_at_the_next_decision(
    tmp_path: Path,
) -> None:
    """The fault names the call; telling waits for nobody."""
    bot = write_bot(tmp_path, LISTENER.format(hand_done="while True: pass"))
    view = first_view()
    async with sandboxed(bot, "seed", QUICK) as mind:
        began = time.monotonic()
        await mind.tell("hand_done", view)
        assert time.monotonic() - began < 0.1
        assert await mind.choose(view) == rule(view)
        assert time.monotonic() - began < QUICK.budget + 1
    assert [fault.kind for fault in mind.faults] == ["timeout"]
    assert mind.faults[0].detail.startswith("hand_done")


async def test_what_is_told_last_is_still_heard(tmp_path: Path) -> None:
    """match_done reaches the bot before its process ends; a crash in a call is a fault."""
    bot = write_bot(tmp_path, LISTENER.format(hand_done="1 / 0"))
    async with sandboxed(bot, "seed", PATIENT) as mind:
        for event in ("hand_done", "match_done", "trick_done"):
            await mind.tell(event, first_view())
    assert Path(bot).with_suffix(".log").read_text() == "over 20000\n"
    assert [fault.kind for fault in mind.faults] == ["crash"]
    assert mind.faults[0].detail.startswith("hand_done: ")


COUNTER = """
class Bot:
    def __init__(self):
        self.asked = 0

    def choose(self, view):
        self.asked += 1
        raise RuntimeError(self.asked)

import p2ptruco

@p2ptruco.hookimpl
def p2ptruco_register_bots(register):
    register("counter", Bot)
"""


async def test_each_match_has_an_instance_of_its_own(tmp_path: Path) -> None:
    """A second match in the same process begins anew; whoever listens hears each fault at once."""
    heard: list[tuple[str, str]] = []
    bot, view = write_bot(tmp_path, COUNTER), first_view()
    async with sandboxed(
        bot, "seed", PATIENT, lambda name, fault: heard.append((name, fault.detail[-4:].strip()))
    ) as mind:
        for _ in range(2):
            await mind.tell("match_started", view)
            await mind.choose(view)
            await mind.choose(view)
    assert heard == [("counter", f": {n}") for n in (1, 2, 1, 2)]


async def test_a_maker_that_fails_is_a_fault_of_every_decision(tmp_path: Path) -> None:
    """The match goes on without it."""
    bot = write_bot(
        tmp_path,
        "import p2ptruco\n\n@p2ptruco.hookimpl\ndef p2ptruco_register_bots(register):\n"
        "    register('unmakeable', lambda: 1 / 0)\n",
    )
    view = first_view()
    async with sandboxed(bot, "seed", PATIENT) as mind:
        assert await mind.choose(view) == rule(view)
    assert mind.name == "unmakeable"
    assert {fault.kind for fault in mind.faults} == {"crash"}
    assert all("ZeroDivisionError" in fault.detail for fault in mind.faults)


@pytest.mark.parametrize(
    ("source", "code", "detail"),
    [
        ("1 / 0", "broken_file", "ZeroDivisionError: division by zero"),
        ("raise KeyboardInterrupt", "broken_file", "KeyboardInterrupt"),
        ("raise GeneratorExit('no')", "broken_file", "GeneratorExit: no"),
        ("import os; os._exit(1)", "load_crashed", "exit 1"),
        (
            "import os; os.write(2, b'a\\nI give up\\n'); os._exit(1)",
            "load_crashed",
            "exit 1: I give up",
        ),
        ("import ctypes; ctypes.string_at(0)", "load_crashed", "SIGSEGV"),
        ("import os; os.kill(os.getpid(), 9)", "load_crashed", "SIGKILL"),
        ("x = 1", "no_bot_in_file", "choose"),
        ("while True: pass", "slow_file", "1"),
        ("x = 'x' * (1 << 29)", "broken_file", "MemoryError"),
    ],
)
async def test_a_file_without_a_bot_is_no_mind(
    tmp_path: Path, source: str, code: str, detail: str
) -> None:
    """It is refused before anybody sits down, by the table and by whoever asks beforehand, with
    what its author has to know."""
    bot = write_bot(tmp_path, source)
    short = Limits(start=1 if code == "slow_file" else 20, memory=256 << 20)
    with pytest.raises(NoBot) as missing:
        async with sandboxed(bot, "seed", short):
            pass
    with pytest.raises(NoBot) as found:
        await probe(bot, short)
    assert missing.value.code == found.value.code == code
    assert missing.value.detail == found.value.detail == detail
    assert await probe("zap", PATIENT) == "zap"


async def test_a_seed_gives_the_same_match_again_here_and_there() -> None:
    """The source is the bot's own: in a process or not, the same moves."""

    async def moves(mind: Mind) -> list[Move]:
        made: list[Move] = []

        async def note(view: View, move: Move) -> None:
            made.append(move)

        await decisions(mind, Match(MINEIRO, 2, Seat(0)), 7, note)
        return made

    class Here:
        advises = False

        def __init__(self) -> None:
            self.rng = random.Random("seed")
            self.player = find_bot("random").make()

        def in_time(self, view: View) -> Move | None:
            return None

        async def choose(self, view: View) -> Move:
            there = View(view.hand, view.seat, view.own, view.mates, view.match, None, self.rng)
            return self.player(there)  # type: ignore[operator, no-any-return]

        async def tell(self, event: str, view: View) -> None: ...

    async with sandboxed("random", "seed", PATIENT) as mind:
        first = await moves(mind)
        mind.begin("seed")
        assert await moves(mind) == first == await moves(Here())
        mind.begin("other")
        assert await moves(mind) != first
    assert mind.faults == []


REPORT = """
import gc, json, os, sys

def choose(view):
    raise ValueError(json.dumps({
        "modules": sorted(sys.modules),
        "arguments": sys.argv + open("/proc/self/cmdline").read().split("\\0"),
        "environment": dict(os.environ),
        "files": sorted(os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")
                        if os.path.exists(f"/proc/self/fd/{fd}")),
        "parent": os.getppid(),
        "heap": any(SECRET in thing for thing in gc.get_objects() if type(thing) is str),
    }))
"""


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
async def test_keys_are_never_in_the_process_of_a_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that looks around finds no module of the deal or the table, none of our files, and
    not even where our data folder is: it would gain every hidden card."""
    monkeypatch.setenv("P2PTRUCO_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SSH_AUTH_SOCK", str(tmp_path / "agent"))
    secret = tmp_path / "identity"
    secret.write_text("secret")
    with secret.open():
        source = REPORT.replace("SECRET", repr(str(tmp_path / "home")))
        bot = write_bot(tmp_path, source)
        async with sandboxed(bot, "seed", PATIENT) as mind:
            await mind.choose(first_view())
    line = mind.faults[0].detail.strip().splitlines()[-1]
    told = json.loads(line.removeprefix("ValueError: "))
    loaded = " ".join(told["modules"])
    for ring in ("p2ptruco.mental", "p2ptruco.net", "p2ptruco.players.keeper", "p2ptruco.cli"):
        assert ring not in loaded
    for library in ("cryptography", "rbcl", "trio", "msgpack", "ssl"):
        assert library not in told["modules"]
    assert not [name for name in told["environment"] if name.startswith(("P2PTRUCO_", "SSH_"))]
    assert str(tmp_path) not in " ".join(told["arguments"])
    assert str(secret) not in told["files"]
    assert told["parent"] == os.getpid()


ORPHAN = """
import sys, trio
from p2ptruco.players.sandbox.limits import Limits
from p2ptruco.players.sandbox.mind import sandboxed
from tests.bots.kit import first_view

async def main():
    async with sandboxed(sys.argv[1], "seed", Limits(budget=0.2, grace=60)) as mind:
        print("up", flush=True)
        await mind.choose(first_view())

trio.run(main)
"""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc to see processes")
@pytest.mark.parametrize("doing", ["nothing", "choosing", "pondering"])
def test_no_bot_outlives_a_starter_that_was_killed(tmp_path: Path, doing: str) -> None:
    """An idle one ends with its standard input, a looping one by its own alarm, and so does one
    that has left a thread, for which its interpreter would wait for ever."""
    mark = tmp_path / "pid"
    source = f"import os\nopen({str(mark)!r}, 'w').write(str(os.getpid()))\n\ndef choose(view):\n"
    source += "    while True: pass\n"
    if doing == "pondering":
        source += "\nimport threading\nthreading.Thread(target=choose, args=(None,)).start()\n"
    bot = write_bot(tmp_path, source)
    program = ORPHAN.replace("await mind.choose(first_view())", "await trio.sleep(60)")
    starter = subprocess.Popen(
        [sys.executable, "-c", ORPHAN if doing == "choosing" else program, bot],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    assert starter.stdout is not None
    assert starter.stdout.readline() == b"up\n"
    time.sleep(0.3 if doing == "choosing" else 0)
    os.kill(starter.pid, signal.SIGKILL)
    starter.communicate()
    pid = int(mark.read_text())
    deadline = time.monotonic() + 10
    while _runs(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _runs(pid)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def test_what_a_bot_started_is_ended_with_it(tmp_path: Path) -> None:
    """The whole group of processes."""
    mark = tmp_path / "pid"
    bot = write_bot(
        tmp_path,
        f"import subprocess\n\ndef choose(view):\n    child = subprocess.Popen(['sleep', '600'])\n"
        f"    open({str(mark)!r}, 'w').write(str(child.pid))\n    return view.legal[0]\n",
    )
    async with sandboxed(bot, "seed", PATIENT) as mind:
        await mind.choose(first_view())
    pid = int(mark.read_text())
    with trio.fail_after(5):
        while _runs(pid):  # noqa: ASYNC110
            await trio.sleep(0.02)


def test_memory_is_the_environment_s() -> None:
    """Megabytes; nought for none; nonsense changes nothing."""
    assert limits(2, {"P2PTRUCO_BOT_MEMORY": "512"}) == Limits(2, memory=512 << 20)
    assert limits(2, {"P2PTRUCO_BOT_MEMORY": "0"}).memory == 0
    assert limits(2, {"P2PTRUCO_BOT_MEMORY": "lots"}) == limits(2, {}) == Limits(2)


def test_it_is_a_mind() -> None:
    """What a local seat asks of it, it has."""
    mind: Mind = Sandbox("zap", "seed", Limits(), lambda name, fault: None)
    assert mind.advises is False
