"""Vectors at and beyond the bounds of fields, of entries and of agreements (table.md §1, §2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgpack

from p2ptruco.table.agreement import Agreement
from p2ptruco.table.entries import Entry, Ready, write
from p2ptruco.table.identity import ENTRY
from tests.kit.seats import agreement, identity

HEAD = bytes(range(32))

# Contents of entries, all shapes in order: accepted, or one beyond.
GOOD: dict[str, tuple[str, list[Any]]] = {
    "open-longest": ("an opening of 256 bytes", ["open", bytes(256)]),
    "shuffle-longest": (
        "a deck of 2560 bytes, a proof of 5120",
        ["shuffle", bytes(2560), bytes(5120)],
    ),
    "tokens-longest": ("eight batches of 256 bytes", ["tokens", [bytes(256)] * 8]),
    "tokens-none": ("no batch", ["tokens", []]),
    "play-longest": ("slot 24, a token of 256 bytes", ["play", 24, False, bytes(256)]),
    "play-slot-0": ("slot 0", ["play", 0, True, b""]),
    "reveal-longest": ("a token of 256 bytes", ["reveal", bytes(256)]),
    "seal-winner-0": ("team 0", ["seal", 0, [65535, 0], [0, 65535]]),
}
BAD: dict[str, tuple[str, list[Any]]] = {
    "open-too-long": ("an opening of 257 bytes", ["open", bytes(257)]),
    "deck-too-long": ("a deck of 2561 bytes", ["shuffle", bytes(2561), bytes(5120)]),
    "proof-too-long": ("a proof of 5121 bytes", ["shuffle", bytes(2560), bytes(5121)]),
    "batch-too-long": ("a batch of 257 bytes", ["tokens", [bytes(257)]]),
    "batches-too-many": ("nine batches", ["tokens", [b""] * 9]),
    "play-token-too-long": ("a token of 257 bytes", ["play", 3, False, bytes(257)]),
    "slot-below": ("slot -1", ["play", -1, False, b""]),
    "winner-below": ("team -1", ["seal", -1, [0, 0], [0, 0]]),
    "winner-beyond": ("team 2", ["seal", 2, [0, 0], [0, 0]]),
    "score-beyond": ("a score of 65536", ["seal", 0, [65536, 0], [0, 0]]),
    "commit-short": ("a commitment of 31 bytes", ["commit", bytes(31)]),
}


def bounds_of_entries() -> Iterator[tuple[str, str, Entry, str]]:
    """Name, what it is about, the entry, the outcome."""
    for rows, expect in ((GOOD, "accepted"), (BAD, "malformed")):
        for name, (about, content) in rows.items():
            yield name, about, signed(9, content), expect
    yield "seat-below", "seat -1", signed(7, -1), "malformed"
    yield "hand-below", "hand -1", signed(4, -1), "malformed"
    yield "hand-lowest", "a hand in five bytes", signed(4, 65536), "malformed"


def signed(index: int, value: object) -> Entry:
    """Seat 1's entry with one field of its body as given."""
    from tests.kit.table_vectors import POSITION

    body = msgpack.unpackb(write(agreement(2), POSITION, 1, HEAD, Ready(), identity(1)).body)
    body[index] = value
    blob = msgpack.packb(body, use_bin_type=True)
    return Entry(blob, identity(1).sign(ENTRY, blob))


# Terms of agreements


def bounds_of_agreements() -> Iterator[tuple[str, str, bytes, str]]:
    good = agreement(2)
    toggles = {
        "toggle-base-of-nil": ("a base of 0", {"scale": "0,truco:4"}),
        "toggle-base-of-letters": ("a base that is no number", {"scale": "a,truco:4"}),
        "toggle-no-call": ("a scale without a call", {"scale": "2"}),
        "toggle-scale-named": (
            "a scale written out that has a name",
            {"scale": "2,truco:4,seis:8,nove:12"},
        ),
        "toggle-ranks-small": ("ranks in small letters", {"ranks": "4567qjka23"}),
        "deck-too-small": (
            "24 cards for eight seats and a vira",
            {"ranks": "QJKA23", "manilhas": "vira"},
        ),
        "manilha-outside": ("a manilha that is not in the deck", {"ranks": "567QJKA23"}),
        "size-of-another": ("two seats where four are allowed", {"players": "4"}),
    }
    for name, (about, changes) in toggles.items():
        written = [[key, changes.get(key, value)] for key, value in good.terms.toggles]
        yield name, about, changed(good, 5, written), "malformed"
    for name, about, text, expect in (
        ("name-of-40", "a variant's name of 40 letters", "a" * 40, "accepted"),
        ("name-of-41", "a variant's name of 41 letters", "a" * 41, "malformed"),
        ("name-in-capitals", "a variant's name in capitals", "Mineiro", "malformed"),
        ("name-begins-with-a-dot", "a variant's name that begins with a dot", ".m", "malformed"),
    ):
        yield f"variant-{name}", about, changed(good, 4, text), expect
    yield "epoch-below", "epoch -1", changed(good, 3, -1), "malformed"
    yield "epoch-beyond", "epoch 1, of a later page", changed(good, 3, 1), "malformed"
    roster = msgpack.unpackb(good.blob)[8]
    roster[1][2] = -1
    yield "operator-below", "operator -1", changed(good, 8, roster), "malformed"


def changed(good: Agreement, index: int, value: object) -> bytes:
    terms = msgpack.unpackb(good.blob)
    terms[index] = value
    return msgpack.packb(terms, use_bin_type=True)
