"""Makes the vectors of the table: `python -m tests.kit.table_vectors` writes protocol/vectors/.

Every byte comes from a seeded source: a run without a change of the protocol changes nothing.
Outcomes are written down here by hand; the maker stops where the code gives another.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgpack
import msgspec

from p2ptruco.rules.presets import MINEIRO, PAULISTA
from p2ptruco.rules.scale import Scale
from p2ptruco.table.codec import encode
from p2ptruco.table.entries import Entry, Lay, Leave, Position, Ready, Say, Seal, write
from p2ptruco.table.identity import AGREEMENT, ENTRY, Identity, published_seed
from tests.kit.bound_vectors import bounds_of_agreements, bounds_of_entries
from tests.kit.ed25519 import sign_again
from tests.kit.record_vectors import records
from tests.kit.seats import agreement, identity
from tests.kit.standing_vectors import hashes, standings
from tests.kit.table_runner import ROOT, run
from tests.kit.ticket_vectors import tickets
from tests.kit.vector import Json, Named, vector

HEAD = bytes(range(32))
POSITION = Position(1, 0, 7)


# Agreements, names, keys, signatures.


def agreements() -> Iterator[Named]:
    good = agreement(2)
    yield _terms("accepted-2", "two seats", good.blob, "accepted")
    yield _terms("accepted-6", "six seats, a vira", agreement(6, PAULISTA).blob, "accepted")
    newer = _with(good.terms, roster=_as(name="Bia \U0001fae8"))
    yield _terms("accepted-emoji", "a name with an emoji of Unicode 15", encode(newer), "accepted")
    house = replace(MINEIRO, name="house", scale=Scale.parse("2,ßão:4,ÿþ:8"))
    about = "calls of the letters of Latin-1, ß among them"
    yield _terms("accepted-letters", about, agreement(2, house).blob, "accepted")
    long = replace(MINEIRO, name="long", target=999, scale=Scale.parse(_long_scale(256)))
    about = "a toggle of 256 characters"
    yield _terms("accepted-long", about, agreement(2, long).blob, "accepted")
    first, _ = roster = good.terms.roster
    toggles = dict(good.terms.toggles)
    rows: dict[str, tuple[str, Json]] = {
        "another-protocol": ("another protocol", {"protocol": "p2ptruco/2"}),
        "another-suite": ("another suite", {"suite": "other"}),
        "key-twice": ("one key in two seats", {"roster": (first, first)}),
        "key-published": (
            "a key whose seed is published",
            {"roster": _as(identity=_published("vector-0"))},
        ),
        "key-small-order": (
            "a key of order 8",
            {"roster": _as(identity=bytes.fromhex(ORDER_8))},
        ),
        "name-bidi": ("a name that turns the line round", {"roster": _as(name="Ana\u202e")}),
        "name-not-nfc": ("a name in another normal form", {"roster": _as(name="Ze\u0301")}),
        "operator": ("an operator who is not there", {"roster": _as(operator=2)}),
        "seats": ("a size that the variant does not allow", {"roster": (*roster, first)}),
        "toggle-missing": ("a toggle too few", {"toggles": good.terms.toggles[:-1]}),
        "toggle-order": ("toggles in another order", {"toggles": good.terms.toggles[::-1]}),
        "toggle-spelling": (
            "manilhas written out that have a word",
            {"toggles": tuple({**toggles, "manilhas": "4c,7h,As,7d"}.items())},
        ),
        "toggle-zero-in-front": (
            "a target with a zero in front",
            {"toggles": tuple({**toggles, "target": "012"}.items())},
        ),
        "toggle-long": (
            "a toggle of 257 characters",
            {"toggles": tuple({**toggles, "target": "999", "scale": _long_scale(257)}.items())},
        ),
        "toggle-capital": (
            "a call in capitals",
            {"toggles": tuple({**toggles, "scale": "2,Dobro:4"}.items())},
        ),
        "toggle-no-letter": (
            "a call with the sign µ, which is no letter of an alphabet",
            {"toggles": tuple({**toggles, "scale": "2,aµ:4"}.items())},
        ),
        "variant-impossible": (
            "a target below the scale",
            {"toggles": tuple({**toggles, "target": "10"}.items())},
        ),
    }
    for name, (about, fields) in rows.items():
        yield _terms(name, about, encode(_with(good.terms, **fields)), "malformed")
    yield _terms("trailing-byte", "a byte too many", good.blob + b"\xc0", "malformed")
    longer = good.blob.replace(b"\xa9agreement", b"\xd9\x09agreement", 1)
    yield _terms("second-spelling", "a text longer than need be", longer, "malformed")


def bound_agreements() -> Iterator[Named]:
    for row in bounds_of_agreements():
        yield _terms(*row)


def bound_entries() -> Iterator[Named]:
    for name, about, entry, expect in bounds_of_entries():
        yield _entry(f"bound-{name}", about, entry, expect)


def _long_scale(size: int) -> str:
    """A scale written in so many characters."""
    calls = [f"{chr(97 + at) * 15}:{100 + at}" for at in range(12)]
    text = ",".join(["1", *calls])
    return f"{text},{'z' * (size - len(text) - 5)}:{500}"


MINUS_ZERO = "01" + "00" * 30 + "80"
ORDER_8 = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"


def _terms(name: str, about: str, blob: bytes, expect: str) -> Named:
    return name, vector(about, "agreement", {"agreement": blob.hex()}, expect)


def _with(value: Any, **fields: Any) -> Any:
    return msgspec.structs.replace(value, **fields)


def _as(**fields: Any) -> tuple[Any, ...]:
    """The roster with the second seat changed."""
    first, second = agreement(2).terms.roster
    return (first, _with(second, **fields))


def _published(name: str) -> bytes:
    return Identity(published_seed(name)).public


def texts() -> Iterator[Named]:
    rows = {
        "nfc": ("Ze\u0301", "Zé"),
        "control": ("\x1b[2Ja\x00b", "[2Jab"),
        "bidi": ("a\u202eb\u2066c", "abc"),
        "zero-width": ("a\u200d\u200b\ufeffb", "ab"),
        "white-space": (" a\t\u2003b\u2028c ", "a b c"),
        "marks": ("a" + "\u0336" * 5, "a\u0336\u0336"),
        "fillers": ("\u3164\u2800\u115f", ""),
        "characters": ("n" * 30, "n" * 24),
        "bytes": ("\U0001f0cf" * 20, "\U0001f0cf" * 16),
        "newer-emoji": ("\U0001fae8\U0001fae9", "\U0001fae8\U0001fae9"),
        "newer-than-the-list": ("a\u05c8\U00050000b", "ab"),
        "newer-control": ("a\U00013439b\u2065c", "abc"),
        "late-not-composed": ("e\u0301\U000105d2\u0307\U000105c9", "é\U000105d2\u0307\U000105c9"),
        "late-marks": ("a\u0897\u0323\u1acf", "a\u0897\u0323"),
        "marks-brought-together": (
            "b\u0301\u0301\u0900\U0001d165\u0301",
            "b\U0001d165\u0301\u0301",
        ),
    }
    for name, (dirty, expected) in rows.items():
        given, gives = {"text": dirty}, {"clean": expected}
        yield f"text-{name}", vector("text made clean", "text", given, "accepted", gives=gives)


def keys() -> Iterator[Named]:
    prime = 2**255 - 19
    rows = {
        "key": ("a key", identity(0).public, "accepted"),
        "key-vector-7": ("a published key", _published("vector-7"), "malformed"),
        "key-authority": ("the authority's key", _published("authority"), "malformed"),
        "key-identity": ("the identity", (1).to_bytes(32, "little"), "malformed"),
        "key-identity-sign": ("the identity, x negative", bytes.fromhex(MINUS_ZERO), "malformed"),
        "key-order-8": ("a point of order 8", bytes.fromhex(ORDER_8), "malformed"),
        "key-mixed": ("a key plus the point of order 2", _mixed(), "malformed"),
        "key-not-canonical": ("y = p + 3", (prime + 3).to_bytes(32, "little"), "malformed"),
        "key-no-point": ("no point", (2).to_bytes(32, "little"), "malformed"),
        "key-short": ("31 bytes", bytes(31), "malformed"),
    }
    for name, (about, key, expect) in rows.items():
        yield name, vector(about, "key", {"key": key.hex()}, expect)


def _mixed() -> bytes:
    """−(x, y) + (0, −1) = (x, −y): the sign of x stays, y is negated."""
    whole = int.from_bytes(identity(0).public, "little")
    sign, y = whole >> 255, whole % 2**255
    return ((1 - sign) << 255 | (2**255 - 19 - y)).to_bytes(32, "little")


def signatures() -> Iterator[Named]:
    me, message = identity(0), b"a message"
    good = me.sign(ENTRY, message)
    order = 2**252 + 27742317777372353535851937790883648493
    high = int.from_bytes(good[32:], "little") + order
    rows = {
        "signature": ("a signature", ENTRY, good, "accepted"),
        "signature-label": ("of another purpose", AGREEMENT, good, "bad_signature"),
        "signature-high": ("S plus the order", ENTRY, good[:32] + high.to_bytes(32, "little"), ""),
        "signature-bit": ("one bit changed", ENTRY, bytes([good[0] ^ 1]) + good[1:], ""),
        "signature-r-identity": ("R is the identity", ENTRY, _without_a_nonce(message), ""),
        "signature-short": ("63 bytes", ENTRY, good[:63], ""),
    }
    for name, (about, label, signature, expect) in rows.items():
        given = {
            "key": me.public.hex(),
            "label": label.decode(),
            "message": message.hex(),
            "signature": signature.hex(),
        }
        yield name, vector(about, "signature", given, expect or "bad_signature")


def _without_a_nonce(message: bytes) -> bytes:
    """A signature with the nonce 0: S is the challenge times the secret."""
    return sign_again(identity(0).seed, ENTRY + message, nonce=0)


# Entries.


def entries() -> Iterator[Named]:
    table = agreement(2)
    lay = write(table, POSITION, 1, HEAD, Lay(3, False, b"t" * 96), identity(1))
    contents = {
        "play": Lay(3, True, b""),
        "ready": Ready(),
        "say": Say("accept"),
        "leave": Leave(),
        "seal": Seal(1, (2, 12), (0, 0)),
        "seal-nobody": Seal(None, (0, 0), (0, 0)),
    }
    yield _entry("play-open", "a card laid open", lay, "accepted")
    for name, content in contents.items():
        entry = write(table, POSITION, 1, HEAD, content, identity(1))
        yield _entry(name, "a good entry", entry, "accepted")
    for name, (about, index, value, expect) in FIELDS.items():
        yield _entry(name, about, _field(lay, index, value), expect)
    for name, (about, was, now) in SPELLINGS.items():
        assert was in lay.body
        yield _entry(name, about, _signed(lay.body.replace(was, now, 1)), "malformed")
    yield _entry("too-long", "8193 bytes", _signed(bytes(8193)), "malformed")
    yield _entry("trailing", "a byte too many", _signed(lay.body + b"\xc0"), "malformed")
    yield _entry("map", "a map", _signed(b"\x81\xa1a\x01"), "malformed")
    for name, body in {
        "empty": b"",
        "number": b"\x05",
        "text": b"\xa2p2",
        "array": b"\x90",
    }.items():
        yield _entry(f"only-{name}", "not an array of ten", _signed(body), "malformed")
    nested = _signed(b"\x91" * 4000)
    yield _entry("nested", "arrays in arrays", nested, "malformed")
    for depth, expect in ((7, "wrong_version"), (8, "malformed")):
        inner = b"\x91" * depth + b"\xc0"
        deep = _signed(b"\x92\xaap2ptruco/2" + inner)
        yield _entry(
            f"deep-{depth + 1}", f"arrays {depth + 1} deep, of another protocol", deep, expect
        )
    for name, second in {"float": b"\xca" + bytes(4), "uint8": b"\xcc\x03", "map": b"\x80"}.items():
        other = _signed(b"\x92\xaap2ptruco/2" + second)
        about = f"of another protocol, but first of all a value with a {name} that is none of ours"
        yield _entry(f"version-{name}", about, other, "malformed")
    wide = _signed(b"\xdc\x1f\x00" * 1000 + bytes(5000))
    yield _entry("claims", "arrays that claim thousands", wide, "malformed")
    forged = Entry(lay.body, bytes(64))
    yield _entry("forged", "no signature of its author", forged, "bad_signature")
    other = Entry(lay.body, identity(0).sign(ENTRY, lay.body))
    yield _entry("of-another-key", "signed by another seat", other, "bad_signature")
    purpose = Entry(lay.body, identity(1).sign(AGREEMENT, lay.body))
    yield _entry("of-another-label", "signed for another purpose", purpose, "bad_signature")


FIELDS: dict[str, tuple[str, int, Any, str]] = {
    "version": ("another protocol, before anything else", 0, "p2ptruco/2", "wrong_version"),
    "protocol-bytes": ("the protocol as bin", 0, b"p2ptruco/1", "malformed"),
    "purpose": ("another purpose", 1, "agreement", "malformed"),
    "table": ("another table", 2, bytes(32), "wrong_table"),
    "table-short": ("31 bytes of a table", 2, bytes(31), "malformed"),
    "epoch": ("another epoch", 3, 1, "wrong_table"),
    "hand": ("a hand too far", 4, 1 << 16, "malformed"),
    "attempt": ("a negative number", 5, -1, "malformed"),
    "step-float": ("a float", 6, 7.0, "malformed"),
    "step-bool": ("a bool for a number", 6, True, "malformed"),
    "seat": ("a seat that is not in the roster", 7, 2, "malformed"),
    "seat-8": ("a seat that is nowhere", 7, 8, "malformed"),
    "head": ("a head as str", 8, "h" * 32, "malformed"),
    "content-unknown": ("an unknown content", 9, ["shout", "!"], "malformed"),
    "content-short": ("a field too few", 9, ["play", 3, False], "malformed"),
    "content-long": ("a field too many", 9, ["ready", None], "malformed"),
    "slot": ("a slot that is nowhere", 9, ["play", 25, False, b""], "malformed"),
    "word": ("an unknown word", 9, ["say", "truco"], "malformed"),
    "token": ("a token over its limit", 9, ["reveal", bytes(257)], "malformed"),
    "ext": ("an extension", 9, msgpack.ExtType(1, b"x"), "malformed"),
}
SPELLINGS = {
    "str8": ("text longer than need be", b"\xa5entry", b"\xd9\x05entry"),
    "bin16": ("bytes longer than need be", b"\xc4\x60", b"\xc5\x00\x60"),
    "array16": ("an array longer than need be", b"\x94\xa4play", b"\xdc\x00\x04\xa4play"),
    "uint8": ("a number longer than need be", b"\xa4play\x03", b"\xa4play\xcc\x03"),
}


def _signed(body: bytes) -> Entry:
    return Entry(body, identity(1).sign(ENTRY, body))


def _field(entry: Entry, index: int, value: Any) -> Entry:
    fields = msgpack.unpackb(entry.body)
    fields[index] = value
    return _signed(msgpack.packb(fields))


def _entry(name: str, about: str, entry: Entry, expect: str) -> Named:
    given = {"agreement": agreement(2).blob.hex(), "body": entry.body.hex()}
    return name, vector(about, "entry", {**given, "signature": entry.signature.hex()}, expect)


# Heads.


def logs() -> Iterator[Named]:
    deal = [[0, 0, step, ["aa", "bb"] if step in (0, 1, 4, 5) else ["aa"]] for step in range(7)]
    later = [[1, 0, step, ["cc"]] for step in range(7)]
    yield _log("first-step", "the first head", deal[:1])
    yield _log("order", "bodies in the order of their seats", [[0, 0, 0, ["bb", "aa"]]])
    yield _log("split", "a byte moved from a body to the next", [[0, 0, 0, ["aabb", ""]]])
    about = "the end before the tokens step is over the head after the ready step, not over join"
    yield _log("end-after-ready", about, deal[:5])
    yield _log("tokens", "the tokens step joins deal and score", deal[:6])
    about = "a hand stands on the tokens step before it, its join on the end"
    yield _log("two-hands", about, [*deal, *later])
    yield _log("cut", "the head of the seal after an equivocation of seat 1", deal[:6], cut=1)


def _log(name: str, about: str, steps: list[Any], **more: Any) -> Named:
    given = {"agreement": agreement(2).blob.hex(), "steps": steps, **more}
    return name, vector(about, "heads", given, "accepted")


# Writing.


def made() -> tuple[dict[str, Json], dict[str, bytes]]:
    """Vectors by path, and record files by name."""
    parts = {
        "agreement": (agreements, bound_agreements, texts, keys, signatures),
        "entries": (entries, bound_entries),
        "log": (logs,),
        "ends": (standings, hashes),
        "ticket": (tickets,),
    }
    found = {
        f"{folder}/{name}": v for folder, makers in parts.items() for m in makers for name, v in m()
    }
    recorded = records()
    return found | {f"record/{name}": v for name, v in recorded.found}, recorded.files


def main() -> None:
    vectors, files = made()
    for name, blob in files.items():
        path = ROOT / "record" / f"{name}.record"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(blob)
    came = {name: run(v) for name, v in vectors.items()}
    wrong = {
        name: came[name]
        for name, v in vectors.items()
        if {**came[name], **v} != {**v, **came[name]}
    }
    if wrong:
        raise SystemExit("\n".join(f"{name}: {found}" for name, found in wrong.items()))
    for name, v in vectors.items():
        path = (ROOT / name).with_suffix(".json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({**v, **came[name]}, indent=1, ensure_ascii=True) + "\n")


if __name__ == "__main__":
    main()
