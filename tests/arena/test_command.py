"""`p2ptruco arena`, as it is typed."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from p2ptruco.arena.contest import Arena
from p2ptruco.arena.journal import read
from p2ptruco.ui import words
from tests.arena.kit import written
from tests.cli.calling import P2PTRUCO, run
from tests.kit.signals import restored

ROOT = Path(__file__).parents[2]
KEYS = {
    *("variant", "seats", "pairs", "games", "seed", "budget_ms", "results", "ratings", "faults"),
    *("decision_ms", "games_per_s"),
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("P2PTRUCO_HOME", str(tmp_path / "home"))
    for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    yield tmp_path / "home"
    words.speak("en")


def arena(*typed: str, seed: int | None = 1, jobs: int = 1) -> dict[str, Any]:
    seeded = () if seed is None else ("--seed", str(seed))
    done = run("arena", *typed, *seeded, "--jobs", str(jobs), "--json")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1
    answer = json.loads(done.stdout)
    assert isinstance(answer, dict)
    return answer


def test_zap_beats_random() -> None:
    """Its fixed policy wins 85 % at least with two seats (about 91 %); every key is there."""
    answer = arena("zap", "random", "--seats", "2", "--pairs", "200", jobs=2)
    assert answer.keys() >= KEYS
    [result] = answer["results"]
    assert result.keys() >= {"a", "b", "wins_a", "wins_b", "rate_a", "ci95", "points_per_hand"}
    assert result["wins_a"] + result["wins_b"] == answer["games"] == 400
    assert (result["a"], result["b"], answer["seed"]) == ("zap", "random", 1)
    assert result["rate_a"] == result["wins_a"] / 400
    assert result["rate_a"] >= 0.85
    low, high = result["ci95"]
    assert low < 0.91 < high
    assert answer["ratings"]["zap"]["mu"] > answer["ratings"]["random"]["mu"]
    assert set(answer["faults"]["zap"].values()) == {0}
    assert 0 < answer["decision_ms"]["random"]["median"] <= answer["decision_ms"]["random"]["p95"]
    assert answer["games_per_s"] > 1


def test_zap_beats_random_in_pairs_too() -> None:
    """About 80 % with four seats, by another variant's rules as well."""
    [mineiro] = arena("zap", "random", "--seats", "4", "--pairs", "50")["results"]
    assert 0.7 < mineiro["rate_a"] < 0.9
    [other] = arena("zap", "random", "--variant", "paulista", "--pairs", "30")["results"]
    assert other["rate_a"] > 0.7


def test_a_mirror_is_even() -> None:
    """zap against itself: one half is in the interval, and both have a name."""
    answer = arena("zap", "zap", "--pairs", "60")
    [result] = answer["results"]
    assert (result["a"], result["b"]) == ("zap", "zap#2")
    low, high = result["ci95"]
    assert low < 0.5 < high
    assert high - low < 0.3
    assert set(answer["ratings"]) == {"zap", "zap#2"}


def test_the_same_seed_is_the_same_arena() -> None:
    """And without one a new seed is drawn, and told."""
    first, again = (arena("zap", "random", "--pairs", "5") for _ in range(2))
    assert first["results"] == again["results"]
    assert first["ratings"] == again["ratings"]
    drawn = {arena("random", "random", "--pairs", "1", seed=None)["seed"] for _ in range(2)}
    assert len(drawn) == 2


def test_bad_bots_are_named(tmp_path: Path) -> None:
    """Four at once beside a good one: who did what, and the good one wins every match it can."""
    bad = [written(tmp_path, name) for name in ("loops", "leaves", "raises", "illegal")]
    answer = arena(*bad, "zap", "--pairs", "1", "--budget", "300", jobs=2)
    assert answer["games"] == 20
    faults = answer["faults"]
    assert min(faults["loops"]["timeout"], faults["leaves"]["crash"]) >= 6
    assert faults["loops"]["timeout"] + faults["leaves"]["crash"] == 14
    assert faults["raises"]["crash"] > 0
    assert faults["illegal"]["illegal"] > 0
    assert faults["zap"] == {"timeout": 0, "crash": 0, "illegal": 0}
    details = {(fault["bot"], fault["kind"]): fault for fault in answer["fault_details"]}
    assert "no idea" in details["raises", "crash"]["detail"]
    assert details["loops", "timeout"]["pair"] == 1


