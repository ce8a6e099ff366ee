"""Vectors of which end of a match stands, and of what heartbeats say of proofs and seals."""

from __future__ import annotations

from collections.abc import Iterator

from p2ptruco.players.keeper import Keeper
from p2ptruco.rules.seating import Seat
from p2ptruco.table.entries import Content, Entry, Leave, Open, Ready, write
from p2ptruco.table.table import Table
from tests.kit.ends import CROOK, Body, End, Seal
from tests.kit.last_words import clone, tell
from tests.kit.seats import agreement, identity, seeded
from tests.kit.stands import CASES, CUT, OLD, OLD_PROOF, A, B
from tests.kit.vector import Json, Named, vector

AGREED = agreement(4)


def standings() -> Iterator[Named]:
    match = Openings()
    for case in CASES:
        entries = [*match.before, *map(match.entry, case.heard)]
        assert match.after(*case.heard).open.place == match.reached[case.end].open.place
        said = [[entry.body.hex(), entry.signature.hex()] for entry in entries]
        given = {"agreement": AGREED.blob.hex(), "entries": said}
        yield case.name, vector(case.about, "stands", given, "accepted")


def hashes() -> Iterator[Named]:
    key, earlier = [1, 0, 7, 2, bytes([2] * 32).hex()], [1, 0, 7, 1, bytes([3] * 32).hex()]
    rows: dict[str, tuple[str, Json]] = {
        "known-nothing": ("no proof, no seal", {"proofs": [], "seals": []}),
        "known-proof": ("one proof", {"proofs": [key], "seals": []}),
        "known-seal": ("one seal in the same place", {"proofs": [], "seals": [key]}),
        "known-order": ("the order of what is here changes nothing", {"proofs": [key, earlier]}),
        "known-order-too": ("the same in the other order", {"proofs": [earlier, key]}),
    }
    for name, (about, given) in rows.items():
        whole = {"agreement": AGREED.blob.hex(), "proofs": [], "seals": []} | given
        yield name, vector(about, "known", whole, "accepted")


class Openings:
    """A match that seat 1 ends in its second step, by leaving or with a bad opening."""

    def __init__(self) -> None:
        keepers = [Keeper(Seat(n), seeded("standing", str(n))) for n in range(4)]
        table = Table(AGREED, seeded("standing"))
        old = self._said(table, CROOK, Ready())
        for _ in range(2):
            phase = table.open.phase
            said = [self._said(table, n, keepers[n].pay(phase)) for n in range(4)]
            tell(table, *(entry for n, entry in enumerate(said) if n != CROOK or not table.steps))
        self.before = list(table.held(table.steps[0].position))
        self.table = table
        self.entries: dict[Body, Entry] = {
            OLD_PROOF: old,
            A: self._said(table, CROOK, Leave()),
            B: self._said(table, CROOK, Open(b"")),
        }
        self.reached: dict[End, Table] = {
            end: tell(clone(table), *(self.entries[body] for body in bodies))
            for end, bodies in {A: [A], B: [B], CUT: [A, B], OLD: [OLD_PROOF]}.items()
        }

    def entry(self, what: Body | Seal) -> Entry:
        if not isinstance(what[0], int):
            return self.entries[what]  # type: ignore[index]
        seat, end = what
        at = self.reached[end]  # type: ignore[index]
        return self._said(at, seat, at.open.phase.seal)  # type: ignore[attr-defined, arg-type]

    def after(self, *heard: Body | Seal) -> Table:
        return tell(clone(self.table), *map(self.entry, heard))

    @staticmethod
    def _said(table: Table, seat: int, content: Content) -> Entry:
        position, head, _ = table.open
        return write(AGREED, position, seat, head, content, identity(seat))
