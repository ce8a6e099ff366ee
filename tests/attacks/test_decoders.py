"""Mutated bytes at every door: each is answered or refused in the door's own words.

The attacker would gain a crash, a hang or unbounded memory at an honest peer. The long run is
`tests/soak/fuzz_decoders.py`.
"""

from __future__ import annotations

import contextlib
import random
import time
import tracemalloc

import pytest

from p2ptruco.rules.presets import CORE
from tests.kit.fuzz import Door, doors, run
from tests.kit.opendeck import open_deck
from tests.kit.party import Party, stayer

COUNT = 4000
ROOM = 60
"""Bytes that a decoder may take for each byte that it is given: lines of notation are objects."""


def all_doors() -> list[Door]:
    with open_deck():
        party = Party(CORE["mineiro"], 2, 11, stayer).play()
        return list(doors(party, party.record()))


DOORS = all_doors()


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.name)
def test_mutated_bytes_are_answered_or_refused(door: Door) -> None:
    count = COUNT // 20 if door.name == "records" else COUNT
    accepted, refused = run(door, random.Random(f"1/{door.name}"), count)
    assert accepted + refused == count
    if door.refusals:
        assert refused > count // 2, "the mutations reach the checks"


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.name)
def test_good_bytes_are_answered(door: Door) -> None:
    """The door is no wall: what the mutations start from is taken."""
    for sample in door.samples:
        door.take(sample)


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.name)
def test_long_nonsense_costs_no_more_than_its_length(door: Door) -> None:
    """A megabyte of anything is over at once: in work, not in seconds of a busy machine."""
    rng = random.Random(5)
    for filling in (b"\x91", b"\xdd\xff\xff\xff\xff", b"\xc4", b"1: x\n", b"\xff", b"# "):
        data = (filling * (1_000_000 // len(filling)))[:1_000_000]
        begun = time.process_time()
        with contextlib.suppress(*door.refusals):
            door.take(data + rng.randbytes(8))
        assert time.process_time() - begun < 20, "quadratic in the length"


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.name)
def test_nonsense_takes_no_more_room_than_its_length(door: Door) -> None:
    """Gain: a few bytes that claim to be many, or many for which everything is kept."""
    for filling in (b"\x91", b"\xdd\xff\xff\xff\xff", b"\xc4", b"1: x\n", b"\xff", b"# "):
        data = filling * (100_000 // len(filling))
        tracemalloc.start()
        try:
            with contextlib.suppress(*door.refusals):
                door.take(data)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < ROOM * len(data), filling
