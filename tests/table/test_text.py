"""Text from strangers is harmless before it is shown, logged or signed."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from p2ptruco.table.text import (
    CHAT_BYTES,
    CHAT_GRAPHEMES,
    NAME_BYTES,
    NAME_GRAPHEMES,
    clean,
    is_clean,
)

MARKS = "".join(chr(c) for c in range(0x300, 0x370))
NASTY = st.text(
    st.one_of(
        st.characters(codec="utf-8"),
        st.sampled_from("\u200d\u202e\u2066\u00ad\ufeff\x1b\n\t\u0085\u2028\u3164\u0301\u0327e "),
        st.sampled_from(MARKS),
        st.sampled_from("\u1100\u1161\u11a8\u0958\ufb2c\U0001d160\U0001f468"),
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
    assert unicodedata.normalize("NFC", once) == once
    assert not any(unicodedata.category(char)[0] == "C" for char in once)
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
