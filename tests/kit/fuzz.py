"""Seeded mutation of bytes, and the doors that strangers' bytes come through.

A door is a function of bytes that may only answer, or refuse in its own words.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from ssl import PEM_cert_to_DER_cert

from p2ptruco.net.discovery import read as read_announcement
from p2ptruco.net.lobby.room import off_the_wire
from p2ptruco.net.transport import frames
from p2ptruco.net.transport.certificate import BadLeaf, channel_key, fresh_leaf
from p2ptruco.net.transport.fault import Fault
from p2ptruco.net.transport.ticket import BadTicket, parse
from p2ptruco.rules.notation.judge import judge
from p2ptruco.table.agreement import (
    Agreement,
    BadSignature,
    Signed,
    read_agreement,
    read_signed,
)
from p2ptruco.table.codec import Malformed, encode, strict
from p2ptruco.table.entries import parse as parse_entry
from p2ptruco.table.entries import read_entry
from p2ptruco.table.identity import TRAILER
from p2ptruco.table.private import Advice, Cards, Signal, read_private, write_private
from p2ptruco.table.record.file import Cut, NoRecord, Reader, Trailed, read_trailer, trailer_of
from p2ptruco.table.violation import LinkFault
from p2ptruco.text import clean

from ..net.test_frames import EXAMPLES
from .party import Party
from .pieces import pieces


@dataclass(frozen=True)
class Door:
    """`take` bytes; `refusals` are its own words, anything else that it raises is a bug."""

    name: str
    samples: tuple[bytes, ...]
    take: Callable[[bytes], object]
    refusals: tuple[type[Exception], ...]


def mutated(rng: random.Random, samples: tuple[bytes, ...]) -> bytes:
    """A sample with a few bytes changed, cut, doubled, moved in from another, or nonsense."""
    data = bytearray(rng.choice(samples))
    for _ in range(rng.randint(1, 6)):
        at, size = rng.randrange(len(data) + 1), rng.randint(1, 9)
        match rng.randrange(7):
            case 0 if at < len(data):
                data[at] = rng.randrange(256)
            case 1:
                del data[at : at + size]
            case 2:
                data[at:at] = rng.randbytes(size)
            case 3:
                data[at:at] = data[at : at + size]
            case 4 if at < len(data):
                data[at] ^= 1 << rng.randrange(8)
            case 5:
                other = rng.choice(samples)
                start = rng.randrange(len(other) + 1)
                data[at : at + size] = other[start : start + size]
            case 6:
                data[at : at + 1] = rng.choice(NASTY)
    return bytes(data)


NASTY = (
    b"\xdd\xff\xff\xff\xff",
    b"\xc6\xff\xff\xff\xff",
    b"\xdb\x7f\xff\xff\xff",
    b"\xdf\xff\xff\xff\xff",
    b"\xc9\xff\xff\xff\xff\x01",
    b"\x91" * 40,
    b"\xcf" + b"\xff" * 8,
    b"\xcb\x7f\xf8\0\0\0\0\0\0",
    "\u202e\u2066\x1b[2J".encode(),
    b"\xed\xa0\x80",
    b"\0",
)


def doors(party: Party, record: bytes) -> Iterator[Door]:
    """Every decoder, with good bytes to start from."""
    agreement = party.agreement
    entries = tuple(
        encode(parsed.entry) for step in party.peers[0].table.steps[:40] for parsed in step.entries
    )
    yield Door("frames", tuple(_frames(agreement.blob, entries)), _read_frames, (Fault,))
    yield Door(
        "entries",
        entries,
        lambda blob: parse_entry(agreement, read_entry(blob)),
        (Malformed, LinkFault),
    )
    yield Door("agreements", (agreement.blob,), read_agreement, (Malformed,))
    yield Door("records", (record,), _read_record, (NoRecord, Cut, Malformed))
    yield Door(
        "signed agreements",
        (pieces(record)[0],),
        lambda blob: read_signed(strict(Signed, blob)),
        (Malformed, BadSignature),
    )
    yield Door(
        "trailers", (_trailer(party),), lambda b: read_trailer(strict(Trailed, b)), (Malformed,)
    )
    yield Door("private", tuple(_privates(agreement.id)), read_private, (Malformed,))
    yield Door("rooms", (_room(agreement),), _read_room, (Fault, ValueError))
    yield Door("certificates", (_certificate(),), channel_key, (BadLeaf,))
    yield Door("tickets", (TICKET,), lambda b: parse(b.decode("utf-8", "replace")), (BadTicket,))
    yield Door("notation", NOTATIONS, lambda blob: judge(blob).json(), ())
    yield Door("text", (b"Z\xc3\xa9 da Silva", "e\u0301\u200d".encode()), _text, ())
    yield Door("announcements", (b"4\x00mineiro\x00Ana",), _announcement, ())


TICKET = b"TRUCO:AIAACAOAVAARJHF3CAII2ILSY4DFMI5AQLHA7PMIXLOAUAABAIBQIBIGA4EAS4AWHI"
NOTATIONS = (
    b"variant mineiro\nscore 8 4\ndealer 2\nhand 1: 4c 7h 3s\nhand 2: As 2d Kd\n1: truco\n2: seis\n"
    b"1: run\n",
    b"variant paulista all_tied=dealer\nplayers 4\nvira 3c\nhand 1: ? ? ?\nhand 2: 4c ? ?\n"
    b"hand 3: ? ? ?\nhand 4: ? ? ?\n1: x\n2: 4c\n",
    "\ufeffvariant mineiro\r\nhand 1: 4♣ 7♥ 3♠\r\nhand 2: A♠ 2♦ K♦\r\n1: 4♣\r\n".encode(),
)


def _privates(table: bytes) -> Iterator[bytes]:
    yield write_private(Signal(table, 0, "zap"))
    yield write_private(Cards(table, 0, 3, 0, bytes(160)))
    yield write_private(Advice(table, 0, 3, 0, 12, bytes(32), "run"))


def _trailer(party: Party) -> bytes:
    peer = party.peers[0]
    body = encode(trailer_of(peer.table, peer.seat))
    return encode(Trailed(body, peer.identity.sign(TRAILER, body)))


def _room(agreement: Agreement) -> bytes:
    terms = agreement.terms
    chairs = tuple(
        frames.Chair(place.identity, place.name, place.identity, False, True, False)
        for place in terms.roster
    )
    room = frames.Room(terms.variant, terms.toggles, terms.times, chairs, False, False)
    return frames.write(room)


def _read_room(blob: bytes) -> object:
    return [off_the_wire(room) for room in _read_frames(blob) if isinstance(room, frames.Room)]


def _certificate() -> bytes:
    return PEM_cert_to_DER_cert(fresh_leaf().certificate.decode())


def _frames(agreement: bytes, entries: tuple[bytes, ...]) -> Iterator[bytes]:
    """One of every type at least."""
    for entry in map(read_entry, entries[:12]):
        yield frames.write(frames.EntryFrame(entry.body, entry.signature))
    yield frames.write(frames.Proposal(agreement, (((b"\x7f\0\0\1", 7),),) * 2))
    yield from map(frames.write, EXAMPLES)


def _read_frames(blob: bytes) -> list[object]:
    reader = frames.Reader()
    reader.feed(blob)
    return [
        frames.unpad(message) if isinstance(message, frames.Private) else message
        for message in reader.messages()
    ]


def _read_record(blob: bytes) -> object:
    reader = Reader(io.BytesIO(blob))
    reader.signed()
    return sum(1 for _ in reader)


def _text(blob: bytes) -> object:
    text = clean(blob.decode("utf-8", "surrogateescape"))
    assert clean(text) == text
    return text


def _announcement(blob: bytes) -> object:
    parts = [*blob.split(b"\0"), b"", b"", b""]
    said = {b"p": b"p2ptruco/1", b"name": parts[2], b"variant": parts[1], b"seats": parts[0]}
    return read_announcement(said | {b"free": parts[3]}, [parts[1].decode("latin1")], 9)


def run(door: Door, rng: random.Random, count: int) -> tuple[int, int]:
    """(accepted, refused) of `count` mutated inputs; whatever is no refusal comes out."""
    accepted = 0
    for _ in range(count):
        data = mutated(rng, door.samples)
        try:
            door.take(data)
            accepted += 1
        except door.refusals:
            pass
        except Exception as error:
            raise AssertionError(f"{door.name}: {error!r} on {data!r}") from error
    return accepted, count - accepted
