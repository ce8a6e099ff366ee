"""Every example runs as it stands, and says what it is meant to say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from p2ptruco.hooks import find_bot, find_variant
from p2ptruco.rules.judge import judge

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
