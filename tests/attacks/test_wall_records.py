"""A check that raises anything, at random, at each place: `verify` gives a verdict (record.md)."""

from __future__ import annotations

import io
import json
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from p2ptruco.table import rulings
from p2ptruco.table.course import Course
from p2ptruco.table.record import ahead, audit
from p2ptruco.table.record import file as record
from p2ptruco.table.record.ahead import Ahead
from p2ptruco.table.record.file import NoRecord, Reader
from p2ptruco.table.record.heads import Heads
from p2ptruco.table.table import Table
from tests.cli.calling import run
from tests.kit.raising import Place, Raising
from tests.kit.records import placed, proved
from tests.kit.remembering import remembering

PLACES: tuple[Place, ...] = (
    (Reader, "_next"),
    (record, "convert"),
    (audit, "read_agreement"),
    (audit, "read_signed"),
    (audit, "parse"),
    (audit, "read_trailer"),
    (audit, "verify"),
    (audit, "trailer_of"),
    (audit, "_count"),
    (audit, "_conclude"),
    (Heads, "take"),
    (Heads, "prove"),
    (Table, "check"),
    (Table, "submit"),
    (Table, "prove"),
    (rulings, "rule"),
    (Course, "close"),
    (Course, "cut"),
    (Ahead, "ruling"),
    (Ahead, "_deal"),
    (ahead, "rule"),
)
RECORDS = ("complete", "equivocation", "interrupted-in-a-step")
WORDS = {"malformed", "not_due", "bad_seal", "incomplete", "no_record"}
"""What an error may be taken for that is raised in the place of one that was foreseen."""


def verdict(blob: bytes, pool: ThreadPoolExecutor | None) -> str:
    """The kind of a breach with a place in the file, `no_record`, or a status."""
    try:
        found = audit.audit(io.BytesIO(blob), random.Random(0).randbytes, pool=pool)
    except NoRecord:
        return "no_record"
    if found.breach is None:
        assert found.status is not None
        return found.status
    placed(found)
    return found.breach.kind


@pytest.mark.unforeseen
@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{place[0].__name__}.{place[1]}")
def test_no_check_ends_a_verification(place: Place) -> None:
    """Gain: a record that nobody can verify, or that stops whoever verifies many."""
    raised = 0
    with remembering(), ThreadPoolExecutor(2) as threads:
        for seed in range(12):
            name, pool = RECORDS[seed % 3], threads if seed % 2 else None
            raising = Raising(seed, (1, 3, 9)[seed % 3])
            with raising.at(place, others=False):
                word = verdict(proved(name), pool)
            raised += raising.count
            good = {"complete", "interrupted"} if "ahead" in str(place).casefold() else set()
            assert word in (WORDS | good if raising.count else {"complete", "interrupted"})
    assert raised > 0


@pytest.mark.unforeseen
@pytest.mark.parametrize("place", [(rulings, "rule"), (Table, "submit"), (Course, "close")])
def test_what_raises_is_nobodys_and_found_where_it_stands(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Gain: an honest author is named for what our program could not judge."""
    real, calls = getattr(*place), iter(range(100))

    def bad(*args: Any) -> Any:
        if next(calls) == 2:
            raise KeyError(args)
        return real(*args)

    monkeypatch.setattr(*place, bad)
    with remembering():
        found = audit.audit(io.BytesIO(proved("complete")), random.Random(0).randbytes)
    assert found.breach is not None
    step = {"rule": 1, "submit": 1, "close": 2}[place[1]]
    breach = found.breach
    assert (breach.kind, breach.hand, breach.step, breach.seat) == ("malformed", 0, step, None)


@pytest.mark.unforeseen
def test_verify_says_a_record_is_broken_where_it_raises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Status 1 and the kind `malformed`, not the sentence for what went wrong inside."""

    def bad(heads: Heads, parsed: object) -> None:
        raise ZeroDivisionError

    path = tmp_path / "match.trec"
    path.write_bytes(proved("complete"))
    monkeypatch.setattr(Heads, "take", bad)
    done = run("verify", str(path), "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["ok"], found["violation"]["kind"]) == (1, False, "malformed")
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.unforeseen
def test_deals_verified_ahead_that_raise_leave_the_verdict_to_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With and without threads a record is broken at the same place."""
    real = ahead.rule

    def bad(phase: object, seat: int, content: object) -> object:
        raise KeyError(seat)

    with remembering(), ThreadPoolExecutor(2) as pool:
        monkeypatch.setattr(ahead, "rule", bad)
        assert verdict(proved("kinds"), pool) == "complete"
        monkeypatch.setattr(ahead, "rule", real)
        assert verdict(proved("kinds"), pool) == "complete"


@pytest.mark.unforeseen
def test_an_error_over_the_signatures_of_an_agreement_is_in_no_hand() -> None:
    """As every fault there: two verifiers name one place (record.md §3)."""
    with Raising(0, 1).at((audit, "read_signed"), others=False):
        found = audit.audit(io.BytesIO(proved("complete")), random.Random(0).randbytes)
    breach = found.breach
    assert breach is not None
    assert (breach.kind, breach.hand, breach.step, breach.seat) == ("malformed", None, None, None)
