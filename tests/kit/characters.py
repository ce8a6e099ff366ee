"""The characters of clean text: `python -m tests.kit.characters` puts protocol/characters.txt into
the package, in its compact form."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from p2ptruco import characters
from p2ptruco.characters import Kind

LISTED = Path(__file__).parents[2] / "protocol" / "characters.txt"
MODULE = Path(characters.__file__)
WORDS = {
    "letter": Kind.LETTER,
    "mark": Kind.MARK,
    "blank": Kind.BLANK,
    "letter late": Kind.LATE_LETTER,
    "mark late": Kind.LATE_MARK,
}
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def listed() -> list[Kind]:
    """The kind of every code point, as protocol/characters.txt has it."""
    found = [Kind.OUT] * 0x110000
    for line in LISTED.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            span, _, word = line.partition(" ")
            first, last = (int(end, 16) for end in span.split("-"))
            assert set(found[first : last + 1]) == {Kind.OUT}, line
            found[first : last + 1] = [WORDS[word]] * (last + 1 - first)
    return found


def compact(kinds: list[Kind]) -> str:
    """Runs of one kind: its letter, and how many in base 36."""
    runs = ((kind, sum(1 for _ in run)) for kind, run in groupby(kinds))
    return "".join(f"{kind}{''.join(_digits(count))}" for kind, count in runs)


def _digits(number: int) -> str:
    return (_digits(number // 36) if number >= 36 else "") + DIGITS[number % 36]


def _lines(text: str) -> Iterator[str]:
    yield "RUNS: Final = (\n"
    yield from (f'    "{line}"\n' for line in textwrap.wrap(text, 92))
    yield ")\n"


def main() -> None:
    written = "".join(_lines(compact(listed())))
    source = MODULE.read_text("utf-8")
    MODULE.write_text(re.sub(r"RUNS: Final = \(\n.*?\n\)\n", written, source, flags=re.S), "utf-8")


if __name__ == "__main__":
    main()
