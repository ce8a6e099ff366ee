"""What the program says of a forged message: its verifier, a whole table, the table's record."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass
from functools import cached_property

from p2ptruco.mental import keys, shuffle, tokens
from p2ptruco.mental.context import Context
from p2ptruco.mental.deck import Deck, Start, start_deck
from p2ptruco.mental.keys import Joint, Opening
from p2ptruco.mental.refused import Refused
from p2ptruco.mental.shuffle import Shuffled
from p2ptruco.rules.scale import Scale
from p2ptruco.rules.variant import Variant
from p2ptruco.table.agreement import Agreement, Place, propose
from p2ptruco.table.codec import Malformed, encode
from p2ptruco.table.entries import (
    Commit,
    Content,
    Entry,
    Open,
    Ready,
    Shuffle,
    Tokens,
    read_entry,
    write,
)
from p2ptruco.table.identity import Identity
from p2ptruco.table.record.audit import audit
from p2ptruco.table.record.file import write_record
from p2ptruco.table.table import Table
from p2ptruco.table.violation import LinkFault

from .prover import Deal, Pair, Shuffler

FEW = Variant(
    name="few",
    players=frozenset({2}),
    ranks="A3",
    manilhas=(("A", "s"), ("A", "d")),  # type: ignore[arg-type]
    scale=Scale.parse("2,truco:4"),
    target=4,
)
"""A deck of 8 cards, so that a proof is soon made."""
SEATS = 2


class Accepted(AssertionError):
    """Something forged was taken for good, or what was good for forged."""


@dataclass(frozen=True)
class Court:
    """A deal of two seats at a table of its own, all of it the forger's, and its judges."""

    seed: int

    @cached_property
    def rng(self) -> random.Random:
        return random.Random(f"court/{self.seed}")

    @cached_property
    def seats(self) -> list[Identity]:
        return [Identity.generate(self.rng.randbytes) for _ in range(SEATS)]

    @cached_property
    def agreement(self) -> Agreement:
        places = [
            Place(one.public, f"p{seat}", seat, self.rng.randbytes(32))
            for seat, one in enumerate(self.seats)
        ]
        return propose(FEW, places)

    @cached_property
    def deal(self) -> Deal:
        agreement, cards = self.agreement, tuple(map(str, FEW.deck))
        return Deal(agreement.id, agreement.identities, cards, seed=self.seed)

    @cached_property
    def others(self) -> list[Deal]:
        """The same keys in other deals, and other nonces or one other key in this one."""
        deal = self.deal
        turned = deal.identities[::-1]
        found = [
            deal.other(table=bytes(32), seed="another table"),
            deal.other(epoch=1, seed="another epoch"),
            deal.other(hand=1, seed="another hand"),
            deal.other(attempt=1, seed="another attempt"),
            deal.other(identities=turned, seed="other identities"),
            deal.other(seed="other nonces"),
            deal.other(seed="another key beside"),
        ]
        found[-2].__dict__["nonces"] = (b"n" * 32, b"o" * 32)
        found[-1].__dict__["x"] = (deal.x[0] + 1, deal.x[1])
        return found

    @cached_property
    def chain(self) -> list[tuple[list[Pair], bytes, bytes]]:
        """Both honest shuffles: the deck after each, its bytes, its proof."""
        made, before = [], self.deal.start
        for seat in range(SEATS):
            shuffler = Shuffler(self.deal, seat, before)
            deck, proof = shuffler.made()
            before = shuffler.after
            made.append((before, deck, proof))
        return made

    def before(self, seat: int) -> list[Pair]:
        return self.chain[seat - 1][0] if seat else self.deal.start

    # The verifier.

    @cached_property
    def context(self) -> Context:
        return Context(self.deal.table, 0, 0, 0, self.deal.identities)

    def opening(self, seat: int, commitment: bytes, data: bytes) -> Opening:
        return keys.check_opening(self.context, seat, commitment, data)

    @cached_property
    def joint(self) -> Joint:
        deal = self.deal
        openings = [
            self.opening(
                seat,
                deal.commitment(seat, deal.publics[seat].encode(), deal.nonces[seat]),
                deal.opening(seat),
            )
            for seat in range(SEATS)
        ]
        return keys.join(self.context, openings)

    @cached_property
    def start(self) -> Start:
        return start_deck(self.deal.cards)

    def parsed(self, seat: int, deck: bytes, proof: bytes) -> Shuffled:
        return shuffle.parse(self.joint, seat, len(self.deal.cards), deck, proof)

    def shuffled(self, seat: int, deck: bytes, proof: bytes) -> None:
        """Alone, and in a chain whose other proofs are good: both verdicts must be the same."""
        forged = self.parsed(seat, deck, proof)
        before = self.parsed(0, *self.chain[0][1:]) if seat else self.start
        alone = self._word(lambda: shuffle.verify_one(self.joint, before, forged, random.randbytes))
        chain = [self.parsed(at, *self.chain[at][1:]) for at in range(SEATS)]
        if seat:
            chain[seat] = forged
            shuffle.verify_chain(self.joint, self.start, chain, random.randbytes)
        else:
            shuffle.verify_prefix(self.joint, self.start, [forged], random.randbytes)
        if alone is not None:
            raise Accepted("the chain takes what alone is refused")

    def _word(self, call: object) -> Refused | None:
        try:
            call()  # type: ignore[operator]
        except Refused as refused:
            return refused
        return None

    @cached_property
    def deck(self) -> Deck:
        chain = [self.parsed(at, *self.chain[at][1:]) for at in range(SEATS)]
        return shuffle.verify_chain(self.joint, self.start, chain, random.randbytes)

    def tokens(self, seat: int, slots: tuple[int, ...], data: bytes) -> None:
        tokens.check(self.joint, seat, self.deck, slots, data)

    # A whole table.

    @cached_property
    def honest(self) -> list[list[tuple[int, Content]]]:
        """What both seats say, step by step, up to the tokens."""
        deal = self.deal
        committed = [
            deal.commitment(at, deal.publics[at].encode(), deal.nonces[at]) for at in range(SEATS)
        ]
        return [
            [(at, Commit(committed[at])) for at in range(SEATS)],
            [(at, Open(deal.opening(at))) for at in range(SEATS)],
            *([(at, Shuffle(*self.chain[at][1:]))] for at in range(SEATS)),
            [(at, Ready()) for at in range(SEATS)],
            [
                (at, Tokens((deal.release(at, self.chain[-1][0], self.theirs(at)),)))
                for at in range(SEATS)
            ],
        ]

    def theirs(self, seat: int) -> tuple[int, ...]:
        """The slots of the other seat."""
        return tuple(range(3 * (1 - seat), 3 * (1 - seat) + 3))

    def at_a_table(self, step: int, seat: int, content: Content, *, first: Content | None) -> str:
        """The word of a table where one seat says this in this step, and all else is honest;
        `first`: what it has committed to. Its record is held against it."""
        table = Table(self.agreement, random.randbytes)
        for number, said in enumerate(self.honest):
            for at, honest in said:
                mine = at == seat and number == step
                spoken = first if first is not None and at == seat and number == 0 else honest
                try:
                    self._say(table, at, content if mine else spoken)
                except (LinkFault, Malformed) as fault:
                    if mine:
                        return str(getattr(fault, "word", "malformed"))
                    raise
            if table.outcome is not None:
                break
        if not table.violations:
            return ""
        signatures = [self.agreement.sign(one) for one in self.seats]
        record = b"".join(write_record(table, signatures, 0, self.seats[0]))
        found = audit(io.BytesIO(record), random.randbytes)
        named = [violation.seat for violation in table.violations]
        if found.table.violations != table.violations or set(named) != {seat}:
            raise Accepted(f"table {table.violations}, record {found.table.violations}")
        return table.violations[0].word

    def _say(self, table: Table, seat: int, content: Content) -> None:
        position, head, _ = table.open
        entry: Entry = write(self.agreement, position, seat, head, content, self.seats[seat])
        table.submit(table.check(read_entry(encode(entry))))
