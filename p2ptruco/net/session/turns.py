"""What the open steps ask of our own seat.

Laws:
1. What a step asks runs in a nursery of that step, and is given up when the table moves on.
2. What is done once a hand, however many steps it takes, runs beside them: the offline part of a
   shuffle, tokens made beforehand, own cards.
3. What our seat says is logged outside of its step: logging it is what closes that.
4. The step of the hand under way and the one of the deal behind it are open at once. A seat that
   leaves, or does not deal ahead, attends to the first alone.

Source: table.md §1, §3.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio

from ...players.local import LocalSeat
from ...table.entries import Entry, Place
from ...table.private import write_private
from ...table.steps.dealing import Opening, Readying, Shuffling
from ...table.steps.playing import Choosing
from ...table.table import Open, Table
from ..mesh.mesh import Mesh
from ..transport import frames
from .ours import Tasks
from .partners import Partners, game_of

HandTask = Callable[[Open], Awaitable[None]]


class Turns:
    """Our seat's part. `tasks`: the session's; `say` logs an entry of ours; `noted` is called when
    our cards are open."""

    def __init__(
        self,
        mesh: Mesh,
        table: Table,
        local: LocalSeat,
        partners: Partners,
        tasks: Tasks,
        *,
        ahead: bool,
        say: Callable[[Entry], Awaitable[None]],
        noted: Callable[[], None],
    ) -> None:
        self._mesh, self._table, self._local, self._partners = mesh, table, local, partners
        self._deals_ahead = ahead
        """Whether our seat deals the next hand behind the play. Others may, even if we do not."""
        self._tasks, self._say, self._noted = tasks, say, noted
        self._steps: dict[Place, trio.CancelScope] = {}
        self._done: set[tuple[HandTask, int]] = set()
        self._dealt_since: float | None = None
        """When the last keys of the hand under way were opened (trio's clock)."""
        self.cold_deals: list[float] = []
        """Seconds from the last opening logged until own cards were open, hand by hand."""

    def move(self) -> None:
        """Give up the steps that the table has left, begin those that it waits for."""
        attended = {here.place: here for here in self._attended()}
        for place in self._steps.keys() - attended.keys():
            self._steps.pop(place).cancel()
        for place, here in attended.items():
            if place not in self._steps:
                self._begin(here)

    def leave(self) -> None:
        """Go home politely: with the next thing that our seat owes."""
        self._local.leaving = True
        for scope in self._steps.values():
            scope.cancel()

    def time(self, before: Open) -> None:
        """The table has moved on from a step: note when the cards of a hand began to be dealt."""
        if isinstance(before.phase, Opening) and isinstance(self._table.open.phase, Shuffling):
            self._dealt_since = trio.current_time()

    def _attended(self) -> tuple[Open, ...]:
        """The steps that our seat attends to."""
        here, ahead = self._table.open, self._table.ahead
        alone = ahead is None or not self._deals_ahead or self._local.leaving
        return (here,) if alone or ahead is None else (here, ahead)

    # A step.

    def _begin(self, here: Open) -> None:
        self._steps[here.place] = scope = trio.CancelScope()
        self._tasks().start_soon(self._step, here, scope)
        if isinstance(here.phase, Shuffling):
            self._once(self._prepare, here)
        if isinstance(here.phase, Readying) and self._deals_ahead:
            self._once(self._local.foresee, here)
        if here is self._table.open and game_of(self._table) is not None:
            self._once(self._open_cards, here)

    async def _step(self, here: Open, scope: trio.CancelScope) -> None:
        """What one step asks; once more if our seat leaves meanwhile."""
        with scope:
            async with trio.open_nursery() as step:
                step.start_soon(self._speak, here)
                if self.partner_asked(here) and not self._local.leaving:
                    step.start_soon(self._advise, here)
        if scope.cancel_called and self._steps.get(here.place) is scope:
            del self._steps[here.place]
            self.move()

    async def _speak(self, here: Open) -> None:
        if (entry := await self._local.speak(here)) is not None:
            self._tasks().start_soon(self._say, entry)

    def partner_asked(self, here: Open) -> bool:
        """Whether a partner of ours, or an opponent, speaks in this step and not we."""
        return isinstance(here.phase, Choosing) and here.phase.speaker != self._local.seat

    async def _advise(self, here: Open) -> None:
        """Press for the team when a partner of ours speaks for it."""
        assert isinstance(here.phase, Choosing)
        if (advice := await self._local.advise(here)) is not None:
            speaker = self._table.agreement.identities[here.phase.speaker]
            self._mesh.send(speaker, frames.pad(write_private(advice)))

    # A hand.

    def _once(self, task: HandTask, here: Open) -> None:
        """Begin what is done once in the hand of this step."""
        if (task, here.position.hand) not in self._done:
            self._done.add((task, here.position.hand))
            self._tasks().start_soon(task, here)

    async def _prepare(self, here: Open) -> None:
        """Draw the offline part of our shuffle while the others shuffle."""
        threads = self._local.threads(here.position.hand)
        await self._local.offload(self._local.keeper.prepare, here.phase, limiter=threads)

    async def _open_cards(self, here: Open) -> None:
        """Open own cards, once a hand's tokens are in; show them to partners where due."""
        game = game_of(self._table)
        if game is None:  # the table has moved on, to its end or by a proof
            return
        since, self._dealt_since = self._dealt_since, None
        if await self._local.look(game) and since is not None:
            self.cold_deals.append(trio.current_time() - since)
        await self._partners.show(game)
        await self._partners.look()
        self._noted()
