"""What a peer's bytes are refused with: a violation word and the seat that sent them."""

from __future__ import annotations

from typing import Final, Literal

Kind = Literal["malformed", "not_in_group", "bad_opening", "bad_proof", "bad_token"]

KINDS: Final[tuple[Kind, ...]] = (
    "malformed",
    "not_in_group",
    "bad_opening",
    "bad_proof",
    "bad_token",
)


class Refused(Exception):
    """`seat` (from 0) broke the deal, and this `kind` is the word of it (deal.md §9)."""

    def __init__(self, kind: Kind, seat: int) -> None:
        super().__init__(kind, seat)
        self.kind: Final = kind
        self.seat: Final = seat
