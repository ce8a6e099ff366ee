"""Known peers and the lock of an identity: what the data folder remembers and guards."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from p2ptruco.store import known
from p2ptruco.store.known import Known, Meeting
from p2ptruco.store.lock import InUse, identity_locked

NOW = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PTRUCO_HOME", str(tmp_path / "home"))


def test_a_name_that_returns_with_another_key_is_pointed_out():
    """Whoever takes a friend's name must not be taken for the friend."""
    met = Known()
    assert met.judge(b"a" * 32, "Ana") is Meeting.NEW
    met.met(b"a" * 32, "Ana", NOW)
    assert met.judge(b"a" * 32, "ana") is Meeting.KNOWN
    assert met.judge(b"a" * 32, "Beatriz") is Meeting.RENAMED
    assert met.judge(b"b" * 32, "ANA") is Meeting.OTHER_KEY
    assert met.judge(b"b" * 32, "Caio") is Meeting.NEW


def test_what_was_met_is_remembered():
    met = Known()
    met.met(b"a" * 32, "Ana", NOW)
    met.met(b"a" * 32, "Ana", NOW)
    known.save(met)
    again = known.load()
    assert again.peers[b"a".hex() * 32].matches == 2
    path = Path(os.environ["P2PTRUCO_HOME"]) / "known.json"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["known.json"]


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b'{"a": {"name": 1}}', b"\xff"])
def test_a_broken_file_is_an_empty_memory(content: bytes):
    known.save(Known())
    (Path(os.environ["P2PTRUCO_HOME"]) / "known.json").write_bytes(content)
    assert known.load().peers == {}


def test_one_process_of_one_identity():
    """Two processes of one identity could sign two bodies in one place without meaning to."""
    code = "from p2ptruco.store.lock import *\nwith identity_locked(): print('in')"
    with identity_locked():
        other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert "InUse" in other.stderr
        with pytest.raises(InUse), identity_locked():
            pass
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert other.stdout == "in\n"


def test_a_disk_that_knows_no_locks_is_nobody_elses_process(monkeypatch: pytest.MonkeyPatch):
    """It was said that another process plays, and the person looked for it in vain."""
    fcntl = pytest.importorskip("fcntl")

    def refuse(handle: int, operation: int) -> None:
        raise OSError(errno.ENOTSUP, "no locks")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(OSError, match="no locks"), identity_locked():
        pass
