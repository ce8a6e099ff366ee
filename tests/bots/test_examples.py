"""Every example runs as it stands, and says what it is meant to say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from p2ptruco.hooks import find_bot, find_variant
from p2ptruco.rules.notation.judge import judge

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str, *words: str, status: int = 0) -> str:
    """What an example prints, run from somewhere else."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *words],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        env=os.environ | {"PYTHONWARNINGS": "error"},
    )
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr


def test_write_a_bot() -> None:
    """It beats chance, and is a bot by path."""
    won = re.search(r"won (\d+) of 200", example("write_a_bot.py"))
    assert won is not None
    assert int(won.group(1)) > 150
    assert find_bot(str(EXAMPLES / "write_a_bot.py")).name == "write_a_bot"


def test_make_a_variant() -> None:
    """It is fit to be played, and a variant by path."""
    assert "can be agreed on and played" in example("make_a_variant.py")
    variant = find_variant(str(EXAMPLES / "make_a_variant.py")).variant
    assert (variant.name, variant.best_of, variant.fold) == ("sem-fuga", 3, False)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match between two peers on this machine."""
    path = tmp_path_factory.mktemp("example") / "match.trec"
    told = example("two_bots_over_loopback.py", str(path))
    score = re.search(r"hands, \((\d+), (\d+)\)", told)
    assert score is not None
    assert max(map(int, score.groups())) == 12
    return path


def test_audit_a_record_of_two_bots_over_loopback(record: Path, tmp_path: Path) -> None:
    """It holds, hand by hand; the last one is read by the referee; a changed one does not hold."""
    told = example("audit_a_record.py", str(record))
    assert "It holds (complete)" in told
    hand = told.partition("`p2ptruco judge`:\n")[2]
    assert judge(hand).json()["match"] in ("A", "B")
    blob = bytearray(record.read_bytes())
    blob[len(blob) // 2] ^= 1
    (tmp_path / "changed.trec").write_bytes(blob)
    assert "does not hold" in example("audit_a_record.py", str(tmp_path / "changed.trec"), status=1)


RECORDS = sorted((EXAMPLES.parent / "protocol" / "vectors" / "record").glob("*.record"))


def test_audit_takes_every_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of no hand, cut off, or none that holds: what there is to say, and no error."""
    source = compile((EXAMPLES / "audit_a_record.py").read_text(), "audit", "exec")
    assert RECORDS
    for path in RECORDS:
        monkeypatch.setattr(sys, "argv", ["audit", str(path)])
        with suppress(SystemExit):
            exec(source, {"__name__": "__main__"})


WANTED = {"audit_a_record.py": "record", "two_bots_over_loopback.py": "record"}
"""Examples that have to be told something."""


@pytest.mark.parametrize("name", WANTED)
@pytest.mark.parametrize("words", [(), ("/nowhere/at/all.trec",), (__file__, "2")], ids=len)
def test_an_example_that_is_told_nothing_says_what_it_wants(
    name: str, words: tuple[str, ...]
) -> None:
    """Or is told too much, or a file that is not there."""
    told = example(name, *words, status=2)
    assert told.startswith(f"usage: {name} [-h] {WANTED[name]}\n")
    assert "Traceback" not in told


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_every_other_example_wants_nothing(path: Path) -> None:
    """It runs without arguments in a test of its own; one that reads them has a usage."""
    source = path.read_text()
    assert "sys.argv" not in source
    assert ("argparse" in source) == (path.name in WANTED)


def test_every_example_has_a_test() -> None:
    """None is left to rot."""
    tested = Path(__file__).read_text() + "".join(
        path.read_text() for path in Path(__file__).parents[1].glob("arena/test_*.py")
    )
    names = [path.name for path in EXAMPLES.glob("*.py")]
    assert len(names) >= 4
    assert [name for name in names if name not in tested] == []


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_an_example_is_short(path: Path) -> None:
    """It fits two screens."""
    assert len(path.read_text().splitlines()) < 100
