"""Another program as the face, on the standard streams (`protocol/front.md`).

A reader that has gone ends the command as a closed terminal does; one that lets too much lie has
gone, and that is said on standard error.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

import p2ptruco
from p2ptruco.app.stage import Stage
from p2ptruco.cli.output import tell
from p2ptruco.cli.streams import answers
from p2ptruco.errors import within
from p2ptruco.ui.front.jsonl import Jsonl
from p2ptruco.ui.front.lines import Outbox, TooSlow
from p2ptruco.ui.terminal.console import read_some
from p2ptruco.ui.words import _


@asynccontextmanager
async def to_program(stage: Stage, command: str, *, typing: bool) -> AsyncIterator[None]:
    """The program on our standard streams as the face, for the time of a block. TooSlow; OSError:
    it reads no more."""
    out = Outbox(_write)
    face = Jsonl(stage, out, version=p2ptruco.__version__, command=command, typing=typing)
    try:
        async with trio.open_nursery() as tasks:
            tasks.start_soon(out.run)
            tasks.start_soon(face.listen, _read)
            try:
                yield
            finally:
                out.close()
            tasks.cancel_scope.cancel()
    except BaseException as error:
        if within(error, TooSlow):
            tell(_("Nobody reads what is said fast enough, so the match is broken off."))
        raise


async def _read() -> bytes:
    return await trio.to_thread.run_sync(read_some, abandon_on_cancel=True)


async def _write(data: bytes) -> None:
    await trio.to_thread.run_sync(_write_all, data, abandon_on_cancel=True)


def _write_all(data: bytes) -> None:
    """Past Python's buffers, as reading does."""
    handle, rest = answers().fileno(), memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]
