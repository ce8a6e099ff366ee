"""An honest seat that was told something else is asked, and never blamed.

Gain: whoever forks a table, or has a deal begun again, would have a third seat convicted with its
own good signatures.
"""

from __future__ import annotations

import pytest

from p2ptruco.table.chain import first_head
from p2ptruco.table.entries import Commit, Entry, Position, parse, write
from p2ptruco.table.steps.dealing import Committing, Opening, Shuffling
from p2ptruco.table.steps.phases import Phase
from p2ptruco.table.steps.playing import Choosing, Tokening
from p2ptruco.table.table import Equivocation, Table
from p2ptruco.table.violation import LinkFault
from tests.kit.court import TO_IRON, cards_only
from tests.kit.party import Party, Peer
from tests.kit.remembering import remembering

ELSEWHERE = b"\x05" * 32


def standing(kind: type[Phase]) -> tuple[Party, Table, Peer]:
    """A party of two with the real deck, a table in such a step, and a seat that owes there."""
    party = Party(TO_IRON, 2, 5, cards_only)
    table = party.peers[0].table

    def there() -> bool:
        other = party.peers[1]
        return isinstance(table.open.phase, kind) and other.due and not table.paid

    with remembering():
        party.play(until=lambda: there() and party.peers[1].table.open == table.open)
    assert party.peers[1].table.open[:2] == table.open[:2]
    return party, table, party.peers[1]


def told_elsewhere(party: Party, peer: Peer) -> Entry:
    """What this seat owes, right in every way, on the head that somebody made it believe in."""
    good = parse(party.agreement, party.word_of(peer)).body
    where = Position(good.hand, good.attempt, good.step)
    return write(party.agreement, where, peer.seat, ELSEWHERE, good.content, peer.identity)


@pytest.mark.parametrize("kind", [Opening, Shuffling, Tokening, Choosing])
def test_honest_proof_on_another_head_is_not_bad_proof(kind: type[Phase]) -> None:
    """A proof is bound to what its author was told: on another head it cannot hold here, and says
    nothing of its author. It is kept; the author is to be asked; its right word still counts."""
    party, table, peer = standing(kind)
    entry = told_elsewhere(party, peer)
    assert not table.submit(table.check(entry))
    assert [parsed.entry for parsed in table.unsupported] == [entry]
    assert peer.seat in table.owed
    assert not table.violations
    assert table.outcome is None


def test_begun_again_deal_is_not_equivocation() -> None:
    """Attempt 1 is another place than attempt 0: an honest seat signs in both."""
    party, table, peer = standing(Committing)
    first = party.word_of(peer)
    again = Position(0, 1, 0)
    head = first_head(party.agreement, 0, 1, party.agreement.id)
    second = write(party.agreement, again, peer.seat, head, Commit(b"\6" * 32), peer.identity)
    for entries in ((first, second), (second, first)):
        fresh = Table(party.agreement, party.source)
        for entry in entries:
            fresh.submit(fresh.check(entry))
        assert not fresh.violations
        assert fresh.equivocation is None
    pair = Equivocation(*(parse(party.agreement, entry) for entry in (first, second)))
    with pytest.raises(LinkFault, match="malformed"):
        table.prove(pair)


def test_proof_on_another_attempt_is_not_bad_proof() -> None:
    """A shuffle of attempt 0 in the place of attempt 1 is another place, and judged by no rule."""
    party, table, peer = standing(Shuffling)
    good = parse(party.agreement, party.word_of(peer)).body
    where = Position(good.hand, 1, good.step)
    entry = write(party.agreement, where, peer.seat, good.head, good.content, peer.identity)
    assert not table.submit(table.check(entry))
    assert not table.violations
    assert peer.seat in table.owed
