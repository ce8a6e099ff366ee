"""A seat of ours: choices go to the mind, duties to the keys.

Laws:
1. One place, one word: an entry is signed once for a (position, head) and never again; of the
   ends of a match one is sealed, whatever proof comes afterwards.
2. A team's answer has one speaker. Ours takes whichever press comes first, its mind's or a
   partner's advice; a partner's advice travels in a private frame and nobody waits for it.
3. Time up is a move of the rules, made by our own client.
"""

from __future__ import annotations

import math
import random
from collections.abc import Awaitable, Callable, Mapping
from functools import partial

import trio

from ..rules.cards import Card
from ..rules.hand import Hand
from ..rules.hand import Phase as HandPhase
from ..rules.moves import Move
from ..rules.play import default, legal, to_act
from ..rules.seating import Seat, Slot, slots_of, vira_slot
from ..rules.view import View, view_of
from ..table.entries import Content, Entry, Leave, Place, Position, write
from ..table.identity import Identity
from ..table.private import Advice
from ..table.steps.dealing import Readying
from ..table.steps.phases import Choice
from ..table.steps.playing import SAID, Choosing, Game
from ..table.steps.sealing import Sealing
from ..table.table import Open, Table
from .herald import Herald
from .keeper import WORDS, Forgotten, Keeper
from .mind import Mind
from .offload import Offload, in_thread

TEAM_ASKED = (HandPhase.ANSWERING, HandPhase.DECIDING)
PARTNERS_CARDS_WAIT = 5.0
"""Seconds to wait for partners' cards before the special decision (table.md §3)."""


