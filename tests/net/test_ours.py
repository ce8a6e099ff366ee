"""What our own program fails at while a peer is heard (net/session/ours.py)."""

from __future__ import annotations

import pytest
import trio

from p2ptruco.net.session.ours import ours, shown


def failing(error: Exception) -> object:
    def work() -> None:
        raise error

    return work


async def test_what_our_program_fails_at_ends_the_session_and_blames_nobody() -> None:
    """Nothing is raised where the peer is heard: the error comes out of the session's nursery."""
    heard = False
    with pytest.RaisesGroup(KeyError):
        async with trio.open_nursery() as tasks:
            ours(failing(KeyError("ours")), lambda: tasks)()  # type: ignore[arg-type]
            heard = True
    assert heard


@pytest.mark.unforeseen
async def test_what_cannot_be_shown_ends_nothing() -> None:
    """A console that fails in a way that nobody foresaw costs a line of the log."""
    async with trio.open_nursery() as tasks:
        shown(failing(KeyError("theirs")), lambda: tasks)()  # type: ignore[arg-type]


async def test_a_pipe_that_nobody_reads_ends_the_session() -> None:
    """The system refuses to show any more."""
    with pytest.RaisesGroup(BrokenPipeError):
        async with trio.open_nursery() as tasks:
            shown(failing(BrokenPipeError()), lambda: tasks)()  # type: ignore[arg-type]
