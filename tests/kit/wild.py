"""Records of every kind at random, and what somebody who has all the keys may make of one.

`wild` plays a match in which seats now and then leave, cheat, say two things or fall silent.
`signed_anew` changes one entry of a record and signs it; with `rechained` all heads after it
follow, so that nothing but the game itself can tell.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import msgpack
import msgspec

from p2ptruco.mental.transcript import digest
from p2ptruco.rules.options import AllTied, CallInSpecial, Iron, PartnersTie
from p2ptruco.rules.presets import CORE
from p2ptruco.rules.scale import Scale
from p2ptruco.rules.variant import Variant
from p2ptruco.table.codec import encode
from p2ptruco.table.entries import (
    Body,
    Content,
    Lay,
    Leave,
    Open,
    Ready,
    Reveal,
    Say,
    Seal,
    Shuffle,
    Tokens,
)
from p2ptruco.table.identity import Identity
from p2ptruco.table.violation import LinkFault
from tests.kit.court import cards_only
from tests.kit.dictated import Dictated
from tests.kit.party import stayer, uniform
from tests.kit.pieces import SMALL, body_of, pieces, said

WORDS = ("call", "accept", "run", "fold", "play", "refuse")


class Wild(Dictated):
    """Everybody may leave, cheat or say two things: each with a small chance at each step."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        variant, players = _table(self.dice)
        choose = self.dice.choice([uniform, stayer, stayer, cards_only])
        super().__init__(variant, players, seed, choose)
        self.wrong = self.dice.choice([0, 0, 0.01, 0.05])
        self.steps = self.dice.choice([10_000] * 4 + [self.dice.randrange(1, 120)])

    @property
    def keys(self) -> list[Identity]:
        return [peer.identity for peer in self.peers]

    def run(self) -> bytes:
        """The record of a random seat, perhaps without some of its seals."""
        stuck = 0
        for _ in range(self.steps):
            if self.table.finished or stuck > 20:
                break
            before = self.table.open.position, tuple(self.table.owed)
            self._step()
            stuck = stuck + 1 if before == (self.table.open.position, tuple(self.table.owed)) else 0
        record = self.record(self.dice.randrange(len(self.peers)))
        if self.table.finished and self.dice.random() < 0.2:
            parts = pieces(record)
            keep = len(parts) - len(self.peers)
            kept = [part for part in parts[keep:] if self.dice.random() < 0.6]
            return b"".join([*parts[:keep], *kept])
        return record

    def _step(self) -> None:
        seat = self.dice.choice(list(self.table.owed))
        honest = self.content(seat)
        if self.dice.random() < self.wrong:
            self._try(seat, _instead(self.dice, honest))
        if seat in self.table.owed:
            self._try(seat, honest)

    def _try(self, seat: int, content: Content) -> None:
        entries = [self.entry(seat, content)]
        if self.dice.random() < self.wrong / 3:
            entries.append(self.entry(seat, Leave()))
        for entry in entries:
            try:
                self.table.submit(self.table.check(entry))
            except LinkFault:
                continue


