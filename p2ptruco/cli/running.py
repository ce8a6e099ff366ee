"""Running trio so that Ctrl-C, SIGTERM and a terminal that is closed end it in order: everything is
cancelled and cleaned up first, then the command leaves with 130 or 143."""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

from p2ptruco.app.stopped import Stopped
from p2ptruco.cli.failure import ENDINGS, Failure, said
from p2ptruco.errors import within

Result = TypeVar("Result")


def run(work: Callable[[], Awaitable[Result]]) -> Result:
    """What `work` returns; KeyboardInterrupt or Terminated if a signal ended it first.

    A group of exceptions that holds a Failure, or what stopped a person, is that Failure.
    """
    results: list[Result] = []
    signals: list[int] = []
    heard = [number for number in ENDINGS if signal.getsignal(number) != signal.SIG_IGN]

    async def watch(tasks: trio.CancelScope, *, task_status: trio.TaskStatus[None]) -> None:
        with trio.open_signal_receiver(*heard) as arrivals:
            task_status.started()
            async for number in arrivals:
                signals.append(number)
                tasks.cancel()

    async def main() -> None:
        async with trio.open_nursery() as tasks:
            if heard:  # trio wants one at least
                await tasks.start(watch, tasks.cancel_scope)
            results.append(await work())
            tasks.cancel_scope.cancel()

    try:
        trio.run(main)
    except BaseExceptionGroup as group:
        if stopped := within(group, Stopped):
            raise said(stopped) from group
        raise within(group, Failure) or group from group
    if signals:
        raise ENDINGS[signals[0]]
    return results[0]
