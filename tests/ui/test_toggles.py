"""The rules of a table in words: every toggle, every value, both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from p2ptruco.cli.commands.variants import written_out
from p2ptruco.hooks import find_variant
from p2ptruco.rules.presets import CORE, MANO_A_MANO, MINEIRO, PAULISTA
from p2ptruco.rules.scale import Scale
from p2ptruco.rules.variant import TOGGLES, Variant, from_toggles, toggles
from p2ptruco.ui import words
from p2ptruco.ui.terminal.cards import card_text
from p2ptruco.ui.toggles import ANY, SENTENCES, sentence
from tests.rules.kit import variants

RULES = (Path(__file__).parents[2] / "protocol" / "rules.md").read_text(encoding="utf-8")
OPEN = {"players", "ranks", "manilhas", "scale", "target"}
"""Toggles that have more values than a table could list."""


def in_the_specification(toggle: str) -> list[str]:
    """The values of a toggle that rules.md §7 names, in its order."""
    row = re.search(rf"^\| `{toggle}` \| (.*) \|$", RULES, re.MULTILINE)
    assert row is not None
    return [value for value in re.findall(r"`([^`]+)`", row[1]) if value not in ("a", "z")]


@pytest.fixture(params=words.LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """Both languages in turn."""
    try:
        yield words.speak(request.param)
    finally:
        words.speak("en")


def test_every_toggle_has_a_sentence_for_each_of_its_values() -> None:
    """The toggles in their order; those of few values have exactly the ones of rules.md."""
    assert tuple(SENTENCES) == TOGGLES
    for toggle, sentences in SENTENCES.items():
        if toggle in OPEN:
            assert ANY in sentences
        else:
            assert list(sentences) == in_the_specification(toggle), toggle


@pytest.mark.parametrize("toggle", TOGGLES)
def test_every_value_of_the_specification_is_told_otherwise(toggle: str, language: str) -> None:
    """No two values of a toggle read alike."""
    base = replace(MINEIRO, players=frozenset({2}))
    values = in_the_specification(toggle)
    told = [sentence(toggle, from_toggles("casa", {toggle: value}, base)) for value in values]
    written = {toggles(from_toggles("casa", {toggle: value}, base))[toggle] for value in values}
    assert len(set(told)) == len(written)
    assert all(told)


@settings(max_examples=150, deadline=None)
@given(variants(), variants())
def test_what_differs_reads_otherwise(one: Variant, other: Variant) -> None:
    """Any two values, of any two variants; and no place for a value stays unfilled."""
    for language in words.LANGUAGES:
        try:
            words.speak(language)
            told = [{name: sentence(name, variant) for name in TOGGLES} for variant in (one, other)]
        finally:
            words.speak("en")
        for toggle, text in toggles(one).items():
            assert not re.search(r"[{}]", told[0][toggle])
            if text != toggles(other)[toggle]:
                assert told[0][toggle] != told[1][toggle]


@settings(max_examples=100, deadline=None)
@given(variants())
def test_a_sentence_has_its_numbers_and_cards_in_it(variant: Variant) -> None:
    """Seats, ranks, manilhas, what each call makes the hand, the target, the special hand."""
    scale, special = variant.scale, variant.special_at
    for size in variant.players:
        assert re.search(rf"\b{size}\b", sentence("players", variant))
    assert " ".join(variant.ranks) in sentence("ranks", variant)
    for card in variant.manilhas:
        assert card_text(card) in sentence("manilhas", variant)
    for call in scale.calls:
        assert f"{call.word} {call.points}" in sentence("scale", variant)
    assert f"worth {scale.base}," in sentence("scale", variant)
    assert f"mão de {special} is worth {scale.calls[0].points}" in sentence("scale", variant)
    assert f" {variant.target} points" in sentence("target", variant)
    for toggle in ("call_in_special", "special_decision"):
        assert f"mão de {special}" in sentence(toggle, variant)


def test_the_sentences_that_matter_most() -> None:
    """What a player from another table would get wrong."""
    assert sentence("call_in_special", MANO_A_MANO) == (
        "whoever calls in the mão de 10 loses the match"
    )
    assert sentence("special_decision", MANO_A_MANO) == (
        "the mão de 10 cannot be refused: it is played for 4 points"
    )
    assert sentence("scale", replace(MINEIRO, scale=Scale.parse("2-4-8-12"))) == (
        "a hand is worth 2, and the calls make it: truco 4, seis 8, nove 12; "
        "the mão de 10 is worth 4"
    )
    assert "clubs" in sentence("manilhas", PAULISTA)
    assert len({sentence("face_down_from", variant) for variant in CORE.values()}) == 3


@pytest.mark.parametrize("name", CORE)
def test_variants_tells_every_toggle_in_words(name: str, language: str) -> None:
    """`p2ptruco variants NAME`: as it is typed, then what it means, within 80 columns."""
    told = written_out(find_variant(name))
    assert max(map(len, told.splitlines())) <= 80
    flat = " ".join(told.split())
    for toggle, value in toggles(CORE[name]).items():
        star = "* " * (value != toggles(MINEIRO)[toggle])
        assert f" {star}{toggle}={value} {sentence(toggle, CORE[name])}" in flat
