"""What we keep is on the disk when we say so, and no half of it is ever there."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from p2ptruco import disk
from p2ptruco.app.keeping import keep
from p2ptruco.app.seat import kept
from p2ptruco.arena.journal import Journal, read
from p2ptruco.arena.plan import Fixture, Plan
from p2ptruco.arena.records import Batch, Game
from p2ptruco.cli import contest
from p2ptruco.cli.commands import arena, demo
from p2ptruco.cli.failure import Failure
from p2ptruco.cli.wanted import Wanted
from p2ptruco.store import known, port
from p2ptruco.store.home import myself
from p2ptruco.ui.reasons import refused

from .kit.seats import agreement

PLAN = Plan(bots=("zap", "random"), pairs=9)
GAMES = tuple(Game(Fixture(0, 1, 0, leg), 0, (12, 3), 9, "", ()) for leg in (0, 1))
BATCH = Batch(GAMES, {})


@dataclass
class Disk:
    """What the system is asked for, in order: files by name, drafts as `draft`."""

    asked: list[tuple[str, str]] = field(default_factory=list)

    def sync(self, handle: int) -> None:
        path = Path(os.readlink(f"/proc/self/fd/{handle}"))
        self.asked.append(("flush", "folder" if path.is_dir() else _named(path)))

    def replace(self, before: Path, after: Path) -> None:
        self.asked.append((_named(before), "replaces"))
        os.rename(before, after)

    def link(self, before: Path, after: Path) -> None:
        self.asked.append((_named(before), "becomes"))
        self.linked(before, after)

    linked = staticmethod(os.link)  # as it was before a test


def _named(path: Path) -> str:
    return "draft" if path.name.startswith(".") else "file"


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Disk:
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("no /proc to see which file is flushed")
    monkeypatch.setenv("P2PTRUCO_HOME", str(tmp_path))
    seen = Disk()
    monkeypatch.setattr(os, "fsync", seen.sync)
    monkeypatch.setattr(os, "replace", seen.replace)
    monkeypatch.setattr(os, "link", seen.link)
    return seen


REPLACED = [("flush", "draft"), ("draft", "replaces"), ("flush", "folder")]
FIRST = [("flush", "draft"), ("draft", "becomes"), ("flush", "folder")]
KEPT: dict[str, tuple[Callable[[Path], object], list[tuple[str, str]]]] = {
    "a record": (lambda path: keep(b"record", path, agreement()), REPLACED),
    "who was met": (lambda path: known.save(known.Known()), REPLACED),
    "the port": (lambda path: port.remember(4000), REPLACED),
    "who we are": (lambda path: myself(), FIRST),
    "an arena's beginning": (lambda path: Journal(path / "a.jsonl", PLAN), REPLACED),
}


@pytest.mark.parametrize("what", KEPT)
def test_what_is_kept_is_on_the_disk_before_it_has_its_name(
    watched: Disk, what: str, tmp_path: Path
) -> None:
    """A crash of the machine a second later left an empty file, or none."""
    write, asked = KEPT[what]
    write(tmp_path)
    assert watched.asked == asked
    assert not [path for path in tmp_path.rglob(".*") if path.is_file()]


def test_a_batch_of_an_arena_is_on_the_disk_when_the_next_begins(
    watched: Disk, tmp_path: Path
) -> None:
    """So is an exported record when it is said to be."""
    with Journal(tmp_path / "a.jsonl", PLAN) as journal:
        watched.asked.clear()
        journal.add(BATCH)
        assert watched.asked == [("flush", "file")]
    watched.asked.clear()
    disk.write_copy(tmp_path / "copy", b"x")
    assert watched.asked == [("flush", "file"), ("flush", "folder")]


KILLED = """
import os
from pathlib import Path
from p2ptruco import disk
os.link = lambda *_: os.kill(os.getpid(), 9)
disk.write_first(Path("identity.key"), b"secret")
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_the_draft_of_a_killed_process_does_not_stay_for_ever(tmp_path: Path) -> None:
    """It held a secret key. One that may still be written stays, and so does what is no draft."""
    subprocess.run([sys.executable, "-c", KILLED], cwd=tmp_path, check=False)
    (draft,) = tmp_path.iterdir()
    (tmp_path / ".other").touch()
    disk.write_whole(tmp_path / "file", b"x")
    assert draft.exists()
    for path in tmp_path.iterdir():
        os.utime(path, (0, 0))
    disk.write_whole(tmp_path / "file", b"x")
    assert {path.name for path in tmp_path.iterdir()} == {".other", "file"}


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    """A draft has a short one of its own: else a match was played, and its record refused."""
    disk.write_whole(tmp_path / ("n" * 250), b"x")


