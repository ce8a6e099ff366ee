"""Reading records: a file that is none is wrong use, whatever is in it.

What a stranger sent may be endless, or no file at all: nothing is read but within a bound or value
by value, and nobody waits for a pipe that nobody writes to.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, BinaryIO

from p2ptruco.cli.choices import printable
from p2ptruco.cli.failure import WRONG_USE, Failure
from p2ptruco.ui.reasons import system
from p2ptruco.ui.words import _

if TYPE_CHECKING:
    from p2ptruco.table.record.audit import Audit


def audited(name: str, source: Callable[[int], bytes], progress: Callable[[float], None]) -> Audit:
    """The audit of the record in a file (`-`: standard input)."""
    from concurrent.futures import ThreadPoolExecutor

    from p2ptruco.table.record.audit import audit
    from p2ptruco.table.record.file import NoRecord

    pool = ThreadPoolExecutor(os.cpu_count())
    with opened(name) as file:
        try:
            return audit(file, source, progress, pool)
        except NoRecord as error:
            raise no_record(name) from error
        except OSError as error:
            raise unreadable(name, error) from error
        finally:
            pool.shutdown(cancel_futures=True)


def opened(name: str) -> AbstractContextManager[BinaryIO]:
    """A file to read once, from its beginning."""
    if name == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return at_once(name)
    except OSError as error:
        raise unreadable(name, error) from error


def at_once(name: str) -> BinaryIO:
    """A file opened for reading, without waiting for a pipe's writer. OSError."""
    return open(name, "rb", opener=_impatient)


def _impatient(path: str, flags: int) -> int:
    if sys.platform == "win32":
        return os.open(path, flags)
    handle = os.open(path, flags | os.O_NONBLOCK)
    os.set_blocking(handle, True)
    return handle


def no_record(name: str) -> Failure:
    """The failure of a file that does not begin as a record."""
    message = _("{name} is no record of a match.").format(name=printable(name))
    return Failure("no_record", message, WRONG_USE)


def unreadable(name: str, error: OSError) -> Failure:
    """The failure of a file that cannot be read."""
    sentence = _("{name} cannot be read: {reason}")
    message = sentence.format(name=printable(name), reason=system(error))
    return Failure("unreadable", message, WRONG_USE)
