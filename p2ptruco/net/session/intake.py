"""Entries and private frames on their way to the table: checked in threads, logged, passed on.

Laws:
1. Each peer has a queue for each of the two hands under way, and one for private frames: a move of
   the hand under way waits for no deal behind it, and a peer that sends rubbish slows down nobody
   but itself.
2. What only its receiver saw (a fault of the link) closes that link and touches nothing else; so
   does whatever a peer's bytes raise that nobody foresaw.
3. What is kept until its step is open closes nobody's link when it turns out not to be due.

Source: table.md §4, §6.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import trio

from ...players.local import LocalSeat
from ...table.entries import Entry, Parsed, read_parsed
from ...table.table import Open, Table
from ...table.violation import BrokenTable, LinkFault
from ..mesh.mesh import Mesh
from ..transport import frames
from ..wall import blaming
from .ours import Tasks, ours

log = logging.getLogger(__name__)

Queue = tuple[bytes, int | None]
"""A peer, and the parity of the hand that its entries are of; None: its private frames. Two hands
at most are under way, and both halves of a proof are of one."""
Item = Entry | frames.Private
INBOX = 1024
"""Entries of one peer waiting to be checked; a peer that sends more is too fast."""


class Intake:
    """`tasks`: the session's; `private` takes a private frame; `moved` is told of an entry that was
    logged, who brought it (None: ourselves) and the step before; `judged`, that one was looked at.
    """

    def __init__(
        self,
        mesh: Mesh,
        table: Table,
        local: LocalSeat,
        tasks: Tasks,
        *,
        private: Callable[[bytes, frames.Private], Awaitable[None]],
        moved: Callable[[Parsed, bytes | None, Open], None],
        judged: Callable[[], None],
    ) -> None:
        self._mesh, self._table, self._local, self._tasks = mesh, table, local, tasks
        self._private, self._judged = private, judged
        self._moved = ours(moved, tasks)
        self._inboxes: dict[Queue, trio.MemorySendChannel[Item]] = {}
        self._checking: dict[Entry | Parsed, trio.Event] = {}
        """What is under way, and when it is over."""

    def put(self, peer: bytes, item: Item) -> None:
        """What a peer has sent."""
        if isinstance(item, Entry) and self._table.knows(item):
            return
        queue = (peer, None if isinstance(item, frames.Private) else _hand(item) % 2)
        if queue not in self._inboxes:
            send, receive = trio.open_memory_channel[Item](INBOX)
            self._inboxes[queue] = send
            self._tasks().start_soon(self._work, peer, receive)
        if self.waiting(peer) >= INBOX:
            self._mesh.close(peer, "too_fast")
            return
        self._inboxes[queue].send_nowait(item)

    def waiting(self, peer: bytes) -> int:
        """How much of a peer's waits to be checked."""
        inboxes = (inbox for (owner, _), inbox in self._inboxes.items() if owner == peer)
        return sum(inbox.statistics().current_buffer_used for inbox in inboxes)

    async def take_own(self, entry: Entry) -> None:
        """Log an entry of ours; it is our fault and nobody else's if that is refused."""
        try:
            await self.take(entry, None)
        except LinkFault as fault:
            raise BrokenTable(f"our own entry is refused: {fault}") from fault

    async def take(
        self,
        entry: Entry | Parsed,
        origin: bytes | None,
        threads: trio.CapacityLimiter | None = None,
    ) -> None:
        """Check in a thread, submit, pass on, and the same for kept entries now ripe."""
        with self._under_way(entry):
            here = self._table.open
            checked = await self._local.offload(self._table.check, entry, limiter=threads)
            if self._table.submit(checked):
                self._moved(checked.parsed, origin, here)
            for parsed in self._table.ripe():
                try:
                    await self.take(parsed, None)
                except LinkFault as fault:
                    log.info("a kept entry was not due: %s", fault)

    @contextmanager
    def _under_way(self, entry: Entry | Parsed) -> Iterator[None]:
        """Until an entry is judged, and what was kept for the step that it opened."""
        self._checking[entry] = over = trio.Event()
        try:
            yield
        finally:
            self._checking.pop(entry, None)
            over.set()

    async def _work(self, peer: bytes, inbox: trio.MemoryReceiveChannel[Item]) -> None:
        """One queue, one thing after the other."""
        async for item in inbox:
            with blaming(self._mesh, peer):
                if isinstance(item, frames.Private):
                    await self._private(peer, item)
                elif not self._settled(item):
                    await self._judge(item, peer, self._local.threads(_hand(item)))
                    self._judged()

    def _settled(self, entry: Entry) -> bool:
        """Whether there is nothing to check any more, or it is being checked."""
        return self._table.knows(entry) or entry in self._checking or self._table.moot(entry)

    async def _judge(self, entry: Entry, peer: bytes, threads: trio.CapacityLimiter | None) -> None:
        """Take a peer's entry. What is not due is looked at once more when all that was under way
        is over: of a proof, the first half may be among it, brought by somebody else.
        """
        try:
            await self.take(entry, peer, threads)
        except LinkFault as fault:
            if fault.word != "not_due":
                raise
            for over in tuple(self._checking.values()):
                await over.wait()
            await self.take(entry, peer, threads)


def _hand(entry: Entry) -> int:
    """The hand that an entry is of; 0 if it has no shape, for which its link is closed later."""
    try:
        return read_parsed(entry).body.hand
    except LinkFault:
        return 0
