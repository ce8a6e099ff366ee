"""Heads cover bodies in seat order, and everything that was agreed before."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import pytest

from p2ptruco.table.chain import Step, Steps, cut_head, end_head, first_head, join_head, next_head
from p2ptruco.table.entries import Parsed, Position, Ready, Say, parse, write
from p2ptruco.table.identity import ENTRY
from tests.kit.court import cards_only
from tests.kit.opendeck import open_deck
from tests.kit.party import Party
from tests.kit.seats import agreement, identity

HEAD, OTHER = bytes(range(32)), bytes(range(1, 33))
TABLE = agreement(2)


def hashed(label: bytes, *items: tuple[bytes, bytes]) -> bytes:
    """deal.md §2, written down once more: SHA-512 of unambiguous items, cut to 32 bytes."""
    parts = [b"S" + len(label).to_bytes(2, "big") + label + bytes(8)]
    parts += [
        b"A" + len(name).to_bytes(2, "big") + name + len(value).to_bytes(8, "big") + value
        for name, value in items
    ]
    return hashlib.sha512(b"".join(parts)).digest()[:32]


def u32(value: int) -> bytes:
    return value.to_bytes(4, "big")


def test_heads_are_these_hashes():
    assert TABLE.id == hashed(b"agreement", (b"terms", TABLE.blob))
    assert first_head(TABLE, 7, 1, HEAD) == hashed(
        b"hand",
        (b"table", TABLE.id),
        (b"epoch", u32(0)),
        (b"hand", u32(7)),
        (b"attempt", u32(1)),
        (b"behind", HEAD),
    )
    assert next_head(HEAD, 300, [b"one", b""]) == hashed(
        b"step", (b"head", HEAD), (b"step", u32(300)), (b"body", b"one"), (b"body", b"")
    )
    assert join_head(HEAD, OTHER) == hashed(b"join", (b"ready", HEAD), (b"last", OTHER))
    assert cut_head(HEAD, 300, 2) == hashed(
        b"cut", (b"head", HEAD), (b"step", u32(300)), (b"seat", u32(2))
    )
    assert end_head(HEAD, OTHER) == hashed(b"end", (b"head", HEAD), (b"last", OTHER))


def test_a_head_binds_everything_it_is_made_of():
    """Gain of a collision: two peers at one head that do not hold the same log."""
    heads = [
        first_head(TABLE, 1, 0, HEAD),
        first_head(TABLE, 2, 0, HEAD),
        first_head(TABLE, 1, 1, HEAD),
        first_head(TABLE, 1, 0, OTHER),
        first_head(agreement(4), 1, 0, HEAD),
        next_head(HEAD, 1, [b"ab", b"c"]),
        next_head(HEAD, 1, [b"a", b"bc"]),
        next_head(HEAD, 1, [b"c", b"ab"]),
        next_head(HEAD, 1, [b"abc"]),
        next_head(HEAD, 1, [b"ab", b"c", b""]),
        next_head(HEAD, 2, [b"ab", b"c"]),
        next_head(OTHER, 1, [b"ab", b"c"]),
        join_head(HEAD, OTHER),
        join_head(OTHER, HEAD),
        cut_head(HEAD, 1, 0),
        cut_head(HEAD, 1, 1),
        cut_head(HEAD, 0, 1),
        cut_head(OTHER, 1, 0),
        end_head(HEAD, OTHER),
        end_head(OTHER, HEAD),
    ]
    assert len(set(heads)) == len(heads)


def test_a_second_signature_on_one_body_makes_no_other_head():
    """Gain: forks without evidence, as many as its author likes."""
    position = Position(0, 0, 3)
    entry = write(TABLE, position, 1, HEAD, Ready(), identity(1))
    parsed = parse(TABLE, entry)
    again = Parsed(type(entry)(entry.body, bytes(64)), parsed.body)
    assert Step(position, HEAD, (parsed,)).after == Step(position, HEAD, (again,)).after
    assert entry.signature == identity(1).sign(ENTRY, entry.body)


@dataclass
class Follower:
    """The heads of a log, from its bodies and deal.md's hash alone."""

    table: bytes
    players: int

    def heads(self, log: list[tuple[Position, list[bytes]]]) -> list[bytes]:
        found, behind, last = [], self.table, self.table
        head, hand = b"", -1
        for position, bodies in log:
            if position.hand != hand:
                last, hand = head or self.table, position.hand
                place = ((b"epoch", u32(0)), (b"hand", u32(hand)), (b"attempt", u32(0)))
                head = hashed(b"hand", (b"table", self.table), *place, (b"behind", behind))
            if position.step == self.players + 3:
                head = hashed(b"join", (b"ready", head), (b"last", last))
            found.append(head)
            items = [(b"body", body) for body in bodies]
            head = hashed(b"step", (b"head", head), (b"step", u32(position.step)), *items)
            if position.step == self.players + 3:
                behind = head
        return found


@pytest.mark.parametrize("players", [2, 4])
def test_a_whole_log_is_one_chain(players: int):
    """Every step of a match stands on the head that follows from all before it."""
    with open_deck():
        party = Party(agreement().variant, players, 11, cards_only).play()
    table = party.peers[0].table
    log = [(step.position, [p.entry.body for p in step.entries]) for step in table.steps]
    follower = Follower(party.agreement.id, players)
    assert [step.head for step in table.steps] == follower.heads(log)
    assert len(table.hands) > 2
    for step in table.steps:
        assert all(parsed.body.head == step.head for parsed in step.entries)
        seats = [parsed.body.seat for parsed in step.entries]
        assert seats == sorted(set(seats))


def test_a_word_said_at_one_head_cannot_be_meant_at_another():
    """The body itself names its place: nothing signed can be moved."""
    bodies = {
        write(table, Position(*place), seat, head, Say("call"), identity(seat)).body
        for table in (TABLE, agreement(4))
        for place in ((0, 0, 5), (0, 0, 6), (0, 1, 5), (1, 0, 5))
        for seat in (0, 1)
        for head in (HEAD, OTHER)
    }
    assert len(bodies) == 32


def test_steps_are_equal_if_each_is() -> None:
    """To a tuple too, whatever memory they share; to nothing else."""
    one, two = (Step(Position(0, 0, n), bytes([n]) * 32, ()) for n in range(2))
    empty = Steps()
    both = empty.and_then(one).and_then(two)
    assert both == (one, two) == empty.and_then(one).and_then(two)
    first = empty.and_then(one)
    other = first.and_then(two), first.and_then(one)
    assert other == ((one, two), (one, one)), "a log that goes on elsewhere changes no other"
    assert both != first
    assert both != (one,)
    assert both != (two, one)
    assert both != [one, two]
