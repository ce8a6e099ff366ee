"""Runs one vector of agreement, entries, log, record or ticket through the real code."""

from __future__ import annotations

import io
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from p2ptruco.net.transport import ticket
from p2ptruco.rules.hand import Hand
from p2ptruco.table.agreement import Agreement, read_agreement
from p2ptruco.table.chain import (
    cut_head,
    end_head,
    first_head,
    join_head,
    known_hash,
    next_head,
)
from p2ptruco.table.codec import Malformed
from p2ptruco.table.entries import Entry, Key, Position, parse
from p2ptruco.table.identity import acceptable, verify
from p2ptruco.table.record.ahead import Pool
from p2ptruco.table.record.audit import Audit, audit
from p2ptruco.table.record.file import NoRecord
from p2ptruco.table.table import Table
from p2ptruco.table.violation import LinkFault
from p2ptruco.text import CHAT_BYTES, CHAT_GRAPHEMES, clean
from tests.kit.last_words import tell

Json = dict[str, Any]
ROOT = Path(__file__).parents[2] / "protocol" / "vectors"
FOLDERS = ("agreement", "entries", "log", "ends", "record", "ticket")


def run(vector: Json) -> Json:
    """What a vector comes to: `expect`, and what else its check gives."""
    return CHECKS[vector["check"]](vector["given"])


def outcome(vector: Json) -> Json:
    """What a vector says it comes to."""
    return {key: vector[key] for key in vector if key not in ("about", "check", "given")}


def _agreement(given: Json) -> Json:
    try:
        made = read_agreement(bytes.fromhex(given["agreement"]))
    except Malformed:
        return {"expect": "malformed"}
    gives = {"table": made.id.hex(), "players": made.players, "variant": made.variant.name}
    return {"expect": "accepted", "gives": gives}


def _text(given: Json) -> Json:
    bounds = (CHAT_BYTES, CHAT_GRAPHEMES) if given.get("talk") else ()
    return {"expect": "accepted", "gives": {"clean": clean(given["text"], *bounds)}}


def _key(given: Json) -> Json:
    return {"expect": "accepted" if acceptable(bytes.fromhex(given["key"])) else "malformed"}


def _ticket(given: Json) -> Json:
    try:
        one = ticket.parse(given["text"])
    except ticket.BadTicket as error:
        return {"expect": error.code}
    gives = {
        "purpose": one.purpose,
        "addresses": [list(address) for address in one.addresses],
        "relays": [list(address) for address in one.relays],
        "fingerprint": one.fingerprint.hex(),
        "secret": one.secret.hex(),
        "written": str(one),
    }
    return {"expect": "accepted", "gives": gives}


def _signature(given: Json) -> Json:
    key, message, signature = (bytes.fromhex(given[k]) for k in ("key", "message", "signature"))
    holds = verify(key, given["label"].encode(), message, signature)
    return {"expect": "accepted" if holds else "bad_signature"}


def _entry(given: Json) -> Json:
    table = read_agreement(bytes.fromhex(given["agreement"]))
    entry = Entry(bytes.fromhex(given["body"]), bytes.fromhex(given["signature"]))
    try:
        parsed = parse(table, entry)
    except LinkFault as fault:
        return {"expect": fault.word}
    body = parsed.body
    gives = {
        **dict(zip(("hand", "attempt", "step"), parsed.position, strict=True)),
        "seat": body.seat,
        "head": body.head.hex(),
        "content": type(body.content).__struct_config__.tag,
    }
    return {"expect": "accepted", "gives": gives}


def _heads(given: Json) -> Json:
    table = read_agreement(bytes.fromhex(given["agreement"]))
    heads, after, last = _follow(table, given["steps"])
    gives = {"heads": [head.hex() for head in heads], "after": after.hex()}
    if "cut" in given:
        step = given["steps"][-1][2]
        after = cut_head(heads[-1], step, given["cut"])
        gives["cut"] = after.hex()
    gives["end"] = end_head(after, last).hex()
    return {"expect": "accepted", "gives": gives}


