"""Remove every guard, one by one, and see whether a test notices.

    python -m tests.soak.remove_guards [mental] [table] [session] [--jobs N] [--only TEXT ...]
                                       [--most SECONDS] [--tests PATH ...] [--remember FILE]

A guard is what `tests/kit/guards` says. Nothing is changed on disk: the modules are imported
with a switch in each guard, and every try is a fork of one process that has collected the tests.
First each test is run with all guards on, to learn how long it takes and which guards it asks;
then for each guard those tests that ask it, the quickest first, until one fails; for what is left,
the same with tests that are further off. Guards outside functions work at import: each of them
has a process of its own. With `--remember`, the test that noticed a guard is written down, and
the next run begins with it: only what it no longer notices is looked for anew.

What lives is printed as `file:line: guard`. It may, if `guards_may_live.txt` names it with the
reason; else the run ends with status 1. So it does if that file names a guard that is not there,
or one that a test notices within a few seconds.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

import hypothesis
import pytest

from tests.kit.forks import Job, running
from tests.kit.guards import ROOT, SWITCHES, Guard, switched
from tests.kit.guards.living import may_live, verdict


def _attacks(*begin: str) -> list[str]:
    """Files of attacks whose names begin so."""
    found = (ROOT / "tests" / "attacks").glob("test_*.py")
    return sorted(f"tests/attacks/{one.name}" for one in found if one.name.startswith(begin))


class Target(NamedTuple):
    """Modules, the tests that should notice, and those that might for what is left then."""

    modules: list[str]
    near: list[str]
    far: list[str]


RECORDS = _attacks("test_decoders", "test_records_", "test_text_", "test_wall_")
TABLES = _attacks(*(f"test_table_{name}" for name in ("broken", "door", "forks", "private")))
TABLES += [one for one in _attacks("test_found_", "test_floods") if "edge" not in one]
FAR = _attacks("test_table_", "test_found_")
SESSION = ("healing", "hearing", "session_partners", "session_rules", "session_talk", "situation")
TARGETS = {
    "mental": Target(
        ["p2ptruco.mental"], ["tests/mental", *_attacks("test_deal_")], ["tests/table"]
    ),
    "table": Target(["p2ptruco.table"], ["tests/table", *RECORDS], [*TABLES, *FAR, "tests/cli"]),
    "session": Target(
        ["p2ptruco.net.session"],
        [*(f"tests/net/test_{name}.py" for name in SESSION), *TABLES],
        [*FAR, "tests/net"],
    ),
}
QUIET = ["-s", "-p", "no:terminal", "-p", "no:cacheprovider", "-o", "addopts="]
GRACE = 30.0
"""Seconds that a test may work, and ten times what it does with all guards on: then it hangs."""
REASONED = 10.0
"""Seconds of tests for a guard that may live: most of a run would go to those otherwise."""
ASLEEP = 60.0
"""Seconds that it may take, and forty times what it works."""


class Test(NamedTuple):
    """How a test does with all guards on: seconds of work, the guards that it asks."""

    seconds: float
    asked: frozenset[int]
    passed: bool


@dataclass
class Found:
    """What became of the guards."""

    noticed: dict[Guard, str] = field(default_factory=dict)
    """The test that failed."""
    living: dict[Guard, str] = field(default_factory=dict)
    """How many tests asked."""


class Runner:
    """A plugin of pytest: takes over when all tests are collected."""

    def __init__(self, wanted: argparse.Namespace, near: list[str]) -> None:
        self.wanted, self.near, self.found = wanted, near, Found()
        self.tests: dict[str, Test] = {}
        self.memory = Memory(wanted.remember)
        self._failed = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        near = tuple(self.near)
        remembered = [one for one in self.items if one in self.memory.tests]
        rounds = remembered, [one for one in self.items if one.startswith(near)], list(self.items)
        only = self.wanted.only
        left = [guard for guard in SWITCHES.guards if any(text in str(guard) for text in only)]
        for nodeids in rounds:
            if left and (new := [one for one in nodeids if one not in self.tests]):
                self._measure(new)
                self._remove(left)
                left = [guard for guard in self.found.living if guard.key not in may_live()]
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed = self._failed or report.failed

    # In a fork.

    def _passes(self, nodeid: str, following: str | None) -> bool:
        self._failed = False
        item, after = self.items[nodeid], self.items[following] if following else None
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        return not self._failed

    def _measured(self, nodeids: list[str]) -> Iterator[tuple[str, Test]]:
        for nodeid, following in zip(nodeids, [*nodeids[1:], None], strict=True):
            SWITCHES.asked.clear()
            begun = time.process_time()
            passed = self._passes(nodeid, following)
            took = time.process_time() - begun
            yield nodeid, Test(took, frozenset(SWITCHES.asked), passed)

    def _tried(self, number: int, nodeids: list[str]) -> Iterator[tuple[str, bool]]:
        """Each test as it begins, and the first that fails."""
        SWITCHES.removed = number
        for nodeid, following in zip(nodeids, [*nodeids[1:], None], strict=True):
            yield nodeid, False
            seconds = self.tests[nodeid].seconds
            signal.setitimer(signal.ITIMER_PROF, GRACE + 10 * seconds)
            signal.setitimer(signal.ITIMER_REAL, ASLEEP + 40 * seconds)
            if not self._passes(nodeid, following):
                yield nodeid, True
                return
        yield "", False

    # In the parent.

    def _measure(self, nodeids: list[str]) -> None:
        files: dict[str, list[str]] = {}
        for nodeid in nodeids:
            files.setdefault(nodeid.partition("::")[0], []).append(nodeid)
        jobs = [Job(file, partial(self._measured, ids)) for file, ids in files.items()]
        for job in running(jobs, self.wanted.jobs):
            self.tests |= dict(job.said)
            for nodeid in files[job.name]:
                self.tests.setdefault(nodeid, Test(0, frozenset(), False))
            progress(f"measured {len(self.tests)} of {len(self.items)} tests")
        for nodeid in nodeids:
            if not self.tests[nodeid].passed:
                tell(f"left out, fails with all guards on: {nodeid}")

    def _remove(self, guards: list[Guard]) -> None:
        jobs: deque[Job] = deque()
        if any(guard.early for guard in guards) and not self._alone():
            tell("guards at import are left out")
            guards = [guard for guard in guards if not guard.early]
        for guard in guards:
            number = SWITCHES.guards.index(guard)
            asking = self._first(guard, self._asking(number, guard))
            if guard.early:
                early = self._early(guard.file)
                early = self._first(guard, early)
                jobs.append(Job(guard, partial(freshly, guard, early), len(early)))
            elif asking:
                jobs.append(Job(guard, partial(self._tried, number, asking), len(asking)))
            else:
                self.found.living[guard] = "no test asks it"
        total = len(jobs)
        for done, job in enumerate(running(jobs, self.wanted.jobs), 1):
            self._conclude(job)
            progress(f"{done} of {total} guards removed, {len(self.found.living)} live")

    def _alone(self) -> bool:
        """Whether a process of its own notices nothing where nothing is removed."""
        nothing = Guard("nowhere.py", 0, "nothing", True)
        (job,) = running([Job(nothing, partial(freshly, nothing, self._early()))], 1)
        return bool(self.wanted.early) and job.said == [("", False)]

    def _first(self, guard: Guard, tests: list[str]) -> list[str]:
        """The test that noticed a guard the last time, before the others."""
        noticed = self.memory.test_of(guard)
        test = self.tests.get(noticed)
        return [noticed, *tests] if test is not None and test.passed else tests

    def _asking(self, number: int, guard: Guard) -> list[str]:
        """The tests that ask a guard, the quickest first, as far as the time goes."""
        asking = [one for one, test in self.tests.items() if number in test.asked and test.passed]
        asking.sort(key=lambda one: self.tests[one].seconds)
        left, most = self.wanted.most, len(asking)
        if guard.key in may_live():
            left = min(left, REASONED)
        for at, nodeid in enumerate(asking):
            left -= self.tests[nodeid].seconds
            if left < 0:
                most = at + 1
                break
        return asking[:most]

    def _early(self, file: str = "") -> list[str]:
        """The quickest tests that ask a guard of that file, or see bytes of a wrong shape."""
        asked = {
            number
            for number, one in enumerate(SWITCHES.guards)
            if one.file == file or one.name.startswith(("convert: except", "unpack: except"))
        }
        tests = sorted(self.tests, key=lambda one: self.tests[one].seconds)
        good = [one for one in tests if self.tests[one].passed and self.tests[one].asked & asked]
        return good[: self.wanted.early]

    def _conclude(self, job: Job) -> None:
        guard = job.name
        self.found.living.pop(guard, None)
        last, failed = job.said[-1] if job.said else ("", False)
        if failed:
            self.found.noticed[guard] = last
            self.memory.keep(guard, last)
        elif last:
            self.found.noticed[guard] = f"{last} (it hung or died)"
        else:
            self.found.living[guard] = f"{job.tests} tests ask it"
            if guard.key not in may_live():
                tell(f"lives so far: {guard}")


class Memory:
    """Which test noticed which guard, in a file from one run to the next; `at` None: in none."""

    def __init__(self, at: str | None) -> None:
        self._path = Path(at).absolute() if at else None
        there = self._path is not None and self._path.exists()
        self._found: dict[str, str] = json.loads(self._path.read_text()) if there else {}  # type: ignore[union-attr]

    @property
    def tests(self) -> set[str]:
        return set(self._found.values())

    def test_of(self, guard: Guard) -> str:
        """The test, or nothing."""
        return self._found.get(" ".join(guard.key), "")

    def keep(self, guard: Guard, nodeid: str) -> None:
        self._found[" ".join(guard.key)] = nodeid
        if self._path is not None:
            self._path.write_text(json.dumps(self._found, indent=1))


def freshly(guard: Guard, nodeids: list[str]) -> Iterator[tuple[str, bool]]:
    """One early guard, in a process that imports everything without it."""
    listed = Path(os.environ["PYTEST_DEBUG_TEMPROOT"]) / "tests"
    listed.write_text("\n".join(nodeids), encoding="utf-8")
    command = [sys.executable, "-m", "tests.soak.remove_guards", "--early-guard"]
    command += [guard.file, guard.name, str(listed)]
    try:
        status = subprocess.run(command, cwd=ROOT, timeout=10 * ASLEEP, check=False).returncode
    except subprocess.TimeoutExpired:
        status = int(pytest.ExitCode.TESTS_FAILED)
    noticed = status in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)
    failed = Path(f"{listed}.failed")
    name = failed.read_text(encoding="utf-8") if failed.exists() else "a test"
    yield (name, True) if noticed else ("", False)


class Early:
    """A plugin of pytest for one early guard: the listed tests, in their order. The one that fails
    is written into a file."""

    def __init__(self, listed: list[str], failed: Path) -> None:
        self.order = {nodeid: at for at, nodeid in reversed(list(enumerate(listed)))}
        self.failed = failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.write_text(report.nodeid, encoding="utf-8")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self.order),
            key=lambda item: self.order[item.nodeid],
        )


def without_early(file: str, name: str, listed: str) -> int:
    SWITCHES.wanted = (file, name)
    switched([file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")])
    nodeids = Path(listed).read_text(encoding="utf-8").splitlines()
    files = list(dict.fromkeys(nodeid.partition("::")[0] for nodeid in nodeids))
    early = Early(nodeids, Path(f"{listed}.failed"))
    return int(pytest.main(["-x", *QUIET, *PROFILE, *files], plugins=[early]))


# Speaking.


def progress(line: str, last: list[float] = [0.0]) -> None:  # noqa: B006
    """A line that the next one takes the place of; in a file, one every ten seconds."""
    if sys.stderr.isatty():
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)
    elif time.monotonic() - last[0] > 10:
        last[0] = time.monotonic()
        print(line, file=sys.stderr, flush=True)


def tell(line: str) -> None:
    print(f"\r{line}" if sys.stderr.isatty() else line, flush=True)


PROFILE = ["--hypothesis-profile=guards"]
hypothesis.settings.register_profile(
    "guards",
    database=None,
    deadline=None,
    derandomize=True,
    phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
)


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--early-guard"]:
        return without_early(*arguments[1:])
    parser = argparse.ArgumentParser(prog="python -m tests.soak.remove_guards")
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []], default=[])
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--only", nargs="*", default=[""], help="guards whose line has a text")
    parser.add_argument("--most", type=float, default=1e9, help="seconds of tests for a guard")
    parser.add_argument(
        "--early", type=int, default=500, help="tests for a guard at import; 0: leave these out"
    )
    parser.add_argument("--remember", help="a file: which test noticed which guard")
    parser.add_argument("--tests", nargs="*", help="in the place of those that might notice")
    wanted = parser.parse_args(arguments)
    targets = [TARGETS[one] for one in wanted.targets or TARGETS]
    modules = [name for one in targets for name in one.modules]
    near = wanted.tests or [path for one in targets for path in one.near]
    far = [] if wanted.tests else [path for one in targets for path in one.far]
    switched(modules)
    os.chdir(ROOT)
    runner, begun = Runner(wanted, near), time.monotonic()
    pytest.main([*QUIET, *PROFILE, *dict.fromkeys([*near, *far])], plugins=[runner])
    noticed, living = runner.found.noticed, runner.found.living
    bad = list(verdict(noticed, living, modules))
    for line in bad:
        tell(line)
    known = sum(guard.key in may_live() for guard in living)
    tell(
        f"{len(noticed) + len(living)} guards removed in {time.monotonic() - begun:.0f} s: "
        f"{len(noticed)} noticed, {known} live with a reason; {len(bad)} lines above"
    )
    return 1 if bad or not noticed else 0


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main(sys.argv[1:]))
    sys.exit(130)
