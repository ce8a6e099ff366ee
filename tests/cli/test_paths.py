"""Names of files that are not UTF-8: what is in them works, what is wrong with them is said."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from p2ptruco.hooks.files import called
from p2ptruco.text import is_clean

pytestmark = pytest.mark.skipif(os.name != "posix", reason="names that are bytes")

WRONG = "def choose(view):\n    raise ValueError(__file__)\n"
FILES = {
    b"wrong\xff.py": WRONG,
    b"broken\xff.py": "raise ValueError(__file__)\n",
    b"house\xff.py": "import dataclasses, p2ptruco\n@p2ptruco.hookimpl\n"
    "def p2ptruco_register_variants(register):\n"
    "    register(dataclasses.replace(p2ptruco.MINEIRO, name='house'))\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One whose own name is not UTF-8."""
    place = tmp_path / os.fsdecode(b"place\xe9")
    place.mkdir()
    for name, source in FILES.items():
        (place / os.fsdecode(name)).write_text(source)
    return place


def run(folder: Path, *words: bytes) -> tuple[int, dict[str, object], bytes]:
    done = subprocess.run(
        [sys.executable, "-m", "p2ptruco", *words, b"--json"],
        cwd=folder,
        env={**os.environ, "P2PTRUCO_HOME": str(folder / "home")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert b"Traceback (most recent call last)" not in done.stderr
    return done.returncode, json.loads(done.stdout), done.stderr


def test_a_match_of_such_bots(folder: Path) -> None:
    """Loaded, seated under a name, their faults told and logged, the record kept."""
    words = (b"--seats", b"2", b"--bots", b"./wrong\xff.py", b"--variant", b"./house\xff.py")
    status, told, _ = run(folder, b"demo", *words, b"--record", b"r\xff.trec", b"--verbose")
    assert (status, told["verified"]) == (0, True)
    assert "ValueError: " in str(told["faults"])
    assert run(folder, b"verify", b"r\xff.trec")[0] == 0
    assert "\\udcff.py" in (folder / "home" / "p2ptruco.log").read_text(encoding="utf-8")


def test_an_arena_of_such_bots(folder: Path) -> None:
    """With all its files."""
    files = (b"--csv", b"c\xff.csv", b"--report", b"p\xff.html", b"--resume", b"j\xff.jsonl")
    words = (b"./wrong\xff.py", b"zap", b"--pairs", b"1", b"--jobs", b"1", *files)
    status, told, _ = run(folder, b"arena", *words)
    assert (status, told["games"]) == (0, 2)
    assert b"ValueError" in (folder / os.fsdecode(b"p\xff.html")).read_bytes()
    assert (folder / os.fsdecode(b"c\xff.csv")).exists()
    assert run(folder, b"arena", b"--resume", b"j\xff.jsonl")[1]["games"] == 2


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        ((b"arena", b"./broken\xff.py", b"zap"), 2, "broken_file"),
        ((b"demo", b"--bots", b"./broken\xff.py"), 2, "broken_file"),
        ((b"demo", b"--bots", b"./none\xff.py"), 2, "no_file"),
        ((b"variants", b"./broken\xff.py"), 2, "broken_file"),
        ((b"play", b"--variant", b"./none\xff.py"), 2, "no_file"),
        ((b"variants", b"\xff"), 2, "unknown_variant"),
        ((b"verify", b"none\xff.trec"), 2, "unreadable"),
    ],
)
def test_what_is_wrong_is_a_sentence(
    folder: Path, words: tuple[bytes, ...], status: int, code: str
) -> None:
    """As for any other name."""
    ended, told, said = run(folder, *words)
    error = told["error"]
    assert isinstance(error, dict)
    assert (ended, error["code"]) == (status, code)
    assert b"ValueError" in said or code != "broken_file"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("zap", "zap"),
        ("./my bot.py", "my bot"),
        ("./mine.py:other", "mine"),
        ("./\udcff.py", "bot"),
        ("./" + "\U0001f0cf" * 30 + ".py", "\U0001f0cf" * 15),
        ("./" + "a" * 30 + ".py", "a" * 20),
        ("./a\x1b[2Jb\n.py", "a[2Jb"),
    ],
)
def test_a_bot_has_a_name_that_others_accept(path: str, name: str) -> None:
    """Whatever its file is called: a seat with another name was refused by the host."""
    assert called(path) == name
    assert is_clean(f"{name}-8")


def test_a_log_on_a_full_disk_is_no_traceback(tmp_path: Path) -> None:
    """It was one for each line."""
    code = """import logging, resource, sys
from p2ptruco.cli import entry
from p2ptruco.cli.commands import bots
from p2ptruco.store import home  # and rbcl, which unpacks a file of its own
bots.emit = lambda answer: logging.getLogger("p2ptruco").error("x" * 100)
resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))
sys.exit(entry.run(["bots", "--verbose", "--json"]))"""
    environment = {**os.environ, "P2PTRUCO_HOME": str(tmp_path)}
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, env=environment, capture_output=True, timeout=60, check=False)
    assert (tmp_path / "p2ptruco.log").stat().st_size == 50
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
