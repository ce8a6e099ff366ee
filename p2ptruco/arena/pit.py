"""The process in which matches are played: `python -m p2ptruco.arena.pit`, started by `guard`.

1. Its standard input brings JSON lines: the plan, then lists of fixtures. Its standard output takes
   them: the bots' names or why there are none, then the matches as soon as they are over.
2. Its standard error is the file of the mark, behind which the interpreter says where it was when
   it crashed or was late. None of the three is left to the bots.
3. It ends when its input does, whatever a bot is doing, and when nobody has asked for a while.
4. It has no more memory than the plan allows, and ends when a bot has used that up. It ends at
   once: threads that a bot has left are not waited for.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import Any, BinaryIO

from p2ptruco.arena.game import Court, play_match
from p2ptruco.arena.mark import SIZE, Mark
from p2ptruco.arena.plan import Fixture, Plan, labels
from p2ptruco.arena.records import Batch, Game, as_object
from p2ptruco.arena.times import counted
from p2ptruco.hooks import Bot, NoBot, find_bot

LONGEST_IDLE = 60.0
"""Seconds without a request after which the process ends."""
INSTANT = 0.02
"""Seconds within which matches that end are told together, up to MOST of them."""
MOST = 50

Requests = queue.SimpleQueue[Any]


def main() -> None:
    """Play what is asked until nobody asks any more."""
    asked, told, page = _streams()
    mark = Mark(page)
    mark.clear()
    requests: Requests = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(asked, requests), daemon=True).start()
    status = 1
    try:
        _play(Plan.from_object(requests.get()), mark, requests, lambda answer: _tell(told, answer))
        status = 0
    except BaseException:
        os.write(page, traceback.format_exc().encode())
    finally:
        os._exit(status)


def _play(plan: Plan, mark: Mark, requests: Requests, tell: Callable[[Any], None]) -> None:
    limit_memory(plan.memory_mb)
    bots = []
    for entrant, name in enumerate(plan.bots):
        try:
            bots.append(_load(entrant, name, mark))
        except NoBot as missing:
            tell({"missing": [missing.code, missing.name, missing.detail]})
            return
    names = tuple(bot.name for bot in bots)
    tell({"names": names})
    court = Court(plan, [bot.make for bot in bots], labels(names), mark)
    gc.freeze()
    while True:
        try:
            fixtures = requests.get(timeout=LONGEST_IDLE)
        except queue.Empty:
            return
        for batch in _batches(court, [Fixture(*fixture) for fixture in fixtures]):
            tell(as_object(batch))


def _batches(court: Court, fixtures: Sequence[Fixture]) -> Iterator[Batch]:
    """The matches as soon as they are over, those of an instant together."""
    games, since = list[Game](), monotonic()
    for place, fixture in enumerate(fixtures):
        court.mark.begin(place)
        games.append(play_match(court, fixture))
        if monotonic() - since > INSTANT or len(games) == MOST or place == len(fixtures) - 1:
            times = {entrant: counted(ns) for entrant, ns in court.times.items()}
            court.times.clear()
            yield Batch(tuple(games), times)
            games, since = [], monotonic()


def _load(entrant: int, name: str, mark: Mark) -> Bot:
    mark.enter(entrant)
    bot = find_bot(name)
    mark.leave()
    return bot


def _streams() -> tuple[BinaryIO, BinaryIO, int]:
    """Requests, answers and the file of the mark, moved to where no bot looks for them."""
    asked, told = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    page = os.dup(2)
    _leave_words(page)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    return asked, told, page


def _leave_words(page: int) -> None:
    """Write the stack behind the mark when the interpreter crashes, or when the guard asks."""
    os.lseek(page, SIZE, os.SEEK_SET)
    faulthandler.enable(page, all_threads=False)
    if sys.platform != "win32":
        faulthandler.register(signal.SIGUSR1, page, all_threads=False)


def _listen(asked: BinaryIO, requests: Requests) -> None:
    for line in asked:
        requests.put(json.loads(line))
    os._exit(0)


def _tell(told: BinaryIO, answer: Any) -> None:
    """A line of its own, whatever a bot has written before it."""
    told.write(b"\n" + json.dumps(answer, separators=(",", ":")).encode() + b"\n")


def limit_memory(megabytes: int) -> None:
    """Bound the address space of this process, where the system can."""
    if sys.platform == "win32" or not megabytes:
        return
    import resource

    wanted, (_, most) = megabytes << 20, resource.getrlimit(resource.RLIMIT_AS)
    if most != resource.RLIM_INFINITY:
        wanted = min(wanted, most)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, most))
    except (ValueError, OSError):
        return


if __name__ == "__main__":
    main()
