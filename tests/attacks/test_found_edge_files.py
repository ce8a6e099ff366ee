"""Files that a stranger sent, or left lying in the data folder: endless ones, pipes, and names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from p2ptruco.cli.choices import check_record
from p2ptruco.cli.failure import Failure

PROGRAM = (sys.executable, "-m", "p2ptruco")
ENDLESS = 400 << 20
"""More bytes than anybody should read of what is no record and no hand."""

posix = pytest.mark.skipif(os.name != "posix", reason="named pipes")


def run(home: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*PROGRAM, *words],
        env={**os.environ, "P2PTRUCO_HOME": str(home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )


@posix
@pytest.mark.parametrize("command", ["verify", "replay", "judge"])
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(tmp_path: Path, command: str):
    """A pipe in an archive of records would hold up whoever verifies them all, for good."""
    pipe = tmp_path / "match.trec"
    os.mkfifo(pipe)
    assert run(tmp_path, command, str(pipe)).returncode == 2


@posix
def test_an_identity_that_is_a_pipe_is_refused(tmp_path: Path):
    """Every command that asks who we are would wait for good."""
    os.mkfifo(tmp_path / "identity.key")
    assert run(tmp_path, "identity").returncode == 1


@pytest.mark.parametrize("command", ["verify", "judge"])
def test_what_has_no_end_is_not_read_to_it(tmp_path: Path, command: str):
    """A few bytes, unpacked on the way, would take all memory of whoever reads them."""
    process = subprocess.Popen([*PROGRAM, command, "-"], stdin=subprocess.PIPE, bufsize=0)
    assert process.stdin is not None
    sent, zeros = 0, bytes(1 << 20)
    try:
        while sent < ENDLESS:
            sent += process.stdin.write(zeros)
        pytest.fail("it was read to its end")
    except BrokenPipeError:
        assert process.wait(60) == 2
    finally:
        process.kill()
        process.stdin.close()


@pytest.mark.parametrize("command", ["verify", "judge"])
def test_a_file_larger_than_memory_is_no_record_and_no_hand(tmp_path: Path, command: str):
    """It takes no room on the disk of who sends it."""
    with open(tmp_path / "sparse", "wb") as file:
        file.truncate(1 << 40)
    done = run(tmp_path, command, str(tmp_path / "sparse"))
    assert done.returncode == 2
    assert b"MemoryError" not in done.stderr


@posix
def test_a_file_among_our_records_cannot_speak_to_the_terminal(tmp_path: Path):
    """A record saved under the name that its sender gave it would draw on the terminal, or show
    itself as another match, whenever the matches are listed."""
    records = tmp_path / "records"
    records.mkdir()
    ours = "20260101T000000Z-0123456789ab-mineiro.trec"
    for name in (ours, ours.replace("mineiro", "\x1b[2Jx"), ours.replace("mineiro", "\u202ex")):
        (records / name).touch()
    listed = run(tmp_path, "matches").stdout.decode()
    assert ours in listed
    assert len(listed.splitlines()) == 1


def test_no_match_is_numbered_nothing(tmp_path: Path):
    """Match 0 was the newest one, which `delete 0` took away."""
    records = tmp_path / "records"
    records.mkdir()
    kept = records / "20260101T000000Z-0123456789ab-mineiro.trec"
    kept.touch()
    done = run(tmp_path, "matches", "delete", "0")
    assert (done.returncode, kept.exists()) == (2, True)
    assert b"There is no match 0" in done.stderr


def test_a_date_in_digits_of_another_script_is_no_name_of_ours(tmp_path: Path):
    """It would stand first in the list, and be the match that a bare `verify` is about."""
    records = tmp_path / "records"
    records.mkdir()
    (
        records / "\u0662\u0660\u0662\u0666\u0660\u0661\u0660\u0661T000000Z-0123456789ab-x.trec"
    ).touch()
    assert b".trec" not in run(tmp_path, "matches").stdout


@pytest.mark.parametrize(
    ("to", "status"),
    [("", 2), ("nowhere/copy.trec", 2), ("n" * 300, 1)],
    ids=["", "folder", "long"],
)
def test_an_export_that_cannot_be_is_a_sentence(tmp_path: Path, to: str, status: int):
    """It was an error number of the system, or a nameless file that was there already."""
    records = tmp_path / "records"
    records.mkdir()
    (records / "20260101T000000Z-0123456789ab-mineiro.trec").write_bytes(b"x")
    done = run(tmp_path, "matches", "export", "1", to and str(tmp_path / to))
    assert done.returncode == status
    assert b"Errno" not in done.stderr
    assert b"already" not in done.stderr


@posix
@pytest.mark.parametrize(
    ("pipe", "words", "status"),
    [
        ("p2ptruco.log", ["--verbose", "identity"], 1),
        ("records/20260101T000000Z-aaaaaaaaaaaa-mineiro.trec", ["matches", "export", "1", "x"], 2),
        ("arena.jsonl", ["arena", "--resume", "{pipe}"], 2),
        ("arena.jsonl", ["arena", "random", "random", "--resume", "{pipe}"], 2),
    ],
    ids=["log", "record", "journal", "journal and bots"],
)
def test_a_pipe_in_the_data_folder_holds_up_nobody(
    tmp_path: Path, pipe: str, words: list[str], status: int
):
    """The command would wait for good, for some of them whatever signal it is sent."""
    path = tmp_path / pipe
    path.parent.mkdir(exist_ok=True)
    os.mkfifo(path)
    done = run(tmp_path, *(word.format(pipe=path) for word in words))
    assert (done.returncode, b"Traceback" in done.stderr) == (status, False)


@posix
def test_pipes_in_place_of_the_peers_met_and_of_the_port_are_nothing(tmp_path: Path):
    """In trio's loop not even Ctrl-C would end the wait for them."""
    for name in ("known.json", "port"):
        os.mkfifo(tmp_path / name)
    code = """from p2ptruco.store import known, port
assert not known.load().peers
assert port.remembered() == 0
known.save(known.Known())
port.remember(4242)
assert port.remembered() == 4242"""
    environment = {**os.environ, "P2PTRUCO_HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], env=environment, timeout=60, check=True)


@posix
def test_a_full_disk_keeps_no_drafts(tmp_path: Path):
    """Every try would leave another half of an identity behind, until there is room for one."""
    code = """import resource
from p2ptruco.store import home, known
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
for write in (home.myself, lambda: known.save(known.Known({}))):
    try:
        write()
    except OSError:
        continue
    raise SystemExit("written")"""
    environment = {**os.environ, "P2PTRUCO_HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], env=environment, timeout=60, check=True)
    assert not list(tmp_path.iterdir())


@posix
def test_an_export_to_a_full_disk_leaves_no_half_a_record(tmp_path: Path):
    """It would be handed on as the match, and the next export be told that it is there already."""
    records = tmp_path / "records"
    records.mkdir()
    (records / "20260101T000000Z-0123456789ab-mineiro.trec").write_bytes(bytes(100))
    code = """import resource, sys
from p2ptruco.cli.entry import run
from p2ptruco.store import home  # and rbcl, which unpacks a file of its own
resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))
sys.exit(run(["matches", "export", "1", sys.argv[1]]))"""
    copy, environment = tmp_path / "copy.trec", {**os.environ, "P2PTRUCO_HOME": str(tmp_path)}
    words = [sys.executable, "-c", code, str(copy)]
    done = subprocess.run(words, env=environment, timeout=60, check=False)
    assert (done.returncode, copy.exists()) == (1, False)


def test_the_home_of_nobody_is_a_sentence(tmp_path: Path):
    """It was an error inside."""
    assert b"~nobody-of-that-name" in run(Path("~nobody-of-that-name"), "identity").stderr


def test_a_file_that_cannot_be_written_does_not_cost_the_standing(tmp_path: Path):
    """Hours of matches would be played for one line on the disk."""
    words = ["arena", "random", "random", "--pairs", "1", "--jobs", "1", "--json"]
    done = run(tmp_path, *words, "--csv", str(tmp_path), "--report", str(tmp_path / "page.html"))
    assert done.returncode == 1
    assert b'"results"' in done.stdout
    assert (tmp_path / "page.html").exists()


@posix
@pytest.mark.parametrize("command", ["demo", "play", "host"])
def test_a_record_replaces_no_pipe_and_no_device(tmp_path: Path, command: str):
    """`--record /dev/null` took the null device from the whole machine of whoever was root."""
    pipe = tmp_path / "null"
    os.mkfifo(pipe)
    assert run(tmp_path, command, "--seats", "2", "--record", str(pipe)).returncode == 2
    assert pipe.is_fifo()


def test_a_folder_that_refuses_a_record_is_told_before_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The match would be played for nothing."""
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path)  # root may write all
    with pytest.raises(Failure) as refused:
        check_record(str(tmp_path / "match.trec"))
    assert refused.value.code == "unwritable"