@pytest.mark.parametrize("write", [disk.write_whole, disk.write_first, disk.write_copy])
def test_what_cannot_be_flushed_is_told_and_is_not_there(
    write: Callable[[Path, bytes], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk may refuse only then."""

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write(tmp_path / "file", b"content")
    assert not list(tmp_path.iterdir())


def test_a_full_disk_costs_no_report_of_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was emptied first. What a link names is written as it is: it may be where we print."""
    report, link = tmp_path / "report.html", tmp_path / "link"
    report.write_bytes(b"before")
    link.symlink_to(report)
    number = report.stat().st_ino
    arena._write(link, b"linked")
    assert (report.stat().st_ino, report.read_bytes()) == (number, b"linked")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        arena._write(report, b"after")
    assert report.read_bytes() == b"linked"


def test_an_arena_s_file_that_cannot_be_begun_is_not_said_to_be_unreadable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk: there was nothing to read."""

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with (
        pytest.raises(Failure, match="cannot be used: the system says No space"),
        contest._journal({"resume": str(tmp_path / "a.jsonl")}, PLAN),
    ):
        raise AssertionError


def test_a_folder_that_cannot_be_flushed_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some systems have no way to; the file is there."""
    flush = os.fsync

    def picky(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(22, "Invalid argument")
        flush(handle)

    monkeypatch.setattr(os, "fsync", picky)
    disk.write_whole(tmp_path / "file", b"content")
    assert (tmp_path / "file").read_bytes() == b"content"


def test_a_record_is_for_anybody_and_an_identity_for_its_owner(tmp_path: Path) -> None:
    """Records are handed on; the mask of the system says to whom."""
    before = os.umask(0o022)
    try:
        disk.write_whole(tmp_path / "record", b"", disk.ANYBODY)
        disk.write_whole(tmp_path / "secret", b"")
    finally:
        os.umask(before)
    assert [os.stat(tmp_path / name).st_mode & 0o777 for name in ("record", "secret")] == [
        0o644,
        0o600,
    ]


def test_half_a_line_of_an_arena_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one behind it would make the whole file none of an arena."""
    path = tmp_path / "a.jsonl"
    with Journal(path, PLAN) as journal:
        monkeypatch.setattr(os, "fsync", lambda handle: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            journal.add(BATCH)
        monkeypatch.undo()
        journal.add(BATCH)
    assert [batch.games for batch in read(path)[1]] == [GAMES]


# A full disk, as people meet it.

FULL = """import resource, sys
from p2ptruco.cli.entry import run
from p2ptruco.store import home  # and rbcl, which unpacks a file of its own
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
sys.exit(run(sys.argv[2:]))"""


def on_a_full_disk(home: Path, room: int, *words: str) -> subprocess.CompletedProcess[str]:
    pytest.importorskip("resource")
    return subprocess.run(
        [sys.executable, "-c", FULL, str(room), *words],
        env={**os.environ, "P2PTRUCO_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_full_disk_does_not_cost_what_an_arena_has_played(tmp_path: Path) -> None:
    """Hours of matches ended without a standing, in a file that could not be gone on with."""
    path = tmp_path / "a.jsonl"
    words = ("arena", "zap", "random", "--seed", "1", "--pairs", "2000", "--jobs", "1", "--json")
    done = on_a_full_disk(tmp_path, 30_000, *words, "--resume", str(path))
    answer = json.loads(done.stdout)
    assert done.returncode == 1
    assert (answer["stopped"], answer["resume"]) == (True, str(path))
    assert "File too large" in done.stderr
    kept = sum(len(batch.games) for batch in read(path)[1])
    assert 0 < kept < answer["games"]


def test_a_record_that_finds_no_room_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its number, for whoever speaks to people, once the match has been played."""

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    told = kept(b"record", str(tmp_path), agreement())
    assert told == {"record": None, "unwritten": errno.ENOSPC}
    assert refused(told["unwritten"]) == "the system says No space left on device"
    assert kept(b"record", None, agreement()) == {"record": None}
    monkeypatch.setattr(demo, "_play", lambda plans, heard: [told])
    with pytest.raises(Failure, match="The record cannot be written: the system says No space"):
        demo.command.main(["--record", str(tmp_path)], standalone_mode=False, obj=Wanted())
