"""Good records with something done to them (record.md §3)."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from p2ptruco.mental.transcript import digest
from p2ptruco.table.agreement import PROTOCOL, Agreement, Signed, Terms
from p2ptruco.table.chain import Step, end_head, first_head
from p2ptruco.table.codec import encode, strict
from p2ptruco.table.entries import Entry, Leave, Position, Ready, Seal, read_parsed
from p2ptruco.table.identity import AGREEMENT, TRAILER, Identity, published_seed
from p2ptruco.table.record.file import Proof, Said, Trailed, Trailer
from tests.kit.made import Made
from tests.kit.pieces import body_of, changed, entry_of, item, pieces, said, trailed


def change_entries(made: Made, keys: list[Identity], foreign: bytes) -> None:
    """`complete`, with something done to it."""
    head, *log, one, two = whole = pieces(made.files["complete"])
    first, second = log[:2]
    start, rest, seals = [head], log[1:], [one, two]

    def bad(name: str, about: str, expect: str, *parts: list[bytes]) -> None:
        made.edit("complete", name, about, expect, *parts)

    bad("unsealed", "the second seal is missing", "unsealed", whole[:-1])
    bad("cut-before-the-seals", "no seal, no trailer", "incomplete", whole[:-2])
    bad("cut-in-a-value", "the last byte is missing", "incomplete", whole[:-1], [two[:-1]])
    bad("empty", "no bytes", "no_record")
    bad("text", "a text", "no_record", [b"a match, I swear"])
    bad("published-key", "seat 1 has vector-0's key", "no_record", [seated_anew(head)], log, seals)
    unsigned = head[:-1] + bytes([head[-1] ^ 1])
    bad("unsigned", "seat 1 did not sign the agreement", "bad_signature", [unsigned], log, seals)
    forged = second[:-1] + bytes([second[-1] ^ 1])
    bad("forged", "a signature changed", "bad_signature", start, [first, forged], log[2:], seals)
    short = [encode(["entry", entry_of(second).body, entry_of(second).signature[:63]])]
    bad("entry-signature-short", "63 bytes", "malformed", start, [first], short, log[2:], seals)
    bare = [encode(["entry", entry_of(second).body])]
    bad(
        "entry-without-signature", "a body alone", "malformed", start, [first], bare, log[2:], seals
    )
    stolen = said(entry_of(first).body, keys[1])
    bad("of-another-key", "signed by the other seat", "bad_signature", start, [stolen], rest, seals)
    bad("dropped", "a commitment is missing", "bad_head", start, rest, seals)
    bad("last-dropped", "the last card is missing", "bad_head", start, log[:-1], seals)
    bad("doubled", "a commitment twice", "not_due", start, [first], log, seals)
    bad("swapped", "commitments swapped", "not_due", start, [second, first], log[2:], seals)
    early = [*log[:7], log[8], log[7], *log[9:]]
    bad("steps-swapped", "a token before the last ready", "bad_head", start, early, seals)
    bad("after-the-end", "a seal twice", "not_due", whole, [two])
    bad("of-another-table", "of another match", "wrong_table", start, [foreign], rest, seals)
    version = said(entry_of(first).body.replace(b"p2ptruco/1", b"p2ptruco/2"), keys[0])
    bad("of-another-version", "p2ptruco/2", "wrong_version", start, [version], rest, seals)
    spelled = [first.replace(b"\xa5entry", b"\xd9\x05entry", 1)]
    bad("second-spelling", "text too long", "malformed", start, spelled, rest, seals)
    bad("map", "a map between two values", "malformed", start, [b"\x80"], log, seals)
    claim = [b"\xdd\xff\xff\xff\xff"]
    change_values(made)
    bad("claim", "an array that claims 4 billion items", "malformed", start, claim, log, seals)
    moved = [changed(log[2], keys[0], step=2)]
    bad("moved", "step 2 on the head of step 1", "not_due", start, log[:2], moved, log[3:], seals)
    other = [changed(one, keys[0], content=Seal(0, (0, 2), (0, 0)))]
    bad("bad-seal", "seat 0 seals another end", "bad_seal", start, log, other, [two])
    content = [changed(first, keys[0], content=Ready())]
    bad("not-due", "ready for a commitment", "not_due", start, content)
    change_places(made, keys)
    leaves = [changed(one, keys[0], content=Leave())]
    about = "seat 0 leaves in place of its seal"
    bad("leave-for-a-seal", about, "not_due", start, log, leaves, [two])
    for name, about, signatures in (
        ("signature-missing", "seat 1 did not sign the agreement", lambda a, b: (a,)),
        ("signature-of-nobody", "three signatures of two seats", lambda a, b: (a, b, b)),
        ("signature-short", "63 bytes for a signature", lambda a, b: (a, b[:63])),
        ("signatures-missing", "nobody signed the agreement", lambda a, b: ()),
    ):
        bad(name, about, "malformed", [signed_by(head, signatures)], log, seals)
    about = "a first value of 17 KB, for its signatures are long"
    long = [signed_by(head, lambda a, b: (bytes(8192), bytes(8192), bytes(600)))]
    bad("signatures-too-long", about, "no_record", long, log, seals)
    nobodys = [changed(first, keys[0], seat=2)]
    bad("no-such-seat", "an entry of seat 2 of two", "malformed", start, nobodys, rest, seals)


def change_values(made: Made) -> None:
    """Values that go on to the end of the file, or could."""
    for name, about, expect, value in (
        ("cut-bin", "the file ends in a bin that claims 8193 bytes", "incomplete", b"\xc5\x20\x01"),
        (
            "cut-text",
            "the file ends in a text of 257 bytes",
            "incomplete",
            b"\xda\x01\x01" + b"a" * 256,
        ),
        ("text-257", "a text of 257 bytes", "malformed", b"\xda\x01\x01" + b"a" * 257),
        ("cut-array", "an array that claims 65 items, cut", "malformed", b"\xdc\x00\x41"),
        ("cut-map", "a map, cut", "malformed", b"\x81"),
        ("cut-map-16", "a map, cut in its header", "malformed", b"\xde"),
        ("never-a-value", "a byte that begins nothing", "malformed", b"\x92\xc1"),
        ("cut-deep-8", "eight arrays in one another, cut", "incomplete", b"\x91" * 8),
        ("cut-deep-9", "nine arrays in one another, cut", "malformed", b"\x91" * 9),
        (
            "cut-float",
            "a float, and the file ends before its array does",
            "malformed",
            b"\x92\xca" + bytes(4),
        ),
        (
            "cut-spelled",
            "a length too long, and the file ends before its array does",
            "incomplete",
            b"\x93\xd9\x05entry",
        ),
    ):
        made.edit("complete", name, about, expect, pieces(made.files["complete"])[:2], [value])
    for name, of, expect in (
        ("claims-the-file", "complete", "incomplete"),
        ("claims-a-long-file", "kinds", "malformed"),
    ):
        about = f"a bin that claims 16 MB, {expect} in {len(made.files[of])} bytes"
        head, *rest = pieces(made.files[of])
        made.edit(of, name, about, expect, [head, b"\xc6\x00\xff\xff\xff"], rest)


def change_places(made: Made, keys: list[Identity]) -> None:
    """Entries of `complete` on heads that the chain alone would let stand, or nearly."""
    head, *log, one, two = pieces(made.files["complete"])
    seals, agreement = [one, two], agreed(head)

    def bad(name: str, about: str, expect: str, *parts: list[bytes]) -> None:
        made.edit("complete", name, about, expect, [head], *parts)

    about = "step 1 on the head of step 0, which is open"
    apart = changed(log[1], keys[1], step=1)
    bad("moved-in-its-step", about, "not_due", log[:1], [apart], log[2:], seals)
    about = "hand 1 begins in the middle of hand 0: a head that the chain allows, the game denies"
    fresh = first_head(agreement, 1, 0, after(log[8:10]))
    ahead = changed(log[0], keys[0], hand=1, step=0, head=fresh)
    bad("next-hand-too-early", about, "bad_head", log[:10], [ahead], seals)
    about = "hand 1 begins before hand 0 has tokens: by heads alone on what hand 0 began on"
    instead = changed(log[0], keys[0], hand=1, head=first_head(agreement, 1, 0, agreement.id))
    bad("next-hand-in-a-deal", about, "bad_head", log[:2], [instead])
    about = "a seal on the head `end` in the middle of a hand"
    soon = changed(one, keys[0], step=8, head=end_head(after(log[11:12]), agreement.id))
    bad("end-too-early", about, "bad_head", log[:12], [soon])
    about = "an attempt after the first"
    again = changed(log[0], keys[0], attempt=1)
    bad("another-attempt", about, "not_due", [again], log[1:], seals)
    about = "a seal on the head `end` of a match that ended in its time"
    late = changed(one, keys[0], head=end_head(after(log[-1:]), agreement.id))
    bad("end-after-the-end", about, "not_due", log, [late])
    about = "hand 1 begins after the end of the match"
    more = changed(log[0], keys[0], hand=1, step=0, head=fresh)
    bad("next-hand-after-the-end", about, "not_due", log, [more])
    beyond = Position(0, 0, body_of(one).step + 1)
    about = "a seal in the step after the seals of all"
    later = changed(one, keys[0], step=beyond.step, head=after(seals))
    bad("step-after-the-end", about, "not_due", log, seals, [later])
    about = "a trailer behind the seals of all"
    made_up = Trailer(PROTOCOL, "trailer", agreement.id, 0, 1, *beyond, after(seals), ())
    closed = signed_trailer(made_up, keys[1])
    bad("trailer-after-the-end", about, "bad_trailer", log, seals, [closed])


def signed_trailer(trailer: Trailer, identity: Identity) -> bytes:
    body = encode(trailer)
    return encode(Trailed(body, identity.sign(TRAILER, body)))


def signed_by(head: bytes, signatures: Callable[[bytes, bytes], tuple[bytes, ...]]) -> bytes:
    """The signed agreement with other signatures, made of those of both seats."""
    wire = strict(Signed, head, 1 << 14)
    return encode(msgspec.structs.replace(wire, signatures=signatures(*wire.signatures)))


def agreed(head: bytes) -> Agreement:
    return Agreement(strict(Terms, strict(Signed, head, 1 << 14).agreement, 1 << 13))


def after(entries: list[bytes]) -> bytes:
    """The head that the step of these entries leads to."""
    parsed = tuple(read_parsed(entry_of(entry)) for entry in entries)
    return Step(*parsed[0].place, parsed).after


def seated_anew(head: bytes) -> bytes:
    """The signed agreement with a published key for seat 1, which signs as well."""
    wire = strict(Signed, head, 1 << 14)
    terms = strict(Terms, wire.agreement, 1 << 13)
    key = Identity(published_seed("vector-0"))
    zero, one = terms.roster
    blob = encode(
        msgspec.structs.replace(
            terms, roster=(zero, msgspec.structs.replace(one, identity=key.public))
        )
    )
    signature = key.sign(AGREEMENT, digest(b"agreement", (b"terms", blob)))
    return encode(
        msgspec.structs.replace(wire, agreement=blob, signatures=(wire.signatures[0], signature))
    )


def change_trailers(made: Made, writer: Identity, other: Identity) -> None:
    *log, trailer = whole = pieces(made.files["interrupted-in-a-step"])

    def bad(name: str, about: str, expect: str, *parts: list[bytes]) -> None:
        made.edit("interrupted-in-a-step", name, about, expect, *parts)

    about = "an entry was cut off before the trailer"
    bad("trailer-of-a-longer-log", about, "bad_trailer", log[:-1], [trailer])
    bad("no-trailer", "the trailer is missing", "incomplete", log)
    lying = trailed(trailer, writer, owing=(0, 1))
    bad("trailer-accuses", "names a seat that owes nothing", "bad_trailer", log, [lying])
    forged = trailed(trailer, other)
    bad("trailer-forged", "signed by another seat", "bad_signature", log, [forged])
    nowhere = trailed(trailer, writer, table=bytes(32))
    bad("trailer-of-another-table", "of another table", "bad_trailer", log, [nowhere])
    epoch = trailed(trailer, writer, epoch=1)
    bad("trailer-of-another-epoch", "of another epoch", "bad_trailer", log, [epoch])
    nobodys = trailed(trailer, writer, seat=2)
    bad("trailer-of-no-seat", "of seat 2 of two", "malformed", log, [nobodys])
    later = trailed(trailer, writer, protocol="p2ptruco/2")
    bad("trailer-of-another-version", "of p2ptruco/2", "malformed", log, [later])
    bad("trailer-twice", "a trailer twice", "not_due", whole, [trailer])
    bad("after-a-trailer", "an entry after the trailer", "not_due", whole, [log[-1]])
    shorter = trailed(trailer, writer, owing=(0, 1))
    about = "cut and signed anew by its writer: nobody can tell"
    bad("cut-and-signed-anew", about, "interrupted", log[:-1], [shorter])


def change_proofs(made: Made) -> None:
    whole = pieces(made.files["equivocation"])
    at = next(i for i, piece in enumerate(whole) if piece.startswith(b"\x93\xacequivocation"))
    proof, log, seals = item(whole[at]), whole[:at], whole[at + 1 :]
    assert isinstance(proof, Proof)

    def bad(name: str, about: str, expect: str, *parts: list[bytes]) -> None:
        made.edit("equivocation", name, about, expect, *parts)

    turned = encode(Proof(proof.second, proof.first))
    bad("proof-turned", "the larger body first", "malformed", log, [turned], seals)
    single = encode(Proof(proof.first, proof.first))
    bad("proof-of-one", "one body twice", "malformed", log, [single], seals)
    forged = encode(Proof(proof.first, Entry(proof.second.body, proof.first.signature)))
    bad("proof-forged", "one body is not signed", "bad_signature", log, [forged], seals)
    before = entry_of(log[1])
    apart = encode(Proof(*sorted((before, proof.second), key=lambda entry: entry.body)))
    bad("proof-of-two-places", "bodies in two places", "bad_head", log, [apart], seals)
    bad("proof-missing", "sealed on the cut without a proof", "bad_head", log, seals)
    bad("proof-twice", "a proof twice", "bad_head", log, [whole[at]], whole[at:])
    log_entry = [encode(Said(proof.first.body, proof.first.signature))]
    bad("proof-in-a-step", "its step has an entry", "not_due", log, log_entry, whole[at:])
