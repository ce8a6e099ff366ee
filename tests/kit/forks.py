"""Jobs in forks of this process, a few at a time, and what they say."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any


@dataclass
class Job:
    """Work for one fork: what it yields is `said`, until it is done or has died."""

    name: Any
    work: Callable[[], Iterable[Any]]
    tests: int = 0
    said: list[Any] = field(default_factory=list)


def running(jobs: Iterable[Job], at_once: int) -> Iterator[Job]:
    """Each job when it has ended, `at_once` of them at a time."""
    waiting, under_way = deque(jobs), {}
    context = multiprocessing.get_context("fork")
    while waiting or under_way:
        while waiting and len(under_way) < at_once:
            job = waiting.popleft()
            receive, send = context.Pipe(duplex=False)
            process = context.Process(target=_in_a_fork, args=(job, send))
            process.start()
            send.close()
            under_way[receive] = (job, process)
        for ready in wait(list(under_way)):
            job, process = under_way[ready]
            try:
                job.said.append(ready.recv())
            except EOFError:
                process.join()
                del under_way[ready]
                yield job


def _in_a_fork(job: Job, send: Connection) -> None:
    room = tempfile.mkdtemp(prefix="guards-")
    os.environ["PYTEST_DEBUG_TEMPROOT"] = room
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    try:
        for said in job.work():
            send.send(said)
    finally:
        shutil.rmtree(room, ignore_errors=True)
    os._exit(0)
