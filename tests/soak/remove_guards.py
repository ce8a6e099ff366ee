"""Remove every guard, one by one, and see whether a test notices.

    python -m tests.soak.remove_guards [mental] [table] [session] [--jobs N] [--only TEXT]
                                       [--most SECONDS] [--tests PATH ...]

A guard is what `tests/kit/guards` says. Nothing is changed on disk: the modules are imported
with a switch in each guard, and every try is a fork of one process that has collected the tests.
First each test is run with all guards on, to learn how long it takes and which guards it asks;
then for each guard those tests that ask it, the quickest first, until one fails. Guards outside
functions work at import: each of them has a process of its own.

What lives is printed as `file:line: guard`. It may, if `guards_may_live.txt` names it with the
reason; else the run ends with status 1. So it does if that file names a guard that is not there.
"""

from __future__ import annotations

import argparse
import contextlib
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
from tests.kit.guards import ROOT, SWITCHES, Guard, Switches, sources, switched, with_switches

MAY_LIVE = Path(__file__).parent / "guards_may_live.txt"
DEAL = sorted(f"{path.relative_to(ROOT)}" for path in (ROOT / "tests").glob("attacks/test_deal_*"))
ATTACKS = [
    f"{path.relative_to(ROOT)}"
    for path in sorted((ROOT / "tests").glob("attacks/test_*"))
    if not path.name.startswith(("test_deal_", "test_found_edge_"))
]
TARGETS: dict[str, tuple[list[str], list[str]]] = {
    "mental": (["p2ptruco.mental"], ["tests/mental", *DEAL, "tests/table"]),
    "table": (
        ["p2ptruco.table"],
        ["tests/table", *ATTACKS, "tests/net/test_session_partners.py"],
    ),
    "session": (
        ["p2ptruco.net.session"],
        ["tests/net", *ATTACKS, "tests/table"],
    ),
}
"""What is looked at, by name: modules, and the tests that might notice."""
QUIET = ["-s", "-p", "no:terminal", "-p", "no:cacheprovider", "-o", "addopts="]
GRACE = 30.0
"""Seconds that a test may take, and ten times what it takes with all guards on: then it hangs."""


class Test(NamedTuple):
    """How a test does with all guards on."""

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

    def __init__(self, wanted: argparse.Namespace) -> None:
        self.wanted, self.found = wanted, Found()
        self.tests: dict[str, Test] = {}
        self._failed = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        self._measure()
        self._remove()
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
            begun = time.perf_counter()
            passed = self._passes(nodeid, following)
            took = time.perf_counter() - begun
            yield nodeid, Test(took, frozenset(SWITCHES.asked), passed)

    def _tried(self, number: int, nodeids: list[str]) -> Iterator[tuple[str, bool]]:
        """Each test as it begins, and the first that fails."""
        SWITCHES.removed = number
        for nodeid, following in zip(nodeids, [*nodeids[1:], None], strict=True):
            yield nodeid, False
            signal.setitimer(signal.ITIMER_REAL, GRACE + 10 * self.tests[nodeid].seconds)
            if not self._passes(nodeid, following):
                yield nodeid, True
                return
        yield "", False

    # In the parent.

    def _measure(self) -> None:
        files: dict[str, list[str]] = {}
        for nodeid in self.items:
            files.setdefault(nodeid.partition("::")[0], []).append(nodeid)
        jobs = [Job(file, partial(self._measured, ids)) for file, ids in files.items()]
        for job in running(jobs, self.wanted.jobs):
            self.tests |= dict(job.said)
            for nodeid in files[job.name]:
                self.tests.setdefault(nodeid, Test(0, frozenset(), False))
            progress(f"measured {len(self.tests)} of {len(self.items)} tests")
        for nodeid, test in self.tests.items():
            if not test.passed:
                tell(f"left out, fails with all guards on: {nodeid}")

    def _remove(self) -> None:
        jobs: deque[Job] = deque()
        for number, guard in enumerate(SWITCHES.guards):
            if self.wanted.only not in str(guard):
                continue
            asking = self._asking(number)
            if guard.early:
                early = self._early()
                jobs.append(Job(guard, partial(freshly, guard, early), len(early)))
            elif asking:
                jobs.append(Job(guard, partial(self._tried, number, asking), len(asking)))
            else:
                self.found.living[guard] = "no test asks it"
        total = len(jobs)
        for done, job in enumerate(running(jobs, self.wanted.jobs), 1):
            self._conclude(job)
            progress(f"{done} of {total} guards removed, {len(self.found.living)} live")

    def _asking(self, number: int) -> list[str]:
        """The tests that ask a guard, the quickest first, as far as the time goes."""
        asking = [one for one, test in self.tests.items() if number in test.asked and test.passed]
        asking.sort(key=lambda one: self.tests[one].seconds)
        left, most = self.wanted.most, len(asking)
        for at, nodeid in enumerate(asking):
            left -= self.tests[nodeid].seconds
            if left < 0:
                most = at + 1
                break
        return asking[:most]

    def _early(self) -> list[str]:
        tests = sorted(self.tests, key=lambda one: self.tests[one].seconds)
        good = [one for one in tests if self.tests[one].passed and self.tests[one].asked]
        return good[: self.wanted.early]

    def _conclude(self, job: Job) -> None:
        guard = job.name
        last, failed = job.said[-1] if job.said else ("", False)
        if failed:
            self.found.noticed[guard] = last
        elif last:
            self.found.noticed[guard] = f"{last} (it hung or died)"
        else:
            self.found.living[guard] = f"{job.tests} tests ask it"


