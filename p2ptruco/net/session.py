"""Drives one table over a mesh: entries in, entries out, until the match is sealed.

Laws:
1. The table decides; this only carries. Heavy checks run in worker threads, one at a time a
   peer, so the loop stays free and a peer that sends rubbish slows down nobody but itself.
2. Every entry that is news here is passed on to every other peer, once: one honest path suffices.
3. What only its receiver saw (a fault of the link) closes that link and touches nothing else.
4. Private frames are never entries: nobody waits for them, nothing is blamed on them.

Source: table.md §3, §4, §6.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

import trio

from ..players.keeper import Forgotten
from ..players.local import LocalSeat
from ..rules.seating import Seat
from ..table.codec import Malformed
from ..table.dealing import Shuffling
from ..table.entries import Entry, Parsed, Position
from ..table.phases import Need
from ..table.playing import Choosing, Game, Revealing
from ..table.private import Cards, Signal, read_private, write_private
from ..table.table import Open, Table
from ..table.text import CHAT_BYTES, CHAT_GRAPHEMES, clean
from ..table.violation import BrokenTable, LinkFault
from . import frames
from .fault import Fault
from .limits import Bucket
from .mesh import Dropped, Event, Linked, Mesh

log = logging.getLogger(__name__)

INBOX = 1024
"""Entries of one peer waiting to be checked; a peer that sends more is too fast."""
TALK_RATE, TALK_BURST = 1.0, 8.0
"""Lines a second that one peer may say, and at once; the rest is not heard."""
SIGNAL_BYTES = 80
ASK_AGAIN = 1.0
"""Seconds before the same peer is asked, or answered, again."""
AFTER = 64
"""Messages of the next lobby kept while this match ends."""
SEALS = 30.0
"""Seconds at most to wait for seals, whatever the agreement grants: a host may grant hours."""
LINGER = 5.0
"""Seconds to wait for the others to hold every seal before leaving, and to read what is theirs."""


class Session:
    """One table, one local seat, one mesh. `run` returns when the match is over and sealed,
    or when the seals that are still missing were waited for long enough."""

    def __init__(
        self,
        mesh: Mesh,
        table: Table,
        local: LocalSeat,
        *,
        early: Iterable[tuple[bytes, Event]] = (),
        changed: Callable[[], None] = lambda: None,
        said: Callable[[Seat, str, bool], None] = lambda seat, text, private: None,
    ) -> None:
        self.mesh, self.table, self.local = mesh, table, local
        self._early = tuple(early)
        self._observer, self._said = changed, said
        self._talk: dict[bytes, Bucket] = {}
        self.after: list[tuple[bytes, Event]] = []
        """What peers that have finished say of the next match."""
        self._moved = trio.Event()
        self._inboxes: dict[bytes, trio.MemorySendChannel[Entry | frames.Private]] = {}
        self._checking: set[Entry] = set()
        self._scopes: list[tuple[Open, trio.CancelScope]] = []
        self.since = trio.current_time()
        """When the open step was opened here (trio's clock)."""
        self._pulses: dict[bytes, frames.Pulse] = {}
        self._asked: dict[bytes, float] = {}
        self._answered: dict[bytes, float] = {}
        self._waiting_cards: dict[Seat, Cards] = {}
        self._opened_at = 0.0
        self.cold_deals: list[float] = []
        """Seconds from the last opening logged until own cards were open, hand by hand."""

    @property
    def owed(self) -> Mapping[Seat, Need]:
        """Who the table waits for."""
        return self.table.owed

    async def run(self) -> Table:
        async with trio.open_nursery() as tasks:
            self._tasks = tasks
            self._note()
            for task in (self._listen, self._speak, self._prepare, self._advise, self._open_hands):
                tasks.start_soon(task)
            tasks.start_soon(self._tell)
            await self._end()
            tasks.cancel_scope.cancel()
        return self.table

    # The end.

    async def _end(self) -> None:
        await self._until(lambda: self.table.outcome is not None)
        grace = float(self.table.agreement.terms.times.grace)
        with trio.move_on_after(min(grace, SEALS)):
            await self._until(lambda: self.table.finished)
        with trio.move_on_after(LINGER):
            await self._until(self._others_hold_it)
        await self.local.herald.catch_up()
        with trio.move_on_after(LINGER):
            await self.mesh.drained()

    def _others_hold_it(self) -> bool:
        """Whether every peer that is still linked stands where we stand."""
        here = self._pulse()
        others = self.mesh.linked & set(self.table.agreement.identities)
        return all(self._pulses.get(peer) == here for peer in others)

    # Moving on.

    async def _until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            await self._moved.wait()

    def _note(self) -> None:
        """The table may have moved: tell everybody in this process, and the heartbeats."""
        for here, scope in self._scopes:
            if here is not self.table.open:
                scope.cancel()
        self.mesh.beat(self._pulse())
        if self.table.outcome:
            self.mesh.flood(self._pulse())
        self.local.note()
        self._stir()
        self._observer()

    def _stir(self) -> None:
        self._moved.set()
        self._moved = trio.Event()

    def _pulse(self) -> frames.Pulse:
        position, head, _ = self.table.open
        return frames.Pulse(self.table.agreement.terms.epoch, *position, head)

    async def _take(self, entry: Entry | Parsed, origin: bytes | None) -> None:
        """Check in a thread, submit, pass on, and the same for kept entries now ripe."""
        here = self.table.open
        checked = await trio.to_thread.run_sync(self.table.check, entry)
        if self.table.submit(checked):
            self._pass_on(checked.parsed, origin)
        self._time(here)
        self._note()
        for parsed in self.table.ripe():
            try:
                await self._take(parsed, None)
            except LinkFault as fault:
                log.info("a kept entry was not due: %s", fault)

    def _pass_on(self, news: Parsed, origin: bytes | None) -> None:
        """An entry, or a whole proof: who brought its one half may lack the other."""
        proof = self.table.equivocation
        if proof is None or news not in proof:
            self.mesh.flood(_framed(news), origin)
        else:
            for half in proof:
                self.mesh.flood(_framed(half))

    # Peers.

    async def _listen(self) -> None:
        for peer, event in self._early:
            self._hear(peer, event)
        async for peer, event in self.mesh.events:
            self._hear(peer, event)

    def _hear(self, peer: bytes, event: Event) -> None:
        if peer not in self.table.agreement.identities:
            return
        match event:
            case Linked():
                for rest in (self._asked, self._answered):
                    rest.pop(peer, None)  # what was under way on the link before may be lost
                self._ask(peer, self._lacking())
            case Dropped():
                self._stir()
            case frames.EntryFrame(body=body, signature=signature):
                if not self.table.knows(entry := Entry(body, signature)):
                    self._put(peer, entry)
            case frames.Private():
                self._put(peer, event)
            case frames.Pulse():
                self._compare(peer, event)
            case frames.Ask():
                self._answer(peer, event)
            case frames.Talk(text=text):
                self._hear_said(peer, text, private=False)
            case frames.Enter() | frames.Room() | frames.Said():
                if len(self.after) < AFTER:
                    self.after.append((peer, event))
            case frames.Signature():
                pass  # of the agreement: everybody greets with them
            case _:
                self.mesh.close(peer, "not_due")

    def _put(self, peer: bytes, item: Entry | frames.Private) -> None:
        if peer not in self._inboxes:
            send, receive = trio.open_memory_channel[Entry | frames.Private](INBOX)
            self._inboxes[peer] = send
            self._tasks.start_soon(self._work, peer, receive)
        try:
            self._inboxes[peer].send_nowait(item)
        except trio.WouldBlock:
            self.mesh.close(peer, "too_fast")

    async def _work(
        self, peer: bytes, inbox: trio.MemoryReceiveChannel[Entry | frames.Private]
    ) -> None:
        """One peer's entries, one after the other."""
        async for item in inbox:
            try:
                if isinstance(item, frames.Private):
                    await self._private(peer, item)
                elif not (self.table.knows(item) or item in self._checking):
                    await self._once(item, peer)
                    self._ask_for_support()
            except LinkFault as fault:
                log.info("closing a link: %s", fault)
                self.mesh.close(peer, fault.word)

    async def _once(self, entry: Entry, peer: bytes) -> None:
        """Take an entry; the same bytes from another peer meanwhile are not checked twice."""
        self._checking.add(entry)
        try:
            await self._take(entry, peer)
        finally:
            self._checking.discard(entry)

    # Healing: who lacks what, and what stands behind an unknown head.

    def _compare(self, peer: bytes, pulse: frames.Pulse) -> None:
        """Ask a peer that has been ahead of us, or on another head, for two heartbeats."""
        before, here = self._pulses.get(peer), self._pulse()
        self._pulses[peer] = pulse
        ours = self.table.open.position
        theirs = Position(pulse.hand, pulse.attempt, pulse.step)
        forked = theirs == ours and pulse.head != here.head
        ahead = before and min(theirs, Position(before.hand, before.attempt, before.step)) > ours
        if forked or ahead:  # whoever stays ahead may have come there from another head
            self._ask(peer, _behind(ours))
        self._stir()

    def _lacking(self) -> Position:
        """From where on to ask: the open step, or further back while something has no support."""
        here = self.table.open.position
        return _behind(here) if self.table.unsupported else here

    def _ask_for_support(self) -> None:
        for parsed in self.table.unsupported:
            author = self.table.agreement.identities[parsed.body.seat]
            self._ask(author, _behind(parsed.position))

    def _ask(self, peer: bytes, since: Position) -> None:
        if self._rested(self._asked, peer):
            self.mesh.send(peer, frames.Ask(self.table.agreement.terms.epoch, *since))

    def _answer(self, peer: bytes, ask: frames.Ask) -> None:
        if ask.epoch != self.table.agreement.terms.epoch or not self._rested(self._answered, peer):
            return
        for entry in self.table.held(Position(ask.hand, ask.attempt, ask.step)):
            self.mesh.send(peer, frames.EntryFrame(entry.body, entry.signature))
        self.mesh.send(peer, self._pulse())

    @staticmethod
    def _rested(last: dict[bytes, float], peer: bytes) -> bool:
        now = trio.current_time()
        if now - last.get(peer, float("-inf")) < ASK_AGAIN:
            return False
        last[peer] = now
        return True

    # Our own seat.

    async def _speak(self) -> None:
        while True:
            await self._until(lambda: self.local.due)
            entry = None
            with self._while_open(self.table.open):
                entry = await self.local.speak()
            if entry is not None:
                try:
                    await self._take(entry, None)
                except LinkFault as fault:
                    raise BrokenTable(f"our own entry is refused: {fault}") from fault

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
        while True:
            await self._until(lambda: isinstance(self.table.open.phase, Shuffling))
            here = self.table.open
            await trio.to_thread.run_sync(self.local.keeper.prepare, here.phase)
            await self._until(lambda here=here: self.table.open.position.hand != here.position.hand)  # type: ignore[misc]

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

    # Talk: never in the log.

    def talk(self, text: str) -> None:
        """Say something to everybody."""
        if line := clean(text, CHAT_BYTES, CHAT_GRAPHEMES):
            self.mesh.flood(frames.Talk(line))

    def signal(self, text: str) -> None:
        """Say something to partners only, in private frames."""
        agreement = self.table.agreement
        if not (line := clean(text, SIGNAL_BYTES, SIGNAL_BYTES)):
            return
        message = write_private(Signal(agreement.id, agreement.terms.epoch, line))
        for seat, identity in enumerate(agreement.identities):
            if seat != self.local.seat and seat % 2 == self.local.seat % 2:
                self.mesh.send(identity, frames.pad(message))

    def _hear_said(self, peer: bytes, text: str, *, private: bool) -> None:
        now = trio.current_time()
        bucket = self._talk.setdefault(peer, Bucket(TALK_RATE, TALK_BURST, now))
        line = clean(text, CHAT_BYTES, CHAT_GRAPHEMES)
        if line and bucket.take(1, now):
            self._said(Seat(self.table.agreement.identities.index(peer)), line, private)

    # Cards.

    def _game(self) -> Game | None:
        phase = self.table.open.phase
        return phase.game if isinstance(phase, (Choosing, Revealing)) else None

    def _time(self, before: Open) -> None:
        if self.table.open is not before:
            self.since = trio.current_time()
        if before.position.step == 1 and self.table.open.position.step == 2:
            self._opened_at = trio.current_time()

    async def _open_hands(self) -> None:
        """Once a hand's tokens are in: open own cards, show them to partners where due."""
        opened = -1
        while True:
            await self._until(
                lambda opened=opened: (
                    self._game() is not None  # type: ignore[misc]
                    and self.table.open.position.hand != opened
                )
            )
            game = self._game()
            assert game is not None
            opened = self.table.open.position.hand
            if await self.local.look(game):
                self.cold_deals.append(trio.current_time() - self._opened_at)
            await self._show_partners(game)
            await self._look_at_partners()
            self._note()

    async def _show_partners(self, game: Game) -> None:
        agreement, context = self.table.agreement, game.joint.context
        try:
            owed = await trio.to_thread.run_sync(self.local.keeper.for_partners, game)
        except Forgotten:  # the hand is over
            return
        for partner, blob in owed.items():
            message = Cards(agreement.id, context.epoch, context.hand, context.attempt, blob)
            self.mesh.send(agreement.identities[partner], frames.pad(write_private(message)))

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
            self._waiting_cards[partner] = message
            await self._look_at_partners()
        elif partner % 2 != self.local.seat % 2:
            log.info("a private message from the other team")
        elif isinstance(message, Signal):
            self._hear_said(peer, message.text, private=True)
        else:
            self.local.hear(partner, message)

    async def _look_at_partners(self) -> None:
        """Use the partners' tokens that came, if this hand is the one they are for."""
        game = self._game()
        if game is None:
            return
        context = game.joint.context
        for partner in list(self._waiting_cards):
            cards = self._waiting_cards.get(partner)  # another task may have taken them meanwhile
            if cards and (cards.hand, cards.attempt) == (context.hand, context.attempt):
                del self._waiting_cards[partner]
                take = partial(self.local.keeper.from_partner, game, partner, cards.tokens)
                if not await trio.to_thread.run_sync(take):
                    log.info("the tokens of a partner do not hold")
                self.local.stir()


def _behind(position: Position) -> Position:
    """The start of the hand before: a fork in its last step shows only in the tokens of this."""
    return Position(max(position.hand - 1, 0), 0, 0)


def _framed(parsed: Parsed) -> frames.EntryFrame:
    return frames.EntryFrame(parsed.entry.body, parsed.entry.signature)
