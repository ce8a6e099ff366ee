"""One cheat that does at random whatever may part honest peers, while links drop and return."""

from __future__ import annotations

import io
import random
from collections.abc import Iterable

import trio
from trio.testing import MockClock

from p2ptruco.rules.seating import slots_of
from p2ptruco.table.entries import Entry, Lay, Leave, Say
from p2ptruco.table.record.audit import audit
from p2ptruco.table.steps.dealing import Committing
from p2ptruco.table.steps.playing import Choosing
from p2ptruco.table.steps.sealing import Sealing
from p2ptruco.table.table import Open
from tests.kit.cheats.base import Dishonest
from tests.kit.opendeck import open_deck
from tests.kit.tables_over_links import Evening
from tests.kit.threads import on_the_loop

MENDED = 6.0
"""Seconds after the end for which links drop: less than anybody's time."""


class Schemer(Dishonest):
    """Signs second words all the time, tells each peer what it likes, seals or not."""

    forks_records = True
    chance: random.Random

    def some(self) -> list[int]:
        """Some of the others, perhaps all, perhaps none."""
        return [seat for seat in self.victims if self.chance.random() < 0.5]

    async def utter(self, here: Open, entry: Entry) -> Entry | None:
        chance = self.chance
        if isinstance(here.phase, Sealing):
            self.send(entry, self.some())
            return entry if chance.random() < 0.4 else None
        if not isinstance(here.phase, (Choosing, Committing)):
            return entry
        words = [self.forge(Leave())]
        if isinstance(here.phase, Choosing):
            bad = (Lay(slots_of(self.seat)[0], False, bytes([n] * 96)) for n in range(2))
            words += map(self.forge, (Say("fold"), *bad))
        self.olds.append(chance.choice(words))
        if chance.random() < 0.1:
            self.tell(chance.sample([entry, *words], 2))
            return None
        return entry

    def tell(self, words: Iterable[Entry]) -> None:
        """Each word to some: nobody, somebody, everybody."""
        for word in words:
            self.send(word, self.some())

    async def scheme(self) -> None:
        self.olds: list[Entry] = []
        await self.until(lambda: self.table.outcome is not None)
        while True:
            await trio.sleep(self.chance.choice([0.0, 0.3, 2.0]))
            if self.olds:
                self.tell([self.chance.choice(self.olds)])


async def tear(evening: Evening, chance: random.Random) -> None:
    """Links drop and return at the end of the match, all of them in time."""
    first = evening.honest[0]
    await first.session._until(lambda: first.table.outcome is not None)
    pairs = [(a, b) for b in range(evening.size) for a in range(b)]
    end = trio.current_time() + MENDED
    while trio.current_time() < end:
        evening.part([pair for pair in pairs if chance.random() < 0.5])
        await trio.sleep(chance.uniform(0, MENDED / 2))
    evening.part()


def play(seed: int, size: int = 4) -> str:
    """One evening; what became of it. AssertionError if the honest are parted."""
    chance = random.Random(f"schemer/{size}/{seed}")

    class Now(Schemer):
        pass

    Now.chance = chance

    async def whole() -> Evening:
        evening = Now.evening(
            size, seed=seed, offload=on_the_loop(chance, chance.choice([0.0, 0.01, 0.05]))
        )
        async with evening.linked(), trio.open_nursery() as tasks:
            tasks.start_soon(tear, evening, chance)
            for peer in evening.peers:
                tasks.start_soon(peer.play)
            await evening._over()
            tasks.cancel_scope.cancel()
        evening.check_memory()
        return evening

    with open_deck():
        evening = trio.run(whole, clock=MockClock(autojump_threshold=0))
        check(evening)
    return " and ".join(sorted(evening.words))


def check(evening: Evening) -> None:
    """What holds at every table, but that the cheat's seal may come when some have left."""
    first = evening.honest[0].table
    for peer in evening.honest:
        peer.session.closed = [one for one in peer.session.closed if one.reason not in DROPPED]
        table = peer.table
        assert table.outcome == first.outcome
        assert table.hands == first.hands
        assert table.violations == first.violations
        assert table.steps[: len(first.steps)] == first.steps or table.finished
        assert (table.sealed_by ^ first.sealed_by) <= evening.guilty
        found = audit(io.BytesIO(peer.record), random.Random(0).randbytes)
        assert found.breach is None
        assert found.table.outcome == table.outcome
    evening._nobody_honest_is_accused()


DROPPED = ("lost", "duplicate", "leaving")
"""What a link ends by that drops."""
