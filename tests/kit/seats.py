"""Fixed identities and agreements, the same in every run: for tests and for vectors."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.variant import Variant
from p2ptruco.table.agreement import Agreement, Place, Times, propose
from p2ptruco.table.identity import Identity

NAMES = ("Ana", "Bia", "Caio", "Davi", "Edu", "Flora", "Gil", "Hugo")


def seeded(*names: str) -> Callable[[int], bytes]:
    """An endless byte source: SHA-512 of the names and a counter."""
    state, count = hashlib.sha512("/".join(names).encode()).digest(), 0

    def take(size: int) -> bytes:
        nonlocal count
        out = b""
        while len(out) < size:
            out += hashlib.sha512(state + count.to_bytes(8, "big")).digest()
            count += 1
        return out[:size]

    return take


def identity(seat: int, name: str = "test") -> Identity:
    return Identity(seeded("identity", name, str(seat))(32))


def place(seat: int, name: str = "test") -> Place:
    nonce = seeded("nonce", name, str(seat))(32)
    return Place(identity(seat, name).public, NAMES[seat], seat, nonce)


def agreement(players: int = 2, variant: Variant = MINEIRO, name: str = "test") -> Agreement:
    """What the first `players` of NAMES agree on."""
    return propose(variant, [place(seat, name) for seat in range(players)], times=Times(30, 15, 60))
