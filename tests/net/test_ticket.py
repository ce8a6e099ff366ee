"""Tickets and their proofs (wire.md §3)."""

from __future__ import annotations

import base64
import contextlib
from ipaddress import IPv6Address

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2ptruco.net.transport import address, ticket
from p2ptruco.net.transport.ticket import Address, BadTicket, Ticket, parse

from .kit import identities, seeded

HOST, GUEST, OTHER = (bytes([n]) * 32 for n in (1, 2, 3))
V4 = Address("192.168.1.20", 40123)
V6 = Address("fe80::1", 7000)

labels = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,6}[a-z0-9])?", fullmatch=True)
hosts = st.one_of(
    st.ip_addresses().map(str),
    st.integers(0, (1 << 64) - 1).map(lambda n: str(IPv6Address((0xFE80 << 112) + n))),
    st.lists(labels, max_size=3).map(lambda parts: ".".join([*parts, "example"])),
    st.binary(min_size=32, max_size=32).map(address.onion_of),
).filter(lambda host: _is_host(host))
addresses = st.builds(Address, hosts, st.integers(1, 65535))


def _is_host(host: str) -> bool:
    with contextlib.suppress(ValueError):
        return bool(address.kind_of(host))
    return False


tickets = st.builds(
    Ticket,
    st.lists(addresses, max_size=3).map(tuple),
    st.one_of(st.just(b""), st.binary(min_size=16, max_size=16)),
    st.binary(min_size=10, max_size=64),
    st.sampled_from(["seat", "watch"]),
    st.lists(addresses, max_size=2).map(tuple),
)


@settings(deadline=None)
@given(tickets)
def test_every_ticket_reads_back(one: Ticket) -> None:
    assert parse(str(one)) == one


@settings(deadline=None)
@given(tickets, st.randoms(use_true_random=False))
def test_what_a_hand_types_is_read(one: Ticket, chance) -> None:  # type: ignore[no-untyped-def]
    """Any case, blanks and hyphens anywhere, 0 1 8 for O I B, with the prefix or without."""
    slips = str.maketrans("OIB", "018")
    body = str(one).removeprefix(ticket.PREFIX).translate(slips)
    typed = "".join(c.lower() if chance.random() < 0.5 else c for c in body)
    cut = chance.randrange(len(typed))
    typed = typed[:cut] + " - \n" + typed[cut:]
    assert parse(f"  {chance.choice(['', 'truco:', 'TRUCO:'])}{typed} ") == one


def test_a_ticket_fits_an_alphanumeric_qr_code() -> None:
    one = ticket.new_ticket((V4,), HOST, seeded())
    assert set(str(one)) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 $%*+-./:")
    assert len(str(one)) < 80


@settings(deadline=None)
@given(tickets)
def test_what_is_announced_fits_a_txt_record(one: Ticket) -> None:
    """Addresses of the local network only, and no more than 200 bytes hold, whatever it carries."""
    short = one.nearby()
    assert len(str(short)) <= 200
    assert {address.kind for address in short.addresses} <= set(ticket.NEARBY)
    assert not short.relays
    assert set(short.addresses) <= set(one.addresses)
    assert (short.fingerprint, short.key("watch")) == (one.fingerprint, one.key("watch"))


@pytest.mark.parametrize(
    ("typed", "host", "port"),
    [
        ("192.0.2.7", "192.0.2.7", 4000),
        ("192.0.2.7:5", "192.0.2.7", 5),
        ("2001:DB8:0::1", "2001:db8::1", 4000),
        ("[2001:db8::1]", "2001:db8::1", 4000),
        ("[2001:db8::1]:5", "2001:db8::1", 5),
        (" Casa.Example.ORG. ", "casa.example.org", 4000),
        ("são.example:5", "xn--so-sia.example", 5),
    ],
)
def test_an_address_is_read_as_people_type_it(typed: str, host: str, port: int) -> None:
    assert address.typed(typed, 4000) == Address(host, port)


@pytest.mark.parametrize(
    "typed", ["", "a b", "a:b", "1.2.3.4:0", "1.2.3.4:65536", "0.0.0.0", "fe80::1%eth0", "::1:"]
)
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the words are for programmers
        address.typed(typed, 4000)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "mistyped"),
        ("TRUCO:", "mistyped"),
        ("hello!", "no_ticket"),
        ("é" * 40, "no_ticket"),
        ("A" * 513, "no_ticket"),
        ("A" * 63, "mistyped"),
        ("TRUCO:TRUCO:AAAA", "no_ticket"),
    ],
)
def test_what_is_no_ticket_is_refused(text: str, code: str) -> None:
    with pytest.raises(BadTicket) as caught:
        parse(text)
    assert caught.value.code == code


def _text(content: bytes) -> str:
    return base64.b32encode(content + ticket._check(content)).decode().rstrip("=")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (bytes([1, 0, 0, 0, 10]) + b"s" * 10, "wrong_version"),
        (bytes([2, 2, 0, 0, 10]) + b"s" * 10, "malformed"),  # purpose
        (bytes([2, 0, 9, 0, 10]) + b"s" * 10, "malformed"),  # addresses
        (bytes([2, 0, 1, 7]) + b"1" * 6 + bytes([0, 10]) + b"s" * 10, "malformed"),  # family
        (bytes([2, 0, 1, 1]) + b"1" * 4 + bytes([0, 0, 0, 10]) + b"s" * 10, "malformed"),  # port 0
        (bytes([2, 0, 0, 15]) + b"f" * 15 + bytes([10]) + b"s" * 10, "malformed"),  # fingerprint
        (bytes([2, 0, 0, 0, 9]) + b"s" * 9, "malformed"),  # a secret that can be guessed
        (bytes([2, 0, 0, 0, 10]) + b"s" * 9, "malformed"),  # too short
        (bytes([2, 0, 0, 0, 10]) + b"s" * 11, "malformed"),  # too long
    ],
)
def test_lengths_and_kinds_are_explicit(content: bytes, code: str) -> None:
    with pytest.raises(BadTicket) as caught:
        parse(_text(content))
    assert caught.value.code == code


