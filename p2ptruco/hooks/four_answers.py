"""A bot as four answers, for people who come from CTruco.

| there | here |
| --- | --- |
| `decideIfRaises` | `decide_if_raises(view) -> bool` |
| `getRaiseResponse` | `raise_response(view) -> int`: -1 run, 0 accept, 1 raise |
| `chooseCard` | `choose_card(view) -> Play or Card`; a `Card` is played open |
| `getMaoDeOnzeResponse` | `special_hand_response(view) -> bool` |

It never folds, and is never asked for a call that would lose the match or for a card that nobody
may see.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from p2ptruco.rules.cards import Card
from p2ptruco.rules.hand import Kind
from p2ptruco.rules.moves import ACCEPT, CALL, PLAY_ON, REFUSE, RUN, Move, Play
from p2ptruco.rules.view import View


class FourAnswers(ABC):
    """Give the four answers; `choose` asks for the one that is due."""

    @abstractmethod
    def decide_if_raises(self, view: View) -> bool:
        """Whether to call before playing a card. Asked only where a call is possible."""

    @abstractmethod
    def raise_response(self, view: View) -> int:
        """-1 runs, 0 accepts, 1 raises, or accepts what cannot be raised."""

    @abstractmethod
    def choose_card(self, view: View) -> Play | Card:
        """One of `view.plays`, or a card of one's own to be played open."""

    @abstractmethod
    def special_hand_response(self, view: View) -> bool:
        """Whether the team plays its mão de dez or mão de onze."""

    def choose(self, view: View) -> Move:
        """The move that the answers make. ValueError for an answer that is none."""
        if PLAY_ON in view.legal:
            return PLAY_ON if self.special_hand_response(view) else REFUSE
        if RUN in view.legal:
            return self._answer(view)
        if CALL in view.legal and view.kind is Kind.NORMAL and self.decide_if_raises(view):
            return CALL
        return self._play(view)

    def _answer(self, view: View) -> Move:
        response = self.raise_response(view)
        if response not in (-1, 0, 1):
            raise ValueError(f"a raise response is -1, 0 or 1, not {response!r}")
        if response == 1 and CALL in view.legal:
            return CALL
        return RUN if response == -1 else ACCEPT

    def _play(self, view: View) -> Move:
        if None in view.cards.values():
            return view.plays[0]
        chosen = self.choose_card(view)
        if isinstance(chosen, Play):
            return chosen
        slots = [slot for slot, card in view.cards.items() if card == chosen]
        if not slots:
            raise ValueError(f"{chosen} is none of the bot's cards")
        return Play(slots[0])