def _follow(table: Agreement, steps: list[Any]) -> tuple[list[bytes], bytes, bytes]:
    """The head of each step, the one after the last, and the last of the hand before."""
    heads: list[bytes] = []
    behind = last = after = table.id
    for hand, attempt, step, bodies in steps:
        if step == 0:
            last, after = after, first_head(table, hand, attempt, behind)
        if step == table.players + 3:
            after = join_head(after, last)
        heads.append(after)
        after = next_head(after, step, [bytes.fromhex(body) for body in bodies])
        behind = after if step == table.players + 3 else behind
    return heads, after, last


def _stands(given: Json) -> Json:
    table = Table(read_agreement(bytes.fromhex(given["agreement"])), secrets.token_bytes)
    for body, signature in given["entries"]:
        tell(table, Entry(bytes.fromhex(body), bytes.fromhex(signature)))
    (position, head), outcome = table.open.place, table.outcome
    assert outcome is not None
    gives = {
        **dict(zip(("hand", "attempt", "step"), position, strict=True)),
        "head": head.hex(),
        "winner": outcome.winner,
        "score": list(outcome.score),
        "won": list(outcome.won),
        "sealed_by": sorted(table.sealed_by),
        "settled": table.settled,
        "known": table.known.hex(),
    }
    return {"expect": "accepted", "gives": gives}


def _known(given: Json) -> Json:
    table = read_agreement(bytes.fromhex(given["agreement"]))
    proofs, seals = (
        [Key(Position(*at), bytes.fromhex(head), seat) for *at, seat, head in given[name]]
        for name in ("proofs", "seals")
    )
    known = known_hash(table, proofs, seals)
    return {"expect": "accepted", "gives": {"known": known.hex()}}


def edited(blob: bytes, edits: list[Any]) -> bytes:
    """Each edit: at which byte, how many go, what comes (hex)."""
    for at, gone, new in edits:
        blob = blob[:at] + bytes.fromhex(new) + blob[at + gone :]
    return blob


def bytes_of(given: Json) -> bytes:
    """The record of a vector: its file, edited."""
    blob = (ROOT / "record" / given["file"]).read_bytes() if "file" in given else b""
    return edited(blob, given.get("edits", []))


def _record(given: Json) -> Json:
    return judged(bytes_of(given))


def judged(blob: bytes, pool: Pool | None = None) -> Json:
    """What an audit of these bytes finds, in the form of a vector."""
    try:
        found = audit(io.BytesIO(blob), secrets.token_bytes, pool=pool)
    except NoRecord:
        return {"expect": "no_record"}
    if found.breach:
        breach = found.breach
        return {
            "expect": breach.kind,
            "hand": breach.hand,
            "step": breach.step,
            "seat": breach.seat,
        }
    return {"expect": found.status, "gives": told(found)}


def told(found: Audit) -> Json:
    """Everything a good record says."""
    table, broken = found.table, found.violation
    gives: Json = {
        "table": table.agreement.id.hex(),
        "hands": [_hand(hand) for hand in table.hands],
        "violation": [broken.word, broken.hand, broken.step, broken.seat] if broken else None,
        "unsealed_by": list(found.unsealed_by),
        "written_by": found.written_by,
        **found.counts,
    }
    if table.outcome:
        gives["winner"] = table.outcome.winner
        gives["score"] = list(table.outcome.score)
        gives["won"] = list(table.outcome.won)
    return gives


def _hand(hand: Hand) -> list[Any]:
    """Winner, points and how."""
    assert hand.result
    return [hand.result.winner, hand.result.points, hand.result.how.value]


CHECKS: dict[str, Callable[[Json], Json]] = {
    "agreement": _agreement,
    "text": _text,
    "key": _key,
    "signature": _signature,
    "entry": _entry,
    "heads": _heads,
    "stands": _stands,
    "known": _known,
    "record": _record,
    "ticket": _ticket,
}
