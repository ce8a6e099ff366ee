"""The notation line by line: what each line says by itself, before the table is known."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from p2ptruco.rules.cards import Card
from p2ptruco.rules.scale import RESERVED, is_letters
from p2ptruco.rules.spelling import is_number, number, small

OPEN: Final = "open"
HIDDEN: Final = "x"
TIMEOUT: Final = "timeout"
UNKNOWN: Final = "?"
DIVIDER: Final = "---"


class Fault(ValueError):
    """A file that cannot be read as a hand: a code, and the line (from 1) where there is one."""

    def __init__(self, code: str, line: int | None = None) -> None:
        super().__init__(code if line is None else f"line {line}: {code}")
        self.code = code
        self.line = line


@dataclass(frozen=True, slots=True)
class Line:
    """A line by itself: a header's key, `hand`, `move`, DIVIDER, or `` for none of these."""

    number: int
    key: str
    words: tuple[str, ...] = ()
    seat: int = 0
    """From 1, of `hand` and `move` and `dealer`."""


def decoded(text: str | bytes) -> str:
    """The text without its byte order mark; Fault for what is not UTF-8."""
    if isinstance(text, str):
        return text.removeprefix("\ufeff")
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Fault("syntax") from None


def lines_of(text: str) -> Iterator[Line]:
    """The lines that say something, comments and blanks left out."""
    for place, raw in enumerate(text.split("\n"), 1):
        content = small(raw.removesuffix("\r").partition("#")[0].strip(" \t"))
        if content:
            yield _line(place, content)


_BLANKS: Final = re.compile(r"[ \t]+")


def _line(place: int, content: str) -> Line:
    if content == DIVIDER:
        return Line(place, DIVIDER)
    key, *words = _BLANKS.split(content)
    if key == "hand" and words and _is_seat(words[0]):
        return _checked(Line(place, key, tuple(words[1:]), number(words[0][:-1])))
    if _is_seat(key):
        return _checked(Line(place, "move", tuple(words), number(key[:-1])))
    seat = number(words[0]) if key == "dealer" and words and is_number(words[0]) else 0
    return _checked(Line(place, key if key in HEADERS else "", tuple(words), seat))


def _is_seat(word: str) -> bool:
    return word.endswith(":") and is_number(word[:-1])


def _checked(line: Line) -> Line:
    fits = _SHAPES.get(line.key)
    return line if fits is not None and fits(line.words) else Line(line.number, "")


def is_card(word: str) -> bool:
    return card_of(word) is not None


@lru_cache(maxsize=256)
def card_of(word: str) -> Card | None:
    try:
        return Card.parse(word)
    except ValueError:
        return None


def _is_move(words: Sequence[str]) -> bool:
    if len(words) == 2:
        return words[0] == HIDDEN and (words[1] == UNKNOWN or is_card(words[1]))
    return len(words) == 1 and (is_card(words[0]) or words[0] in RESERVED or is_letters(words[0]))


_TOGGLE: Final = re.compile(r"[^=]+=[^=]+")

_SHAPES: Final[Mapping[str, Callable[[Sequence[str]], bool]]] = {
    "variant": lambda words: bool(words) and all(map(_TOGGLE.fullmatch, words[1:])),
    "players": lambda words: len(words) == 1 and is_number(words[0]),
    "score": lambda words: len(words) == 2 and all(map(is_number, words)),
    "dealer": lambda words: len(words) == 1 and is_number(words[0]),
    "vira": lambda words: len(words) == 1 and is_card(words[0]),
    "hand": lambda words: all(word == UNKNOWN or is_card(word) for word in words),
    "move": _is_move,
}
HEADERS: Final = ("variant", "players", "score", "dealer", "vira")
