"""What goes between partners, in a private frame of their channel (deal.md §6, table.md §3).

Never an entry: not in a log, a record or a spectator's feed. Nobody waits for it and no
violation arises from it.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from .codec import U8, U16, Bytes32, Wire, encode, strict

SINAIS = ("zap", "copas", "espadilha", "pica-fumo", "tres", "dois", "nada", "truco")
"""The texts of a signal that every face can draw (wire.md §10)."""
LIMIT = 512
"""Bytes before padding."""


class Cards(Wire, frozen=True, tag="cards"):
    """My proved tokens for my own three cards of this hand, for one partner."""

    table: Bytes32
    epoch: U8
    hand: U16
    attempt: U8
    tokens: Annotated[bytes, msgspec.Meta(max_length=256)]


class Advice(Wire, frozen=True, tag="advice"):
    """A press of mine on a question that the reader answers for the team."""

    table: Bytes32
    epoch: U8
    hand: U16
    attempt: U8
    step: U16
    head: Bytes32
    word: Literal["call", "accept", "run", "play", "refuse"]


class Signal(Wire, frozen=True, tag="signal"):
    """A wink: a few words for one partner."""

    table: Bytes32
    epoch: U8
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]


Private = Cards | Advice | Signal


def write_private(message: Private) -> bytes:
    return encode(message)


def read_private(blob: bytes) -> Private:
    """`Malformed` for anything else; whose it is, the channel says."""
    return strict(Private, blob, LIMIT)  # type: ignore[arg-type]
