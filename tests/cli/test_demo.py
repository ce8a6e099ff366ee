"""A whole match by processes: its JSON, its record, and nothing left behind."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.kit.signals import restored

from .calling import P2PTRUCO, run

MATCH = {
    "seats": int,
    "variant": str,
    "winner": str,
    "score": dict,
    "hands": int,
    "processes": int,
    "record": str,
    "verified": bool,
    "cold_deal_ms": dict,
}
SHORT = ("--variant", "mineiro target=4 scale=2,truco:4")


def demo(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [P2PTRUCO, "demo", *words], capture_output=True, text=True, check=False, timeout=300
    )


def seats_of(starter: int) -> set[str]:
    """The processes of seats that this process has started."""
    return {pid for pid in alive() if f"PPid:\t{starter}\n" in told(pid, "status")}


def alive() -> set[str]:
    """Every process of a seat on this machine."""
    pids = {path.name for path in Path("/proc").glob("[0-9]*")}
    return {pid for pid in pids if "p2ptruco.cli.seat" in told(pid, "cmdline")}


def told(pid: str, name: str) -> str:
    """What the system says of a process; nothing of one that has gone."""
    try:
        return (Path("/proc") / pid / name).read_text()
    except OSError:
        return ""


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, object], str, Path]:
    """A match of two seats: what it printed as JSON, on standard error, and its folder."""
    home = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("P2PTRUCO_HOME", str(home))
        patch.setenv("LANG", "C.UTF-8")
        done = demo("--seats", "2", "--bots", "zap,random", "--seed", "1", "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr, home


def test_the_match_is_told_as_one_object(match: tuple[dict[str, object], str, Path]) -> None:
    """Every key of the contract, and a winner who has the points."""
    answer, story, _ = match
    assert {name: type(answer[name]) for name in MATCH} == MATCH
    assert (answer["seats"], answer["processes"], answer["variant"]) == (2, 2, "mineiro")
    assert answer["verified"] is True
    score = answer["score"]
    assert isinstance(score, dict)
    assert score[answer["winner"]] == 12 > min(score.values())
    assert set(answer["cold_deal_ms"]) == {"median", "p95"}  # type: ignore[call-overload]
    assert f"Hand {answer['hands']}" in story
    assert "A 12" in story or "B 12" in story


def test_its_record_is_verified_by_a_stranger(match: tuple[dict[str, object], str, Path]) -> None:
    """`verify` in another home says the same as the demo."""
    answer, _, _ = match
    done = run("verify", str(answer["record"]), "--json")
    found = json.loads(done.stdout)
    assert done.returncode == 0
    assert (found["ok"], found["status"], found["violation"]) == (True, "complete", None)
    for name in ("winner", "score", "hands", "variant", "seats"):
        assert found[name] == answer[name]
    assert found["unsealed_by"] == []
    assert found["shuffles"] == found["seats"] * found["hands"]
    assert [set(peer) for peer in found["peers"]] == [
        {"seat", "name", "fingerprint", "operator"}
    ] * 2
    assert [(peer["seat"], peer["operator"]) for peer in found["peers"]] == [(1, 1), (2, 1)]
    assert len({peer["fingerprint"] for peer in found["peers"]}) == 2


def test_verify_says_what_verified_means(match: tuple[dict[str, object], str, Path]) -> None:
    """One line a hand, the meaning and its limits, in both languages; --verbose one a check."""
    answer, _, _ = match
    for language, hand, meaning in (
        ("en", "Hand ", "It does not mean"),
        ("pt-BR", "Mão ", "Não quer dizer"),
    ):
        told = run("verify", str(answer["record"]), "--lang", language).stdout
        assert sum(line.strip().startswith(hand) for line in told.splitlines()) == answer["hands"]
        assert meaning in told
        assert max(map(len, told.splitlines())) <= 80
    quiet = run("verify", str(answer["record"])).stdout.splitlines()
    loud = run("verify", str(answer["record"]), "--verbose").stdout.splitlines()
    entries = json.loads(run("verify", str(answer["record"]), "--json").stdout)["entries"]
    assert len(loud) - len(quiet) >= entries - 2


def test_its_hands_are_read_by_the_referee(match: tuple[dict[str, object], str, Path]) -> None:
    """replay | judge, hand by hand: the same results, ending in the match's score."""
    answer, _, _ = match
    replayed = json.loads(run("replay", str(answer["record"]), "--json").stdout)
    assert (replayed["variant"], replayed["seats"]) == ("mineiro", 2)
    assert len(replayed["hands"]) == answer["hands"]
    score = {"A": 0, "B": 0}
    whole = run("replay", str(answer["record"])).stdout
    assert whole == "---\n".join(replayed["hands"])
    done = run("judge", "-", "--json", text=whole)
    told = json.loads(done.stdout)
    assert (done.returncode, told["illegal"]) == (0, None)
    for text, verdict in zip(replayed["hands"], told["hands"], strict=True):
        assert f"score {score['A']} {score['B']}" in text
        score = verdict["score"]
    assert score == replayed["score"] == answer["score"]


