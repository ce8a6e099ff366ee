"""Whole hands as files: one behaviour each, its reason in the first line, the outcome in the last.

A comment `# result: B 4 run` is an expectation; the readers below name them all.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from p2ptruco.rules.notation.judge import REASONS, judge

FOLDER = Path(__file__).parents[2] / "protocol" / "playthroughs"
FILES = sorted(FOLDER.glob("*.truco"))


def words(items: list[Any]) -> str:
    return " ".join(map(str, items)) or "none"


def letters(tricks: list[dict[str, Any]]) -> str:
    return words([trick["winner"] or "=" for trick in tricks])


def result(told: dict[str, Any]) -> str:
    found = told["result"]
    return words([found["winner"] or "none", found["points"], found["how"]]) if found else "none"


def illegal(told: dict[str, Any]) -> str:
    found = told["illegal"]
    if found is None:
        return "none"
    return words([found["line"] or "-", found["move"] or "-", found["code"]])


def pending(told: dict[str, Any]) -> str:
    found = told["pending"]
    return words([found["call"], found["by"], found["points"]]) if found else "none"


READERS = {
    "result": result,
    "illegal": illegal,
    "tricks": lambda told: letters(told["tricks"]),
    "leads": lambda told: words([trick["lead"] for trick in told["tricks"]]),
    "table": lambda told: words([word for lay in told["table"] for word in lay]),
    "score": lambda told: words([told["score"]["A"], told["score"]["B"]]),
    "match": lambda told: told["match"] or "none",
    "value": lambda told: str(told["value"]),
    "kind": lambda told: told["kind"],
    "pending": pending,
    "to_act": lambda told: words(told["to_act"]),
    "legal": lambda told: words(told["legal"]),
}


def expectations(text: str) -> dict[str, str]:
    """The outcome lines, which are the last ones of a file."""
    lines = [line[2:] for line in text.splitlines()[1:] if line.startswith("# ")]
    return dict(line.split(": ", 1) for line in lines)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_playthrough(path: Path) -> None:
    """Each hand ends as its last lines say; without `illegal` among them every move is legal."""
    text = path.read_text(encoding="utf-8")
    wanted = {"illegal": "none"} | expectations(text)
    assert len(wanted) > 1 or wanted["illegal"] != "none"
    verdict = judge(text)
    told = verdict.json()
    assert {key: READERS[key](told) for key in wanted} == wanted
    assert verdict.exit == (
        0 if wanted["illegal"] == "none" else 2 if " - " in wanted["illegal"] else 1
    )


def test_a_reason_in_the_first_line() -> None:
    """Every playthrough says in its first line what it is for."""
    firsts = [path.read_text(encoding="utf-8").splitlines()[0] for path in FILES]
    assert all(line.startswith("# ") and ": " not in line[:12] for line in firsts)
    assert len(set(firsts)) == len(firsts)


def test_every_code_has_a_playthrough() -> None:
    """Each code of the notation is the outcome of some playthrough."""
    outcomes = {illegal(judge(path.read_bytes()).json()).split()[-1] for path in FILES}
    assert outcomes - {"none"} == set(REASONS)
