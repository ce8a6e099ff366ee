"""A record that is another one when it is read again: its signatures are checked only once."""

from __future__ import annotations

import io
import random

import pytest

from p2ptruco.table.record.audit import audit
from p2ptruco.table.record.file import NoRecord
from tests.kit.opendeck import open_deck
from tests.kit.records import one_hand


class Turncoat(io.BytesIO):
    """A file on the sender's own drive or share: after so many beginnings it has other bytes."""

    def __init__(self, first: bytes, then: bytes, beginnings: int) -> None:
        super().__init__(first)
        self._then, self._left = then, beginnings

    def seek(self, place: int, whence: int = 0) -> int:
        if (place, whence) == (0, 0):
            self._left -= 1
            if self._left < 0:
                super().__init__(self._then)
        return super().seek(place, whence)


def holds(file: io.BytesIO) -> bool:
    try:
        return audit(file, random.Random(4).randbytes).ok
    except NoRecord:
        return False


@pytest.mark.parametrize("beginnings", range(4))
def test_a_file_that_changes_as_it_is_read_does_not_hold(beginnings: int):
    """Whoever can write to a file as it is verified would have entries believed that nobody has
    signed: any match at all between the keys of one agreement."""
    record = one_hand()
    forged = record[:-1] + bytes([record[-1] ^ 1])  # in the last signature
    with open_deck():
        assert holds(io.BytesIO(record))
        assert holds(Turncoat(record, forged, beginnings)) == (beginnings == 3)
