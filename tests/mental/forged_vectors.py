"""Vectors with one thing wrong and all the rest right, made by the forger (tests/kit/forger).

A verifier that leaves out any one check of a proof accepts one of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.kit.forger.prover import Deal as Forgery
from tests.kit.forger.prover import Pair, Shuffler, points
from tests.kit.forger.ristretto import G
from tests.kit.forger.shuffles import (
    CaLate,
    DeltaLate,
    DLate,
    Doubled,
    ECancels,
    ELate,
    EqualA,
    Mixed,
    MixedSolved,
    Planted,
    Scaled,
    Shifted,
    SumKept,
    TwoMasks,
)
from tests.mental.kit import CARDS, FEW, Deal, context, deal
from tests.mental.vector import Named, vector


class ShiftedA(Shuffler):
    """An A moved by a point."""

    def masked(self) -> list[Pair]:
        (a, b), *rest = super().masked()
        return [(a + G, b), *rest]


SHUFFLES: dict[str, tuple[str, type[Shuffler], tuple[bytes, ...]]] = {
    "mixed": ("a card is the sum of two: only the product fails", Mixed, ()),
    "mixed-solved": ("the product solved for F_Δ: only (b) fails", MixedSolved, ()),
    "c-delta-late": ("(b) solved for c_Δ, which was not absorbed", DeltaLate, (b"c_delta",)),
    "c-a-late": ("(b) solved for c_a, which was not absorbed", CaLate, (b"c_a",)),
    "c-dd-late": ("(a) solved for c_d', which was not absorbed", DLate, (b"c_dd",)),
    "e-late": ("40 times one card: (c) solved for E, which was not absorbed", ELate, (b"E",)),
    "e-cancels": ("E wrong for A and for B: the errors cancel under equal weights", ECancels, ()),
    "shifted-a": ("an A moved: only the first half of (c) fails", ShiftedA, ()),
    "shifted-b": ("a B moved: only the second half of (c) fails", Shifted, ()),
    "doubled": ("a card twice", Doubled, ()),
    "planted": ("a card from outside", Planted, ()),
    "scaled": ("a card scaled", Scaled, ()),
    "two-masks": ("two masks on one card", TwoMasks, ()),
    "sum-kept": ("two cards changed, their sum is not", SumKept, ()),
}


def forgery(here: Deal) -> Forgery:
    """The same deal for the forger, who knows all secrets."""
    at = here.context
    made = Forgery(
        at.table,
        at.identities,
        FEW,
        at.epoch,
        at.hand,
        at.attempt,
        seed="vectors",
        secrets=tuple(pair.secret for pair in here.pairs),
    )
    made.__dict__["nonces"] = tuple(pair.nonce for pair in here.pairs)
    return made


def forged_vectors() -> Iterator[Named]:
    here = deal(context(2))
    crook = forgery(here)
    honest = Shuffler(crook, 0, crook.start)
    first = honest.made()
    for name, (about, kind, omit) in SHUFFLES.items():
        second = kind(crook, 1, honest.after, omit).made()
        yield f"shuffle/forged-{name}", vector(about, "chain", _given(first, second), here)
    one = EqualA(crook, 0, crook.start)
    deck = one.made()
    other = Shuffler(crook, 1, one.after).made()
    about = "two A's are equal, all of it well proved"
    yield "shuffle/forged-equal-a", vector(about, "chain", _given(deck, other), here)
    yield from _tokens()


def _given(*shuffles: tuple[bytes, bytes]) -> dict[str, object]:
    sent = [{"deck": deck.hex(), "proof": proof.hex()} for deck, proof in shuffles]
    return {"cards": list(FEW), "shuffles": sent}


def _tokens() -> Iterator[Named]:
    here = deal(context(2))
    crook = forgery(here)
    long = Forgery(
        crook.table,
        crook.identities,
        CARDS[:9],
        crook.epoch,
        crook.hand,
        crook.attempt,
        seed="tokens",
        secrets=crook.x,
    )
    long.__dict__["nonces"] = crook.nonces
    shuffler = Shuffler(long, 0, long.start)
    deck, pairs = points(shuffler.masked()), shuffler.masked()
    for name, about, slots in (
        ("nobodys", "a good token of a slot that is nobody's", [7]),
        ("twice", "good tokens of one slot named twice", [1, 1]),
    ):
        message = long.release(1, pairs, slots)
        given = {"cards": list(CARDS[:9]), "deck": deck.hex(), "seat": 1, "slots": slots}
        yield (
            f"tokens/forged-{name}",
            vector(about, "token", {**given, "message": message.hex()}, here),
        )
