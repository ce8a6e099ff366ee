"""What a seat needs of whoever decides for it: a person, a bot, a script.

A mind sees a `View` and answers one of its legal moves. It cannot reach the table, the log or a
key. The other calls tell it what has happened; their answers do not matter.
"""

from __future__ import annotations

from typing import Protocol

from ..rules.moves import Move
from ..rules.view import View


class Mind(Protocol):
    """Decides for one seat."""

    @property
    def advises(self) -> bool:
        """Whether it presses an answer though a partner speaks for the team (table.md §3)."""

    async def choose(self, view: View) -> Move:
        """One of `view.legal`. Cancelled when the time to move is over."""

    def in_time(self, view: View) -> Move | None:
        """A card chosen beforehand, to be played if the time runs out."""

    async def tell(self, event: str, view: View) -> None:
        """match_started, hand_started, trick_done, hand_done, match_done."""
