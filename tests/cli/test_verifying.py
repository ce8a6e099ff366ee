"""`verify` of a long match: how far it is can be seen, and more than one core works."""

from __future__ import annotations

import io
import random
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from p2ptruco.cli import records
from p2ptruco.cli.output import Meter
from p2ptruco.table.steps import dealing
from tests.kit.party import Party
from tests.kit.pieces import SMALL

SOURCE = random.Random(1).randbytes


@cache
def match() -> bytes:
    """Three hands of four seats, with the real deck."""
    return Party(SMALL, 4, 2).play().record()


@pytest.fixture
def record(tmp_path: Path) -> str:
    path = tmp_path / "match.trec"
    path.write_bytes(match())
    return str(path)


def nothing(share: float) -> None:
    """Progress that nobody looks at."""


def test_the_deals_of_two_hands_are_verified_at_one_time(
    record: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of the first two chains waits until the other is being looked at as well."""
    together = threading.Barrier(2, timeout=30)
    chains = threading.Semaphore(2)
    verify = dealing.shuffle.verify_chain

    def slow(*args: object) -> object:
        if chains.acquire(blocking=False):
            together.wait()
        return verify(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(records.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(dealing.shuffle, "verify_chain", slow)
    assert records.audited(record, SOURCE, nothing).status == "complete"
    assert not chains.acquire(blocking=False)


def test_how_far_it_is_only_rises(record: str) -> None:
    shares: list[float] = []
    assert records.audited(record, SOURCE, shares.append).ok
    assert shares == sorted(shares)
    assert 0 < shares[0] < 0.1
    assert 0.9 < shares[-1] <= 1
    assert len({int(100 * share) for share in shares}) > 20


class Screen(io.StringIO):
    """Standard error of a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("kind", "told"), [(Screen, True), (io.StringIO, False)])
def test_how_far_it_is_is_told_to_a_terminal_only(
    record: str, kind: Callable[[], io.StringIO], told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = kind()
    monkeypatch.setattr(sys, "stderr", screen)
    with Meter("verifying") as meter:
        records.audited(record, SOURCE, meter.show)
    assert (screen.getvalue().count("verifying") > 20) == told
    assert bool(screen.getvalue()) == told