def _table(dice: random.Random) -> tuple[Variant, int]:
    """A preset as it is or in short, now and then with other toggles."""
    variant = dice.choice([*CORE.values(), SMALL])
    sizes = sorted(variant.players)
    (players,) = dice.choices(sizes, [60 // size**2 for size in sizes])
    kind = dice.random()
    if kind < 0.98:
        scale = Scale.parse(dice.choice(["1,truco:2"] * 6 + ["1,truco:2,seis:3", "2,truco:4"]))
        variant = replace(variant, name="short", scale=scale, target=scale.calls[-1].points)
    if kind < 0.4:
        variant = replace(
            variant,
            name="random",
            all_tied=dice.choice(list(AllTied)),
            partners_tie=dice.choice(list(PartnersTie)),
            call_in_special=dice.choice(list(CallInSpecial)),
            special_decision=dice.random() < 0.5,
            iron=dice.choice(list(Iron)),
            fold=dice.random() < 0.5,
            face_down_from=dice.choice([1, 2, None]),
            best_of=dice.choice([1, 1, 1, 3]),
        )
    return variant, players


def _instead(dice: random.Random, honest: Content) -> Content:
    """Something else in its place."""
    if dice.random() < 0.3:
        return Leave()

    def bent(blob: bytes) -> bytes:
        at = dice.randrange(len(blob) + 1)
        where = 32 * dice.randrange(max(1, len(blob) // 32))
        return dice.choice(
            [
                blob[:-1] + bytes([blob[-1] ^ 1]) if blob else b"\1",
                blob[:at],
                b"",
                blob[:where] + bytes(32) + blob[where + 32 :],
                blob[:where] + b"\xff" * 32 + blob[where + 32 :],
                blob[:where] + blob[:32] + blob[where + 32 :],
            ]
        )

    match honest:
        case Open(opening):
            return Open(bent(opening))
        case Shuffle(deck, proof):
            if dice.random() < 0.5:
                return Shuffle(bent(deck), proof)
            return Shuffle(deck, bent(proof))
        case Tokens(batches) if batches:
            at = dice.randrange(len(batches))
            changed = (*batches[:at], bent(batches[at]), *batches[at + 1 :])
            return Tokens(dice.choice([changed, changed, changed[1:], changed[::-1]]))
        case Reveal(token):
            return Reveal(bent(token))
        case Lay() | Say():
            if dice.random() < 0.5:
                return Say(dice.choice(WORDS))  # type: ignore[arg-type]
            token = honest.token if isinstance(honest, Lay) else b""
            slot = dice.choice([honest.slot if isinstance(honest, Lay) else 0, dice.randrange(25)])
            return Lay(slot, dice.random() < 0.3, dice.choice([token, bent(token)]))
        case _:
            return dice.choice([Leave(), Ready(), Seal(dice.choice([0, 1, None]), (0, 1), (1, 0))])


# Changed and signed anew


def signed_anew(dice: random.Random, record: bytes, keys: list[Identity]) -> bytes | None:
    """One entry changed; sometimes all after it follow. None where the record has no such entry."""
    parts = pieces(record)
    places = [at for at, part in enumerate(parts) if part[1:7] == b"\xa5entry"]
    if not places:
        return None
    at = dice.choice(places)
    bodies = {place: body_of(parts[place]) for place in places}
    table = digest(b"agreement", (b"terms", msgpack.unpackb(parts[0])[2]))
    changed = _changed(dice, bodies[at], list(bodies.values()), len(keys))
    if dice.random() < 0.3:
        changed = bodies[at]
        del parts[at], bodies[at]
        bodies = {place - (place > at): body for place, body in bodies.items()}
    else:
        bodies[at] = changed
    if dice.random() < 0.7:
        bodies = dict(zip(bodies, rechained(table, len(keys), list(bodies.values())), strict=True))
    for place, body in bodies.items():
        encoded = encode(body)
        if body.seat < len(keys):
            parts[place] = said(encoded, keys[body.seat])
    return b"".join(parts)


def _changed(dice: random.Random, body: Body, others: list[Body], players: int) -> Body:
    other = dice.choice(others)
    change: dict[str, object] = dice.choice(
        [
            {"content": _instead(dice, body.content)},
            {"content": _instead(dice, body.content)},
            {"content": other.content},
            {"content": Leave()},
            {"head": other.head},
            {"step": dice.choice([body.step + 1, max(0, body.step - 1), other.step])},
            {"hand": dice.choice([body.hand + 1, other.hand])},
            {"hand": body.hand + 1, "step": 0},
            {"seat": dice.randrange(players)},
            {"attempt": 1},
        ]
    )
    return msgspec.structs.replace(body, **change)


def rechained(table: bytes, players: int, bodies: list[Body]) -> list[Body]:
    """The same bodies, each on the head that now follows where it stood on one that did."""

    def number(value: int) -> bytes:
        return value.to_bytes(4, "big")

    def hand_head(hand: int, behind: bytes) -> bytes:
        items = [(b"table", table), (b"epoch", number(0)), (b"hand", number(hand))]
        return digest(b"hand", *items, (b"attempt", number(0)), (b"behind", behind))

    def step_head(head: bytes, step: int, said: list[bytes]) -> bytes:
        items = [(b"head", head), (b"step", number(step))]
        return digest(b"step", *items, *((b"body", body) for body in said))

    def two(label: bytes, one: bytes, other: bytes, last: bytes) -> bytes:
        return digest(label, (one, other), (b"last", last))

    done: list[Body] = []
    new = hand_head(0, table)
    last = behind = table
    for step in _steps(bodies):
        first = step[0]
        if done:
            before = done[-1]
            here = [encode(body) for body in done if body.head == before.head]
            after = step_head(before.head, before.step, here)
            if before.step == players + 3:
                behind = after
            if first.step == 0:
                new, last = hand_head(first.hand, behind), after
            elif first.step == players + 3:
                new = two(b"join", b"ready", after, last)
            else:
                new = after
            if isinstance(first.content, Seal) and before.step < players + 3:
                new = two(b"end", b"head", after, last)
        done += [msgspec.structs.replace(body, head=new) for body in step]
    return done


def _steps(bodies: list[Body]) -> Iterator[list[Body]]:
    step: list[Body] = []
    for body in bodies:
        if step and (body.hand, body.step) != (step[0].hand, step[0].step):
            yield step
            step = []
        step.append(body)
    if step:
        yield step
