"""Names that people type for variants, bots and table sizes; a wrong one is a sentence."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from p2ptruco.cli.failure import WRONG_USE, Failure
from p2ptruco.ui.words import _

if TYPE_CHECKING:
    from p2ptruco.hooks import Offer
    from p2ptruco.rules.variant import Variant


def offer_of(name: str) -> Offer:
    """The variant on offer under a name."""
    from p2ptruco.hooks import shelf

    offers = shelf().variants
    if name not in offers:
        unknown = _("There is no variant {name}.").format(name=printable(name))
        raise Failure("unknown_variant", unknown + meant(name, offers), WRONG_USE)
    return offers[name]


def check_size(variant: Variant, seats: int) -> None:
    """Refuse a table size that the variant does not allow."""
    if seats not in variant.players:
        sizes = ", ".join(map(str, sorted(variant.players)))
        sentence = _("{variant} is not played by {seats}; it is by {sizes}.")
        message = sentence.format(variant=variant.name, seats=seats, sizes=sizes)
        raise Failure("wrong_size", message, WRONG_USE)


def meant(name: str, known: Iterable[str]) -> str:
    """A hint at the closest name, or nothing."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return " " + _("Did you mean {name}?").format(name=close[0]) if close else ""


def printable(text: str) -> str:
    """What somebody typed, fit to be shown to them again."""
    from p2ptruco.table.text import clean

    return clean(text, 120, 60) or "?"
