"""Cheats in a choice: a move that the rules or the keys do not allow."""

from __future__ import annotations

from p2ptruco.rules.seating import next_seat, slots_of
from p2ptruco.table.entries import Content, Lay, Say
from p2ptruco.table.steps.playing import Choosing
from p2ptruco.table.table import Open
from tests.kit.cheats.base import Dishonest


class LaysWrong(Dishonest):
    """Lays, once, something else than an honest seat would."""

    def content(self, here: Open, content: Content) -> Content:
        if not self.once(here, Choosing):
            return content
        assert isinstance(content, Lay)
        return self.wrong(here, content)

    def wrong(self, here: Open, content: Lay) -> Lay:
        raise NotImplementedError


class IllegalWord(Dishonest):
    """Accepts a call that nobody made, to raise what the hand is worth."""

    title = "illegal move"

    def content(self, here: Open, content: Content) -> Content:
        return Say("accept") if self.once(here, Choosing) else content


class NotItsCard(LaysWrong):
    """Lays the next seat's card instead of its own."""

    title = "card not owned"

    def wrong(self, here: Open, content: Lay) -> Lay:
        other = slots_of(next_seat(self.seat, self.evening.size))[0]
        return Lay(other, False, content.token)


class NobodysCard(LaysWrong):
    """Lays a slot beyond the deck's, where there is no owner to ask."""

    title = "card of nobody"

    def wrong(self, here: Open, content: Lay) -> Lay:
        return Lay(24, False, content.token)


class PlayedTwice(Dishonest):
    """Lays its best card in two tricks."""

    title = "card played twice"
    laid: Lay | None = None

    def content(self, here: Open, content: Content) -> Content:
        if not isinstance(content, Lay):
            return content
        if self.laid is None:
            self.laid = content
            return content
        return self.laid if self.once(here, Choosing) else content


class HiddenTooEarly(LaysWrong):
    """Keeps a card from the table where the rules want it shown."""

    title = "face down in the wrong trick"

    def wrong(self, here: Open, content: Lay) -> Lay:
        return Lay(content.slot, True, b"")


class HiddenWithToken(Dishonest):
    """Shows with a face-down card what it is, to its partner for instance."""

    title = "token with a face-down card"

    def content(self, here: Open, content: Content) -> Content:
        late = isinstance(here.phase, Choosing) and here.phase.game.hand.tricks
        if not late or not self.once(here, Choosing):
            return content
        assert isinstance(content, Lay)
        return Lay(content.slot, True, content.token)


class NoToken(LaysWrong):
    """Lays a card open and keeps its face: it could choose later what it was."""

    title = "open card without its token"

    def wrong(self, here: Open, content: Lay) -> Lay:
        return Lay(content.slot, False, b"")


class AnothersFace(LaysWrong):
    """Lays one card with the token of another, to have it read as something else."""

    title = "bad token"

    def wrong(self, here: Open, content: Lay) -> Lay:
        assert isinstance(here.phase, Choosing)
        other = next(slot for slot in slots_of(self.seat) if slot != content.slot)
        return Lay(content.slot, False, self.local.keeper._release(here.phase.game, (other,)))
