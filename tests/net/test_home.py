"""The data folder: one identity a machine, its owner's alone."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from p2ptruco.store import home as place
from p2ptruco.store.home import HomeFault, home, myself, record_name, records


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("P2PTRUCO_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def seeded(size: int) -> bytes:
    return bytes(range(size))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_an_identity_is_made_once(folder: Path) -> None:
    """The second time it is read, whatever chance offers then."""
    first = myself(seeded)
    again = myself(lambda size: b"\xff" * size)
    assert first.identity.public == again.identity.public
    assert (first.nick, first.created) == (again.nick, again.created)
    assert first.path == folder / "identity.key"
    assert sorted(path.name for path in folder.iterdir()) == ["identity.key"]


def test_only_the_owner_may_look(folder: Path) -> None:
    """0600 in a folder of 0700, whatever the umask."""
    before = os.umask(0)
    try:
        myself(seeded)
        records()
    finally:
        os.umask(before)
    assert mode(folder / "identity.key") == 0o600
    assert mode(folder) == 0o700


def test_a_loose_mode_is_mended(folder: Path) -> None:
    """A key that others could read is closed to them when it is next used."""
    public = myself(seeded).identity.public
    (folder / "identity.key").chmod(0o644)
    assert myself(seeded).identity.public == public
    assert mode(folder / "identity.key") == 0o600


def test_two_that_start_at_once_are_one(folder: Path) -> None:
    """Identity race: otherwise one of two processes would play with a key that is then lost."""
    with ThreadPoolExecutor(8) as pool:
        found = {me.identity.public for me in pool.map(lambda _: myself(os.urandom), range(32))}
    assert len(found) == 1
    assert [path.name for path in folder.iterdir()] == ["identity.key"]


def test_a_link_is_not_followed(folder: Path, tmp_path: Path) -> None:
    """Planted link: whoever can write here could make us use a key that they know."""
    myself(seeded)
    (folder / "identity.key").rename(tmp_path / "elsewhere")
    (folder / "identity.key").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(HomeFault, match="not_ours"):
        myself(seeded)


def test_a_dangling_link_is_not_written_through(folder: Path, tmp_path: Path) -> None:
    """Planted link: nor could they have the key written to a place of theirs."""
    home()
    (folder / "identity.key").symlink_to(tmp_path / "target")
    with pytest.raises(HomeFault, match="not_ours"):
        myself(seeded)
    assert not (tmp_path / "target").exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"not json",
        b'{"p2ptruco": 2, "seed": "' + b"00" * 32 + b'", "nick": "a", "created": "b"}',
        b'{"p2ptruco": 1, "seed": "00", "nick": "a", "created": "b"}',
        b'{"p2ptruco": 1, "seed": "' + b"zz" * 32 + b'", "nick": "a", "created": "b"}',
        b'{"p2ptruco": 1, "seed": "' + b"00" * 32 + b'", "nick": "", "created": "b"}',
        b'{"p2ptruco": 1, "seed": "' + b"00" * 32 + b'", "nick": "\\u202e", "created": "b"}',
        b'{"p2ptruco": 1, "seed": "' + b"00" * 32 + b'", "nick": "a", "created": "b", "x": 1}',
        b"\xff" * 100_000,
    ],
)
def test_a_broken_identity_is_not_replaced(folder: Path, content: bytes) -> None:
    """It is said so; a key that somebody knows us by is never thrown away."""
    home()
    (folder / "identity.key").write_bytes(content)
    with pytest.raises(HomeFault, match="broken_identity"):
        myself(seeded)
    assert (folder / "identity.key").read_bytes() == content


def test_a_folder_in_its_place_is_refused(folder: Path) -> None:
    """Only a plain file is an identity."""
    home()
    (folder / "identity.key").mkdir()
    with pytest.raises(HomeFault, match="not_ours"):
        myself(seeded)


def test_a_home_that_cannot_be_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in its place."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("P2PTRUCO_HOME", str(tmp_path / "file" / "home"))
    with pytest.raises(HomeFault, match="unwritable"):
        home()


def test_the_secret_is_in_no_repr() -> None:
    """Nor in the words of a fault."""
    me = myself(seeded)
    assert seeded(32).hex() not in repr(me)
    assert "0, 1, 2" not in repr(me)


def test_an_empty_switch_is_no_switch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """P2PTRUCO_HOME= means the platform's folder."""
    monkeypatch.setenv("P2PTRUCO_HOME", "")
    monkeypatch.setattr(place.platformdirs, "user_data_path", lambda *_: tmp_path / "platform")
    assert home() == tmp_path / "platform"


@pytest.mark.parametrize(
    ("variant", "name"),
    [
        ("mineiro", "20270102T030405Z-abababababab-mineiro.trec"),
        ("../../etc/x", "20270102T030405Z-abababababab-..-..-etc-x.trec"),
        ("a b\x00ç", "20270102T030405Z-abababababab-a-b--.trec"),
    ],
)
def test_a_record_is_named_by_time_table_and_variant(variant: str, name: str) -> None:
    """UTC; a variant's name leads out of no folder."""
    moment = datetime(2027, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert record_name(variant, b"\xab" * 32, moment) == name
