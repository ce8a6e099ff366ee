"""Text from strangers, made harmless before it is shown, logged or signed (table.md §2).

Laws: the same on every Python; NFC; no control, format (bidirectional ones among them), surrogate,
private or unassigned character, and none that shows nothing; white space is single blanks; bounded
in bytes and in graphemes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Set
from itertools import groupby

from .characters import Kind, kind

NAME_BYTES, NAME_GRAPHEMES = 64, 24
"""Bounds of a player's name."""
CHAT_BYTES, CHAT_GRAPHEMES = 512, 200
"""Bounds of a line of talk."""

_MARKS_EACH = 2
"""Combining marks kept on one base character."""


def clean(text: str, max_bytes: int = NAME_BYTES, max_graphemes: int = NAME_GRAPHEMES) -> str:
    """`text` without anything that could trick a terminal, a log or a reader.

    Gone over until nothing changes: composing may bring marks together that stood apart.
    """
    while (cleaned := _gone_over(text, max_bytes, max_graphemes)) != text:
        text = cleaned
    return text


def _gone_over(text: str, max_bytes: int, max_graphemes: int) -> str:
    shown = _composed(_visible(text))
    marks = {char for char in set(shown) if kind(char).is_mark}
    kept: list[str] = []
    size = graphemes = 0
    for char in _single_blanks("".join(_few_marks(shown, marks))):
        size += len(char.encode())
        graphemes += char not in marks
        if size > max_bytes or graphemes > max_graphemes:
            break
        kept.append(char)
    return _composed("".join(kept)).strip(" ")


def is_clean(text: str, max_bytes: int = NAME_BYTES, max_graphemes: int = NAME_GRAPHEMES) -> bool:
    """Whether cleaning would change nothing and something is left."""
    return bool(text) and _gone_over(text, max_bytes, max_graphemes) == text


_SHOWN = {Kind.OUT: "", Kind.BLANK: " "}
"""What is put in the place of a character of this kind."""


def _visible(text: str) -> str:
    kinds = {ord(char): kind(char) for char in set(text)}
    return text.translate({code: _SHOWN[what] for code, what in kinds.items() if what in _SHOWN})


def _composed(text: str) -> str:
    """NFC, but for late characters: they stand as they are, as if nothing composed with them."""
    late = {char for char in set(text) if kind(char).is_late}
    runs = groupby(text, late.__contains__) if late else [(False, text)]
    return "".join("".join(run) if is_late else _nfc("".join(run)) for is_late, run in runs)


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _single_blanks(text: str) -> str:
    return " ".join(filter(None, text.split(" ")))


def _few_marks(text: str, marks: Set[str]) -> Iterator[str]:
    """No mark without a letter under it, and not too many on one."""
    count = _MARKS_EACH
    for char in text:
        count = count + 1 if char in marks else _MARKS_EACH if char == " " else 0
        if count <= _MARKS_EACH:
            yield char
