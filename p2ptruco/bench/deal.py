"""How fast this machine deals: each operation of a deal beside the group operations in it.

Laws
* Every lap is one whole deal of fresh keys and decks, each operation timed where it occurs, and
  the group's own unit costs timed between them; figures are medians over the laps.
* Time is the thread's own processor time, which on a free core is the wall clock's: what else the
  machine does meanwhile is not the deal's. (Where that clock is coarse, the wall clock's.)
* A floor is the counted group operations times their unit costs: what no program could avoid.
* Verifying starts from bytes: the checks at the door are timed with it.
* The cold deal is a critical path, each seat on a core of its own and no network: offline part of
  the first seat, then everybody's online part in turn, then chain, tokens, own cards.
"""

from __future__ import annotations

import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from p2ptruco.mental import chance, keys, shuffle, tokens
from p2ptruco.mental.context import Context
from p2ptruco.mental.deck import Deck, start_deck
from p2ptruco.mental.group import Counts, add, base_mult, counting, mult
from p2ptruco.mental.keys import Joint, KeyPair
from p2ptruco.mental.shuffle import Shuffled, prove

CARDS = tuple(rank + suit for rank in "4567QJKA23" for suit in "chsd")
LAPS = 15
UNIT_CALLS = 40
OPERATIONS = {
    "keygen": ("keygen",),
    "shuffle_offline": ("shuffle_offline",),
    "prove_offline": ("prove_offline",),
    "shuffle_online": ("shuffle_online",),
    "prove_online": ("prove_online",),
    "verify_one": ("parse", "verify_one"),
    "verify_chain": ("parse_all", "verify_chain"),
    "token": ("token",),
    "token_verify": ("token_verify",),
}
source = secrets.token_bytes
FINE = time.get_clock_info("thread_time").resolution < 1e-5
clock = time.thread_time if FINE else time.perf_counter


@dataclass
class Laps:
    """Milliseconds and operation counts of each timed piece, one of each a lap or several."""

    ms: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    counts: dict[str, Counts] = field(default_factory=dict)

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Time the block as one occurrence of `name`."""
        with counting() as counts:
            began = clock()
            yield
            self.ms[name].append((clock() - began) * 1e3)
        self.counts[name] = counts


def run(seats: int = 4, progress: Callable[[str], object] | None = None) -> dict[str, Any]:
    """The object of `p2ptruco bench deal --json`; `progress` is told each operation's name."""
    laps = Laps()
    for lap in range(LAPS):
        _deal(seats, laps, progress if progress and lap == 0 else lambda name: None)
    unit = {name: median(laps.ms[name]) * 1e3 / UNIT_CALLS for name in ("mult", "base", "add")}
    path = _critical_path(seats)
    return {
        "seats": seats,
        "unit_us": unit,
        "operations": {
            name: _operation(dict.fromkeys(pieces, 1), laps, unit)
            for name, pieces in OPERATIONS.items()
        },
        "cold_deal_ms": _ms(path, laps),
        "cold_deal_floor_ms": _floor_ms(path, laps, unit),
    }


def _critical_path(seats: int) -> dict[str, int]:
    """How often each piece stands on the way from the first shuffle to open cards."""
    others = seats - 1
    return {
        "shuffle_offline": 1,
        "prove_offline": 1,
        "shuffle_online": seats,
        "prove_online": seats,
        "parse": seats,
        "verify_chain": 1,
        "token": others,
        "token_verify": others,
        "open_cards": 1,
    }


def _operation(pieces: dict[str, int], laps: Laps, unit: dict[str, float]) -> dict[str, float]:
    counted = [laps.counts[name] for name in pieces]
    ms, floor = _ms(pieces, laps), _floor_ms(pieces, laps, unit)
    return {
        "ms": ms,
        "mults": sum(c.mults for c in counted),
        "bases": sum(c.bases for c in counted),
        "adds": sum(c.adds for c in counted),
        "floor_ms": floor,
        "ratio": ms / floor,
    }


def _ms(pieces: dict[str, int], laps: Laps) -> float:
    return sum(times * median(laps.ms[name]) for name, times in pieces.items())


