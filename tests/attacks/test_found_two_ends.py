"""The loser of a match signs another word for a turn of its own, and shows the end that follows."""

from __future__ import annotations

import io
from collections.abc import Iterator

from p2ptruco.rules.play import legal
from p2ptruco.table.entries import Entry, write
from p2ptruco.table.record.audit import Audit, audit
from p2ptruco.table.record.file import write_record
from p2ptruco.table.steps.playing import Choosing
from p2ptruco.table.table import Table
from p2ptruco.ui.terminal.audit import STATUSES, lines
from p2ptruco.ui.words import _
from tests.kit.court import ONE_HAND
from tests.kit.opendeck import open_deck
from tests.kit.party import Party, Peer, stayer


def tell(table: Table, *entries: Entry) -> Table:
    for entry in entries:
        table.submit(table.check(entry))
    return table


def others(loser: Peer) -> Iterator[Table]:
    """Every log that is as it was up to a turn of the loser's, and ends with another word of it."""
    steps, agreement = loser.table.steps, loser.table.agreement
    for number, step in enumerate(steps):
        log = [parsed.entry for before in steps[:number] for parsed in before.entries]
        position, head, phase = tell(Table(agreement, loser.keeper._source), *log).open
        if isinstance(phase, Choosing) and phase.speaker == loser.seat:
            for move in legal(phase.game.hand, loser.seat):
                word = loser.keeper.say(phase.game, move)
                entry = write(agreement, position, loser.seat, head, word, loser.identity)
                yield tell(Table(agreement, loser.keeper._source), *log, entry)
        assert step.position == position


def shown_by(party: Party, peer: Peer, table: Table) -> Audit:
    record = b"".join(write_record(table, party.signatures, peer.seat, peer.identity))
    return audit(io.BytesIO(record), party.source)


def test_an_end_that_not_all_have_sealed_is_not_said_to_be_the_only_one() -> None:
    """Each record is right by itself: who holds both has the proof, who holds one cannot know.

    Gain: a lost match shown as won, and `verify` says that it is the match, complete.
    """
    with open_deck():
        party = Party(ONE_HAND, 2, 22, stayer).play()
        loser, winner = party.peers
        assert loser.table.outcome is not None
        assert loser.table.outcome.winner == winner.seat
        ends = [table for table in others(loser) if table.outcome is not None]
        won = next(table for table in ends if table.outcome.winner == loser.seat)
        position, head, phase = won.open
        seal = write(party.agreement, position, loser.seat, head, phase.seal, loser.identity)
        found = shown_by(party, loser, tell(won, seal))
        assert found.ok
        assert (found.status, found.unsealed_by) == ("unsealed", (winner.seat,))
        said = _(STATUSES["unsealed"]).format(seats=winner.seat + 1)
        assert said in list(lines(found))
        assert "no other end" in said
        tell(loser.table, *won.held(won.steps[0].position))
        assert loser.table.finished  # what all have sealed is beyond it
