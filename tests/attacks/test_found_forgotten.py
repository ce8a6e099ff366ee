"""A second word for a step that one honest peer has long passed and another has not."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import pytest

from p2ptruco.rules.moves import FOLD, Move
from p2ptruco.rules.play import legal
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.table.entries import Entry, write
from p2ptruco.table.steps.playing import Choosing
from p2ptruco.table.table import Table
from tests.kit.ends import CROOK
from tests.kit.last_words import clone, tell
from tests.kit.opendeck import open_deck
from tests.kit.party import Party, Peer, stayer

LONG = replace(MINEIRO, target=60)
SEED = 0


class Fork(NamedTuple):
    """Honest peers wait for the crook, who may fold. `other`: its second word for a step of the
    hand before; `next`: two words for the step that this leads to."""

    honest: tuple[Table, Table]
    other: Entry
    next: list[Entry]
    fold: Entry


def words(crook: Peer, table: Table) -> dict[Move, Entry]:
    """What the crook may say, if it is its turn at this table."""
    position, head, phase = table.open
    if not isinstance(phase, Choosing) or phase.speaker != CROOK:
        return {}
    me, game = crook.identity, phase.game
    return {
        move: write(table.agreement, position, CROOK, head, crook.keeper.say(game, move), me)
        for move in legal(game.hand, crook.seat)
    }


def fork(seed: int = SEED) -> Fork | None:
    party = Party(LONG, 4, seed, stayer)
    crook, found = party.peers[CROOK], dict[int, tuple[Entry, list[Entry]]]()
    others = [peer for peer in party.peers if peer is not crook]
    while crook.table.outcome is None:
        said = words(crook, crook.table) if crook.due else {}
        if not said or any(peer.inbox or peer.due for peer in others):
            busy = [peer for peer in others if peer.inbox or peer.due]
            ready = busy if said or not (crook.inbox or crook.due) else [*busy, crook]
            party.turn(party.rng.choice(ready))
            continue
        hand = crook.table.open.position.hand
        if hand - 1 in found and FOLD in said:
            one, two = (clone(party.peers[seat].table) for seat in (0, 2))
            other, after = found[hand - 1]
            if not one.knows(other) and tell(clone(one), said[FOLD]).outcome is None:
                return Fork((one, two), other, after, said[FOLD])
        for word in said.values():
            then = tell(clone(crook.table), word)
            after = list(words(crook, then).values())
            if then.open.position.hand == hand and len(after) > 1:
                found[hand] = word, after[:2]
        party.speak(crook)
    return None


@pytest.mark.parametrize("said", [1, 2])
def test_what_was_heard_in_a_step_is_heard_by_whoever_has_passed_it(said: int) -> None:
    """Gain: the crook ends a hand at one honest peer before another passes on what was said on a
    branch of the hand before: it closed its link to the other, and each one made anew, and the two
    never knew the same proofs."""
    with open_deck():
        made = fork()
        assert made is not None
        (one, two), other, after, fold = made
        tell(one, other)
        tell(two, other)
        tell(two, *after[:said])
        tell(one, fold)
        tell(one, *two.held(two.open.position), *after[:said])
        tell(two, fold)
        assert one.open[:2] == two.open[:2]
        assert one.known == two.known
