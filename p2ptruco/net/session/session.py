"""Drives one table over a mesh: entries in, entries out, until the match is sealed.

Laws:
1. The table decides; this only carries. Heavy checks run in worker threads, one at a time a
   peer, so the loop stays free and a peer that sends rubbish slows down nobody but itself.
2. Every entry that is news here is passed on to every other peer, once: one honest path suffices.
3. What only its receiver saw (a fault of the link) closes that link and touches nothing else; so
   does whatever a peer's bytes raise that nobody foresaw.
4. The deal of the next hand runs behind the play, each hand's entries in queues of their own and
   in a thread of their own: a move of the hand under way waits for none of them.
5. Private frames are never entries: nobody waits for them, nothing is blamed on them.

Source: table.md §3, §4, §6.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

import trio

from ...players.local import LocalSeat
from ...rules.seating import Seat
from ...table.codec import Malformed
from ...table.entries import Entry, Leave, Parsed, read_parsed
from ...table.private import Cards, Signal, read_private, write_private
from ...table.steps.dealing import Opening, Readying, Shuffling
from ...table.steps.phases import Need, Phase
from ...table.steps.playing import Choosing
from ...table.table import Open, Table
from ...table.violation import BrokenTable, LinkFault
from ..mesh.events import Dropped, Event, Linked
from ..mesh.mesh import Mesh
from ..transport import frames
from ..transport.fault import Fault
from ..wall import blaming
from .healing import Healing
from .hearing import Hearing
from .ours import ours, shown
from .partners import Partners, game_of
from .situation import Situation, situate
from .talk import Said, Talk

log = logging.getLogger(__name__)

Queue = tuple[bytes, int | None]
"""A peer, and the parity of the hand that its entries are of; None: its private frames. Two hands
at most are under way, and both halves of a proof are of one."""
INBOX = 1024
"""Entries of one peer waiting to be checked; a peer that sends more is too fast."""
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
        self._deals_ahead = ahead
        """Whether our seat deals the next hand behind the play. Others may, even if we do not."""
        self._tasks: trio.Nursery
        self._observer = shown(changed, lambda: self._tasks)
        heard = shown(said, lambda: self._tasks)
        self.talk = Talk(mesh, table.agreement, local.seat, heard)
        self._healing = Healing(mesh, table)
        self._hearing = Hearing(mesh, table.agreement, local.seat)
        self._partners = Partners(mesh, table, local)
        self._moved = trio.Event()
        self._inboxes: dict[Queue, trio.MemorySendChannel[Entry | frames.Private]] = {}
        self._checking: dict[Entry | Parsed, trio.Event] = {}
        """What is under way, and when it is over."""
        self._scopes: list[tuple[Open, trio.CancelScope]] = []
        self.since = trio.current_time()
        """When the open step was opened here (trio's clock)."""
        self._opened_at: float | None = None
        self.cold_deals: list[float] = []
        """Seconds from the last opening logged until own cards were open, hand by hand."""

    @property
    def owed(self) -> Mapping[Seat, Need]:
        """Who the table waits for."""
        return self.table.owed

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
            for task in (self._listen, self._speak, self._prepare, self._advise, self._open_hands):
                tasks.start_soon(task)
            tasks.start_soon(self._tell)
            if self._deals_ahead:
                tasks.start_soon(self._deal)
                tasks.start_soon(self._foresee)
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
        for here, scope in self._scopes:
            if here is not self.table.open:
                scope.cancel()
        self.mesh.beat(self._healing.pulse())
        if self.table.outcome:
            self.mesh.flood(self._healing.pulse())
        self.local.note()
        self._stir()
        self._observer()

    def _stir(self) -> None:
        self._moved.set()
        self._moved = trio.Event()

    async def _take(
        self,
        entry: Entry | Parsed,
        origin: bytes | None,
        threads: trio.CapacityLimiter | None = None,
    ) -> None:
        """Check in a thread, submit, pass on, and the same for kept entries now ripe."""
        with self._under_way(entry):
            here = self.table.open
            checked = await trio.to_thread.run_sync(self.table.check, entry, limiter=threads)
            if self.table.submit(checked):
                ours(self._move_on, lambda: self._tasks)(checked.parsed, origin, here)
            for parsed in self.table.ripe():
                try:
                    await self._take(parsed, None)
                except LinkFault as fault:
                    log.info("a kept entry was not due: %s", fault)

    def _move_on(self, news: Parsed, origin: bytes | None, before: Open) -> None:
        """What follows here from an entry that was logged."""
        self._pass_on(news, origin)
        self._time(before)
        self._note()

    @contextmanager
    def _under_way(self, entry: Entry | Parsed) -> Iterator[None]:
        """Until an entry is judged, and what was kept for the step that it opened."""
        self._checking[entry] = over = trio.Event()
        try:
            yield
        finally:
            self._checking.pop(entry, None)
            over.set()

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
                if not self.table.knows(entry := Entry(body, signature)):
                    self._put(peer, entry)
            case frames.Private():
                self._put(peer, event)
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

    def _put(self, peer: bytes, item: Entry | frames.Private) -> None:
        queue = (peer, None if isinstance(item, frames.Private) else _hand(item) % 2)
        if queue not in self._inboxes:
            send, receive = trio.open_memory_channel[Entry | frames.Private](INBOX)
            self._inboxes[queue] = send
            self._tasks.start_soon(self._work, peer, receive)
        if self._waiting(peer) >= INBOX:
            self.mesh.close(peer, "too_fast")
            return
        self._inboxes[queue].send_nowait(item)

    def _waiting(self, peer: bytes) -> int:
        """How much of a peer's waits to be checked."""
        inboxes = (inbox for (owner, _), inbox in self._inboxes.items() if owner == peer)
        return sum(inbox.statistics().current_buffer_used for inbox in inboxes)

    async def _work(
        self, peer: bytes, inbox: trio.MemoryReceiveChannel[Entry | frames.Private]
    ) -> None:
        """One peer's entries, one after the other."""
        async for item in inbox:
            with blaming(self.mesh, peer):
                if isinstance(item, frames.Private):
                    await self._private(peer, item)
                elif not (
                    self.table.knows(item) or item in self._checking or self.table.moot(item)
                ):
                    await self._judge(item, peer, self.local.threads(_hand(item)))
                    self._healing.ask_for_support()

    async def _judge(self, entry: Entry, peer: bytes, threads: trio.CapacityLimiter | None) -> None:
        """Take a peer's entry. What is not due is looked at once more when all that was under way
        is over: of a proof, the first half may be among it, brought by somebody else.
        """
        try:
            await self._take(entry, peer, threads)
        except LinkFault as fault:
            if fault.word != "not_due":
                raise
            for over in tuple(self._checking.values()):
                await over.wait()
            await self._take(entry, peer, threads)

    # Our own seat.

    async def _speak(self) -> None:
        while True:
            await self._until(lambda: self.local.to_speak)
            entry = None
            with self._while_open(self.table.open):
                entry = await self.local.speak()
            if entry is not None:
                await self._take_own(entry)

    async def _take_own(self, entry: Entry) -> None:
        try:
            await self._take(entry, None)
        except LinkFault as fault:
            raise BrokenTable(f"our own entry is refused: {fault}") from fault

    async def _deal(self) -> None:
        """Deal the next hand behind the play."""
        while True:
            await self._until(lambda: self.local.due_ahead)
            here = self.table.ahead
            entry = await self.local.speak_ahead()
            if entry is not None:
                await self._take_own(entry)
            else:
                await self._until(lambda here=here: self.table.ahead is not here)  # type: ignore[misc]

    async def _foresee(self) -> None:
        """Make our tokens of the next hand as soon as its deck is there."""
        foreseen = -1
        while True:
            await self._until(lambda foreseen=foreseen: self._past(foreseen, Readying))  # type: ignore[misc]
            here = self._past(foreseen, Readying)
            assert here is not None
            foreseen = here.position.hand
            await self.local.foresee(here)

    @contextmanager
    def _while_open(self, here: Open) -> Iterator[None]:
        """Give the block up when the table moves on, or when our seat leaves."""
        with trio.CancelScope() as scope:
            self._scopes.append((here, scope))
            try:
                yield
            finally:
                self._scopes.remove((here, scope))

    def leave(self) -> None:
        """Go home politely: with the next thing that our seat owes."""
        self.local.leaving = True
        for _, scope in self._scopes:
            scope.cancel()

    async def _prepare(self) -> None:
        """Draw the offline part of our shuffle while the others shuffle."""
        prepared = -1
        while True:
            await self._until(lambda prepared=prepared: self._past(prepared, Shuffling))  # type: ignore[misc]
            here = self._past(prepared, Shuffling)
            assert here is not None
            prepared = here.position.hand
            threads = self.local.threads(prepared)
            prepare = self.local.keeper.prepare
            await trio.to_thread.run_sync(prepare, here.phase, limiter=threads)

    def _past(self, hand: int, step: type[Phase]) -> Open | None:
        """A step of this kind that is open in a hand after this one."""
        both = (self.table.open, self.table.ahead if self._deals_ahead else None)
        opened = (here for here in both if here and isinstance(here.phase, step))
        return next((here for here in opened if here.position.hand > hand), None)

    async def _advise(self) -> None:
        """Press for the team when a partner of ours speaks for it."""
        told: Open | None = None
        while True:
            await self._until(lambda told=told: self._partner_asked(told))  # type: ignore[misc]
            told = here = self.table.open
            self._tasks.start_soon(self._send_advice, here)

    def _partner_asked(self, told: Open | None) -> bool:
        here = self.table.open
        if here is told or not isinstance(here.phase, Choosing):
            return False
        return here.phase.speaker != self.local.seat

    async def _send_advice(self, here: Open) -> None:
        assert isinstance(here.phase, Choosing)
        advice = None
        with self._while_open(here):
            advice = await self.local.advise(here)
        if advice is not None:
            speaker = self.table.agreement.identities[here.phase.speaker]
            self.mesh.send(speaker, frames.pad(write_private(advice)))

    async def _tell(self) -> None:
        while True:
            await self.local.herald.catch_up()
            await self._moved.wait()

    # Cards.

    def _time(self, before: Open) -> None:
        if self.table.open is not before:
            self.since = trio.current_time()
        if isinstance(before.phase, Opening) and isinstance(self.table.open.phase, Shuffling):
            self._opened_at = trio.current_time()

    async def _open_hands(self) -> None:
        """Once a hand's tokens are in: open own cards, show them to partners where due."""
        opened = -1
        while True:
            await self._until(
                lambda opened=opened: (
                    game_of(self.table) is not None  # type: ignore[misc]
                    and self.table.open.position.hand != opened
                )
            )
            game = game_of(self.table)
            assert game is not None
            opened = self.table.open.position.hand
            if await self.local.look(game) and self._opened_at is not None:
                self.cold_deals.append(trio.current_time() - self._opened_at)
            self._opened_at = None
            await self._partners.show(game)
            await self._partners.look()
            self._note()

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


def _hand(entry: Entry) -> int:
    """The hand that an entry is of; 0 if it has no shape, for which its link is closed later."""
    try:
        return read_parsed(entry).body.hand
    except LinkFault:
        return 0


def _framed(parsed: Parsed) -> frames.EntryFrame:
    return frames.EntryFrame(parsed.entry.body, parsed.entry.signature)
