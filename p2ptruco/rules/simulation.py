"""A hand from some point on with all its cards guessed: what a bot plays out to compare its moves.

It is the fast game behind the words of `moves`; whoever has a view makes one with `view.simulate`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from p2ptruco.rules.cards import Card
from p2ptruco.rules.codes import code_of, move_of
from p2ptruco.rules.fast import NOBODY, OVER, FastRules
from p2ptruco.rules.hand import Hand
from p2ptruco.rules.moves import IllegalMove, Move
from p2ptruco.rules.seating import Seat, Slot, Team
from p2ptruco.rules.variant import Variant


@cache
def _rules(variant: Variant, players: int) -> FastRules:
    return FastRules(variant, players)


@cache
def _moves(menu: tuple[int, ...], seat: int) -> tuple[Move, ...]:
    return tuple([move_of(code, Seat(seat)) for code in menu])


class Simulation:
    """A hand that changes with every move; `copy` it first to try another one."""

    __slots__ = ("_fast",)

    def __init__(self, hand: Hand, faces: Mapping[Slot, Card]) -> None:
        """`faces`: the card of every slot that is not on the table yet."""
        self._fast = _rules(hand.variant, hand.players).resume(hand, faces)

    def copy(self) -> Simulation:
        """Another that stands the same."""
        twin = Simulation.__new__(Simulation)
        twin._fast = self._fast.copy()
        return twin

    @property
    def over(self) -> bool:
        return self._fast.phase == OVER

    @property
    def seat(self) -> Seat:
        """Whose word it is: the speaker of the seats that are asked."""
        return Seat(self._fast.seat())

    @property
    def legal(self) -> tuple[Move, ...]:
        """What that seat may do; () once the hand is over."""
        fast = self._fast
        return _moves(fast.legal(), fast.seat()) if fast.phase != OVER else ()

    def play(self, move: Move) -> None:
        """Make a move of that seat; IllegalMove for any that is not in `legal`."""
        if move not in self.legal:
            raise IllegalMove("not_legal")
        self._fast.act(code_of(move))

    def finish(self, choose: Callable[[Simulation], Move]) -> None:
        """Play it to its end, each move chosen by a function of the game as it stands."""
        while not self.over:
            self.play(choose(self))

    @property
    def winner(self) -> Team | None:
        """Who won the hand; None while it is open, and for a hand that nobody won."""
        return None if self._fast.winner == NOBODY else Team(self._fast.winner)

    @property
    def points(self) -> int:
        """What the winner scores, uncapped; 0 without one."""
        return self._fast.points if self._fast.winner != NOBODY else 0
