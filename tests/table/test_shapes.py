"""Frames between partners and trailers of records: every bound, at the door (table.md §3, record.md
§1). Behind it a value over one would be told apart by another word, or by none."""

from __future__ import annotations

import msgpack
import pytest

from p2ptruco.table.codec import Malformed, encode
from p2ptruco.table.private import Advice, Cards, Private, Signal, read_private, write_private
from p2ptruco.table.record.file import Trailed, Trailer, read_trailer

HEAD = bytes(range(32))
GOOD: tuple[Private, ...] = (
    Cards(HEAD, 0, 1, 0, bytes(256)),
    Advice(HEAD, 0, 1, 0, 9, HEAD, "call"),
    Advice(HEAD, 0, 1, 0, 9, HEAD, "refuse"),
    Signal(HEAD, 0, "z"),
    Signal(HEAD, 0, "é" * 80),
)
BAD = {
    "tokens too long": ["cards", HEAD, 0, 1, 0, bytes(257)],
    "advice to fold": ["advice", HEAD, 0, 1, 0, 9, HEAD, "fold"],
    "advice of no word": ["advice", HEAD, 0, 1, 0, 9, HEAD, "truco"],
    "a signal that says nothing": ["signal", HEAD, 0, ""],
    "a signal of 81 characters": ["signal", HEAD, 0, "z" * 81],
    "no such frame": ["talk", HEAD, 0, "z"],
}
TRAILER = ["p2ptruco/1", "trailer", HEAD, 0, 1, 2, 0, 9, HEAD, [0, 1, 2, 3, 4, 5, 6, 7]]


@pytest.mark.parametrize("frame", GOOD, ids=repr)
def test_a_frame_within_its_bounds_is_read(frame: Private) -> None:
    assert read_private(write_private(frame)) == frame


@pytest.mark.parametrize("frame", BAD.values(), ids=BAD)
def test_a_frame_over_a_bound_is_malformed(frame: list[object]) -> None:
    with pytest.raises(Malformed):
        read_private(msgpack.packb(frame))


def test_a_trailer_within_its_bounds_is_read() -> None:
    owing = tuple(range(8))
    trailer = Trailer("p2ptruco/1", "trailer", HEAD, 0, 1, 2, 0, 9, HEAD, owing)
    assert msgpack.packb(TRAILER) == encode(trailer)
    assert read_trailer(Trailed(encode(trailer), bytes(64))) == trailer


@pytest.mark.parametrize(
    ("at", "value"), [(0, "p2ptruco/2"), (1, "entry"), (9, [0, 1, 2, 3, 4, 5, 6, 7, 7])], ids=str
)
def test_a_trailer_of_another_protocol_or_of_nine_seats_is_malformed(at: int, value: str) -> None:
    blob = msgpack.packb([*TRAILER[:at], value, *TRAILER[at + 1 :]])
    with pytest.raises(Malformed):
        read_trailer(Trailed(blob, bytes(64)))
