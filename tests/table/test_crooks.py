"""One seat cheats; all honest peers see the same, and accuse nobody else."""

from __future__ import annotations

import io
from contextlib import nullcontext

import pytest

from p2ptruco.rules.hand import How
from p2ptruco.rules.seating import rival_of, team_of
from p2ptruco.table.record.audit import audit
from tests.kit.court import Cheat, Court
from tests.kit.crooks import CHEATS
from tests.kit.opendeck import open_deck
from tests.kit.party import Peer


def judged(court: Court) -> None:
    """What a verdict means for the match, by table.md §7."""
    for peer in court.honest:
        for found in peer.table.violations:
            assert found.seat == court.crook
            assert (peer.table.equivocation is not None) == (found.word == "equivocation")
            if found.ends_match:
                ended(court, peer)
            else:
                hand_lost(court, peer, found.hand)


def ended(court: Court, peer: Peer) -> None:
    """The crook's team loses the match; the score stays as the last finished hand left it."""
    outcome = peer.table.outcome
    assert outcome is not None
    assert outcome.winner == rival_of(team_of(court.crook))
    match = peer.table.match
    assert outcome.score == (match.score if match else (0, 0))
    assert len(peer.table.hands) <= peer.table.open.position.hand


def hand_lost(court: Court, peer: Peer, hand: int) -> None:
    result = peer.table.hands[hand].result
    assert result is not None
    assert (result.winner, result.how) == (rival_of(team_of(court.crook)), How.ILLEGAL)


def verified(court: Court, peer: Peer) -> None:
    """The record of every honest peer holds, and tells the same."""
    found = audit(io.BytesIO(court.record(peer.seat)), court.source)
    assert found.breach is None
    assert found.table.violations == peer.table.violations
    assert found.table.outcome == peer.table.outcome
    assert found.table.hands == peer.table.hands


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("cheat", CHEATS.values(), ids=CHEATS)
def test_a_cheat_comes_to_this(cheat: Cheat, players: int):
    with nullcontext() if cheat.real else open_deck():
        court = Court(cheat, players, seed=3, crook=1)
        court.play()
        assert court.verdict() == cheat.verdict
        judged(court)
        for peer in court.honest:
            verified(court, peer)


DOUBLES = {name: cheat for name, cheat in CHEATS.items() if name.endswith("to two peers")}


@pytest.mark.parametrize("cheat", DOUBLES.values(), ids=DOUBLES)
def test_no_third_seat_ever_looks_guilty(cheat: Cheat):
    """A fork: whoever acted on one body is seen on an unknown head by who holds the other."""
    with open_deck():
        for seed, players in enumerate((4, 4, 6, 8)):
            court = Court(cheat, players, seed, crook=seed)
            court.play()
            assert court.verdict() == cheat.verdict
            assert not court.closed
            assert len({court.record(peer.seat) for peer in court.honest}) == 1