def test_text_for_people(tmp_path: Path) -> None:
    """Rows, a matrix of more than two, in both languages; --csv and --report are written."""
    files = tmp_path / "a.csv", tmp_path / "a.html"
    typed = ("arena", "zap", "random", "zap", "--pairs", "2", "--seed", "5", "--jobs", "1")
    done = run(*typed, "--csv", str(files[0]), "--report", str(files[1]))
    assert done.returncode == 0
    assert "mineiro, 2 seats, 2 pairs, seed 5" in done.stdout
    assert re.search(r"^zap – random +\d", done.stdout, re.MULTILINE)
    assert re.search(r"^ +(zap|random|zap#2) +(zap|random|zap#2) ", done.stdout, re.MULTILINE)
    assert len(files[0].read_text().splitlines()) == 13
    assert files[1].read_text().startswith("<!doctype html>")
    portuguese = run(*typed, "--lang", "pt-BR", "--report", str(files[1]))
    assert "2 lugares, 2 pares, semente 5" in portuguese.stdout
    assert 'lang="pt-BR"' in files[1].read_text()


@pytest.mark.parametrize(
    ("typed", "code", "status"),
    [
        ((), "wrong_bots", 2),
        (("zap",), "wrong_bots", 2),
        (("zap", "zop"), "unknown_bot", 2),
        (("zap", "./none.py"), "no_file", 2),
        (("zap", "zap", "--seats", "3"), "wrong_size", 2),
        (("zap", "zap", "--variant", "mineir"), "unknown_variant", 2),
        (("zap", "zap", "--pairs", "0"), "usage", 2),
        (("zap", "zap", "--report", "{none}/x.html"), "no_folder", 2),
        (("zap", "zap", "--resume", "{garbage}"), "no_journal", 2),
        (("--resume", "{none}"), "wrong_bots", 2),
        (("zap", "zap", "--resume", "{folder}"), "unreadable", 2),
        (("zap", "{crashing}"), "load_crashed", 1),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_what_cannot_be_played_is_a_sentence(
    typed: tuple[str, ...], code: str, status: int, tmp_path: Path
) -> None:
    """A code for programs, a reason for people, in both languages."""
    places = {name: tmp_path / name for name in ("none", "garbage", "folder", "crashing.py")}
    places["folder"].mkdir()
    places["garbage"].write_bytes(b"garbage\n")
    places["crashing.py"].write_text("import os\nos._exit(0)\n")
    shown = {name.removesuffix(".py"): str(path) for name, path in places.items()}
    told = []
    for language in ("en", "pt-BR"):
        words_typed = [word.format(**shown) for word in typed]
        done = run("arena", *words_typed, "--json", "--lang", language)
        assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (status, code)
        assert "Traceback" not in done.stderr
        told.append(done.stderr.splitlines()[0])
    assert told[0].startswith("Error: ")
    assert told[1].startswith("Erro: ")


def stopped(number: int, *typed: str) -> tuple[int, str, str]:
    """Run an arena that would take minutes, send it a signal when it plays."""
    with subprocess.Popen(
        [P2PTRUCO, "arena", *typed],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=restored,
    ) as process:
        journal = Path(typed[typed.index("--resume") + 1]) if "--resume" in typed else None
        until = time.monotonic() + 30
        while journal is not None and time.monotonic() < until:
            if journal.exists() and journal.read_bytes().count(b"\n") > 2:
                break
            time.sleep(0.05)
        if journal is None:
            time.sleep(4)
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    return process.returncode, out, err


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_arena_says_what_it_has_and_goes_on(
    number: int, status: int, tmp_path: Path
) -> None:
    """One object, of what was played, and the file to go on from; then, with that alone and as
    many pairs, to the end that it would have had."""
    path = tmp_path / "arena.jsonl"
    typed = ("zap", "random", "--seed", "1", "--pairs", "9999", "--jobs", "2", "--json")
    left, out, err = stopped(number, *typed, "--resume", str(path))
    assert left == status
    answer = json.loads(out)
    assert answer["stopped"] is True
    assert answer["resume"] == str(path)
    assert 0 < answer["games"] < 2 * 9999
    assert "Traceback" not in err
    assert f"arena --resume {path}" in err
    pairs = str(answer["results"][0]["pairs"] + 5)
    whole = run("arena", "--resume", str(path), "--pairs", pairs, "--json", "--jobs", "1")
    straight = arena("zap", "random", "--pairs", pairs)
    assert json.loads(whole.stdout)["results"] == straight["results"]


def test_what_was_played_is_kept_without_being_asked(home: Path) -> None:
    """Ctrl-C without --resume: a file in the data folder."""
    left, out, err = stopped(
        signal.SIGINT, "zap", "random", "--seed", "1", "--pairs", "9999", "--json"
    )
    answer = json.loads(out)
    assert left == 130
    assert answer["games"] > 0
    path = Path(answer["resume"])
    assert path.parent == home
    assert str(path) in err
    kept = [batch.games for batch in read(path)[1]]
    assert sum(map(len, kept)) == answer["games"]
    again = run("arena", "--resume", str(path), "--pairs", "2", "--json", "--jobs", "1")
    straight = arena("zap", "random", "--pairs", "2")
    assert json.loads(again.stdout)["results"] == straight["results"]


def test_progress_tells_the_time_left() -> None:
    """On standard error, now and then."""
    from p2ptruco.cli import progress

    assert progress.line(30, 1200, 75.4) == "30 of 1200 matches, 1:15 left"
    assert progress.line(0, 1200, None) == "0 of 1200 matches"
    assert [progress.clock(s) for s in (0, 59.6, 3600, 3723)] == [
        "0:00",
        "1:00",
        "1:00:00",
        "1:02:03",
    ]


@pytest.mark.parametrize("live", [True, False])
def test_progress_is_told(
    live: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a terminal one line that changes and is gone at the end; elsewhere lines that stay."""
    from p2ptruco.cli import progress

    half_done = SimpleNamespace(pairs=[None] * 25, total=50, left=61.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: live, raising=False)
    monkeypatch.setitem(progress.EVERY, live, 0.0)
    with progress.Progress() as shown:
        for _ in range(2):
            shown.show(cast("Arena", half_done))
    line = "50 of 100 matches, 1:01 left"
    told = capsys.readouterr().err
    assert told == (f"\r{line}\r{line}\r{' ' * len(line)}\r" if live else f"{line}\n{line}\n")


def test_the_example_runs() -> None:
    """examples/arena_in_ten_lines.py says who is better."""
    script = ROOT / "examples" / "arena_in_ten_lines.py"
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert re.search(r"zap won \d+ of 100 matches", done.stdout)
    assert len([line for line in script.read_text().splitlines() if line.strip()]) <= 12


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("raise ValueError('no\\x1b idea')", "mine, crash: ValueError: no idea"),
        ("return None", "mine, illegal: None"),
        ("import time; time.sleep(0.1); return view.legal[0]", "mine, timeout: 1"),
        ("return view.legal[0]", ""),
    ],
)
def test_the_first_fault_of_a_bot_is_told_under_the_results(
    tmp_path: Path, source: str, told: str
) -> None:
    """Its essence alone, and where the rest is; nothing where nothing went wrong."""
    path = tmp_path / "mine.py"
    path.write_text(f"def choose(view):\n    {source}\n", encoding="utf-8")
    budget = "50" if "sleep" in source else "5000"
    typed = ("arena", str(path), "random", "--pairs", "1", "--budget", budget, "--jobs", "1")
    text = run(*typed).stdout
    assert told in text
    assert ("fault_details" in text) == bool(told)
    assert text.count("mine, ") == bool(told)
