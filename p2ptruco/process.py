"""Processes: what others of the same user get of ours, and those that run a stranger's code.

1. A process that will hold a secret calls `close_memory` before it reads the first. What it starts
   by `exec` begins open again, so each calls for itself.
2. After that nobody but root reads its memory, environment or open files, or traces it, and no core
   of it is left. Where the system cannot do that, nothing happens.
3. Arguments are everybody's to read, of any user: a secret among them is blotted out at once.
4. A process that runs a stranger's code gets an environment of variables that are named here: none
   of this program's but which plugins it loads. Its hashes are the same every time, so that a seed
   means the same match.

Files are not kept from anybody who runs as the same user (threats.md).
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

PR_SET_DUMPABLE = 4

PASSED_ON = frozenset(
    (
        *("HOME", "LOGNAME", "PATH", "SHELL", "TEMP", "TERM", "TMP", "TMPDIR", "TZ", "USER"),
        *("LANG", "LANGUAGE", "VIRTUAL_ENV"),
        *("P2PTRUCO_DISABLE_PLUGINS", "P2PTRUCO_LOAD_PLUGINS"),
        *("APPDATA", "COMSPEC", "LOCALAPPDATA", "NUMBER_OF_PROCESSORS", "PATHEXT"),  # Windows
        *("SYSTEMDRIVE", "SYSTEMROOT", "USERPROFILE", "WINDIR"),
    )
)
PASSED_ON_BEGINNINGS = (
    "BOT_",  # a bot's own
    "CONDA_",
    "CUDA_",
    "DYLD_",
    "LC_",
    "LD_",
    "MKL_",
    "NUMEXPR_",
    "OMP_",
    "OPENBLAS_",
    "PYTHON",
    "XDG_",
)
"""What an interpreter, its libraries and its arithmetic look for, and what is meant for bots."""


def close_memory() -> None:
    """Keep the memory of this process from every other one of the same user, and out of cores."""
    if sys.platform == "win32":
        return
    import resource

    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):  # a C library that cannot be found, or lacks it
            ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def blot_out(word: str) -> None:
    """Write over an argument of this process, where the system says where they are."""
    with suppress(OSError, ValueError, IndexError):
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        begin, end = int(fields[45]), int(fields[46])  # arg_start, arg_end: proc(5)
        if not 0 < begin < end:
            return
        import ctypes

        said = os.fsencode(word)
        for argument in ctypes.string_at(begin, end - begin).split(b"\0"):
            if argument == said:
                ctypes.memset(begin, ord("x"), len(said))
            begin += len(argument) + 1


def environment(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a process that runs a stranger's code, by ours."""
    given = os.environ if environ is None else environ
    kept = {name: value for name, value in given.items() if _passed_on(name.upper())}
    return kept | {"PYTHONHASHSEED": "0"}


def _passed_on(name: str) -> bool:
    return name in PASSED_ON or name.startswith(PASSED_ON_BEGINNINGS)


def ended(status: int) -> str:
    """How a process ended, as the system tells it: by a signal, which may have no name, or not."""
    if status >= 0:
        return f"exit {status}"
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"
