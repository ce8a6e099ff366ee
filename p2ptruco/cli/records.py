"""Reading records: a file that is none is wrong use, whatever is in it."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO

from p2ptruco.cli.choices import printable
from p2ptruco.cli.failure import WRONG_USE, Failure
from p2ptruco.ui.reasons import system
from p2ptruco.ui.words import _

if TYPE_CHECKING:
    from p2ptruco.table.audit import Audit


def audited(name: str, source: Callable[[int], bytes], progress: Callable[[float], None]) -> Audit:
    """The audit of the record in a file (`-`: standard input)."""
    from concurrent.futures import ThreadPoolExecutor

    from p2ptruco.table.audit import audit
    from p2ptruco.table.record import NoRecord

    pool = ThreadPoolExecutor(os.cpu_count())
    with opened(name) as file:
        try:
            return audit(file, source, progress, pool)
        except NoRecord as error:
            message = _("{name} is no record of a match.").format(name=printable(name))
            raise Failure("no_record", message, WRONG_USE) from error
        except OSError as error:
            raise unreadable(name, error) from error
        finally:
            pool.shutdown(cancel_futures=True)


def opened(name: str) -> BinaryIO:
    """A file that can be read and rewound."""
    try:
        return io.BytesIO(sys.stdin.buffer.read()) if name == "-" else open(name, "rb")
    except OSError as error:
        raise unreadable(name, error) from error


def unreadable(name: str, error: OSError) -> Failure:
    """The failure of a file that cannot be read."""
    sentence = _("{name} cannot be read: {reason}")
    message = sentence.format(name=printable(name), reason=system(error))
    return Failure("unreadable", message, WRONG_USE)
