"""Every way of being wrong, by name (table.md §6).

A fault of the *link* was seen by its receiver only: it closes that link and touches no score
and no log. A violation of the *log* is computed by every peer from the same signed bytes.
A record can also be broken as a file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

LinkWord = Literal[
    "malformed",
    "oversized",
    "bad_signature",
    "wrong_table",
    "wrong_version",
    "bad_ticket",
    "table_full",
    "too_fast",
    "not_due",
]
LINK_WORDS: Final[frozenset[str]] = frozenset(get_args(LinkWord))
LOG_WORDS = frozenset(
    ["illegal_move", "bad_opening", "bad_proof", "not_in_group", "bad_token", "equivocation"]
)
RECORD_WORDS = frozenset(
    {
        "malformed",
        "wrong_version",
        "wrong_table",
        "not_due",
        "bad_head",
        "bad_signature",
        "bad_certificate",
        "bad_seal",
        "bad_trailer",
        "incomplete",
    }
)


class LinkFault(Exception):
    """Closes the link it came over, blames whoever sits at its other end and nobody else."""

    def __init__(self, word: LinkWord, detail: str = "") -> None:
        assert word in LINK_WORDS, word
        super().__init__(f"{word}: {detail}" if detail else word)
        self.word: LinkWord = word


@dataclass(frozen=True, slots=True)
class Violation:
    """A seat broke the protocol in what it signed; hand and step are numbered from 0."""

    word: str
    hand: int
    step: int
    seat: int

    @property
    def ends_match(self) -> bool:
        """An illegal move loses the hand, everything else the match."""
        return self.word != "illegal_move"


class BrokenTable(RuntimeError):
    """The program contradicts itself. It stops the table and accuses nobody."""
