"""Makes the vectors of the deal: `python -m tests.mental.vectors` writes protocol/vectors/.

Every byte comes from a seeded source, so a run without a change of the protocol changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from p2ptruco.mental import keys, tokens
from p2ptruco.mental.group import (
    IDENTITY,
    Point,
    Q,
    add,
    base_mult,
    decode_scalar,
    encode_scalar,
    mult,
    sub,
)
from p2ptruco.mental.keys import KeyPair
from tests.mental import rfc9496, runner
from tests.mental.forged_vectors import forged_vectors
from tests.mental.kit import CARDS, FEW, Deal, context, deal, seeded
from tests.mental.rfc9496 import disguised
from tests.mental.shuffle_vectors import shuffle_vectors
from tests.mental.vector import Json, Named, vector

ROOT = Path(__file__).parents[2] / "protocol" / "vectors"
FOLDERS = ("transcript", "group", "keys", "shuffle", "tokens", "coin", "deal")


def made() -> dict[str, Json]:
    """All vectors by path, each with the outcome that the code gives it now."""
    parts = (
        _transcripts(),
        _groups(),
        _keys(),
        shuffle_vectors(),
        _tokens(),
        forged_vectors(),
        _coins(),
        _deals(),
    )
    return {name: {**v, **runner.run(v)} for part in parts for name, v in part}


def _transcripts() -> Iterator[Named]:
    steps = [
        {"absorb": "first", "value": "00ff"},
        {"challenge": "t"},
        {"challenge": "t"},
        {"absorb": "second", "value": ""},
        {"challenge": "x"},
    ]
    given = {"label": "p2ptruco/1/example", "steps": steps}
    yield (
        "transcript/challenges",
        vector("challenges bind all before them, squeezed ones included", "transcript", given),
    )
    for name, items in {
        "split-1": [["ab", "cd"], ["e", "0001"]],
        "split-2": [["a", "62cd"], ["e", "0001"]],
        "split-3": [["ab", "cd00"], ["e", "01"]],
    }.items():
        absorbed = [{"absorb": label, "value": value} for label, value in items]
        given = {"label": "p2ptruco/1/example", "steps": [*absorbed, {"challenge": "c"}]}
        about = "bytes moved over a border between items give another challenge"
        yield f"transcript/{name}", vector(about, "transcript", given)
    given = {"label": "p2ptruco/1/example", "items": [["a", "00"], ["b", ""]]}
    yield (
        "transcript/digest",
        vector("the first 32 bytes of SHA-512 of the items", "digest", given),
    )
    given = {"label": "p2ptruco/1/example", "secret": "05" * 32, "fresh": "07" * 32}
    yield (
        "transcript/nonces",
        vector("hedged nonces from secret, transcript, fresh bytes and a counter", "nonces", given),
    )


def _groups() -> Iterator[Named]:
    labels = ["p2ptruco/1/card/4c", "p2ptruco/1/card/3d", "p2ptruco/1/H/0", "p2ptruco/1/H/39"]
    yield "group/hash-to-point", vector("cards, generators", "hash_to_point", {"labels": labels})
    given = {"labels": list(rfc9496.HASHED)}
    yield "group/rfc-hash-to-point", vector("labels of RFC 9496 A.3", "hash_to_point", given)
    about = "multiples of the base point (RFC 9496 A.1)"
    yield "group/rfc-multiples", vector(about, "multiples", {"below": 16})
    for name, (about, points) in {
        "not-canonical": ("p or more", rfc9496.NOT_CANONICAL),
        "negative": ("odd", rfc9496.NEGATIVE),
        "not-square": ("no square", rfc9496.NOT_SQUARE),
        "negative-xy": ("xy is odd", rfc9496.NEGATIVE_XY),
        "y-zero": ("y is 0", rfc9496.Y_ZERO),
    }.items():
        given = {"points": points}
        yield f"group/rfc-{name}", vector(f"{about} (RFC 9496 A.2)", "no_points", given)
    given = {"points": [alias.hex() for alias in rfc9496.aliases(base_mult(7))]}
    yield "group/points-aliases", vector("other numbers for one point", "no_points", given)
    for name, data in {
        "point": base_mult(7).hex(),
        "point-identity": bytes(32).hex(),
        "point-bit-255": disguised(base_mult(7)).hex(),
        "point-identity-bit-255": disguised(IDENTITY).hex(),
        "point-not-canonical": "f3" + "ff" * 30 + "7f",
        "point-negative": "0100" + "00" * 30,
        "point-not-on-curve": "26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371",
        "point-short": base_mult(7).hex()[:-2],
    }.items():
        yield f"group/{name}", vector("a point at the door", "point", {"bytes": data})
    for name, value in {"scalar": Q - 1, "scalar-q": Q, "scalar-bit-255": 2**255 + 1}.items():
        given = {"bytes": value.to_bytes(32, "little").hex()}
        yield f"group/{name}", vector("a scalar at the door", "scalar", given)


def _keys() -> Iterator[Named]:
    here = deal(context(2))
    for seat, pair in enumerate(here.pairs):
        given = {
            "seat": seat,
            "secret": encode_scalar(pair.secret).hex(),
            "nonce": pair.nonce.hex(),
        }
        yield f"keys/commit-{seat}", vector("a commitment to a key", "commit", given, here)
    yield from _openings(here)
    both = {
        "publics": [p.public.hex() for p in here.pairs],
        "nonces": [p.nonce.hex() for p in here.pairs],
    }
    yield "keys/join", vector("joint key and hand nonce", "join", both, here)
    twice = {**both, "publics": [both["publics"][0]] * 2}
    yield "keys/join-duplicate", vector("a key twice: the later seat's fault", "join", twice, here)
    again = disguised(here.pairs[0].public).hex()
    once = {**both, "publics": [both["publics"][0], again]}
    about = "a key twice, once with bit 255 set"
    yield "keys/join-bit-255", vector(about, "join", once, here)
    minus = mult(-1, here.pairs[0].public).hex()
    cancel = {**both, "publics": [both["publics"][0], minus]}
    yield "keys/join-cancels", vector("keys whose sum is the identity", "join", cancel, here)


def _openings(here: Deal) -> Iterator[Named]:
    good, commitment = here.openings[1], here.commitments[1]
    pair = here.pairs[1]
    rogue = sub(base_mult(5), here.pairs[0].public)
    bound = keys.commit(here.context, 1, KeyPair(1, rogue, pair.nonce))
    other = replace(here.context, hand=9)
    elsewhere = keys.open_keys(other, 1, pair, seeded("elsewhere"))
    big = (int.from_bytes(good[96:], "little") + Q).to_bytes(32, "little")
    cases = {
        "opening": ("an opening", commitment, good),
        **_disguised_openings(here),
        "opening-short": ("a byte is missing", commitment, good[:-1]),
        "opening-identity": ("the key is the identity", commitment, bytes(32) + good[32:]),
        "opening-scalar": ("the response is s + q", commitment, good[:96] + big),
        "opening-other-nonce": (
            "not what was committed to",
            commitment,
            good[:32] + bytes(32) + good[64:],
        ),
        "opening-of-another-seat": ("seat 0's opening", here.commitments[0], here.openings[0]),
        "opening-of-another-hand": ("a proof for another hand", commitment, elsewhere),
        "opening-rogue": ("xG minus the other key, with a proof of x", bound, rogue + good[32:]),
    }
    for name, (about, committed, data) in cases.items():
        given = {"seat": 1, "commitment": committed.hex(), "opening": data.hex()}
        yield f"keys/{name}", vector(about, "opening", given, here)


def _disguised_openings(here: Deal) -> dict[str, tuple[str, bytes, bytes]]:
    """Keys with bit 255 set, committed to and proved as they stand."""
    mine = here.pairs[1]
    cases = {
        "bit-255": ("a key with bit 255 set", mine.secret, mine.public),
        "identity-bit-255": ("the identity with bit 255 set", 0, IDENTITY),
    }
    return {
        f"opening-{name}": (about, *committed(here, KeyPair(x, Point(disguised(X)), mine.nonce)))
        for name, (about, x, X) in cases.items()
    }


def committed(here: Deal, pair: KeyPair) -> tuple[bytes, bytes]:
    """Seat 1's commitment to a key, and its opening."""
    opening = keys.open_keys(here.context, 1, pair, seeded("opening"))
    return keys.commit(here.context, 1, pair), opening


