"""Records to attack, and what an audit may say of an attacked one."""

from __future__ import annotations

import io
import random
from functools import cache

from p2ptruco.rules.presets import CORE
from p2ptruco.table.record.audit import Audit, audit
from p2ptruco.table.record.file import NoRecord
from p2ptruco.table.violation import RECORD_WORDS
from tests.kit.court import ONE_HAND, caller
from tests.kit.opendeck import open_deck
from tests.kit.party import Party, stayer
from tests.kit.table_runner import ROOT

WORDS = (RECORD_WORDS - {"bad_certificate"}) | {"no_record"}


@cache
def one_hand() -> bytes:
    """A match of one hand with a call, two seats, open deck."""
    with open_deck():
        return Party(ONE_HAND, 2, 1, caller).play().record()


@cache
def match(players: int, seed: int = 1, name: str = "mineiro") -> bytes:
    """A whole match, open deck."""
    with open_deck():
        return Party(CORE[name], players, seed, stayer).play().record()


@cache
def interrupted(players: int = 2, steps: int = 150) -> bytes:
    """A match that ends with a trailer of seat 0, open deck."""
    with open_deck():
        return Party(CORE["mineiro"], players, 1, stayer).play(steps).record()


@cache
def proved(name: str) -> bytes:
    """A record with real proofs, from the vectors."""
    return (ROOT / "record" / f"{name}.record").read_bytes()


def word_of(blob: bytes) -> str:
    """A status, a kind, or `no_record`; never anything else, and always with a place."""
    try:
        found = audit(io.BytesIO(blob), random.Random(1).randbytes)
    except NoRecord:
        return "no_record"
    if found.breach is None:
        assert found.status in ("complete", "unsealed", "interrupted")
        return found.status
    placed(found)
    return found.breach.kind


def placed(found: Audit) -> None:
    """A breach names a kind of its own and a place in the log, or the agreement's seat."""
    breach = found.breach
    assert breach is not None
    assert not found.ok
    assert found.status is None
    assert breach.kind in WORDS
    players = found.agreement.players
    assert breach.seat is None or 0 <= breach.seat < players
    if breach.hand is None:
        assert breach.step is None
        assert breach.kind in ("bad_signature", "malformed")
    else:
        assert breach.hand >= 0
        assert breach.step is not None
