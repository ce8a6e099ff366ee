"""A glance at a record says what a good one says; of any other it says something, or nothing."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from p2ptruco.table.record.file import NoRecord
from p2ptruco.table.record.glance import glance

FOLDER = Path(__file__).parents[2] / "protocol" / "vectors" / "record"
WHOLE = {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}
GOOD = {
    name: vector
    for name, vector in WHOLE.items()
    if vector["given"].keys() == {"file"} and "gives" in vector
}


@pytest.mark.parametrize("name", GOOD)
def test_a_glance_agrees_with_the_verdict(name: str) -> None:
    """On the end, the score and how it is sealed, for every record that holds."""
    vector = GOOD[name]
    with (FOLDER / vector["given"]["file"]).open("rb") as file:
        seen = glance(file)
    assert seen.agreement.id.hex() == vector["gives"]["table"]
    assert seen.status == vector["expect"]
    if seen.end is not None:
        assert seen.end.winner == vector["gives"]["winner"]
        assert list(seen.end.score) == vector["gives"]["score"]


def test_half_a_record_is_broken_off_or_none() -> None:
    """However much of it is there; a list of matches is made of whatever lies in the folder."""
    whole = (FOLDER / "complete.record").read_bytes()
    for size in range(0, len(whole), 97):
        try:
            assert glance(io.BytesIO(whole[:size])).status == "interrupted"
        except NoRecord:
            continue
