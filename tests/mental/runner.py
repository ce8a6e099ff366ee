"""Runs one vector: what it gives goes through the real code, what comes out is compared."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from p2ptruco.mental import coin, keys, shuffle, tokens
from p2ptruco.mental.context import Context
from p2ptruco.mental.deck import Deck, Masked, Start, start_deck
from p2ptruco.mental.group import (
    NotInGroup,
    base_mult,
    decode_point,
    decode_scalar,
    encode_scalar,
    hash_to_point,
)
from p2ptruco.mental.keys import Joint, KeyPair, Opening
from p2ptruco.mental.refused import Refused
from p2ptruco.mental.shuffle import Shuffled
from p2ptruco.mental.transcript import Transcript, digest
from tests.mental.kit import seeded
from tests.mental.shuffle_vectors import prove_with

Json = dict[str, Any]


def run(vector: Json) -> Json:
    """The outcome of a vector in its own form: {"expect", and "seat" or "gives"}."""
    try:
        gives = CHECKS[vector["check"]](vector["given"], vector.get("deal"))
    except Refused as error:
        return {"expect": error.kind, "seat": error.seat}
    except NotInGroup:
        return {"expect": "not_in_group"}
    return {"expect": "accepted", "gives": gives}


def outcome(vector: Json) -> Json:
    """What the vector says the outcome is."""
    return {key: vector[key] for key in ("expect", "seat", "gives") if key in vector}


def _context(deal: Json) -> Context:
    identities = tuple(map(bytes.fromhex, deal["identities"]))
    table = bytes.fromhex(deal["table"])
    return Context(table, deal["epoch"], deal["hand"], deal["attempt"], identities)


def joint_of(deal: Json) -> Joint:
    """The joint of a deal whose keys and commitment nonces are given."""
    context = _context(deal)
    opened = [
        Opening(context, seat, decode_point(bytes.fromhex(public)), bytes.fromhex(nonce))
        for seat, (public, nonce) in enumerate(zip(deal["publics"], deal["nonces"], strict=True))
    ]
    return keys.join(context, opened)


def _masked(data: str) -> Masked:
    raw = bytes.fromhex(data)
    points = [decode_point(raw[at : at + 32]) for at in range(0, len(raw), 32)]
    return Masked(tuple(points[::2]), tuple(points[1::2]))


def _transcript(given: Json, _: Json | None) -> Json:
    bound = Transcript(given["label"].encode())
    challenges = []
    for step in given["steps"]:
        if "absorb" in step:
            bound.absorb(step["absorb"].encode(), bytes.fromhex(step["value"]))
        else:
            challenges.append(encode_scalar(bound.challenge(step["challenge"].encode())).hex())
    return {"challenges": challenges}


def _digest(given: Json, _: Json | None) -> Json:
    items = [(label.encode(), bytes.fromhex(value)) for label, value in given["items"]]
    return {"digest": digest(given["label"].encode(), *items).hex()}


def _nonces(given: Json, _: Json | None) -> Json:
    bound = Transcript(given["label"].encode())
    fresh = bytes.fromhex(given["fresh"])
    nonces = bound.nonces(bytes.fromhex(given["secret"]), lambda size: fresh[:size])
    return {"nonces": [encode_scalar(next(nonces)).hex() for _ in range(3)]}


def _point(given: Json, _: Json | None) -> Json:
    return {"point": decode_point(bytes.fromhex(given["bytes"])).hex()}


def _no_points(given: Json, _: Json | None) -> Json:
    """All of them are refused, or this gives those that are not."""
    taken = []
    for data in given["points"]:
        with suppress(NotInGroup):
            taken.append(decode_point(bytes.fromhex(data)).hex())
    if not taken:
        raise NotInGroup
    return {"points": taken}


def _multiples(given: Json, _: Json | None) -> Json:
    return {"points": [base_mult(n).hex() for n in range(given["below"])]}


def _scalar(given: Json, _: Json | None) -> Json:
    return {"scalar": str(decode_scalar(bytes.fromhex(given["bytes"])))}


def _hash_to_point(given: Json, _: Json | None) -> Json:
    return {"points": [hash_to_point(label.encode()).hex() for label in given["labels"]]}


def _commit(given: Json, deal: Json | None) -> Json:
    assert deal is not None
    secret = decode_scalar(bytes.fromhex(given["secret"]))
    pair = KeyPair(secret, base_mult(secret), bytes.fromhex(given["nonce"]))
    return {
        "public": pair.public.hex(),
        "commitment": keys.commit(_context(deal), given["seat"], pair).hex(),
    }


def _opening(given: Json, deal: Json | None) -> Json:
    assert deal is not None
    commitment, data = bytes.fromhex(given["commitment"]), bytes.fromhex(given["opening"])
    opening = keys.check_opening(_context(deal), given["seat"], commitment, data)
    return {"public": opening.public.hex(), "nonce": opening.nonce.hex()}


def _join(given: Json, deal: Json | None) -> Json:
    assert deal is not None
    joint = joint_of({**deal, **given})
    return {"key": joint.key.hex(), "hand_nonce": joint.nonce.hex()}


def _chain(given: Json, deal: Json | None) -> Json:
    assert deal is not None
    joint, start = joint_of(deal), start_deck(given["cards"])
    shuffles: list[Shuffled] = []
    for seat, sent in enumerate(given["shuffles"]):
        parts = bytes.fromhex(sent["deck"]), bytes.fromhex(sent["proof"])
        shuffles.append(shuffle.parse(joint, seat, len(start), *parts))
    deck = shuffle.verify_chain(joint, start, shuffles, seeded("verifier"))
    return {"deck": deck.masked.encode().hex()}


def _prove(given: Json, deal: Json | None) -> Json:
    """The prover with every random value given; the hedged nonces are in the vector too."""
    assert deal is not None
    deck, proof = prove_with(joint_of(deal), given)
    return {"deck": deck.hex(), "proof": proof.hex()}


def _deck(given: Json, deal: Json | None) -> Deck:
    assert deal is not None
    start: Start = start_deck(given["cards"])
    return Deck(joint_of(deal), start, _masked(given["deck"]))


def _token(given: Json, deal: Json | None) -> Json:
    deck = _deck(given, deal)
    message = bytes.fromhex(given["message"])
    taken = tokens.check(deck.joint, given["seat"], deck, given["slots"], message)
    return {"tokens": [token.hex() for token in taken]}


def _face(given: Json, deal: Json | None) -> Json:
    deck = _deck(given, deal)
    paid = [decode_point(bytes.fromhex(token)) for token in given["tokens"]]
    card = tokens.face(deck, given["slot"], paid)
    return {"card": None if card is None else given["cards"][card]}


def _coin(given: Json, _: Json | None) -> Json:
    nonce = bytes.fromhex(given["nonce"])
    return {"draws": [coin.draw(nonce, p.encode(), n) for p, n in given["draws"]]}


CHECKS: dict[str, Callable[[Json, Json | None], Json]] = {
    "transcript": _transcript,
    "digest": _digest,
    "nonces": _nonces,
    "point": _point,
    "no_points": _no_points,
    "multiples": _multiples,
    "scalar": _scalar,
    "hash_to_point": _hash_to_point,
    "commit": _commit,
    "opening": _opening,
    "join": _join,
    "prove": _prove,
    "chain": _chain,
    "token": _token,
    "face": _face,
    "coin": _coin,
}
