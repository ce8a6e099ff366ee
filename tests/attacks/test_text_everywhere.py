"""Text of a stranger, in every place where some can come, reaches neither log nor record.

Gain: whoever reads a log in a terminal has it steered, cleared or written over; a log or a record
carries somebody's words at any length.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

import msgspec
import pytest
from trio.testing import MockClock

from p2ptruco.net.transport import frames
from p2ptruco.rules.scale import Scale
from p2ptruco.rules.variant import Variant
from p2ptruco.table.entries import Say
from p2ptruco.table.identity import ENTRY
from tests.kit.cheats.base import Dishonest
from tests.kit.opendeck import open_deck

NASTY = ("\x1b[2J\x1b]0;\x07\u202eabc\u2066\nforged: line", "x" * 500)
LINE = 400
"""Characters of a line of the log, at most."""


def raw(kind: int, *fields: object) -> bytes:
    body = msgspec.msgpack.encode(fields)
    return (1 + len(body)).to_bytes(4, "big") + bytes([kind]) + body


class Writer(Dishonest):
    """Writes what it likes wherever bytes can be text, one link after the other."""

    variant = Variant(name="long", scale=Scale.parse("2,truco:4"), target=20)

    async def scheme(self) -> None:
        for message in self.messages():
            await self.until_others_play()
            if self.table.outcome:
                return
            self.spit(message)
            await self.mesh.all_linked()

    def messages(self) -> Iterator[bytes]:
        said = self.forge(Say("call")).body
        for text in NASTY:
            yield raw(0x25, text)
            yield raw(0x26, bytes(32), text)
            yield raw(0x23, text[:64], None, None, False, False)
            for at, value in ((0, text), (1, text), (9, ["say", text]), (9, [text])):
                fields = msgspec.msgpack.decode(said)
                fields[at] = value
                body = msgspec.msgpack.encode(fields)
                yield frames.write(frames.EntryFrame(body, self.identity.sign(ENTRY, body)))
            table = self.agreement.id
            yield frames.write(frames.pad(msgspec.msgpack.encode(["signal", table, 0, text])))
            yield frames.write(frames.pad(msgspec.msgpack.encode([text, table, 0])))
            yield raw(0x05, text[:16])


@pytest.mark.parametrize("size", [2, 4])
async def test_nothing_that_a_peer_writes_is_logged_or_recorded(
    size: int, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Every line of the log can be shown; no record holds a word of it."""
    caplog.set_level(logging.DEBUG, logger="p2ptruco")
    with open_deck():
        evening = await Writer.evening(size, patience=60.0).play()
        evening.check_honest()
    lines = [record.getMessage() for record in caplog.records if record.name[:8] == "p2ptruco"]
    assert {"malformed", "wrong_version"} <= {one.reason for one in evening.closed}
    assert any("x" * 100 in line for line in lines), "all of it was written"
    for line in lines:
        assert line.isprintable(), line
        assert len(line) <= LINE
    for text in NASTY:
        for peer in evening.honest:
            assert text.encode()[:30] not in peer.record