def test_a_changed_record_does_not_hold(
    match: tuple[dict[str, object], str, Path], tmp_path: Path
) -> None:
    """One byte of the last third: verify says no, with 1; replay refuses it."""
    answer, _, _ = match
    record = bytearray(Path(str(answer["record"])).read_bytes())
    record[len(record) * 2 // 3] ^= 1
    (tmp_path / "changed.trec").write_bytes(record)
    done = run("verify", str(tmp_path / "changed.trec"), "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["ok"], found["status"]) == (1, False, None)
    assert set(found["violation"]) == {"kind", "hand", "step", "seat", "message"}
    assert run("replay", str(tmp_path / "changed.trec")).returncode == 1
    assert "does not hold" in run("verify", str(tmp_path / "changed.trec")).stdout


def test_nothing_but_the_record_stays(match: tuple[dict[str, object], str, Path]) -> None:
    """No identity, no draft, no log."""
    answer, _, home = match
    files = [path for path in home.rglob("*") if path.is_file()]
    assert files == [Path(str(answer["record"]))]
    assert files[0].name.endswith("-mineiro.trec")


def test_no_record_is_kept_when_none_is_wanted(home: Path, tmp_path: Path) -> None:
    """--no-record verifies all the same; --record FILE writes that file and no other."""
    done = demo("--seats", "2", "--no-record", "--json", *SHORT)
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["record"], answer["verified"]) == (0, None, True)
    assert not home.exists()
    named = demo("--seats", "2", "--record", str(tmp_path / "m.trec"), "--json", *SHORT)
    assert json.loads(named.stdout)["record"] == str(tmp_path / "m.trec")
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["m.trec"]


def test_a_set_of_three_counts_its_matches() -> None:
    """best_of=3: the winner is the set's, the score the last match's, and `matches` has both."""
    done = demo(
        "--seats",
        "2",
        "--no-record",
        "--json",
        "--variant",
        "mineiro best_of=3 target=4 scale=2,truco:4",
    )
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["verified"]) == (0, True)
    assert answer["matches"][answer["winner"]] == 2 > min(answer["matches"].values())
    assert answer["score"][answer["winner"]] == 4


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc to see processes")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_every_seat(number: int, status: int) -> None:
    """Ctrl-C and SIGTERM in the middle of a match: clean, and no process left."""
    process = subprocess.Popen(
        [P2PTRUCO, "demo", "--seats", "4", "--no-record"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=restored,
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("mineiro, 4 seats")
    assert process.stdout.readline().startswith("Hand 1")
    seats = seats_of(process.pid)
    assert len(seats) == 4
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert process.returncode == status
    assert "Traceback" not in out + err
    assert not seats & alive()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc to see processes")
def test_a_starter_that_is_killed_takes_its_seats_along() -> None:
    """Not even SIGKILL leaves an orphan: a seat ends when its standard input does."""
    process = subprocess.Popen(
        [P2PTRUCO, "demo", "--seats", "2", "--no-record"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    assert process.stdout.readline().startswith("Hand 1")
    seats = seats_of(process.pid)
    assert len(seats) == 2
    process.kill()
    process.communicate(timeout=30)
    deadline = time.monotonic() + 20
    while seats & alive() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not seats & alive()


def test_a_seat_that_breaks_ends_the_demo_with_a_sentence(tmp_path: Path) -> None:
    """A bot file that loads once and not again: which seat, status 1, nothing left behind."""
    bot = tmp_path / "broken.py"
    bot.write_text(
        "import pathlib\n\nseen = pathlib.Path(__file__ + '.seen')\nif seen.exists():\n    1 / 0\n"
        "seen.touch()\n\ndef choose(view):\n    return view.legal[0]\n"
    )
    done = demo("--seats", "2", "--bots", f"zap,{bot}", "--no-record", "--json")
    assert done.returncode == 1
    error = json.loads(done.stdout)["error"]
    assert error["code"] == "seat_failed"
    assert error["message"].startswith("Seat 2 did not reach the end")
    assert "Traceback" not in done.stderr


def test_a_bot_that_errs_harms_nobody_else(tmp_path: Path) -> None:
    """Its moves are the rules' defaults, its faults are counted by its name."""
    bot = tmp_path / "mistaken.py"
    bot.write_text("def choose(view):\n    raise RuntimeError\n")
    done = demo("--seats", "2", "--bots", f"zap,{bot}", "--no-record", "--json", *SHORT)
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["verified"]) == (0, True)
    assert answer["faults"]["mistaken"]["crash"] > 0
    assert "RuntimeError" in done.stderr
    assert "Traceback" not in done.stderr
