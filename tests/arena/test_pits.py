"""Bots that break the process they play in: each is contained, blamed, and the run goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from p2ptruco.arena import guard
from p2ptruco.arena.batch import close_pits, pits_of, play_batch
from p2ptruco.arena.errors import Closed, PitDied, Unplayable
from p2ptruco.arena.guard import Pit
from p2ptruco.arena.plan import Fixture, Plan
from p2ptruco.arena.records import Batch
from tests.arena.kit import written

Write = Callable[[str], str]


@pytest.fixture
def bot(tmp_path: Path) -> Write:
    return lambda name: written(tmp_path, name)


def fixtures(count: int) -> list[Fixture]:
    return [Fixture(0, 1, place // 2, place % 2) for place in range(count)]


def played(plan: Plan, count: int = 2) -> Batch:
    try:
        return play_batch(plan, fixtures(count))
    finally:
        close_pits(plan)


@contextmanager
def open_pit(plan: Plan) -> Iterator[Pit]:
    pit = Pit(plan)
    try:
        pit.greet()
        yield pit
    finally:
        pit.close()


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("loops", "timeout", "in choose"),
        ("sleeps", "timeout", "in choose"),
        ("slow", "timeout", "ms\nvariant mineiro"),
        ("crashes", "crash", "SIGSEGV\nFatal Python error"),
        ("leaves", "crash", "exit 0"),
        pytest.param(
            *("nameless", "crash", "signal 40"),
            marks=pytest.mark.skipif(sys.platform != "linux", reason="all signals have names"),
        ),
        ("eats", "crash", "exit 1\nTraceback"),
        ("threads", "crash", "exit 1"),
        ("unmade", "crash", "OSError"),
    ],
)
def test_a_bot_that_ends_its_process_has_lost(bot: Write, name: str, kind: str, words: str) -> None:
    """Every match of it, in both legs, with the reason; the other one has no fault."""
    budget = 300 if kind == "timeout" else 20_000
    plan = Plan(bots=(bot(name), bot("good")), seed=1, budget_ms=budget, memory_mb=400)
    batch = played(plan)
    for game, fixture in zip(batch.games, fixtures(2), strict=True):
        assert game.fixture == fixture
        assert (game.winner, game.forfeit) == (1, kind)
        [fault] = game.faults
        assert (fault.entrant, fault.kind, fault.times) == (0, kind, 1)
        assert words in fault.detail


CURIOUS = """
import json, os

with open(FILE, "w") as report:
    names = [os.path.join("/proc/self/fd", fd) for fd in os.listdir("/proc/self/fd")]
    files = [os.readlink(name) for name in names if os.path.exists(name)]
    json.dump([sorted(os.environ), files], report)

def choose(view):
    return view.legal[0]
"""


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
def test_a_bot_of_the_arena_finds_nothing_of_ours(
    tmp_path: Path, bot: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither in its environment nor among its files: a stranger's bot would learn where the
    player's identity is, and whatever the shell knows besides."""
    for name in ("P2PTRUCO_HOME", "SSH_AUTH_SOCK"):
        monkeypatch.setenv(name, str(tmp_path))
    secret, report = tmp_path / "identity.key", tmp_path / "report"
    secret.write_text("secret")
    path = tmp_path / "curious.py"
    path.write_text(CURIOUS.replace("FILE", repr(str(report))))
    with secret.open():
        played(Plan(bots=(str(path), bot("good")), seed=1))
    environment, files = json.loads(report.read_text())
    assert not {"P2PTRUCO_HOME", "SSH_AUTH_SOCK"} & set(environment)
    assert "PATH" in environment
    assert str(secret) not in files
    assert not [file for file in files if file.startswith("socket:")]


def test_a_process_that_died_is_followed_by_another(bot: Write) -> None:
    """Matches of other bots after it, and before it, are those of an arena without it."""
    broken = Plan(bots=("zap", "random", bot("leaves")), seed=1)
    met = [Fixture(0, 1, 0, 0), Fixture(0, 2, 0, 0), Fixture(0, 1, 0, 1), Fixture(1, 2, 0, 0)]
    try:
        batch = play_batch(broken, met)
    finally:
        close_pits(broken)
    assert [game.forfeit for game in batch.games] == ["", "crash", "", "crash"]
    whole = Plan(bots=("zap", "random", "zap"), seed=1)
    try:
        alone = play_batch(whole, [met[0], met[2]])
    finally:
        close_pits(whole)
    assert (batch.games[0], batch.games[2]) == alone.games


def test_what_a_bot_starts_ends_with_it(bot: Write) -> None:
    """Its own processes are killed as it is: nothing is left to eat the machine."""
    played(Plan(bots=(bot("forks"), bot("good")), seed=1, budget_ms=300), count=1)
    listed = subprocess.run(["ps", "axww", "-o", "args"], capture_output=True, text=True).stdout
    assert "left by a bot" not in listed.replace("ps axww", "")


