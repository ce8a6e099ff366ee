"""A peer that says anything: random contents, places, heads, signatures, frames, at random times.

It has no row: what becomes of it depends on what it hits. What holds for honest peers holds.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import trio

from p2ptruco.net.transport import frames
from p2ptruco.table.entries import (
    Commit,
    Content,
    Entry,
    Lay,
    Leave,
    Open,
    Position,
    Ready,
    Reveal,
    Say,
    Seal,
    Shuffle,
    Tokens,
)
from p2ptruco.table.identity import ENTRY
from p2ptruco.table.private import Advice, Cards, Signal, write_private
from p2ptruco.table.table import Open as OpenStep
from tests.kit.cheats.base import Dishonest

Rng = random.Random
WORDS = ("call", "accept", "run", "fold", "play", "refuse")


def some(rng: Rng, most: int) -> bytes:
    return rng.randbytes(rng.choice([0, 1, 31, 32, 64, 96, 128, 160, most]))


CONTENTS: tuple[Callable[[Rng], Content], ...] = (
    lambda rng: Commit(rng.randbytes(32)),
    lambda rng: Open(some(rng, 256)),
    lambda rng: Shuffle(some(rng, 2560), some(rng, 5120)),
    lambda rng: Shuffle(rng.randbytes(40), b"honest"),
    lambda rng: Ready(),
    lambda rng: Tokens(tuple(some(rng, 256) for _ in range(rng.randrange(9)))),
    lambda rng: Lay(rng.randrange(25), rng.random() < 0.5, some(rng, 256)),
    lambda rng: Say(rng.choice(WORDS)),  # type: ignore[arg-type]
    lambda rng: Reveal(some(rng, 256)),
    lambda rng: Leave(),
    lambda rng: Seal(rng.choice([None, 0, 1]), (rng.randrange(9), 4), (0, rng.randrange(2))),
)


class Fuzzer(Dishonest):
    """Tries everything at once."""

    presses = True

    rate = 0.2
    """How often a random thing is said in place of what is owed."""

    def content(self, here: OpenStep, content: Content) -> Content:
        """Now and then another content of the kind that is due: its own table takes it too."""
        kind = (Lay, Say) if isinstance(content, (Lay, Say)) else type(content)
        other = self.any_content()
        wanted = isinstance(other, (kind, Leave)) and not isinstance(content, Seal)  # type: ignore[arg-type]
        return other if wanted and self.rng.random() < self.rate else content

    async def utter(self, here: OpenStep, entry: Entry) -> Entry | None:
        if self.rng.random() < self.rate:
            self.send(self.any_entry(), self.some_victims())
        return entry

    async def scheme(self) -> None:
        while True:
            await trio.sleep(self.rng.uniform(0, 0.2))
            if self.rng.random() < self.rate:
                self.spit(self.rng.choice(self.tricks)(), self.some_victims())

    def some_victims(self) -> list[int]:
        return self.rng.sample(self.victims, self.rng.randint(1, len(self.victims)))

    def any_content(self) -> Content:
        return self.rng.choice(CONTENTS)(self.rng)

    def any_entry(self) -> Entry:
        rng, here = self.rng, self.table.open
        hand, attempt, step = here.position
        place = Position(max(hand + rng.choice([0, 0, 0, 1, -1]), 0), attempt, step)
        place = place._replace(step=max(step + rng.choice([0, 0, 0, 1, -1, 5]), 0))
        heads = [here.head, here.head, rng.randbytes(32), *(one.head for one in self.table.steps)]
        entry = self.forge(self.any_content(), at=place, head=rng.choice(heads))
        return self.bent(entry) if rng.random() < 0.3 else entry

    def bent(self, entry: Entry) -> Entry:
        """One byte of the body changed, signed again."""
        body = bytearray(entry.body)
        body[self.rng.randrange(len(body))] ^= 1 << self.rng.randrange(8)
        return Entry(bytes(body), self.identity.sign(ENTRY, bytes(body)))

    @property
    def tricks(self) -> tuple[Callable[[], bytes], ...]:
        return (
            lambda: self.framed(self.any_entry()),
            lambda: self.framed(self.any_entry()),
            self.again,
            self.ask,
            self.private,
            self.private,
            lambda: frames.write(frames.pad(self.rng.randbytes(self.rng.randrange(600)))),
            lambda: self.rng.randbytes(self.rng.randrange(200)),
            lambda: frames.write(
                frames.Pulse(0, 0, 0, self.rng.randrange(30), bytes(32), 0, bytes(32))
            ),
        )

    @staticmethod
    def framed(entry: Entry) -> bytes:
        return frames.write(frames.EntryFrame(entry.body, entry.signature))

    def again(self) -> bytes:
        held = list(self.table.held(Position(0, 0, 0)))
        return self.framed(self.rng.choice(held)) if held else b""

    def ask(self) -> bytes:
        rng = self.rng
        return frames.write(frames.Ask(0, rng.randrange(3), 0, rng.randrange(30)))

    def private(self) -> bytes:
        rng, table, here = self.rng, self.agreement.id, self.table.open
        hand = here.position.hand + rng.randrange(2)
        step = here.position.step
        word = rng.choice([word for word in WORDS if word != "fold"])
        message = rng.choice(
            [
                Cards(table, 0, hand, 0, some(rng, 256)),
                Advice(table, 0, hand, 0, step, here.head, word),  # type: ignore[arg-type]
                Signal(table, 0, "psst"),
            ]
        )
        return frames.write(frames.pad(write_private(message)))
