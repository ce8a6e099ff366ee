"""An arena as a whole: the same result whatever plays it, however often it was stopped."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from p2ptruco.arena.batch import close_pits
from p2ptruco.arena.cluster import NoCluster, cluster
from p2ptruco.arena.contest import Arena, compete, introduce, local
from p2ptruco.arena.errors import Unplayable
from p2ptruco.arena.journal import BadJournal, Journal, read
from p2ptruco.arena.plan import Plan
from p2ptruco.arena.standing import Standing
from tests.arena.kit import written
from tests.cli.calling import run as run_command

PLAN = Plan(bots=("zap", "random", "zap"), pairs=6, seed=11)
MEASURED = ("decision_ms", "games_per_s")


def result(standing: Standing) -> dict[str, Any]:
    """What a seed decides: everything that is not measured."""
    return {key: value for key, value in standing.as_object().items() if key not in MEASURED}


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    return result(compete(PLAN))


def run(executor: Executor, slots: int, plan: Plan = PLAN, names: tuple[str, ...] = ()) -> Arena:
    arena = Arena(plan, names or plan.bots)
    arena.run(executor, slots)
    return arena


def test_the_number_of_jobs_changes_nothing(expected: dict[str, Any]) -> None:
    """Two pits at a time, batches as they come."""
    assert result(compete(PLAN, jobs=3)) == expected


def test_a_sequential_test_ends_at_the_same_pair_with_any_jobs() -> None:
    """What other jobs had under way beyond that pair is no part of the result."""
    plan = replace(PLAN, pairs=300, gauntlet=True, sprt=(0.5, 0.8))
    one = compete(plan)
    strong = one.duels[0]
    assert strong.sprt is not None
    assert strong.sprt.taken == 0.8
    assert strong.pairs == strong.sprt.pairs < 300
    assert one.games == 2 * sum(duel.pairs for duel in one.duels)
    assert result(compete(plan, jobs=3)) == result(one)


def test_a_pool_of_processes_gives_the_same(expected: dict[str, Any]) -> None:
    """Each with pits of its own."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=spawn) as executor:
        arena = run(executor, 2)
    assert result(arena.standing()) == expected