def _floor_ms(pieces: dict[str, int], laps: Laps, unit: dict[str, float]) -> float:
    floor = 0.0
    for name, times in pieces.items():
        c = laps.counts[name]
        us = c.mults * unit["mult"] + c.bases * unit["base"] + c.adds * unit["add"]
        floor += times * us / 1e3
    return floor


def _units(laps: Laps) -> None:
    """UNIT_CALLS calls of each group operation, on values that it has not seen."""
    scalars = [chance.scalar(source) for _ in range(UNIT_CALLS)]
    with laps.timed("base"):
        points = [base_mult(scalar) for scalar in scalars]
    with laps.timed("mult"):
        others = [mult(s, point) for s, point in zip(scalars, points, strict=True)]
    with laps.timed("add"):
        for left, right in zip(points, others, strict=True):
            add(left, right)


def _deal(seats: int, laps: Laps, progress: Callable[[str], object]) -> None:
    """One deal with every seat here, from keys to the first seat's open cards."""
    progress("keygen")
    pairs, joint = _keys(seats, laps)
    chain: list[Shuffled] = []
    sent: list[tuple[bytes, bytes]] = []
    progress("shuffle")
    for seat in range(seats):
        _units(laps)
        sent.append(_shuffle(joint, seat, chain, laps))
        with laps.timed("parse"):
            chain.append(shuffle.parse(joint, seat, len(CARDS), *sent[-1]))
    progress("verify")
    _units(laps)
    deck = _verify(joint, chain, sent, laps)
    _units(laps)
    progress("token")
    _tokens(joint, pairs, deck, laps)


def _keys(seats: int, laps: Laps) -> tuple[list[KeyPair], Joint]:
    here = Context(source(32), 0, 0, 0, tuple(source(32) for _ in range(seats)))
    pairs, openings = [], []
    for seat in range(seats):
        with laps.timed("keygen"):
            pair = keys.draw(source)
            commitment = keys.commit(here, seat, pair)
            opening = keys.open_keys(here, seat, pair, source)
        pairs.append(pair)
        openings.append(keys.check_opening(here, seat, commitment, opening))
    return pairs, keys.join(here, openings)


def _shuffle(joint: Joint, seat: int, chain: list[Shuffled], laps: Laps) -> tuple[bytes, bytes]:
    before = (chain[-1] if chain else start_deck(CARDS)).masked
    with laps.timed("shuffle_offline"):
        masks = prove.draw_masks(joint, len(CARDS), source)
    with laps.timed("prove_offline"):
        committed = prove.commit_masks(joint, seat, masks, source)
    with laps.timed("shuffle_online"):
        after = prove.apply_masks(masks, before)
    with laps.timed("prove_online"):
        made = prove.prove(joint, seat, masks, committed, before, after, source)
    return after.encode(), made.encode()


def _verify(
    joint: Joint, chain: list[Shuffled], sent: list[tuple[bytes, bytes]], laps: Laps
) -> Deck:
    with laps.timed("verify_one"):
        shuffle.verify_one(joint, chain[0], chain[1], source)
    with laps.timed("parse_all"):
        again = [shuffle.parse(joint, seat, len(CARDS), *s) for seat, s in enumerate(sent)]
    with laps.timed("verify_chain"):
        return shuffle.verify_chain(joint, start_deck(CARDS), again, source)


def _tokens(joint: Joint, pairs: list[KeyPair], deck: Deck, laps: Laps) -> None:
    """Seat 0 gets its three cards: one message of every other seat."""
    slots = (0, 1, 2)
    paid: dict[int, list[Any]] = {slot: [] for slot in slots}
    for seat in range(1, len(pairs)):
        with laps.timed("token"):
            message = tokens.release(joint, seat, pairs[seat], deck, slots, source)
        with laps.timed("token_verify"):
            taken = tokens.check(joint, seat, deck, slots, message)
        for slot, token in zip(slots, taken, strict=True):
            paid[slot].append(token)
    with laps.timed("open_cards"):
        faces = [
            tokens.face(deck, slot, [tokens.own(pairs[0], deck, slot), *paid[slot]])
            for slot in slots
        ]
    if None in faces or len(set(faces)) != len(slots):
        raise AssertionError("the deal that was measured is wrong")