class LocalSeat:
    """One seat of this process: its identity, keys and mind."""

    def __init__(
        self,
        table: Table,
        seat: Seat,
        identity: Identity,
        mind: Mind,
        rng: random.Random,
        *,
        patience: float = 0.0,
        offload: Offload = in_thread,
    ) -> None:
        self.table = table
        self.seat = seat
        self.mind = mind
        self.patience = patience
        """Seconds for which a mind that speaks for people waits for their advice first."""
        self.offload = offload
        self.deadline: float | None = None
        """When the decision under way is over (trio's clock); None: no clock runs."""
        self.leaving = False
        """Whether this seat goes home with the next thing that it owes."""
        self.keeper = Keeper(seat, table.source)
        self.seen: Mapping[Slot, Card] = {}
        """The faces this seat has seen of the hand under way, public ones apart."""
        self._identity = identity
        self._rng = rng
        self._said: set[Place] = set()
        self._making = (trio.Lock(), trio.Lock())
        """One entry at a time of each of the two hands under way."""
        self._sealed = False
        self._advice: dict[tuple[Position, bytes], tuple[Seat, Move]] = {}
        self._news = trio.Event()
        self._hands = 0
        self._behind = trio.CapacityLimiter(1)
        self.herald = Herald(table, seat, mind, rng)

    @property
    def due(self) -> bool:
        """Whether the table waits for this seat, which has not yet spoken in this place."""
        here = self.table.open
        sealed = self._sealed and isinstance(here.phase, Sealing)
        owes = self.table.need(self.seat) is not None
        return not sealed and owes and here.place not in self._said

    @property
    def due_ahead(self) -> bool:
        """The same of the deal behind the hand, where a seat that leaves says nothing."""
        here, owes = self.table.ahead, self.table.need_ahead(self.seat) is not None
        return here is not None and owes and not self.leaving and here.place not in self._said

    async def speak(self, here: Open) -> Entry | None:
        """The entry that a step waits for, of the hand under way or of the deal behind it; None if
        nothing is due there, or no more when it was made."""
        async with self._making[here.position.hand % 2]:
            try:
                if self._owes(here):
                    content = await self._content(here)
                    if self._owes(here):
                        return self._signed(here, content)
            except Forgotten:  # the hand ended while a thread was on its way
                pass
        return None

    def _owes(self, here: Open) -> bool:
        """Whether our word is due in this step."""
        if here.place == self.table.open.place:
            return self.due
        ahead = self.table.ahead
        return ahead is not None and here.place == ahead.place and self.due_ahead

    def _signed(self, here: Open, content: Content) -> Entry:
        self._said.add(here.place)
        self._sealed = isinstance(here.phase, Sealing)
        agreement = self.table.agreement
        return write(agreement, here.position, self.seat, here.head, content, self._identity)

    async def _content(self, here: Open) -> Content:
        played = here.place == self.table.open.place
        if self.leaving and played and not isinstance(here.phase, Sealing):
            return Leave()
        if played and isinstance(self.table.need(self.seat), Choice):
            return await self._choice(here)
        return await self._duty(here)

    async def _duty(self, here: Open) -> Content:
        threads = self.threads(here.position.hand)
        return await self.offload(self.keeper.pay, here.phase, limiter=threads)

    def threads(self, hand: int) -> trio.CapacityLimiter | None:
        """Where to work for a hand: for one behind the play one thread at a time, so that a move of
        the hand under way has another core."""
        return self._behind if hand > self.table.open.position.hand else None

    async def foresee(self, here: Open) -> None:
        """Make our tokens of the hand that is dealt behind this one, to be given when it begins."""
        assert isinstance(here.phase, Readying)
        players = self.table.agreement.players
        owed = [slots_of(Seat(owner)) for owner in range(players) if owner != self.seat]
        if self.table.agreement.variant.has_vira:
            owed.append((vira_slot(players),))
        for slots in owed:
            await self.offload(self.keeper.foresee, here.phase, slots, limiter=self._behind)

    async def _choice(self, here: Open) -> Content:
        assert isinstance(here.phase, Choosing)
        game = here.phase.game
        move = await self._decide(game, here)
        return await self.offload(self.keeper.say, game, move)

    # Deciding.

    async def _decide(self, game: Game, here: Open) -> Move:
        """The mind's move, a partner's press if that is first, or the default when time is up."""
        seconds = float(self.table.agreement.terms.times.move) or math.inf
        with trio.move_on_after(seconds) as clock:
            self.deadline = None if seconds == math.inf else clock.deadline
            return await self._first_press(game, here)
        view = await self.view(game)
        chosen = self.mind.in_time(view)
        return chosen if chosen in view.legal else default(game.hand, self.seat, view.cards)

    async def _first_press(self, game: Game, here: Open) -> Move:
        pressed: list[Move] = []
        async with trio.open_nursery() as presses:

            async def press(ask: Callable[[], Awaitable[Move]]) -> None:
                pressed.append(await ask())
                presses.cancel_scope.cancel()

            presses.start_soon(press, partial(self._ask_mind, game))
            presses.start_soon(press, partial(self._await_advice, game.hand, here))
        return pressed[0]

    async def _ask_mind(self, game: Game) -> Move:
        view = await self.view(game)
        self.herald.look(self.seen)
        await self.herald.catch_up()
        if game.hand.phase in TEAM_ASKED and not self.mind.advises:
            await trio.sleep(self.patience)
        return await self.mind.choose(view)

    async def _await_advice(self, hand: Hand, here: Open) -> Move:
        while True:
            partner, move = self._advice.get(here[:2], (self.seat, None))
            if partner in to_act(hand) and move in legal(hand, self.seat):
                return move
            await self._news.wait()

    def hear(self, partner: Seat, advice: Advice) -> None:
        """A partner's press, to be used if the question that is open is that partner's too."""
        place = Position(advice.hand, advice.attempt, advice.step)
        self._advice = {(place, advice.head): (partner, SAID[advice.word])}
        self.stir()

    def stir(self) -> None:
        """Something was learnt that a waiting decision may want to look at again."""
        self._news.set()
        self._news = trio.Event()

    async def advise(self, here: Open) -> Advice | None:
        """What to tell the partner who speaks, if our mind presses something."""
        assert isinstance(here.phase, Choosing)
        hand = here.phase.game.hand
        if not self.mind.advises or self.seat not in to_act(hand):
            return None
        word = WORDS[await self._ask_mind(here.phase.game)]
        agreement = self.table.agreement
        place = here.position
        return Advice(
            agreement.id,
            agreement.terms.epoch,
            *place,
            here.head,
            word,  # type: ignore[arg-type]
        )

    # Seeing.

    async def view(self, game: Game) -> View:
        """What this seat may look at now; in a special hand after its partners' cards came."""
        await self._partners_cards(game)
        seen = await self.look(game)
        await trio.lowlevel.checkpoint_if_cancelled()  # the hand that is over shows no faces
        table = self.table
        return view_of(
            game.hand,
            self.seat,
            seen,
            rng=self._rng,
            match=table.match,
            past=table.hands,
            names=table.agreement.names,
        )

    async def look(self, game: Game) -> Mapping[Slot, Card]:
        """Open what this seat may see; the keys do it, in a thread."""
        hands, seen = self._hands, await self.offload(self.keeper.sees, game)
        if hands == self._hands:  # else the hand ended meanwhile
            self.seen = seen
        return seen

    def note(self) -> None:
        """The table has moved: forget the keys of a hand that is over, note the news."""
        if len(self.table.hands) != self._hands or self.table.outcome:
            self._hands = len(self.table.hands)
            if self.table.outcome:
                self.keeper.drop()
            else:
                self.keeper.turn_to(self.table.open.position.hand)
            self.seen = {}  # before the herald looks, or it would tell these of the next hand
        self.herald.look(self.seen)
        self.stir()

    async def _partners_cards(self, game: Game) -> None:
        if game.hand.phase is not HandPhase.DECIDING:
            return
        half = self.table.agreement.terms.times.move / 2 or PARTNERS_CARDS_WAIT
        with trio.move_on_after(min(PARTNERS_CARDS_WAIT, half)):
            while not self.keeper.has_partners(game):
                await self._news.wait()
