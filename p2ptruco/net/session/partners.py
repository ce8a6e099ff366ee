"""Cards inside a team: shown to partners in private frames where the rules say so (table.md §3).

Laws:
1. Nobody waits for them at the table, and nothing is blamed on them.
2. The tokens of one partner are used once, in the hand that they are for; those of opponents never
   come to the keys.
3. What a partner sends is checked a few times a hand, ours are made once a hand: neither links nor
   frames cost more proofs.
"""

from __future__ import annotations

import logging
from collections import Counter

from ...players.keeper import Forgotten
from ...players.local import LocalSeat
from ...rules.seating import Seat
from ...table.private import Cards, write_private
from ...table.steps.playing import Choosing, Game, Revealing
from ...table.table import Table
from ..mesh.mesh import Mesh
from ..transport import frames
from ..wall import blaming

log = logging.getLogger(__name__)

TRIES = 4
"""Checks of one partner's tokens in a hand: honest ones hold at the first."""


class Partners:
    """Our cards to our partners, theirs to our keys."""

    def __init__(self, mesh: Mesh, table: Table, local: LocalSeat) -> None:
        self._mesh, self._table, self._local = mesh, table, local
        self._waiting: dict[Seat, Cards] = {}
        self._place = (0, 0)
        """Hand and attempt of the tokens that were checked last."""
        self._tries: Counter[Seat] = Counter()

    async def show(self, game: Game, to: bytes | None = None) -> None:
        """Send what our partners may see of ours in this hand, if anything; `to`: only to the peer
        whose link is back, for what was under way on the one before may be lost."""
        agreement, context = self._table.agreement, game.joint.context
        try:
            owed = await self._local.offload(self._local.keeper.for_partners, game)
        except Forgotten:  # the hand is over
            return
        for partner, blob in owed.items():
            message = Cards(agreement.id, context.epoch, context.hand, context.attempt, blob)
            peer = agreement.identities[partner]
            if to in (None, peer):
                self._mesh.send(peer, frames.pad(write_private(message)))

    async def hear(self, partner: Seat, cards: Cards) -> None:
        """A partner's; kept until the hand that they are for is under way here."""
        if partner % 2 != self._local.seat % 2:
            return
        self._waiting[partner] = cards
        await self.look()

    async def look(self) -> None:
        """Use what came, if this hand is the one that it is for."""
        game = game_of(self._table)
        if game is None:
            return
        place = (game.joint.context.hand, game.joint.context.attempt)
        if self._place != place:
            self._place, self._tries = place, Counter()
        for partner in list(self._waiting):
            cards = self._waiting.get(partner)  # another task may have taken them meanwhile
            if cards and (cards.hand, cards.attempt) == place:
                del self._waiting[partner]
                with blaming(self._mesh, self._table.agreement.identities[partner]):
                    await self._try(game, partner, cards.tokens)
                self._local.stir()

    async def _try(self, game: Game, partner: Seat, tokens: bytes) -> None:
        """Check a partner's tokens and take them, unless it is done or has failed too often."""
        tries = self._tries
        if tries[partner] >= TRIES:
            return
        tries[partner] += 1
        take = self._local.keeper.from_partner
        if await self._local.offload(take, game, partner, tokens):
            tries[partner] = TRIES
        else:
            log.info("the tokens of a partner do not hold")


def game_of(table: Table) -> Game | None:
    """The hand under way, once its cards are dealt."""
    phase = table.open.phase
    return phase.game if isinstance(phase, (Choosing, Revealing)) else None
