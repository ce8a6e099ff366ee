"""Forged tokens: whoever gets one accepted shows others another card than was dealt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .disguises import fields
from .prover import Deal, Pair
from .ristretto import G, Point

ITEMS = [
    *(b"suite", b"table", b"epoch", b"hand", b"attempt", b"seat", b"hand-nonce", b"joint-key"),
    *(b"public", b"slots", b"masked", b"first"),
]


def _cancel(tokens: list[Point], weights: list[int]) -> None:
    """Errors that cancel under the weights: of these, or of what the forger takes for them."""
    if len(tokens) > 1:
        tokens[0] = tokens[0] + weights[1] * G
        tokens[1] = tokens[1] - G


def _first(tokens: list[Point], weights: list[int]) -> None:
    tokens[0] = tokens[0] + G


def _exchanged(tokens: list[Point], weights: list[int]) -> None:
    tokens[0], tokens[-1] = tokens[-1], tokens[0]


def forged(
    deal: Deal, seat: int, deck: list[Pair], slots: Sequence[int], others: list[Deal]
) -> Iterator[tuple[str, tuple[int, ...], bytes]]:
    """Name, slots and message of each kind."""
    slots = tuple(slots)
    good = deal.release(seat, deck, slots)
    for name, changed in fields(good, "p" * len(slots) + "ss", deal.rng):
        yield name, slots, changed
    for spoil in (_cancel, _first, _exchanged):
        if spoil is not _first and len(slots) < 2:
            continue
        name = f"tokens spoilt: {spoil.__name__[1:]}"
        yield name, slots, deal.release(seat, deck, slots, spoil=spoil)
        yield (
            f"{name}, weights known",
            slots,
            deal.release(seat, deck, slots, (b"tokens",), spoil=spoil),
        )
    for left_out in ITEMS:
        name = f"challenge without {left_out.decode()}"
        yield name, slots, deal.release(seat, deck, slots, (left_out,))
    yield "challenge without tokens", slots, deal.release(seat, deck, slots, (b"tokens",))
    for role in (b"shuffle", b"possession"):
        name = f"in the role of {role.decode()}"
        yield name, slots, deal.release(seat, deck, slots, role=role)
    for other in others:
        if other.says_the_same(deal, seat):
            continue
        name = f"of another deal ({other.seed})"
        yield name, slots, other.release(seat, deck, slots)
    yield "with another key", slots, deal.release(seat, deck, slots, x=deal.x[seat] + 1)
    yield "with another seat's key", slots, deal.release(seat, deck, slots, x=deal.x[1 - seat])
    yield "another seat's", slots, deal.release(1 - seat, deck, slots)
    yield "of the deck before", slots, deal.release(seat, deck[::-1], slots)
    moved = tuple(slot + 1 for slot in slots)
    yield "of other slots", slots, deal.release(seat, deck, moved)
    yield "asked for others", moved, good
    if len(slots) > 1:
        turned = slots[::-1]
        yield "in another order", slots, deal.release(seat, deck, turned)
        yield "one proof for many", slots, good[:-64] + deal.release(seat, deck, slots[:1])[-64:]
        twice = (slots[0],) * len(slots)
        yield "one slot many times", twice, deal.release(seat, deck, twice)
    for slot in (3 * deal.size, len(deck) - 1):
        wrong = (slot + 1 if slot == 3 * deal.size else slot,)
        if wrong[0] < len(deck):
            yield f"nobody's slot {wrong[0]}", wrong, deal.release(seat, deck, wrong)