def _tokens() -> Iterator[Named]:
    here = deal(context(2))
    for name, (about, slots, message) in _token_messages(here).items():
        given = {**_open_deck(here), "seat": 1, "slots": slots, "message": message.hex()}
        yield f"tokens/{name}", vector(about, "token", given, here)
    paid = [tokens.own(pair, here.deck, 4) for pair in here.pairs]
    given = {**_open_deck(here), "slot": 4, "tokens": [token.hex() for token in paid]}
    yield "tokens/face", vector("all tokens of a slot open its card", "face", given, here)
    wrong = [base_mult(1), paid[1]]
    given = {**_open_deck(here), "slot": 4, "tokens": [token.hex() for token in wrong]}
    yield "tokens/face-none", vector("a wrong token opens no card", "face", given, here)


def _open_deck(here: Deal) -> Json:
    return {"cards": list(FEW), "deck": here.deck.masked.encode().hex()}


def _token_messages(here: Deal) -> dict[str, tuple[str, list[int], bytes]]:
    def send(slots: list[int], seat: int = 1, of: Deal = here) -> bytes:
        source = seeded("token", seat, *slots)
        return tokens.release(of.joint, seat, of.pairs[seat], of.deck, slots, source)

    one, three = send([2]), send([0, 1, 2])
    challenge = decode_scalar(three[96:128])
    two_up = add(Point(three[:32]), base_mult(9)) + sub(Point(three[32:64]), base_mult(9))
    return {
        "one": ("the token of one slot", [2], one),
        "three": ("one proof for three slots", [0, 1, 2], three),
        "short": ("a byte is missing", [2], one[:-1]),
        "identity": ("a token that is the identity", [2], bytes(32) + one[32:]),
        "bit-255": ("a token with bit 255 set, proved as it stands", [2], _disguised_token(here)),
        "identity-bit-255": (
            "the identity with bit 255 set for a token",
            [2],
            disguised(IDENTITY) + one[32:],
        ),
        "scalar-q": ("a response that is q", [2], one[:64] + Q.to_bytes(32, "little")),
        "mauled": ("a token moved by a point", [2], add(Point(one[:32]), base_mult(9)) + one[32:]),
        "sum-preserving": ("two tokens moved against each other", [0, 1, 2], two_up + three[64:]),
        "permuted": ("two tokens exchanged", [0, 1, 2], three[32:64] + three[:32] + three[64:]),
        "changed-challenge": (
            "the challenge plus 1",
            [0, 1, 2],
            three[:96] + encode_scalar(challenge + 1) + three[128:],
        ),
        "retargeted": ("the token of slot 2 for slot 3", [3], one),
        "of-another-seat": ("seat 0's tokens", [0, 1, 2], send([0, 1, 2], 0)),
        "of-another-hand": ("of another hand", [2], send([2], of=deal(context(2, hand=9)))),
        "nobodys": ("a slot that is nobody's", [7], one),
        "twice": ("a slot named twice", [1, 1], send([0, 1])),
    }