@settings(deadline=None)
@given(tickets, st.integers(0, 10_000), st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"))
def test_one_wrong_letter_is_noticed(one: Ticket, where: int, letter: str) -> None:
    body = str(one).removeprefix(ticket.PREFIX)
    where %= len(body)
    typed = body[:where] + letter + body[where + 1 :]
    if typed != body:
        with pytest.raises(BadTicket):
            parse(typed)


@pytest.mark.parametrize("secret", range(10, 15))
def test_a_ticket_has_one_spelling(secret: int) -> None:
    """Bits that no byte needs are zero, and no number of letters is nearly right."""
    body = str(Ticket((), b"", b"s" * secret)).removeprefix(ticket.PREFIX)
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    for other in [body[:-1] + letter for letter in alphabet] + [body + "A", body[:-1]]:
        if other != body:
            with pytest.raises(BadTicket):
                parse(other)


@pytest.mark.parametrize(("plain", "look"), [("S", "ſ"), ("I", "ı"), ("SS", "ß"), ("FF", "\ufb00")])
def test_a_letter_of_another_alphabet_is_none_of_a_tickets(plain: str, look: str) -> None:
    """Even one whose capital, to Python, is a letter of the ticket."""
    secret = next(n for n in range(1 << 20) if plain in str(Ticket((), b"", b"%010d" % n)))
    text = str(Ticket((), b"", b"%010d" % secret))
    assert parse(text)
    with pytest.raises(BadTicket):
        parse(text.replace(plain, look))


@settings(max_examples=500, deadline=None)
@given(st.text(max_size=120))
def test_fuzzed_text_never_escapes(text: str) -> None:
    with contextlib.suppress(BadTicket):
        assert parse(str(parse(text))) == parse(text)


@pytest.mark.parametrize(
    "fields",
    [
        {"secret": b"s" * 9},
        {"secret": b"s" * 65},
        {"fingerprint": b"f" * 15},
        {"addresses": tuple(Address("10.0.0.1", port) for port in range(1, 10))},
        {"relays": (Address("a" * 63 + ".example", 1),) * 3 + (Address("b" * 250, 1),)},
        {"addresses": (Address(".".join(["a" * 50] * 4), 1), Address(".".join(["b" * 50] * 4), 1))},
        {"addresses": (Address("192.168.001.20", 1),)},
        {"addresses": (Address("FE80::1", 1),)},
        {"addresses": (Address("10.1", 1),)},
        {"addresses": (Address("fe80::1%eth0", 1),)},
        {"addresses": (Address("a" * 56 + ".onion", 1),)},
        {"addresses": (Address("10.0.0.1", 0),)},
        {"addresses": (Address("10.0.0.1", 65536),)},
        {"purpose": "roster"},
    ],
)
def test_a_ticket_that_has_no_text_cannot_be_made(fields: dict[str, object]) -> None:
    whole: dict[str, object] = {"addresses": (V4, V6), "fingerprint": b"", "secret": b"s" * 10}
    with pytest.raises(ValueError):  # noqa: PT011 - the words are for programmers
        Ticket(**(whole | fields))  # type: ignore[arg-type]


def test_a_secret_is_not_shown() -> None:
    assert "secretsecret" not in repr(Ticket((V4,), b"", b"secretsecret"))


def test_who_may_watch_cannot_sit() -> None:
    """The watcher's key is derived one way: it gives neither the secret nor the seat's key."""
    one = Ticket((V4,), b"", b"s" * 10)
    watcher = parse(str(one.to_watch()))
    assert watcher.key("watch") == one.key("watch")
    assert watcher.secret != one.secret
    with pytest.raises(ValueError, match="opens no seat"):
        watcher.key("seat")
    assert one.key("watch") != one.key("seat")


def test_the_fingerprint_names_the_host() -> None:
    me, other = identities(2)
    one = ticket.new_ticket((V4,), me.public, seeded())
    assert one.names(me.public)
    assert not one.names(other.public)
    assert Ticket((V4,), b"", b"s" * 10).names(other.public)


@pytest.mark.parametrize(
    ("key", "side", "host", "guest"),
    [
        (b"x" * 32, "guest", HOST, GUEST),  # another secret
        (b"k" * 32, "host", HOST, GUEST),  # mirrored by the other side
        (b"k" * 32, "guest", HOST, OTHER),  # carried to another channel
        (b"k" * 32, "guest", OTHER, GUEST),
        (b"k" * 32, "guest", GUEST, HOST),  # roles swapped
    ],
)
def test_a_proof_is_for_one_side_of_one_channel(
    key: bytes, side: ticket.Side, host: bytes, guest: bytes
) -> None:
    """A proof that passed elsewhere would let a listener in as its author."""
    shown = ticket.proof(b"k" * 32, "guest", HOST, GUEST)
    assert ticket.proves(shown, b"k" * 32, "guest", HOST, GUEST)
    assert not ticket.proves(shown, key, side, host, guest)
