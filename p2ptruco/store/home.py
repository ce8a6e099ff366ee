"""The data folder: who we are on this machine, and what was played.

1. `P2PTRUCO_HOME`, else the platform's folder for data. The folder is its owner's alone (0700).
2. `identity.key` is made at first use, whole or not at all; of two processes that make it at once
   one wins and both use it. It is readable by its owner only: a looser mode is mended, a file of
   somebody else, or one that is no plain file, is refused.
3. Who was met and the port are read as plain files at once or not at all, and written whole or not
   at all (`disk`): nothing waits for a pipe.
4. The secret never leaves the file but as an `Identity`.
"""

from __future__ import annotations

import errno
import getpass
import os
import secrets
import stat
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import platformdirs

from p2ptruco.disk import write_first
from p2ptruco.table.identity import Identity
from p2ptruco.text import clean, is_clean

ENVIRONMENT = "P2PTRUCO_HOME"
STAMP = "%Y%m%dT%H%M%SZ"
LARGEST_KEY_FILE = 4096
_WARY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Neither through a link nor until somebody writes to a pipe."""


class HomeFault(OSError):
    """The data folder cannot be used: `code` unwritable, not_ours or broken_identity."""

    def __init__(self, code: str, path: Path) -> None:
        super().__init__(f"{code}: {path}")
        self.code, self.path = code, path


@dataclass(frozen=True, slots=True)
class Self:
    """This machine's identity, its owner's nick, the file that holds it, and since when."""

    identity: Identity
    nick: str
    path: Path
    created: str


class _KeyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`identity.key` as JSON: the seed in hexadecimal, the nick, the time of making in UTC."""

    p2ptruco: int
    seed: str
    nick: str
    created: str


def home() -> Path:
    """The data folder, made if it is not there. Raises HomeFault("unwritable")."""
    named = os.environ.get(ENVIRONMENT)
    try:
        path = Path(named).expanduser() if named else platformdirs.user_data_path("p2ptruco", False)
    except RuntimeError as error:  # ~ of nobody
        raise HomeFault("unwritable", Path(named or "~")) from error
    return _folder(path.absolute())


def log_file() -> Path:
    """Where `--verbose` writes. Raises HomeFault("not_ours") for what is no plain file."""
    path = home() / "p2ptruco.log"
    if path.exists() and not path.is_file():
        raise HomeFault("not_ours", path)
    return path


def read_plain(path: Path, most: int) -> bytes:
    """The first bytes of a plain file; OSError for anything else."""
    with open(path, "rb", opener=_at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a plain file", str(path))
        return file.read(most)


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def records() -> Path:
    """The folder of records."""
    return _folder(home() / "records")


def record_name(variant: str, table: bytes, now: datetime | None = None) -> str:
    """What a record is called: UTC time, table, variant."""
    moment = (now or datetime.now(UTC)).astimezone(UTC).strftime(STAMP)
    return f"{moment}-{table.hex()[:12]}-{_plain(variant)}.trec"


def myself(source: Callable[[int], bytes] = secrets.token_bytes) -> Self:
    """Who we are; made from 32 bytes of `source` at first use. Raises HomeFault."""
    path = home() / "identity.key"
    if not os.path.lexists(path):
        _make(path, source)
    return _read(path)


def _make(path: Path, source: Callable[[int], bytes]) -> None:
    created = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    content = _KeyFile(1, Identity.generate(source).seed.hex(), _login(), created)
    try:
        write_first(path, msgspec.json.format(msgspec.json.encode(content)) + b"\n")
    except FileExistsError:
        return  # another process was first
    except OSError as error:
        raise HomeFault("unwritable", path) from error


def _read(path: Path) -> Self:
    try:
        handle = os.open(path, os.O_RDONLY | _WARY)
        with os.fdopen(handle, "rb") as file:
            _guard(file.fileno(), path)
            content = file.read(LARGEST_KEY_FILE)
    except OSError as error:
        raise HomeFault("not_ours", path) from error
    try:
        read = msgspec.json.decode(content, type=_KeyFile)
        seed = bytes.fromhex(read.seed)
        if read.p2ptruco != 1 or len(seed) != 32 or not is_clean(read.nick):
            raise ValueError("not an identity of this version")
    except ValueError:
        raise HomeFault("broken_identity", path) from None
    return Self(Identity.from_seed(seed), read.nick, path, clean(read.created))


def _guard(handle: int, path: Path) -> None:
    """Refuse what is not our own plain file; close it to everybody else."""
    state = os.fstat(handle)
    if not stat.S_ISREG(state.st_mode):
        raise HomeFault("not_ours", path)
    if os.name == "posix":
        if state.st_uid != os.getuid():
            raise HomeFault("not_ours", path)
        if state.st_mode & 0o077:
            os.fchmod(handle, 0o600)


def _folder(path: Path) -> Path:
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise HomeFault("unwritable", path) from error
    return path


def _login() -> str:
    """The login name as a nick, or a word where there is none."""
    try:
        return clean(getpass.getuser()) or "player"
    except (OSError, KeyError, ImportError):
        return "player"


def _plain(name: str) -> str:
    """A variant's name as a part of a file's: letters, digits, dots and dashes."""
    return "".join(
        char if char.isascii() and (char.isalnum() or char in ".-") else "-" for char in name
    )[:64]
