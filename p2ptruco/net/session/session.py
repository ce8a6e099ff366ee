"""Drives one table over a mesh: entries in, entries out, until the match is sealed.

Laws:
1. The table decides; this only carries. Heavy checks run in worker threads, so the loop stays free.
2. Every entry that is news here is passed on to every other peer, once: one honest path suffices.
3. A message of a peer that is not at the table is not heard; one that no table takes closes the
   link that it came over.
4. Private frames are never entries: nobody waits for them, nothing is blamed on them.

Source: table.md §3, §4, §6.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress

import trio

from ...players.local import LocalSeat
from ...rules.seating import Seat
from ...table.codec import Malformed
from ...table.entries import Entry, Leave, Parsed
from ...table.private import Cards, Signal, read_private
from ...table.steps.phases import Need
from ...table.table import Open, Table
from ...table.violation import LinkFault
from ..mesh.events import Dropped, Event, Linked
from ..mesh.mesh import Mesh
from ..transport import frames
from ..transport.fault import Fault
from ..wall import blaming
from .healing import Healing
from .hearing import Hearing
from .intake import Intake
from .ours import shown
from .partners import Partners, game_of
from .situation import Situation, situate
from .talk import Said, Talk
from .turns import Turns

log = logging.getLogger(__name__)

LEAST, MOST = 10.0, 30.0
"""Seconds to wait at least and at most for every seal, and until the others know what we know: a
host may grant no time at all, or hours."""
LINGER = 5.0
"""Seconds at most for the seal of a seat that is proven to have cheated, and until the others have
read what is theirs."""


class Session:
    """One table, one local seat, one mesh. `run` returns when the match is over and sealed,
    or when the seals that are still missing were waited for long enough."""

    def __init__(
        self,
        mesh: Mesh,
        table: Table,
        local: LocalSeat,
        *,
        ahead: bool = False,
        changed: Callable[[], None] = lambda: None,
        said: Said = lambda seat, text, private: None,
    ) -> None:
        self.mesh, self.table, self.local = mesh, table, local
        self._tasks: trio.Nursery
        self._observer = shown(changed, lambda: self._tasks)
        heard = shown(said, lambda: self._tasks)
        self.talk = Talk(mesh, table.agreement, local.seat, heard)
        self._healing = Healing(mesh, table)
        self._hearing = Hearing(mesh, table.agreement, local.seat)
        self._partners = Partners(mesh, table, local)
        self._moved = trio.Event()
        self._intake = Intake(
            mesh,
            table,
            local,
            lambda: self._tasks,
            private=self._private,
            moved=self._move_on,
            judged=self._healing.ask_for_support,
        )
        self._turns = Turns(
            mesh,
            table,
            local,
            self._partners,
            lambda: self._tasks,
            ahead=ahead,
            say=self._intake.take_own,
            noted=self._note,
        )
        self.since = trio.current_time()
        """When the open step was opened here (trio's clock)."""

    @property
    def owed(self) -> Mapping[Seat, Need]:
        """Who the table waits for."""
        return self.table.owed

    @property
    def cold_deals(self) -> list[float]:
        """Seconds from the last opening logged until own cards were open, hand by hand."""
        return self._turns.cold_deals

    @property
    def left(self) -> bool:
        """Whether our seat has said in the open step that it leaves."""
        mine = (parsed.body for parsed in self.table.paid if parsed.body.seat == self.local.seat)
        return any(isinstance(body.content, Leave) for body in mine)

    def situation(self) -> Situation:
        """Who is missing, whom the table waits for, and what leaving would do, at this moment."""
        table = self.table
        return situate(
            table.owed,
            self._hearing.contacts(),
            since=self.since,
            now=trio.current_time(),
            move=table.agreement.terms.times.move,
            due=self.local.due,
            said=self.left,
            over=table.outcome is not None,
        )

    def links(self) -> Mapping[Seat, frozenset[Seat]]:
        """Whom each seat hears by links of its own, as far as we know."""
        return self._hearing.links()

    async def run(self) -> Table:
        async with trio.open_nursery() as tasks:
            self._tasks = tasks
            self._note()
            tasks.start_soon(self._listen)
            tasks.start_soon(self._tell)
            await self._end()
            tasks.cancel_scope.cancel()
        return self.table

    # The end.

    async def _end(self) -> None:
        await self._until(lambda: self.table.outcome is not None)
        grace = float(self.table.agreement.terms.times.grace)
        with trio.move_on_after(min(max(grace, LEAST), MOST)):
            with trio.move_on_after(LINGER) as patience:
                await self._until(lambda: self.table.heard_of_all and self._healing.agreed())
            if patience.cancelled_caught:
                await self._until(lambda: self.table.settled and self._healing.agreed())
        await self.local.herald.catch_up()
        with trio.move_on_after(LINGER):
            await self.mesh.drained()

    # Moving on.

    async def _until(self, condition: Callable[[], object]) -> None:
        while not condition():
            await self._moved.wait()

    def _note(self) -> None:
        """The table may have moved: tell everybody in this process, and the heartbeats."""
        self.mesh.beat(self._healing.pulse())
        if self.table.outcome:
            self.mesh.flood(self._healing.pulse())
        self.local.note()
        self._turns.move()
        self._stir()
        self._observer()

    def _stir(self) -> None:
        self._moved.set()
        self._moved = trio.Event()

    def _move_on(self, news: Parsed, origin: bytes | None, before: Open) -> None:
        """What follows here from an entry that was logged."""
        self._pass_on(news, origin)
        self._time(before)
        self._note()

    def _time(self, before: Open) -> None:
        if self.table.open is not before:
            self.since = trio.current_time()
            self._turns.time(before)

    def _pass_on(self, news: Parsed, origin: bytes | None) -> None:
        """An entry, or a whole proof: who brought its one half may lack the other."""
        first = self.table.beside(news)[0]
        if first is news:
            self.mesh.flood(_framed(news), origin)
        else:
            for half in (first, news):
                self.mesh.flood(_framed(half))

    # Peers.

    async def _listen(self) -> None:
        with suppress(trio.EndOfChannel):
            while True:
                peer, event = await self.mesh.queues.for_table(aside=self._goes_on)
                with blaming(self.mesh, peer):
                    self._hear(peer, event)

    def _goes_on(self, peer: bytes) -> None:
        """A peer speaks of the next match: at the end of this one it has left."""
        if self.table.outcome is not None:
            self._healing.left(peer)

    def _hear(self, peer: bytes, event: Event) -> None:
        if peer not in self.table.agreement.identities:
            return
        match event:
            case Linked():
                self.mesh.beat(self._healing.pulse())
                self._healing.linked(peer)
                mate = self.table.agreement.identities.index(peer) % 2 == self.local.seat % 2
                if mate and (game := game_of(self.table)) is not None:
                    self._tasks.start_soon(self._partners.show, game, peer)
            case Dropped():
                self._healing.dropped(peer, goodbye=event.goodbye)
                self.mesh.beat(self._healing.pulse())
                self._stir()
            case frames.EntryFrame(body=body, signature=signature):
                self._intake.put(peer, Entry(body, signature))
            case frames.Private():
                self._intake.put(peer, event)
            case frames.Pulse():
                self._healing.compare(peer, event)
                self._hearing.note(peer, event)
                if self.table.outcome is not None:  # only the end waits for what peers say of it
                    self._stir()
            case frames.Ask():
                self._healing.answer(peer, event)
            case frames.Talk(text=text):
                self.talk.hear(peer, text, private=False)
            case frames.Signature():
                pass  # of the agreement: everybody greets with them
            case _:
                self.mesh.close(peer, "not_due")

    # Our own seat.

    def leave(self) -> None:
        """Go home politely: with the next thing that our seat owes."""
        self._turns.leave()

    async def _tell(self) -> None:
        while True:
            await self.local.herald.catch_up()
            await self._moved.wait()

    async def _private(self, peer: bytes, frame: frames.Private) -> None:
        """A partner's cards or advice; anything else closes the link it came over."""
        agreement = self.table.agreement
        try:
            message = read_private(frames.unpad(frame))
        except (Malformed, Fault) as error:
            raise LinkFault("malformed", "private frame") from error
        if message.table != agreement.id or message.epoch != agreement.terms.epoch:
            raise LinkFault("wrong_table", "private frame")
        partner = Seat(agreement.identities.index(peer))
        if isinstance(message, Cards):
            await self._partners.hear(partner, message)
        elif partner % 2 != self.local.seat % 2:
            log.debug("a private message from the other team")
        elif isinstance(message, Signal):
            self.talk.hear(peer, message.text, private=True)
        else:
            self.local.hear(partner, message)


def _framed(parsed: Parsed) -> frames.EntryFrame:
    return frames.EntryFrame(parsed.entry.body, parsed.entry.signature)
