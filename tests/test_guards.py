"""The script that removes guards finds each kind, and what it removes is gone.

A guard that it does not see is one that a test may lose without anybody's notice.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.kit.guards import Switches, passes, with_switches
from tests.kit.guards.rewrite import ON, PASS

ROWS = [
    ("if x < 0: return 'no'\n    return x", -1, "if x < 0", -1),
    ("if x < 0 or x > 9: return 'no'\n    return x", 10, "or: x > 9", 10),
    ("if x != 0 and x < 9: return 'no'\n    return x", 0, "and: x != 0", "no"),
    ("if not 0 <= x <= 9: return 'no'\n    return x", 10, "end: x <= 9", 10),
    ("return 'no' if x < 0 else x", -1, "… if x < 0 else …", -1),
    ("return x if x >= 0 else 'no'", -1, "… if x >= 0 else … (else)", -1),
    ("return [n for n in (x, 1) if n > 0]", -1, "for … if n > 0", [-1, 1]),
    ("known = x > 0 and x < 9\n    return known", 9, "and: x < 9", True),
    ("return x or 'nothing'", 0, "or: 'nothing'", 0),
    (
        "try: return int(x)\n    except OverflowError: return 'no'",
        float("inf"),
        "except OverflowError",
        "!",
    ),
    ("match x:\n        case int() if x > 0: return x\n    return 0", -1, "case … if x > 0", -1),
    ("check(x)\n    return x", -1, "check(x)", -1),
    ("return clean(x)", " a ", "clean", " a "),
    ("return bounded(x, le=3)", 4, "le= in bounded(x, le=3)", 4),
]
AROUND = """
def check(x):
    raise ValueError
def clean(text):
    return text.strip()
def bounded(x, le=9):
    return x if x <= le else 'no'
def f(x):
    {}
def g(x) -> bool:
    return x > 0
"""


def switched(body: str, tmp_path: Path) -> tuple[Switches, dict[str, Any]]:
    path, switches = tmp_path / "guarded.py", Switches()
    path.write_text(AROUND.format(body), encoding="utf-8")
    space: dict[str, Any] = {ON: switches.on, PASS: passes}
    exec(compile(with_switches(path, switches), path, "exec"), space)
    return switches, space


def answer(function: Any, x: object) -> object:
    try:
        return function(x)
    except (ValueError, OverflowError):
        return "!"


@pytest.mark.parametrize(("body", "x", "name", "without"), ROWS, ids=[row[2] for row in ROWS])
def test_each_kind_of_guard_is_found_and_removed(
    body: str, x: object, name: str, without: object, tmp_path: Path
) -> None:
    """All on, the answer is the unchanged program's; the guard off, it is another."""
    switches, space = switched(body, tmp_path)
    plain: dict[str, Any] = {}
    exec(AROUND.format(body), plain)
    assert answer(space["f"], x) == answer(plain["f"], x) != without
    number = [guard.name for guard in switches.guards].index(f"f: {name}")
    assert number in switches.asked
    switches.removed = number
    assert answer(space["f"], x) == without


def test_an_answer_is_a_guard_both_ways(tmp_path: Path) -> None:
    switches, space = switched("return x", tmp_path)
    names = {guard.name: number for number, guard in enumerate(switches.guards)}
    assert (space["g"](1), space["g"](0)) == (True, False)
    switches.removed = names["g: return x > 0 (no)"]
    assert (space["g"](1), space["g"](0)) == (True, True)
    switches.removed = names["g: return x > 0 (yes)"]
    assert (space["g"](1), space["g"](0)) == (False, False)


def test_a_guard_that_never_decides_is_not_asked(tmp_path: Path) -> None:
    switches, space = switched("if x < 0: return 'no'\n    return x", tmp_path)
    assert space["f"](1) == 1
    assert switches.asked == set()
