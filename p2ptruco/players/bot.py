"""A bot's function as a mind: called in a worker thread, its mistakes caught and counted.

A move that is not legal and an exception both play the default of the rules, so that a broken
bot harms nobody but its own team; `faults` says what went wrong, for its author.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import trio

from ..rules.moves import Move
from ..rules.play import default
from ..rules.view import View


@dataclass(frozen=True, slots=True)
class BotFault:
    """One decision that the bot did not make: `kind` is crash or illegal."""

    kind: str
    detail: str


class Bot:
    """`player` is a function view → move, or an object with `choose` and lifecycle calls."""

    advises = False

    def __init__(self, name: str, player: Any) -> None:
        self.name = name
        self.faults: list[BotFault] = []
        self._player = player
        self._choose: Callable[[View], Move] = getattr(player, "choose", player)

    async def choose(self, view: View) -> Move:
        return await trio.to_thread.run_sync(self.decide, view, abandon_on_cancel=True)

    def in_time(self, view: View) -> Move | None:
        return None

    async def tell(self, event: str, view: View) -> None:
        listener = getattr(self._player, event, None)
        if listener is not None:
            await trio.to_thread.run_sync(self._hear, listener, view)

    def decide(self, view: View) -> Move:
        """The bot's move, or the rules' default with the fault noted."""
        try:
            move = self._choose(view)
            if move in view.legal:
                return move
            self.faults.append(BotFault("illegal", repr(move)))
        except Exception:
            self.faults.append(BotFault("crash", traceback.format_exc()))
        return default(view.hand, view.seat, view.cards)

    def _hear(self, listener: Callable[[View], Any], view: View) -> None:
        try:
            listener(view)
        except Exception:
            self.faults.append(BotFault("crash", traceback.format_exc()))
