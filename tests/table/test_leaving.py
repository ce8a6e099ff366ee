"""Leaving politely: the hand and the match go to the other team, and the record holds."""

from __future__ import annotations

import pytest

from p2ptruco.rules.hand import How
from p2ptruco.rules.presets import CORE
from p2ptruco.table.entries import Leave, write
from p2ptruco.table.steps.dealing import Committing, Opening
from p2ptruco.table.steps.phases import Choice
from p2ptruco.table.steps.playing import Tokening
from tests.kit.court import caller
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


def raised(peer: Peer) -> bool:
    hand = peer.table.hand
    choosing = isinstance(peer.table.need(peer.seat), Choice)
    return bool(choosing and hand and not hand.pending and hand.value > hand.variant.scale.base)


@pytest.mark.parametrize("players", [2, 4])
def test_who_leaves_a_raised_hand_gives_what_it_is_worth(players: int):
    with open_deck():
        party = Party(CORE["mineiro"], players, 1, caller)
        goer = play_until(party, raised)
        assert goer.table.hand is not None
        worth = goer.table.hand.value
        leave(party, goer)
        party.play()
    last = goer.table.hands[-1].result
    assert last is not None
    assert last.points == worth > CORE["mineiro"].scale.base


@pytest.mark.parametrize("hands", [0, 1], ids=["first deal", "later deal"])
def test_a_match_that_both_teams_leave_at_once_is_nobodys(hands: int):
    """The score stays as it was."""
    with open_deck():
        party = Party(CORE["mineiro"], 2, 4, stayer)

        def together(peer: Peer) -> bool:
            return len(peer.table.hands) == hands and all(one.due for one in party.peers)

        play_until(party, together)
        before = party.peers[0].table.match
        for peer in party.peers:
            leave(party, peer)
        party.play()
        found = party.audit()
    table = party.peers[0].table
    assert table.outcome is not None
    assert table.outcome.winner is None
    assert table.outcome.score == (before.score if before else (0, 0))
    assert len(table.hands) == hands
    assert found.ok
    assert found.status == "complete"


def test_a_violation_is_named_also_where_another_seat_leaves_in_its_step():
    """Gain, were it not: a cheat goes home beside whoever leaves, and nobody says what it did."""
    with open_deck():
        party = Party(CORE["mineiro"], 2, 4, stayer)

        def opening(peer: Peer) -> bool:
            later = isinstance(peer.table.open.phase, Opening) and bool(peer.table.hands)
            return later and all(one.due for one in party.peers)

        play_until(party, opening)
        goer, cheat = party.peers
        stale = cheat.table.steps[1].entries[1].body.content
        leave(party, goer)
        position, head, _ = cheat.table.open
        cheat.said.add((position, head))
        party.take(cheat, write(party.agreement, position, 1, head, stale, cheat.identity))
        party.play()
        found = party.audit()
    for peer in party.peers:
        assert [(v.word, v.seat) for v in peer.table.violations] == [("bad_opening", 1)]
        assert peer.table.outcome is not None
        assert peer.table.outcome.winner == 0
    assert found.ok
