"""How numbers and words are spelled in toggles and in the notation: each in one way (rules.md §7).

Nothing here asks Python what a letter or a digit is: its answers are of one version of Unicode.
"""

from __future__ import annotations

import re
from typing import Final

LETTERS: Final = "a-zß-öø-ÿ"
"""The small letters of Latin-1, as a range of a regular expression."""

_CAPITALS: Final = {
    **{ord(capital): capital.lower() for capital in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
    **{code: chr(code + 0x20) for code in range(ord("À"), ord("Þ") + 1) if chr(code) != "×"},
    ord("Ÿ"): "ÿ",
    ord("ẞ"): "ß",
}
_NUMBER: Final = re.compile(r"0|[1-9][0-9]*", re.ASCII)
_DIGITS: Final = 18
"""A number of more digits is too large for whatever it counts."""


def small(text: str) -> str:
    """The text with the capitals of `LETTERS` made small, all else as it is."""
    return text.translate(_CAPITALS)


def number(text: str) -> int:
    """The digits 0 to 9 without a zero in front; ValueError for anything else."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"not a number: {text[:20]!r}")
    return int(text[:_DIGITS])


def is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None