def _disguised_token(here: Deal) -> bytes:
    def mult_and_disguise(scalar: int, point: Point) -> Point:
        return Point(disguised(mult(scalar, point)))

    with pytest.MonkeyPatch.context() as crook:
        crook.setattr(tokens, "mult", mult_and_disguise)
        return tokens.release(here.joint, 1, here.pairs[1], here.deck, [2], seeded("token", 1, 2))


def _coins() -> Iterator[Named]:
    draws = [["first-dealer", n] for n in (2, 4, 6, 8, 3, 40, 2**32)]
    given = {"nonce": context(2).table.hex(), "draws": draws}
    yield "coin/draws", vector("uniform draws by rejection", "coin", given)
    given = {"nonce": bytes(32).hex(), "draws": [["a", 2**32], ["b", 2**32], ["a", 2**31]]}
    yield "coin/purposes", vector("each purpose has its own coin", "coin", given)


def _deals() -> Iterator[Named]:
    """A chain of three seats; all messages of one deal of 40 cards between two."""
    three = deal(context(3), FEW)
    sent = [{"deck": deck.hex(), "proof": proof.hex()} for deck, proof in three.sent]
    given = {"cards": list(FEW), "shuffles": sent}
    yield "deal/three-seats", vector("the deck is the last seat's", "chain", given, three)
    here = deal(context(2), CARDS)
    sent = [{"deck": deck.hex(), "proof": proof.hex()} for deck, proof in here.sent]
    given = {"cards": list(CARDS), "shuffles": sent}
    yield "deal/forty-cards", vector("a whole chain of 40 cards", "chain", given, here)
    slots = [0, 1, 2]
    message = tokens.release(here.joint, 1, here.pairs[1], here.deck, slots, seeded("deal"))
    given = {"cards": list(CARDS), "deck": here.deck.masked.encode().hex()}
    paid = {**given, "seat": 1, "slots": slots, "message": message.hex()}
    yield "deal/tokens-of-seat-0", vector("seat 1 pays seat 0's cards", "token", paid, here)
    for slot in slots:
        both = [tokens.own(pair, here.deck, slot).hex() for pair in here.pairs]
        opened = {**given, "slot": slot, "tokens": both}
        yield f"deal/card-{slot}", vector("a card of seat 0", "face", opened, here)


def write() -> None:
    """Write every vector, one a file."""
    for name, content in made().items():
        path = ROOT / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    write()
