"""Standard output is the command's alone, whatever else writes in its process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

NOISE = """
import atexit, ctypes, os, subprocess, sys, threading, time

def noise():
    print("printed")
    sys.stdout.write("written")
    sys.__stdout__.write("written")
    sys.stdout.flush()
    os.write(1, b"bytes")
    os.system("echo started")
    libc = ctypes.CDLL(None)
    libc.puts(b"by C")
    libc.fflush(None)

def later():
    while True:
        noise()
        time.sleep(0.02)
"""
AT_ONCE = NOISE + "noise()\natexit.register(noise)\n"
FOR_EVER = NOISE + "threading.Thread(target=later, daemon=True).start()\ntime.sleep(0.1)\n"
BOT = """
import p2ptruco

def choose(view):
    print("printed")
    return view.legal[0]

@p2ptruco.hookimpl
def p2ptruco_register_bots(register):
    noise()
    register("noisy", lambda: choose)
"""
VARIANT = """
import dataclasses, p2ptruco

@p2ptruco.hookimpl
def p2ptruco_register_variants(register):
    noise()
    register(dataclasses.replace(p2ptruco.MINEIRO, name="noisy"))
"""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    surroundings = {**os.environ, "PYTHONPATH": str(folder), "P2PTRUCO_HOME": str(folder / "home")}
    return subprocess.run(
        [sys.executable, "-m", "p2ptruco", *words],
        env=surroundings,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def noisy(tmp_path: Path) -> Path:
    """A folder with a bot's file and a variant's."""
    (tmp_path / "bot.py").write_text(AT_ONCE + BOT)
    (tmp_path / "house.py").write_text(AT_ONCE + VARIANT)
    (tmp_path / "on.py").write_text(FOR_EVER + VARIANT)
    return tmp_path


def installed(folder: Path, module: str) -> None:
    (folder / "noisy-1.dist-info").mkdir()
    (folder / "noisy-1.dist-info" / "entry_points.txt").write_text(f"[p2ptruco]\nn = {module}\n")


@pytest.mark.parametrize("module", ["bot", "house", "on"])
@pytest.mark.parametrize("words", [("bots",), ("variants",), ("variants", "none")], ids=" ".join)
def test_a_plugin_that_prints_is_not_in_the_answer(
    noisy: Path, module: str, words: tuple[str, ...]
) -> None:
    """At its import, in its hook, from its thread, at the end: whoever reads the object got what
    is no JSON."""
    installed(noisy, module)
    done = run(noisy, *words, "--json")
    assert set(json.loads(done.stdout)) <= {"bots", "variants", "error"}
    assert b"printed" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("variants", "./house.py"),
        ("check", "variant", "./on.py"),
        ("arena", "./bot.py", "zap", "--pairs", "1", "--variant", "./house.py"),
        ("demo", "--seats", "2", "--bots", "./bot.py,nobody", "--variant", "./house.py"),
    ],
    ids=" ".join,
)
def test_a_file_that_prints_is_not_in_the_answer(noisy: Path, words: tuple[str, ...]) -> None:
    """A variant's file is run in the command's process, a bot's in one of its own."""
    json.loads(run(noisy, *words, "--json").stdout)


def test_a_plugin_that_prints_is_not_in_the_text_either(noisy: Path) -> None:
    """A program may read that too."""
    quiet = run(noisy, "variants", "paulista").stdout
    installed(noisy, "bot")
    assert run(noisy, "variants", "paulista").stdout == quiet


@pytest.mark.parametrize(
    "source",
    [
        "import io, sys\nsys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding='utf-8')",
        "import sys\nsys.stdout.reconfigure(encoding='utf-8')",
        "import sys\nsys.stdout.close()",
        "import sys\nsys.stdout.detach()",
        "import sys\nsys.stdout = None",
        "import os\nos.close(1)",
    ],
)
def test_what_a_plugin_does_to_its_standard_output_is_nothing_to_ours(
    tmp_path: Path, source: str
) -> None:
    """Many set its encoding anew; then we could say no more."""
    (tmp_path / "does.py").write_text(source)
    installed(tmp_path, "does")
    done = run(tmp_path, "demo", "--bots", "none", "--json")
    assert json.loads(done.stdout)["error"]["code"] == "unknown_bot"
    assert done.stderr.startswith(b"Error: There is no bot none.")


def test_a_bot_may_keep_the_standard_output_of_its_import(tmp_path: Path) -> None:
    """As a handler of its log does."""
    (tmp_path / "logs.py").write_text(
        "import sys\nout = sys.stdout\n\n"
        "def choose(view):\n    print('hm', file=out)\n    return view.legal[0]\n"
    )
    done = run(tmp_path, "arena", "./logs.py", "zap", "--pairs", "1", "--json")
    assert json.loads(done.stdout)["fault_details"] == []


def test_help_and_version_are_answers(tmp_path: Path) -> None:
    """Also beside --json."""
    for words in (("bots", "--json", "--help"), ("--version",)):
        assert run(tmp_path, *words).stdout


@pytest.mark.skipif(os.name != "posix", reason="a shell")
@pytest.mark.parametrize("redirected", ["2>&-", "2>&1", ">/dev/null"])
def test_streams_may_be_anything(tmp_path: Path, redirected: str) -> None:
    """Closed, the same, or nowhere."""
    shell = f"exec {sys.executable} -m p2ptruco bots --json {redirected}"
    done = subprocess.run(["/bin/sh", "-c", shell], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0
    assert redirected == ">/dev/null" or json.loads(done.stdout)