def test_a_bot_cannot_speak_for_the_pit(bot: Write) -> None:
    """What it prints goes nowhere, and lines that it writes into the pipe are skipped."""
    loud = Plan(bots=(bot("mutters"), bot("good")), seed=1)
    batch = played(loud, count=4)
    assert [game.faults for game in batch.games] == [()] * 4


@pytest.mark.parametrize(
    "said",
    [
        '{"missing": 5}',
        '{"missing": ["none_such", "x", "y"]}',
        '{"missing": [[], "x", "y"]}',
        '{"names": 3}',
        '{"names": ["x"]}',
        '{"names": ["x", "y", "z"]}',
        '{"names": ["x", ["y"]]}',
        '{"names": ["x", "\\u001b[2J"]}',
    ],
)
def test_a_bot_that_speaks_for_the_pit_while_it_loads_ends_no_arena(
    tmp_path: Path, said: str
) -> None:
    """A line that is no greeting is passed over, as those of a match are."""
    path = tmp_path / "forger.py"
    path.write_text(
        "import os\n"
        "for number in range(3, 12):\n"
        "    try:\n"
        f"        os.write(number, b'\\n' + {said.encode()!r} + b'\\n')\n"
        "    except OSError:\n"
        "        pass\n"
        "def choose(view):\n"
        "    return view.legal[0]\n"
    )
    pit = Pit(Plan(bots=(str(path), "zap"), seed=7, pairs=1))
    try:
        assert pit.greet() == ("forger", "zap")
    finally:
        pit.close()


def test_a_bot_has_no_hand_on_the_streams_of_the_pit() -> None:
    """Standard input, output and error of the process are nobody's: input is at its end."""
    source = (
        "import sys\ndef choose(view):\n"
        "    assert sys.stdin.read() == ''\n    print('x')\n    sys.stderr.write('y')\n"
        "    return view.legal[0]\n"
    )
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "reader.py"
        path.write_text(source)
        batch = played(Plan(bots=(str(path), "random"), seed=1))
    assert [game.faults for game in batch.games] == [(), ()]


def test_memory_is_bounded(bot: Write) -> None:
    """`eats` is stopped by the limit, long before the budget."""
    plan = Plan(bots=(bot("eats"), "random"), seed=1, budget_ms=60_000, memory_mb=400)
    batch = played(plan)
    assert {game.forfeit for game in batch.games} == {"crash"}
    assert batch.seconds < 30


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("import nothing_there", "broken_file"),
        ("x = 1", "no_bot_in_file"),
        ("import os\nos._exit(0)", "load_crashed"),
        ("while True:\n    pass", "slow_load"),
    ],
)
def test_a_bot_that_does_not_load_is_said_so(
    tmp_path: Path, source: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is played, with the name of the bot; our own process never runs it."""
    monkeypatch.setattr(guard, "LOADING", 1.5 if code == "slow_load" else 60.0)
    path = tmp_path / "bad.py"
    path.write_text(source + "\n")
    plan = Plan(bots=("random", str(path)), seed=1)
    try:
        with pytest.raises(Unplayable) as caught:
            pits_of(plan).warm(1)
    finally:
        close_pits(plan)
    assert caught.value.code == code
    assert "bad.py" in caught.value.name


def test_a_pit_that_dies_while_nobody_decides_is_nobody_s_fault() -> None:
    """Killed from outside between two matches: the next one is begun again in another pit."""
    plan = Plan(bots=("zap", "random"), seed=1)
    expected = played(plan, count=4)
    pits = pits_of(plan)
    try:
        pits.warm(1)
        with pits.borrowed() as pit:
            assert len(list(pit.play(fixtures(2)))) >= 1
            guard._kill(pit._process)
        batch = play_batch(plan, fixtures(4))
    finally:
        close_pits(plan)
    assert batch.games == expected.games


def test_a_pit_names_the_match_that_it_died_in(bot: Write) -> None:
    """Matches that were over but not yet told are played again, not blamed."""
    with open_pit(Plan(bots=("random", "random", bot("leaves")), seed=1)) as pit:
        met = [Fixture(0, 1, 0, 0), Fixture(0, 1, 0, 1), Fixture(0, 2, 0, 0)]
        with pytest.raises(PitDied) as caught:
            list(pit.play(met))
    assert (caught.value.place, caught.value.culprit) == (2, 2)


def test_closing_the_pits_ends_their_batches(bot: Write) -> None:
    """A run that is stopped does not wait for bots that think, and blames nobody for it."""
    import threading

    plan = Plan(bots=(bot("sleeps"), "random"), seed=1, budget_ms=60_000)
    ended: list[BaseException] = []

    def job() -> None:
        try:
            play_batch(plan, fixtures(2))
        except Closed as error:
            ended.append(error)

    pits_of(plan).warm(1)
    thread = threading.Thread(target=job)
    thread.start()
    while not any(pit._mark.read().begun > 2 for pit in pits_of(plan)._all):
        thread.join(0.01)
    close_pits(plan)
    thread.join(20)
    assert not thread.is_alive()
    assert len(ended) == 1
