"""The vectors of the table say what a second implementation must do; this one does it."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from p2ptruco.table.violation import LOG_WORDS, RECORD_WORDS
from tests.kit.table_runner import FOLDERS, ROOT, Json, bytes_of, judged, outcome, run

FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).glob("*.json"))


def _name(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").as_posix()


def read(path: Path) -> Json:
    content = json.loads(path.read_text())
    assert isinstance(content, dict)
    return content


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_vector(path: Path) -> None:
    """The code comes to what the file says."""
    vector = read(path)
    assert run(vector) == outcome(vector)


def test_records_are_the_same_verified_in_threads() -> None:
    """Deals that are verified ahead give the same answer, broken or not, at the same place."""
    with ThreadPoolExecutor(2) as pool:
        for path in FILES:
            if path.parent.name == "record":
                vector = read(path)
                assert judged(bytes_of(vector["given"]), pool) == outcome(vector), path.name


def test_every_kind_of_a_broken_record_has_a_vector() -> None:
    expected = {read(path)["expect"] for path in FILES if path.parent.name == "record"}
    assert expected == RECORD_WORDS - {"bad_certificate"} | {
        *("complete", "unsealed", "interrupted", "no_record"),
    }


def test_every_violation_of_the_log_has_a_record() -> None:
    found = {
        vector["gives"]["violation"][0]
        for path in FILES
        if (vector := read(path)).get("gives", {}).get("violation")
    }
    assert found == LOG_WORDS


def test_every_record_file_is_somebodys() -> None:
    """A record beside the vectors that none of them reads would be read by nobody."""
    files = {path.name for path in (ROOT / "record").glob("*.record")}
    assert files == {read(p)["given"].get("file") for p in FILES if p.parent.name == "record"} - {
        None
    }


def test_a_vector_fails_where_the_code_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Heads over signatures in place of bodies, say, would not pass unseen."""
    from tests.kit import table_runner

    monkeypatch.setattr(table_runner, "next_head", lambda head, step, bodies: head)
    changed = [p for p in FILES if p.parent.name == "log" and run(read(p)) != outcome(read(p))]
    assert len(changed) == len(list((ROOT / "log").glob("*.json")))
