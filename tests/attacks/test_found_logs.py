"""Seven cheats against one at a table of eight: every word of theirs doubled, each a log more."""

from __future__ import annotations

from dataclasses import replace
from unittest import mock

import pytest

from p2ptruco.rules.moves import Play
from p2ptruco.rules.play import legal
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.table import branches
from p2ptruco.table.course import Course
from p2ptruco.table.entries import Commit, Content, Place, Position, Say, write
from p2ptruco.table.steps.playing import Choosing
from p2ptruco.table.table import Table
from tests.kit.opendeck import open_deck
from tests.kit.party import Party, stayer

HONEST, DEPTH = 0, 4
LONG = replace(MINEIRO, target=60)


class Forking:
    """The first hand of a table, in which all but one seat say two things wherever they can."""

    def __init__(self) -> None:
        self.party = Party(LONG, 8, 3, stayer)
        self.party.play(until=lambda: all(map(self._may_fork, self.party.peers)))
        self.table = Table(self.party.agreement, self.party.source)
        for entry in self.party.peers[HONEST].table.held(Position(0, 0, 0)):
            self.table.submit(self.table.check(entry))
        places = [self.table.open.place]
        for _ in range(DEPTH):
            places = [new for place in places for new in self._two_cards(place)]
        for place in places:
            self.say(place, self._choosing(place).speaker, Say("fold"))

    @staticmethod
    def _may_fork(peer: object) -> bool:
        phase = peer.table.open.phase  # type: ignore[attr-defined]
        return isinstance(phase, Choosing) and 0 < phase.speaker < 8 - DEPTH

    def _choosing(self, place: Place) -> Choosing:
        phase = self.table._branches.phase(place)
        assert isinstance(phase, Choosing)
        return phase

    def _two_cards(self, place: Place) -> list[Place]:
        """The places behind two cards of a speaker."""
        phase, before = self._choosing(place), self.places(0)
        game, seat = phase.game, phase.speaker
        cards = [move for move in legal(game.hand, seat) if isinstance(move, Play)][:2]
        for card in cards:
            self.say(place, seat, self.party.peers[seat].keeper.say(game, card))
        new = [place for place in self.places(0) if place not in before]
        return [one for one in new if isinstance(self.table._branches.phase(one), Choosing)]

    def places(self, hand: int) -> list[Place]:
        return list(self.table._branches.heard.get(hand, {}))

    def say(self, place: Place, seat: int, content: Content) -> None:
        me = self.party.peers[seat].identity
        entry = write(self.party.agreement, place[0], seat, place[1], content, me)
        self.table.submit(self.table.check(entry))


@pytest.mark.parametrize("most", [4, 64])
def test_a_word_closes_few_logs_however_many_there_are(most: int) -> None:
    """Two cards and a fold, again and again, and two commitments of each cheat for the deal that
    all these logs share. Gain: two thousand entries, and the honest seat's next word closes a
    hundred thousand logs; its program stands still for half a minute at each step."""
    closed = []
    close = Course.close

    def counted(course: Course, paid: object) -> Course:
        closed.append(course)
        return close(course, paid)  # type: ignore[arg-type]

    with open_deck(), mock.patch.object(branches, "LOGS_EACH", most):
        made = Forking()
        (place,) = made.places(1)
        logs = len(made.table._branches.at(place).courses)  # type: ignore[union-attr]
        assert logs == min(most, 2**DEPTH)
        end = made.table.open.place, made.table.violations
        for seat in range(1, 8):
            made.say(place, seat, Commit(bytes([seat]) * 32))
            made.say(place, seat, Commit(bytes(32)))
        with mock.patch.object(Course, "close", counted):
            made.say(place, HONEST, Commit(bytes(32)))
        assert len(closed) == logs * 2**7
        assert (made.table.open.place, made.table.violations) == end
