"""An independent prover forges every message of the deal: `tests/kit/forger`.

    python -m tests.soak.forger [seconds] [first seed]

Each honest message is accepted; each forged one goes to the verifier and to a whole table with its
record. Ends with status 1 if one is accepted, or if anything is raised that is no refusal.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from p2ptruco.mental import keys
from p2ptruco.mental.refused import Refused
from p2ptruco.table.entries import Commit, Content, Open, Shuffle, Tokens
from tests.kit.forger import openings, shuffles, tokens
from tests.kit.forger.judging import SEATS, Court


@dataclass(frozen=True)
class Forged:
    """One forged message: how the verifier and how a table get to see it."""

    name: str
    seat: int
    alone: Callable[[], object]
    step: int = 0
    content: Content | None = None
    """None: no place at a table."""
    first: Content | None = None


def everything(court: Court) -> Iterator[Forged]:
    for seat in range(SEATS):
        yield from _openings(court, seat)
        yield from _shuffles(court, seat)
        yield from _tokens(court, seat)


def _openings(court: Court, seat: int) -> Iterator[Forged]:
    for name, commitment, data in openings.forged(court.deal, seat, court.others):
        yield Forged(
            f"opening: {name}",
            seat,
            lambda c=commitment, d=data: court.opening(seat, c, d),  # type: ignore[misc]
            1,
            Open(data),
            Commit(commitment),
        )


def _shuffles(court: Court, seat: int) -> Iterator[Forged]:
    made = shuffles.forged(court.deal, seat, court.before(seat), court.others)
    for name, deck, proof in made:
        yield Forged(
            f"shuffle: {name}",
            seat,
            lambda d=deck, p=proof: court.shuffled(seat, d, p),  # type: ignore[misc]
            2 + seat,
            Shuffle(deck, proof),
        )


def _tokens(court: Court, seat: int) -> Iterator[Forged]:
    last = court.chain[-1][0]
    for slots in (court.theirs(seat), court.theirs(seat)[:1]):
        for name, asked, data in tokens.forged(court.deal, seat, last, slots, court.others):
            whole = slots == asked == court.theirs(seat)
            yield Forged(
                f"{len(slots)} tokens: {name}",
                seat,
                lambda a=asked, d=data: court.tokens(seat, a, d),  # type: ignore[misc]
                5,
                Tokens((data,)) if whole else None,
            )


def joined(court: Court) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Keys that no joint key may be made of, good openings of their own though they have."""
    x = court.deal.x[0]
    yield "equal keys", (x, x)
    yield "keys that cancel", (x, -x)


def judge(court: Court, found: Counter[str], bad: list[str], at_tables: bool = True) -> None:
    """Everything of one court: counted by word; `bad` is what should not be."""
    court.deck, court.honest  # noqa: B018  what is honest is accepted, or nothing is shown
    for name, secrets in joined(court):
        deal = court.deal.other(seed=name)
        deal.__dict__["x"] = secrets
        _one(found, bad, name, 1, lambda d=deal: keys.join(court.context, _opened(court, d)))  # type: ignore[misc]
    for forged in everything(court):
        _one(found, bad, forged.name, forged.seat, forged.alone)
        if forged.content is not None and at_tables:
            _at_a_table(court, forged, found, bad)


def _opened(court: Court, deal: object) -> list[object]:
    return [
        court.opening(
            seat,
            deal.commitment(seat, deal.publics[seat].encode(), deal.nonces[seat]),  # type: ignore[attr-defined]
            deal.opening(seat),  # type: ignore[attr-defined]
        )
        for seat in range(SEATS)
    ]


def _one(
    found: Counter[str], bad: list[str], name: str, seat: int, call: Callable[[], object]
) -> None:
    try:
        call()
    except Refused as refused:
        found[refused.kind] += 1
        if refused.seat != seat:
            bad.append(f"{name}: seat {refused.seat} is blamed for seat {seat}")
    except Exception:
        bad.append(f"{name}, seat {seat}: {traceback.format_exc()}")
    else:
        bad.append(f"{name}, seat {seat}: accepted")


def _at_a_table(court: Court, forged: Forged, found: Counter[str], bad: list[str]) -> None:
    assert forged.content is not None
    try:
        word = court.at_a_table(forged.step, forged.seat, forged.content, first=forged.first)
    except Exception:
        bad.append(f"{forged.name}, seat {forged.seat}, at a table: {traceback.format_exc()}")
        return
    if word:
        found[f"table: {word}"] += 1
    else:
        bad.append(f"{forged.name}, seat {forged.seat}: accepted at a table")


def main(seconds: int = 60, seed: int = 1) -> int:
    found, bad, first, begun = Counter[str](), list[str](), seed, time.monotonic()
    while time.monotonic() - begun < seconds or seed == first:
        judge(Court(seed), found, bad)
        seed += 1
        print(f"{found.total()} forgeries, {len(bad)} bad", file=sys.stderr, flush=True)
    for line in bad:
        print(line)
    print(f"{found.total() + len(bad)} forgeries of {seed - first} deals, {len(bad)} not refused")
    print(", ".join(f"{word}: {count}" for word, count in sorted(found.items())))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
