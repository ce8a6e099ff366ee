"""The deals of a record, ruled on in worker threads ahead of the replay.

A deal depends on nothing but its own entries (deal.md §3 to §5), so the chains of the next hands
are verified while this one is replayed. libsodium works outside the interpreter's lock, so two
threads use two cores. The replay looks at every entry all the same, in its place: what is taken
from here is only the ruling on a content, made by the same phases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import groupby, islice
from typing import Any, Final, Protocol

from ...mental.chance import Source
from ...rules.seating import Seat
from ..agreement import Agreement
from ..course import first_phase
from ..entries import Parsed
from ..steps.dealing import Readying
from ..steps.order import close, needs, number, rule
from ..steps.phases import LEFT, Fault, NotDue, Phase, Ruling
from ..unforeseen import unforeseen
from ..violation import LinkFault

HANDS_AHEAD = 3
"""Deals that are under way or waiting to be used."""
UNKNOWN: Final = object()
"""No ruling was made ahead: the table rules itself."""

Rulings = Mapping[bytes, Ruling]


class Promised(Protocol):
    """What a pool is working on."""

    def result(self) -> Any: ...


class Pool(Protocol):
    """Threads to work in: a `concurrent.futures.Executor` is one."""

    def submit(self, work: Callable[..., Any], /, *args: Any) -> Promised: ...


class Ahead:
    """Rulings on the commitments, openings and shuffles of a log that `said` reads once more."""

    def __init__(
        self, agreement: Agreement, said: Iterable[Parsed], source: Source, pool: Pool
    ) -> None:
        self._agreement, self._source, self._pool = agreement, source, pool
        self._judged = number(Readying, agreement.players)
        """The step behind the last shuffle."""
        deals = (parsed for parsed in said if parsed.body.step < self._judged)
        self._hands = groupby(deals, lambda parsed: parsed.body.hand)
        self._started = -1
        self._rulings: dict[int, Promised] = {}

    def ruling(self, parsed: Parsed) -> Ruling:
        """What a phase says of this content, or UNKNOWN."""
        hand = parsed.body.hand
        if parsed.body.step >= self._judged:
            return UNKNOWN
        self._advance(hand + HANDS_AHEAD)
        made = self._rulings.get(hand)
        rulings: Rulings = made.result() if made else {}
        return rulings.get(parsed.entry.body, UNKNOWN)

    def _advance(self, hand: int) -> None:
        while self._started < hand:
            number, group = next(self._hands, (hand, iter(())))
            self._started = number
            self._rulings.pop(number - HANDS_AHEAD - 1, None)
            said = list(islice(group, 3 * self._agreement.players))
            if said:
                self._rulings[number] = self._pool.submit(self._rule, number, said)

    def _rule(self, hand: int, said: list[Parsed]) -> Rulings:
        """The rulings on a hand's deal, as far as its entries are due, each in its own step:
        behind a proof stand seals in the deal's place.
        """
        rulings: dict[bytes, Ruling] = {}
        with suppress(LinkFault), unforeseen("a deal"):  # the table comes to it in its place
            self._deal(hand, said, rulings)
        return rulings

    def _deal(self, hand: int, said: list[Parsed], rulings: dict[bytes, Ruling]) -> None:
        """Add the rulings to those that are there."""
        phase: Phase = first_phase(self._agreement, hand, 0, self._source)
        steps = groupby(said, lambda parsed: parsed.position)
        for at, (position, step) in enumerate(steps):
            if position.step != at:
                break
            made = dict(_ruled(phase, step))
            rulings |= {parsed.entry.body: ruling for parsed, ruling in made.values()}
            values = {seat: ruling for seat, (_, ruling) in made.items()}
            spoilt = any(isinstance(one, Fault) or one is LEFT for one in values.values())
            if spoilt or len(made) < len(needs(phase)):
                break
            after = close(phase, values)
            if isinstance(after, Fault):
                break
            phase = after


def _ruled(phase: Phase, step: Iterable[Parsed]) -> Iterator[tuple[Seat, tuple[Parsed, Ruling]]]:
    """Each seat's first content in a step, ruled on; it ends at one that is not due."""
    heard: set[Seat] = set()
    for parsed in step:
        seat = Seat(parsed.body.seat)
        if seat not in needs(phase) or seat in heard:
            return
        heard.add(seat)
        try:
            yield seat, (parsed, rule(phase, seat, parsed.body.content))
        except NotDue:
            return
