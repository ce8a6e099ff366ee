"""One chain a hand: heads cover bodies, never signatures (table.md §1).

head₀ = H("hand", table, epoch, hand, attempt, head after the tokens step of the hand before;
for the first hand of an epoch the agreement's hash); head' = H("step", head, step, bodies in
seat order). The head before *tokens* is H("join", head after ready, last head of the hand
before; for the first hand of an epoch the agreement's hash). A match that ends before its
time is sealed on H("end", head, the same last head): a head of the deal alone binds no score.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import eq
from typing import overload

from ..mental.transcript import digest
from .agreement import Agreement
from .entries import Key, Parsed, Place, Position


@dataclass(frozen=True, slots=True)
class Step:
    """A closed step: where it stood, the head it stood on, its entries in seat order."""

    position: Position
    head: bytes
    entries: tuple[Parsed, ...]

    @property
    def place(self) -> Place:
        return self.position, self.head

    @property
    def after(self) -> bytes:
        """The head that this step leads to."""
        return next_head(self.head, self.position.step, [e.entry.body for e in self.entries])


class Steps(Sequence[Step]):
    """The closed steps of a log, in order: a value. Logs that grow from one another share their
    memory, so the logs at all steps of a match take no more than the longest."""

    __slots__ = ("_count", "_shared")

    def __init__(self, shared: list[Step] | None = None, count: int = 0) -> None:
        self._shared = [] if shared is None else shared
        self._count = count

    def and_then(self, step: Step) -> Steps:
        """With one step more."""
        shared = self._shared
        if len(shared) > self._count:  # another log goes on from here
            shared = shared[: self._count]
        shared.append(step)
        return Steps(shared, self._count + 1)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> Step: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Step, ...]: ...
    def __getitem__(self, at: int | slice) -> Step | tuple[Step, ...]:
        within = range(self._count)[at]
        if isinstance(within, int):
            return self._shared[within]
        return tuple(self._shared[number] for number in within)

    def __iter__(self) -> Iterator[Step]:
        return islice(self._shared, self._count)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Steps, tuple)):
            return NotImplemented
        return len(other) == self._count and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]


def first_head(agreement: Agreement, hand: int, attempt: int, behind: bytes) -> bytes:
    """Where the chain of a hand begins; `behind` is the head of the hand before (see above)."""
    return digest(
        b"hand",
        (b"table", agreement.id),
        (b"epoch", number(agreement.terms.epoch)),
        (b"hand", number(hand)),
        (b"attempt", number(attempt)),
        (b"behind", behind),
    )


def next_head(head: bytes, step: int, bodies: Sequence[bytes]) -> bytes:
    return digest(
        b"step",
        (b"head", head),
        (b"step", number(step)),
        *((b"body", body) for body in bodies),
    )


def join_head(ready: bytes, last: bytes) -> bytes:
    """The head before the tokens step: the deal joined to the score it is played for."""
    return digest(b"join", (b"ready", ready), (b"last", last))


def cut_head(head: bytes, step: int, seat: int) -> bytes:
    """The head after an equivocation, whatever the two bodies were."""
    return digest(b"cut", (b"head", head), (b"step", number(step)), (b"seat", number(seat)))


def end_head(head: bytes, last: bytes) -> bytes:
    """The head on which a match is sealed that ended before its time."""
    return digest(b"end", (b"head", head), (b"last", last))


def known_hash(agreement: Agreement, proofs: Iterable[Key], seals: Iterable[Key]) -> bytes:
    """What a heartbeat says of proofs and seals, each by the place and the seat that it is of."""
    items = [
        (name, _bytes(key)) for name, keys in ((b"proof", proofs), (b"seal", seals)) for key in keys
    ]
    return digest(b"known", (b"table", agreement.id), *sorted(items))


def _bytes(key: Key) -> bytes:
    return b"".join(map(number, (*key.position, key.seat))) + key.head


def number(value: int) -> bytes:
    return value.to_bytes(4, "big")
