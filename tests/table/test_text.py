"""Text from strangers is harmless before it is shown, logged or signed."""

from __future__ import annotations

import unicodedata
from types import SimpleNamespace
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from p2ptruco import text as module
from p2ptruco.characters import RUNS, Kind, kind
from p2ptruco.text import CHAT_BYTES, CHAT_GRAPHEMES, NAME_BYTES, NAME_GRAPHEMES, clean, is_clean
from tests.kit.characters import compact, listed

MARKS = "".join(chr(c) for c in range(0x300, 0x370))
NASTY = st.text(
    st.one_of(
        st.characters(codec="utf-8"),
        st.sampled_from("\u200d\u202e\u2066\u00ad\ufeff\x1b\n\t\u0085\u2028\u3164\u0301\u0327e "),
        st.sampled_from(MARKS),
        st.sampled_from("\u1100\u1161\u11a8\u0958\ufb2c\U0001d160\U0001f468"),
        st.sampled_from("\U000105c9\U000105d2\u0307\u0897\u1acf\U0001fae8"),
        st.sampled_from("\U0001d165\u0900\u0301"),
    ),
    max_size=120,
)

ROWS = [
    pytest.param("Zé do Boné", "Zé do Boné", id="as it is"),
    pytest.param("Ze\u0301", "Zé", id="NFC"),
    pytest.param("  a \t\n b  ", "a b", id="white space is single blanks"),
    pytest.param("a\u00a0\u2003b", "a b", id="every kind of white space"),
    pytest.param("a\u2028b\u0085c", "a b c", id="line separators"),
    pytest.param("a\x00b\x07c\x7fd", "abcd", id="control"),
    pytest.param("\x1b[31mred\x1b[0m", "[31mred[0m", id="an escape sequence is only letters"),
    pytest.param("a\x9b31mb", "a31mb", id="the one-byte escape"),
    pytest.param("ab\u202edc\u202c", "abdc", id="right-to-left override"),
    pytest.param("\u2066x\u2069\u200f", "x", id="isolates and marks"),
    pytest.param("\U0001f468\u200d\U0001f469", "\U0001f468\U0001f469", id="ZWJ"),
    pytest.param("a\u200bb\ufeffc\u00add", "abcd", id="zero width, BOM, soft hyphen"),
    pytest.param("\ue000\U000f0000a\U0010ffff", "a", id="private and unassigned"),
    pytest.param("\U000e0041\U000e0042a", "a", id="tags"),
    pytest.param("a\ud800b", "ab", id="surrogate"),
    pytest.param("a" + "\u0336" * 9, "a\u0336\u0336", id="two marks on a letter"),
    pytest.param("\u0301\u0301a", "a", id="marks on nothing"),
    pytest.param("\u3164", "", id="a filler is no name"),
    pytest.param("a\u115f\u1160\uffa0b", "ab", id="fillers are invisible letters"),
    pytest.param("\u2800\u2800", "", id="blank braille"),
    pytest.param("\u202e\u200b ", "", id="nothing left"),
    pytest.param("n" * 30, "n" * NAME_GRAPHEMES, id="graphemes"),
    pytest.param("\U0001f0cf" * 24, "\U0001f0cf" * (NAME_BYTES // 4), id="bytes"),
    pytest.param("é" * 24, "é" * 24, id="full"),
    pytest.param("Bia \U0001fae8", "Bia \U0001fae8", id="an emoji of Unicode 15"),
    pytest.param("Bia \U0001fae9", "Bia \U0001fae9", id="an emoji of Unicode 16"),
    pytest.param("\U000105d2\u0307", "\U000105d2\u0307", id="a late letter is not composed"),
    pytest.param("\U000105c9", "\U000105c9", id="nor taken apart"),
    pytest.param("a\u0897\u0323", "a\u0897\u0323", id="a late mark keeps its place"),
    pytest.param("a" + "\u0897" * 4, "a\u0897\u0897", id="two late marks on a letter"),
    pytest.param("a\u05c8\U00050000", "a", id="newer than Unicode 17, or not there"),
    pytest.param("a\U00013439\U0001343fb", "ab", id="a format control of Unicode 15"),
    pytest.param("\u2065\ufff0\U000e0080a", "a", id="invisible wherever it will be assigned"),
]


@pytest.mark.parametrize(("dirty", "expected"), ROWS)
def test_what_could_trick_a_reader_is_gone(dirty: str, expected: str):
    assert clean(dirty) == expected
    assert is_clean(dirty) == (dirty == expected)


@given(NASTY)
@example("e\u0301\u200d\u0327")
@example("\u1100\u200d\u1161")
@example("a\u0300\u200b\u0300\u0300")
@example("a\U000e0100 \u0301")
def test_cleaning_is_a_fixed_point_of_clean_characters_and_bounded_size(text: str):
    once = clean(text)
    assert clean(once) == once
    assert not any(kind(char) is Kind.OUT for char in once)
    if not any(kind(char).is_late for char in once):
        assert unicodedata.normalize("NFC", once) == once
    assert "  " not in once
    assert once == once.strip()
    assert len(once.encode()) <= NAME_BYTES
    assert sum(not unicodedata.combining(char) for char in once) <= NAME_GRAPHEMES
    assert is_clean(once) == bool(once)


@given(st.text(max_size=3000))
def test_a_line_of_talk_has_its_own_bounds(text: str):
    once = clean(text, CHAT_BYTES, CHAT_GRAPHEMES)
    assert len(once.encode()) <= CHAT_BYTES
    assert clean(once, CHAT_BYTES, CHAT_GRAPHEMES) == once


@pytest.mark.parametrize("flood", ["a" * 10**6, "\u0301" * 10**6, "\u200d" * 10**6])
def test_a_flood_is_cut(flood: str):
    assert len(clean(flood)) <= NAME_GRAPHEMES


def test_a_mark_never_stands_alone():
    """Cleaned text is a fixed point: a mark on a blank, or on what was stripped, goes with it."""
    for text in ("\x00\u0301 \x00\u0301 ", " \u0301a", "a \u0301\u0301b", "e\x00\u0301"):
        assert clean(clean(text)) == clean(text)
    assert clean("a \u0301b") == "a b"
    assert clean("e\x00\u0301") == "é"


MOVED = "\U0001d165"
"""A letter here, but NFC moves it before the marks in front of it."""


@pytest.mark.parametrize("between", ["\u0900", "\U00011f37"], ids=["a mark", "a late mark"])
def test_marks_that_composing_brings_together_are_few_too(between: str):
    """Gain: a name that is not clean when it has been cleaned. A login like it was kept for the
    identity's name, which no program would read again."""
    once = clean(f"b\u0301\u0301{between}{MOVED}\u0301")
    assert once == f"b{MOVED}\u0301\u0301"
    assert is_clean(once)


def test_the_package_has_the_characters_of_the_specification():
    assert compact(listed()) == RUNS


OF_C = ("Cc", "Cf", "Cs", "Co")
FILLERS = {
    *map(ord, "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"),
    *range(0xFE00, 0xFE10),
    *range(0xE0100, 0xE01F0),
}
CHANGED = {0x1171E}
"""What is of another category from one version to the next."""


def test_the_characters_are_those_that_python_knows():
    """Of each character that this Python has: what it is; and what it has not is nobody's yet."""
    for code, listed_kind in enumerate(listed()):
        char = chr(code)
        category = unicodedata.category(char)
        if code in CHANGED or category == "Cn":
            continue
        plain = listed_kind.replace("K", "L").replace("N", "M")
        if char.isspace():
            assert plain == "B", hex(code)
        elif category in OF_C or code in FILLERS:
            assert plain == "O", hex(code)
        elif listed_kind != Kind.OUT or unicodedata.unidata_version <= "17.0.0":
            assert plain == ("M" if category in ("Mn", "Me") else "L"), hex(code)


@given(NASTY)
def test_no_python_is_asked_to_compose_what_another_does_not_know(text: str):
    """Gain, were it so: a name that is clean for some at the table and for others no record."""
    asked: list[str] = []

    def normalize(form: str, part: str) -> str:
        asked.append(part)
        return unicodedata.normalize(form, part)

    with mock.patch.object(module, "unicodedata", SimpleNamespace(normalize=normalize)):
        clean(text)
    known = {Kind.LETTER, Kind.MARK, Kind.BLANK}
    assert {kind(char) for part in asked for char in part} <= known
