"""The second wall: whatever the bytes of others raise is their fault (table.md §6).

Laws:
1. What a peer's or a file's bytes raise and nobody foresaw is `malformed`: it closes the link that
   they came over, or breaks the record that they are in. No table, lobby or verdict ends by it.
2. It is logged for us: its type and where, never its message or a value, which may be secret.
3. What ends a task or a program passes: cancellation, Ctrl-C, a signal are no `Exception`. Neither
   is the panic of a Rust library, which is held here all the same.
4. Only what others sent is judged in here. An error of our own seat is not theirs, and stops us.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from .violation import LinkFault

log = logging.getLogger(__name__)


@contextmanager
def unforeseen(what: str, *expected: type[BaseException]) -> Iterator[None]:
    """Turn whatever the block raises into LinkFault("malformed"), all but LinkFault and what is
    `expected`. `what`: what was being judged, for the log. Also a decorator."""
    try:
        yield
    except BaseException as error:
        ends = not isinstance(error, Exception) and not _is_panic(error)
        if ends or isinstance(error, (LinkFault, *expected)):
            raise
        kind = type(error).__name__
        places = "".join(traceback.format_tb(error.__traceback__))
        log.error("%s raised %s, which nobody foresaw\n%s", what, kind, places)
        raise LinkFault("malformed", f"{what} raised {kind}") from None


def _is_panic(error: BaseException) -> bool:
    """PyO3's PanicException is a BaseException of a module that cannot be imported."""
    return type(error).__module__ == "pyo3_runtime"
