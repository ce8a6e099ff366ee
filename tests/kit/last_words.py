"""A match of four that one seat can end with two results, and the model's names for what it signs.

`Ends` gives the entries behind the bodies and seals of `OLD_AND_LAST` (ends.py), and tables of
honest seats that have heard all of the match but the last words.
"""

from __future__ import annotations

from copy import copy

from p2ptruco.rules.play import legal
from p2ptruco.table.entries import Content, Entry, Leave, write
from p2ptruco.table.steps.playing import Choosing
from p2ptruco.table.steps.sealing import Sealing
from p2ptruco.table.table import Table
from tests.kit.court import ONE_HAND
from tests.kit.ends import CROOK, Body, End
from tests.kit.party import Party, Peer, stayer


def clone(table: Table) -> Table:
    """Another table that has heard the same."""
    other = copy(table)
    for name, value in vars(table).items():
        if isinstance(value, (dict, list, set)):
            setattr(other, name, copy(value))
    other._kept = {seat: list(kept) for seat, kept in table._kept.items()}
    return other


def tell(table: Table, *entries: Entry) -> Table:
    """Let a table hear entries, and those that it has kept."""
    for entry in entries:
        if not table.knows(entry):
            table.submit(table.check(entry))
        while ripe := table.ripe():
            for parsed in ripe:
                table.submit(table.check(parsed))
    return table


class Ends:
    """The entries, places and tables of one such match."""

    def __init__(self, seed: int = 0) -> None:
        self.party, words = _at_the_last_word(seed)
        crook = self.party.peers[CROOK]
        self.before = crook.table
        own = (n for n, step in enumerate(self.before.steps) if _of_the_crook(step.entries))
        old = self.before.steps[next(own)]
        place = old.position, CROOK, old.head
        self.entries: dict[Body, Entry] = {
            ("b",): write(self.party.agreement, *place, Leave(), crook.identity),
            ("a", "a"): self._said(CROOK, self.before, words[0]),
            ("a", "b"): self._said(CROOK, self.before, words[1]),
        }
        self.reached: dict[End, Table] = {
            ("a", "a"): self.told(("a", "a")),
            ("a", "b"): self.told(("a", "b")),
            ("a", "cut"): self.told(("a", "a"), ("a", "b")),
            ("cut",): self.told(("b",)),
        }
        """A table at each end."""

    def table(self) -> Table:
        """Somebody's who has heard all but the last words."""
        return clone(self.before)

    def told(self, *bodies: Body) -> Table:
        return tell(self.table(), *(self.entries[body] for body in bodies))

    def seal(self, seat: int, end: End) -> Entry:
        """The seal of a seat on an end."""
        table = self.reached[end]
        assert isinstance(table.open.phase, Sealing)
        return self._said(seat, table, table.open.phase.seal)

    def end_of(self, table: Table) -> End | None:
        """Where a table stands, in the model's words."""
        places = {one.open.place: end for end, one in self.reached.items()}
        place = table.steps[-1].place if table.finished else table.open.place
        return places.get(place)

    def _said(self, seat: int, table: Table, content: Content) -> Entry:
        position, head, _ = table.open
        me = self.party.peers[seat].identity
        return write(self.party.agreement, position, seat, head, content, me)


def _of_the_crook(entries: tuple[object, ...]) -> bool:
    return len(entries) == 1 and entries[0].body.seat == CROOK  # type: ignore[attr-defined]


def _at_the_last_word(seed: int) -> tuple[Party, list[Content]]:
    """A party where the crook is to say the last word, and two of these with another winner."""
    while True:
        party = Party(ONE_HAND, 4, seed, stayer)
        crook = party.peers[CROOK]
        party.play(until=lambda crook=crook: len(_last_words(crook)) > 1)  # type: ignore[misc]
        if words := _last_words(crook):
            return party, words
        seed += 1000


def _last_words(crook: Peer) -> list[Content]:
    phase = crook.table.open.phase
    if not isinstance(phase, Choosing) or phase.speaker != CROOK:
        return []
    position, head, _ = crook.table.open
    found: dict[object, Content] = {}
    for move in legal(phase.game.hand, crook.seat):
        content = crook.keeper.say(phase.game, move)
        entry = write(crook.table.agreement, position, CROOK, head, content, crook.identity)
        after = tell(clone(crook.table), entry)
        if after.outcome is not None:
            found.setdefault(after.outcome.winner, content)
    return list(found.values()) if len(found) > 1 else []
