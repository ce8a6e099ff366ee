"""Leaving politely: the hand and the match go to the other team, and the record holds."""

from __future__ import annotations

import pytest

from p2ptruco.rules.hand import How
from p2ptruco.rules.presets import CORE
from p2ptruco.table.dealing import Committing, Opening
from p2ptruco.table.entries import Leave, write
from p2ptruco.table.phases import Choice
from p2ptruco.table.playing import Tokening
from tests.kit.opendeck import open_deck
from tests.kit.party import Party, Peer, stayer, uniform


def leave(party: Party, peer: Peer) -> None:
    position, head, _ = peer.table.open
    assert peer.due
    peer.said.add((position, head))
    entry = write(party.agreement, position, peer.seat, head, Leave(), peer.identity)
    party.take(peer, entry)


def play_until(party: Party, condition) -> Peer:
    """Play until some peer, whose turn it is, meets the condition; that peer."""
    found: list[Peer] = []

    def met() -> bool:
        found[:] = [peer for peer in party.peers if peer.due and condition(peer)]
        return bool(found)

    party.play(until=met)
    return found[0]


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(
    "condition",
    [
        lambda peer: isinstance(peer.table.open.phase, Committing) and not peer.table.hands,
        lambda peer: isinstance(peer.table.open.phase, Opening) and peer.table.hands,
        lambda peer: isinstance(peer.table.open.phase, Tokening),
        lambda peer: isinstance(peer.table.need(peer.seat), Choice),
    ],
    ids=["first deal", "later deal", "tokens", "choice"],
)
def test_who_leaves_gives_away_hand_and_match(players: int, condition):
    with open_deck():
        party = Party(CORE["mineiro"], players, 1, uniform)
        goer = play_until(party, condition)
        before = goer.table.match
        leave(party, goer)
        party.play()
        found = party.audit()
    winner = 1 - goer.seat % 2
    for peer in party.peers:
        assert peer.table.finished
        assert peer.table.outcome is not None
        assert peer.table.outcome.winner == winner
        assert not peer.table.violations
    assert len({party.record(peer.seat) for peer in party.peers}) == 1
    assert found.ok
    assert found.status == "complete"
    if before is not None:
        last = goer.table.hands[-1].result
        assert last is not None
        assert (last.winner, last.how) == (winner, How.ABSENT)
        assert goer.table.outcome.score[winner] == min(12, before.score[winner] + last.points)


def test_a_match_that_both_teams_leave_at_once_is_nobodys():
    with open_deck():
        party = Party(CORE["mineiro"], 2, 4, stayer)
        play_until(party, lambda peer: all(one.due for one in party.peers))
        for peer in party.peers:
            leave(party, peer)
        party.play()
        found = party.audit()
    assert party.peers[0].table.outcome is not None
    assert party.peers[0].table.outcome.winner is None
    assert found.ok
    assert found.status == "complete"
