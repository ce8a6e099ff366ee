"""The table of steps (table.md §2)."""

from __future__ import annotations

import pytest

from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.seating import Seat
from p2ptruco.table.entries import Commit, Content, Lay, Leave, Open, Ready, Reveal, Say, Seal
from p2ptruco.table.entries import Shuffle as ShuffleDeck
from p2ptruco.table.entries import Tokens as GiveTokens
from p2ptruco.table.steps.order import DEAL, STEPS, needs, number, rule
from p2ptruco.table.steps.phases import LEFT, NotDue, Phase
from p2ptruco.table.steps.sealing import Sealing
from p2ptruco.table.table import Table
from tests.kit.opendeck import open_deck
from tests.kit.party import Party, stayer

CONTENTS: dict[type, Content] = {
    Commit: Commit(bytes(32)),
    Open: Open(b""),
    ShuffleDeck: ShuffleDeck(b"", b""),
    Ready: Ready(),
    GiveTokens: GiveTokens(()),
    Lay: Lay(0, False, b""),
    Say: Say("call"),
    Reveal: Reveal(b""),
    Seal: Seal(None, (0, 0), (0, 0)),
}


def opened(players: int) -> list[tuple[int, int, Phase]]:
    """Hand, number and phase of every step of a match."""
    with open_deck():
        party = Party(MINEIRO, players, 3, stayer).play()
        table = Table(party.agreement, party.source)
        seen = [(*table.open.position[::2], table.open.phase)]
        for step in party.peers[0].table.steps:
            for parsed in step.entries:
                table.submit(table.check(parsed.entry))
            seen.append((*table.open.position[::2], table.open.phase))
    return seen


@pytest.mark.parametrize("players", [2, 4])
def test_the_deal_has_its_steps_where_the_table_says(players: int) -> None:
    """Each at its number, in each hand; what comes after tokens has a higher one, and only seals
    may stand anywhere."""
    first = {step: number(step, players) for step in DEAL}
    for _, at, phase in opened(players)[:-1]:
        if type(phase) in DEAL:
            turn = getattr(phase, "turn", 0)
            assert at == first[type(phase)] + turn
        elif not isinstance(phase, Sealing):
            assert at > first[DEAL[-1]]


def test_a_step_hears_what_its_row_says_and_nothing_else() -> None:
    """Everything else is not due, whoever sends it; a leave is due wherever anything is but the
    seals."""
    met = {type(phase): phase for _, _, phase in opened(2)}
    for kind, phase in met.items():
        if kind not in STEPS:
            assert needs(phase) == {}
            continue
        seat = min(needs(phase))
        for content in CONTENTS.values():
            if not isinstance(content, STEPS[kind].hears):
                with pytest.raises(NotDue):
                    rule(phase, seat, content)
        if isinstance(phase, Sealing):
            with pytest.raises(NotDue):
                rule(phase, seat, Leave())
        else:
            assert rule(phase, Seat(seat), Leave()) is LEFT
    assert {Sealing, *DEAL} <= met.keys()