SETS = """
def choose(view):
    by_name = {repr(move): move for move in view.legal if repr(move) != "FOLD"}
    return by_name[next(iter(set(by_name)))]
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_hashes_of_the_environment_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    """A bot that goes through a set plays the same under a seed, whatever PYTHONHASHSEED is here:
    it was 8 : 12, 13 : 7 or 12 : 8."""
    path = tmp_path / "sets.py"
    path.write_text(SETS)
    plan = Plan(bots=(str(path), "random"), pairs=4, seed=1)
    results = []
    for hashes in ("0", "1", "2", "random", None):
        if hashes is None:
            monkeypatch.delenv("PYTHONHASHSEED", raising=False)
        else:
            monkeypatch.setenv("PYTHONHASHSEED", hashes)
        results.append(result(compete(plan, jobs)))
    assert results == results[:1] * 5


def test_another_seed_gives_another_result(expected: dict[str, Any]) -> None:
    """The test above compares something."""
    other = result(compete(replace(PLAN, seed=12), jobs=2))
    assert other["results"] != expected["results"]


class Losing(Executor):
    """Loses every other job, as a cluster does whose machines go away."""

    def __init__(self, inner: Executor, often: int = 2) -> None:
        self.inner, self.often, self.count = inner, often, 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.count += 1
        if self.count % self.often == 0:
            lost: Future[Any] = Future()
            lost.set_exception(ConnectionError("the machine has gone"))
            return lost
        return self.inner.submit(fn, *args, **kwargs)


def test_a_lost_job_is_given_again(expected: dict[str, Any]) -> None:
    """And what is lost always ends the run with the reason."""
    with local(PLAN, 1) as executor:
        assert result(run(Losing(executor), 1).standing()) == expected
        with pytest.raises(ConnectionError):
            run(Losing(executor, often=1), 1)


def test_a_bot_that_is_missing_elsewhere_ends_the_run() -> None:
    """No use in trying again."""
    plan = Plan(bots=("zap", "nobody"), pairs=1)
    with local(plan, 1) as executor, pytest.raises(Unplayable) as caught:
        run(executor, 1, plan)
    assert caught.value.code == "unknown_bot"


def test_the_result_of_a_bot_that_breaks_is_the_same_too(tmp_path: Path) -> None:
    """Who was blamed for what does not depend on the jobs beside it."""
    plan = Plan(bots=(written(tmp_path, "leaves"), "random"), pairs=2, seed=1)
    one, two = (result(compete(plan, jobs)) for jobs in (1, 2))
    assert one == two
    assert one["faults"] == {
        "leaves": {"timeout": 0, "crash": 4, "illegal": 0},
        "random": {"timeout": 0, "crash": 0, "illegal": 0},
    }
    assert one["results"][0]["wins_b"] == 4


# Stopping and going on.


class Stopped(Exception):
    """What ends a run in these tests, as Ctrl-C does."""


def stop_after(pairs: int) -> Callable[[Arena], None]:
    def heard(arena: Arena) -> None:
        if len(arena.pairs) >= pairs:
            raise Stopped

    return heard


def go_on(path: Path, plan: Plan = PLAN, heard: Callable[[Arena], None] | None = None) -> Arena:
    with local(plan, 1) as executor, Journal(path, plan) as journal:
        arena = Arena(plan, introduce(plan), journal)
        arena.run(executor, 1, heard)
    return arena


def test_a_stopped_arena_goes_on_from_its_file(tmp_path: Path, expected: dict[str, Any]) -> None:
    """Stopped twice, cut off in the middle of a line: in the end all is as if never stopped, and
    nothing was played twice."""
    path = tmp_path / "arena.jsonl"
    for pairs in (3, 8):
        with pytest.raises(Stopped):
            go_on(path, heard=stop_after(pairs))
        assert pairs <= sum(len(batch.games) for batch in read(path)[1]) / 2 < 18
    with path.open("ab") as file:
        file.write(b'{"games":[[0,1')
    arena = go_on(path)
    assert 8 <= arena.resumed < 18
    assert result(arena.standing()) == expected
    games = [game.fixture for batch in read(path)[1] for game in batch.games]
    assert len(games) == len(set(games)) == 36


def test_a_stopped_arena_has_a_standing(expected: dict[str, Any]) -> None:
    """Of what it has, and says that it is not all."""
    with local(PLAN, 1) as executor:
        arena = Arena(PLAN, introduce(PLAN))
        with pytest.raises(Stopped):
            arena.run(executor, 1, stop_after(4))
    found = arena.standing()
    assert found.stopped
    assert 8 <= found.games < 36


def test_a_finished_arena_may_be_given_more_pairs(tmp_path: Path, expected: dict[str, Any]) -> None:
    """The pairs that it has are those that it would have begun with."""
    path = tmp_path / "arena.jsonl"
    go_on(path, replace(PLAN, pairs=2))
    arena = go_on(path)
    assert arena.resumed == 6
    assert result(arena.standing()) == expected


@pytest.mark.parametrize(
    "content",
    [
        b"\n",
        b"nothing\n",
        b"[1]\n",
        b'{"p2ptruco-arena": 2, "plan": {}}\n',
        b'{"p2ptruco-arena": 1, "plan": {}}\n',
        b'{"p2ptruco-arena": 1}\n',
        b"[" * 100_000 + b"\n",
        b"\xff\xfe\n",
    ],
)
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, content: bytes) -> None:
    """It is refused, and not a byte of it changes."""
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(BadJournal) as caught:
        Journal(path, PLAN)
    assert caught.value.code == "no_journal"
    assert path.read_bytes() == content


@pytest.mark.skipif(os.name != "posix", reason="named pipes")
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_pipe_and_a_device_keep_no_arena(tmp_path: Path, kind: str) -> None:
    """Whatever was played would be gone, though its file was named."""
    path = tmp_path / "arena.jsonl" if kind == "pipe" else Path(os.devnull)
    if kind == "pipe":
        os.mkfifo(path)
    with pytest.raises(BadJournal) as caught:
        Journal(path, PLAN)
    assert caught.value.code == "no_journal"


@pytest.mark.parametrize(
    "line",
    [
        b'{"games": [[[0,1,0,0],0,[12,3],9,"",[]]], "times": []}',
        b'{"games": [[[0,1,0,0],5,[12,3],9,"",[]]], "times": []}',
        b'{"games": [], "times": [[0, ["x", 1]]]}',
        b'{"games": []}',
        b"3",
    ],
)
def test_a_damaged_file_is_read_up_to_there(tmp_path: Path, line: bytes) -> None:
    """Half a pair, a winner that did not play, counts that are none: what was played before counts,
    the rest is played again, and the result is as if nothing had happened."""
    path = tmp_path / "arena.jsonl"
    go_on(path, replace(PLAN, pairs=2))
    good = path.read_bytes()
    path.write_bytes(good + line + b"\n" + good.splitlines(keepends=True)[1])
    with Journal(path, PLAN) as journal:
        assert journal.damaged == len(good.splitlines()) + 1
        assert sum(len(batch.games) for batch in journal.batches) == 12
    assert path.read_bytes() == good


def test_a_damaged_file_is_told_and_gone_on_with(tmp_path: Path) -> None:
    """With the number of its line."""
    path = tmp_path / "arena.jsonl"
    go_on(path, replace(PLAN, pairs=2))
    with path.open("ab") as file:
        file.write(b"3\n")
    done = run_command("arena", "--resume", str(path), "--pairs", "3", "--json", "--lang", "en")
    assert done.returncode == 0
    assert "is damaged from line" in done.stderr
    assert json.loads(done.stdout)["games"] == 18


def test_a_second_arena_leaves_the_file_alone(tmp_path: Path) -> None:
    """Two that append to one file would mix their lines; the second is told, and nothing of what
    the first has written changes. When the first has ended, however it ended, another goes on."""
    path = tmp_path / "arena.jsonl"
    with Journal(path, PLAN):
        before = path.read_bytes()
        with pytest.raises(BadJournal) as caught:
            Journal(path, PLAN)
        assert caught.value.code == "journal_in_use"
        typed = ("arena", *PLAN.bots, "--pairs", "6", "--seed", "11", "--resume", str(path))
        done = run_command(*typed, "--json")
        assert done.returncode == 2
        assert json.loads(done.stdout)["error"]["code"] == "journal_in_use"
        assert path.read_bytes() == before
    with Journal(path, PLAN):
        pass


def test_a_file_of_another_plan_is_refused(tmp_path: Path) -> None:
    """Two arenas in one file would be none."""
    path = tmp_path / "arena.jsonl"
    with Journal(path, PLAN):
        pass
    with pytest.raises(BadJournal) as caught:
        Journal(path, replace(PLAN, seed=1))
    assert caught.value.code == "other_arena"


# A cluster.


@pytest.fixture(scope="module")
def dask_cluster() -> Iterator[Any]:
    from distributed import LocalCluster

    os.environ.setdefault("DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__GIL__ENABLED", "false")
    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        host="127.0.0.1",
        silence_logs=50,
    ) as running:
        yield running


def test_a_cluster_that_loses_a_machine_gives_the_same(dask_cluster: Any) -> None:
    """Two workers, one of them killed midway: its jobs go to the other, and the result is that of
    one process here."""
    plan = replace(PLAN, pairs=24)
    victims = [worker.pid for worker in dask_cluster.workers.values()]
    assert len(victims) == 2
    killed: list[int] = []

    def kill_one(arena: Arena) -> None:
        if not killed and len(arena.pairs) >= 12:
            os.kill(victims[0], signal.SIGKILL)
            killed.append(len(arena.pairs))

    with cluster(dask_cluster.scheduler_address) as (executor, slots):
        assert slots == 2
        arena = Arena(plan, plan.bots)
        arena.run(executor, slots, kill_one)
    assert killed
    assert killed[0] < 72
    assert result(arena.standing()) == result(compete(plan))


def test_the_command_plays_on_a_cluster(dask_cluster: Any, expected: dict[str, Any]) -> None:
    """--dask with the scheduler's address: the same result; where nobody answers, a sentence."""
    typed = ("arena", *PLAN.bots, "--pairs", "6", "--seed", "11", "--json", "--dask")
    done = run_command(*typed, dask_cluster.scheduler_address)
    assert done.returncode == 0
    assert json.loads(done.stdout)["results"] == expected["results"]


def test_a_cluster_that_is_not_there_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """And so is the extra that is not installed."""
    from p2ptruco.arena import cluster as module

    monkeypatch.setattr(module, "PATIENCE", "0.5s")
    with pytest.raises(NoCluster) as caught, cluster("tcp://127.0.0.1:9"):
        pass
    assert caught.value.code == "no_cluster"
    done = run_command("arena", "zap", "zap", "--dask", "tcp://127.0.0.1:9", "--json")
    assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (1, "no_cluster")
    with pytest.raises(NoCluster) as caught, cluster("nonsense://"):
        pass
    assert caught.value.code == "no_cluster"
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(NoCluster) as caught, cluster("tcp://127.0.0.1:9"):
        pass
    assert caught.value.code == "no_dask"


def test_no_pit_is_left() -> None:
    """Every arena above has ended its processes."""
    from p2ptruco.arena import batch

    close_pits(PLAN)
    assert batch._pits == {}
