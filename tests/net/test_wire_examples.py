"""The examples of wire.md §9, recomputed."""

from __future__ import annotations

import re
from pathlib import Path

from p2ptruco.net.transport import frames, ticket
from p2ptruco.net.transport.hello import _statement
from p2ptruco.table.identity import HELLO, Identity, published_seed, verify
from p2ptruco.table.private import SINAIS

WIRE = (Path(__file__).parents[2] / "protocol" / "wire.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"^\| (.+?) \| (\S+) \|$", WIRE.split("## 9. Examples")[1], re.M))
HOST, GUEST, TABLE = b"\xaa" * 32, b"\xbb" * 32, b"\xcc" * 32


def test_the_examples_are_what_this_program_does() -> None:
    host = Identity(published_seed("vector-0"))
    secret, where = bytes(range(10)), (ticket.Address("192.168.1.20", 40123),)
    one = ticket.Ticket(where, ticket.host_fingerprint(host.public), secret)
    seat = one.key("seat")
    statement = _statement("accepting", HOST, GUEST)
    ours = {
        "ticket": str(one),
        "key(seat)": seat.hex(),
        "key(watch)": one.to_watch().secret.hex(),
        "key(roster)": ticket.derive(TABLE, "roster").hex(),
        "Knock.proof (seat)": ticket.proof(seat, "guest", HOST, GUEST).hex(),
        "Answer.proof (seat)": ticket.proof(seat, "host", HOST, GUEST).hex(),
        "Hello.identity": host.public.hex(),
        "Hello.signature (accepting)": host.sign(HELLO, statement).hex(),
        "frame of Ask(0, 3, 0, 12)": frames.write(frames.Ask(0, 3, 0, 12)).hex(),
    }
    assert {name: value for name, value in EXAMPLES.items() if name in ours} == ours
    assert ticket.parse(EXAMPLES["ticket"]) == one
    signature = bytes.fromhex(EXAMPLES["Hello.signature (accepting)"])
    assert verify(host.public, b"p2ptruco/1/hello", b"accepting" + HOST + GUEST, signature)


def test_the_sinais_are_those_of_the_page() -> None:
    """In this order, spelled like this: a face that spells one otherwise draws nothing."""
    page = WIRE.split("## 10. Sinais")[1]
    assert tuple(re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE)) == SINAIS