def freshly(guard: Guard, nodeids: list[str]) -> Iterator[tuple[str, bool]]:
    """One early guard, in a process that imports everything without it."""
    listed = Path(os.environ["PYTEST_DEBUG_TEMPROOT"]) / "tests"
    listed.write_text("\n".join(nodeids), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "tests.soak.remove_guards",
        "--early-guard",
        guard.file,
        guard.name,
    ]
    try:
        ended = subprocess.run([*command, str(listed)], cwd=ROOT, timeout=GRACE * 20, check=False)
        yield "a test", ended.returncode != 0
    except subprocess.TimeoutExpired:
        yield "a test (it hung)", True
    if ended.returncode == 0:
        yield "", False


class Early:
    """A plugin of pytest for one early guard: the listed tests, in their order."""

    def __init__(self, listed: list[str]) -> None:
        self.order = {nodeid: at for at, nodeid in enumerate(listed)}

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
    return int(pytest.main(["-x", *QUIET, *PROFILE, *files], plugins=[Early(nodeids)]))


# What may live.


def may_live() -> dict[tuple[str, str], str]:
    """File and name of each guard that may live, and why."""
    reasons, file, name = {}, "", ""
    for line in MAY_LIVE.read_text(encoding="utf-8").splitlines():
        if line.startswith("p2ptruco/"):
            file = line.strip()
        elif line.startswith("    "):
            reasons[file, name] = (reasons[file, name] + " " + line.strip()).strip()
        elif line.startswith("  "):
            name = line.strip()
            reasons[file, name] = ""
    return reasons


def all_names(modules: list[str]) -> set[tuple[str, str]]:
    there = Switches()
    for path in sources(modules):
        with_switches(path, there)
    return {(guard.file, guard.name) for guard in there.guards}


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


def summary(found: Found, modules: list[str], only: str) -> int:
    reasons = may_live()
    known = {one: guard for guard in found.living if (one := (guard.file, guard.name)) in reasons}
    bad = [guard for guard in found.living if (guard.file, guard.name) not in reasons]
    for guard in sorted(bad, key=lambda one: (one.file, one.line)):
        tell(f"{guard}  [{found.living[guard]}]")
    names = all_names(modules)
    files = {path.relative_to(ROOT).as_posix() for path in sources(modules)}
    stale = [one for one in reasons if one[0] in files and one not in names]
    for file, name in stale:
        tell(f"{MAY_LIVE.name}: no such guard in {file}: {name}")
    noticed = {(guard.file, guard.name) for guard in found.noticed} & reasons.keys()
    for file, name in sorted(noticed):
        tell(f"{MAY_LIVE.name}: noticed by now, take it off: {file}: {name}")
    total = len(found.noticed) + len(found.living)
    tell(
        f"{total} guards removed: {len(found.noticed)} noticed, {len(known)} live with a reason, "
        f"{len(bad)} live without one, {len(stale)} reasons for nothing"
    )
    return 1 if bad or stale or not total else 0


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
    parser.add_argument("--only", default="", help="guards whose line has this text")
    parser.add_argument("--most", type=float, default=1e9, help="seconds of tests for a guard")
    parser.add_argument("--early", type=int, default=400, help="tests for a guard at import")
    parser.add_argument("--tests", nargs="*", help="in the place of those that might notice")
    wanted = parser.parse_args(arguments)
    status = 0
    targets = wanted.targets or list(TARGETS)
    modules = [name for one in targets for name in TARGETS[one][0]]
    paths = [path for one in targets for path in TARGETS[one][1]]
    switched(modules)
    os.chdir(ROOT)
    runner = Runner(wanted)
    begun = time.monotonic()
    pytest.main(
        [*QUIET, *PROFILE, *(wanted.tests or dict.fromkeys(paths))],
        plugins=[runner],
    )
    status = summary(runner.found, modules, wanted.only)
    tell(f"{time.monotonic() - begun:.0f} s")
    return status


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main(sys.argv[1:]))
    sys.exit(130)
