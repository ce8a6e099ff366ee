"""What no program foresees fails every test that did not provoke it (`unforeseen`).

A run that holds every attack on the deal holds at least a thousand cryptographic negatives.

Each is counted by `tests.mental.kit.refused` where it is refused; workers of xdist tell how many
they had. With fewer the run fails: a test that makes none guards nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

LEAST = 1000
ATTACKS = {path.name for path in (Path(__file__).parent / "attacks").glob("test_deal_*.py")}

told_by_workers: list[int] = []
seen: set[str] = set()


@pytest.fixture(autouse=True)
def _nothing_unforeseen(request: pytest.FixtureRequest) -> Iterator[None]:
    """The second wall keeps programs alive; it must not keep their errors from us."""
    from tests.kit.unforeseen import nothing_unforeseen

    provoked = request.node.get_closest_marker("unforeseen")
    with nullcontext() if provoked else nothing_unforeseen():
        yield


def negatives() -> int:
    from tests.mental import kit

    return kit.refusals + sum(told_by_workers)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    seen.add(Path(report.nodeid.partition("::")[0]).name)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """A worker of xdist has ended."""
    told_by_workers.append(getattr(node, "workeroutput", {}).get("negatives", 0))


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    config = session.config
    if hasattr(config, "workeroutput"):
        config.workeroutput["negatives"] = negatives()
    elif seen >= ATTACKS and not config.option.keyword and negatives() < LEAST:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if count := negatives():
        wanted = "" if count >= LEAST or not seen >= ATTACKS else f", {LEAST} are wanted"
        terminalreporter.write_line(
            f"{count} cryptographic negatives, none accepted wrongly{wanted}"
        )
