"""Text from strangers, made harmless before it is shown, logged or signed (table.md §2).

Laws: NFC; no control, format (bidirectional ones among them), surrogate, private or
unassigned character, and none that shows nothing; white space is single blanks; bounded in
bytes and in graphemes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

NAME_BYTES, NAME_GRAPHEMES = 64, 24
"""Bounds of a player's name."""
CHAT_BYTES, CHAT_GRAPHEMES = 512, 200
"""Bounds of a line of talk."""

_BLANKS = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE10)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)
"""Letters, marks and symbols that show nothing: fillers, joiners, variation selectors."""

_MARKS = frozenset({"Mn", "Me"})
_MARKS_EACH = 2
"""Combining marks kept on one base character."""


def clean(text: str, max_bytes: int = NAME_BYTES, max_graphemes: int = NAME_GRAPHEMES) -> str:
    """`text` without anything that could trick a terminal, a log or a reader."""
    shown = unicodedata.normalize("NFC", _visible(unicodedata.normalize("NFC", text)))
    kept: list[str] = []
    size = graphemes = 0
    for char in " ".join("".join(_few_marks(shown)).split()):
        size += len(char.encode())
        graphemes += not _is_mark(char)
        if size > max_bytes or graphemes > max_graphemes:
            break
        kept.append(char)
    return unicodedata.normalize("NFC", "".join(kept)).strip()


def is_clean(text: str, max_bytes: int = NAME_BYTES, max_graphemes: int = NAME_GRAPHEMES) -> bool:
    """Whether cleaning would change nothing and something is left."""
    return bool(text) and clean(text, max_bytes, max_graphemes) == text


def _visible(text: str) -> str:
    return "".join(" " if c.isspace() else "" if _shows_nothing(c) else c for c in text)


def _few_marks(text: str) -> Iterator[str]:
    """No mark without a letter under it, and not too many on one."""
    marks = _MARKS_EACH
    for char in text:
        marks = marks + 1 if _is_mark(char) else _MARKS_EACH if char == " " else 0
        if marks <= _MARKS_EACH:
            yield char


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in _MARKS


def _shows_nothing(char: str) -> bool:
    return char in _BLANKS or unicodedata.category(char)[0] == "C"
