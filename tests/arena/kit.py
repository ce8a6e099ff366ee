"""Courts in this process, and bots as files for pits."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from p2ptruco.arena.game import Court, play_match
from p2ptruco.arena.mark import SIZE, Mark
from p2ptruco.arena.plan import Fixture, Plan, labels
from p2ptruco.arena.records import Game

BAD = {
    "loops": "def choose(view):\n    while True:\n        pass",
    "sleeps": "import time\ndef choose(view):\n    time.sleep(30)\n    return view.legal[0]",
    "slow": "import time\ndef choose(view):\n    time.sleep(0.35)\n    return view.legal[0]",
    "crashes": "import ctypes\ndef choose(view):\n    return ctypes.string_at(0)",
    "leaves": "import os\ndef choose(view):\n    os._exit(0)",
    "nameless": "import os\ndef choose(view):\n    os.kill(os.getpid(), 40)",
    "exits": "import sys\ndef choose(view):\n    sys.exit(0)",
    "eats": "held = []\ndef choose(view):\n    while True:\n        held.append(bytes(1 << 24))",
    "raises": "def choose(view):\n    raise RuntimeError('no idea')",
    "illegal": "import p2ptruco\ndef choose(view):\n    return p2ptruco.Play(99)",
    "unmade": "def p2(): pass\nclass Bot:\n    def __init__(self): raise OSError\n"
    "import p2ptruco\n@p2ptruco.hookimpl\n"
    "def p2ptruco_register_bots(register):\n    register('unmade', Bot)",
    "mutters": "import os, sys\ndef choose(view):\n    print('hm', flush=True)\n"
    "    for number in range(3, 12):\n        try:\n            os.write(number, b'[1, 2]\\n{')\n"
    "        except OSError:\n            pass\n    return view.legal[0]",
    "threads": "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\n"
    "def choose(view):\n    raise MemoryError",
    "forks": "import subprocess, sys\n"
    "def choose(view):\n    subprocess.Popen([sys.executable, '-c',"
    "'import time; time.sleep(60)  # left by a bot'])\n    while True:\n        pass",
    "good": "def choose(view):\n    return view.rng.choice(view.legal)",
}


def written(folder: Path, name: str) -> str:
    """The path of one of the bots above."""
    path = folder / f"{name}.py"
    path.write_text(BAD[name] + "\n")
    return str(path)


class Still(Mark):
    """A mark that nobody else looks at, and that remembers whose code was run."""

    def __init__(self) -> None:
        file = tempfile.TemporaryFile()  # noqa: SIM115
        file.truncate(SIZE)
        super().__init__(file.fileno())
        self.clear()
        self.entered: list[int] = []

    def enter(self, entrant: int) -> None:
        super().enter(entrant)
        self.entered.append(entrant)


def court(plan: Plan, *makes: Callable[[], Any], names: tuple[str, ...] = ("a", "b")) -> Court:
    """A court of this process for these makers of bots."""
    return Court(plan, makes, labels(names), Still())


def play(plan: Plan, *makes: Callable[[], Any], pair: int = 0, leg: int = 0) -> Game:
    """One match between the first two."""
    return play_match(court(plan, *makes), Fixture(0, 1, pair, leg))


def plan(**fields: Any) -> Plan:
    """A plan of two bots that have only to be named."""
    return Plan(**{"bots": ("a", "b"), "seed": 7, **fields})
