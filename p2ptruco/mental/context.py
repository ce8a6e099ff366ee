"""What a deal is bound to: every hash and every challenge of it begins with these values.

The context names one deal of one hand at one table (deal.md, table of absorbed items), so that
nothing made for it serves anywhere else.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2ptruco.mental.transcript import Item, number

SUITE = b"ristretto255-sha512"
MIN_SEATS, MAX_SEATS = 2, 8


@dataclass(frozen=True, slots=True)
class Context:
    """Which deal this is: every hash and every challenge of it absorbs these values."""

    table: bytes
    epoch: int
    hand: int
    attempt: int
    identities: tuple[bytes, ...]

    def __post_init__(self) -> None:
        if type(self.table) is not bytes or len(self.table) != 32:
            raise ValueError("a table id is 32 bytes")
        if any(not 0 <= n < 2**32 for n in (self.epoch, self.hand, self.attempt)):
            raise ValueError("epoch, hand and attempt are 32-bit counts")
        if not MIN_SEATS <= len(self.identities) <= MAX_SEATS:
            raise ValueError("2 to 8 seats")
        if any(type(key) is not bytes or len(key) != 32 for key in self.identities):
            raise ValueError("an identity key is 32 bytes")

    @property
    def seats(self) -> int:
        """Number of seats, 2 to 8."""
        return len(self.identities)

    def items(self) -> tuple[Item, ...]:
        """What every transcript of the deal absorbs first (deal.md, table of absorbed items)."""
        return (
            (b"suite", SUITE),
            (b"table", self.table),
            (b"epoch", number(self.epoch)),
            (b"hand", number(self.hand)),
            (b"attempt", number(self.attempt)),
        )

    def seat_items(self, seat: int) -> tuple[Item, ...]:
        """`items` and the seat that speaks; ValueError if there is no such seat."""
        if not 0 <= seat < self.seats:
            raise ValueError("no such seat")
        return (*self.items(), (b"seat", number(seat)))
