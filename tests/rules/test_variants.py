"""Variants refuse what cannot be, and are written as the notation writes them."""

from __future__ import annotations

import dataclasses
import pickle
import sys
import tomllib
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from p2ptruco.rules.cards import Card, parse_cards
from p2ptruco.rules.notation.judge import REASONS
from p2ptruco.rules.presets import CORE, MINEIRO
from p2ptruco.rules.scale import SCALES, Call, Scale
from p2ptruco.rules.spelling import small
from p2ptruco.rules.variant import TOGGLES, Variant, differs, from_toggles, toggles

from .kit import variants

PAGES = Path(__file__).parents[2] / "protocol" / "variants"

COLUMNS = "players manilhas scale all_tied call_in_special special_decision face_down_from iron"
TABLE = """
mineiro             | 2,4,6,8 | fixed | 2-4-6-10-12 | nobody | illegal | yes | 2    | blind
mineiro-escala-longa| 2,4,6,8 | fixed | 1-3-6-9-12  | nobody | illegal | yes | 1    | blind
mano-a-mano         | 2       | fixed | 2-4-6-10-12 | nobody | forfeit | no  | 1    | blind
mineiro-dealer      | 2,4,6,8 | fixed | 2-4-6-10-12 | dealer | illegal | yes | none | open
paulista            | 2,4,6   | vira  | 1-3-6-9-12  | nobody | illegal | yes | 2    | blind
"""
ROWS = [[cell.strip() for cell in line.split("|")] for line in TABLE.strip().splitlines()]


@pytest.mark.parametrize(("name", "cells"), [(row[0], row[1:]) for row in ROWS])
def test_presets(name: str, cells: list[str]) -> None:
    """Every core preset is the row of the table; what the table leaves out is as in Mineiro."""
    wanted = {
        "ranks": "4567QJKA23",
        "target": "12",
        "partners_tie": "tie" if name == "mineiro-escala-longa" else "trick",
        "fold": "yes",
        "best_of": "1",
    } | dict(zip(COLUMNS.split(), cells, strict=True))
    assert toggles(CORE[name]) == wanted


def test_core_presets_are_all() -> None:
    assert list(CORE) == [row[0] for row in ROWS]


@pytest.mark.parametrize("name", CORE)
def test_the_specification_has_each_preset(name: str) -> None:
    """protocol/variants holds every core preset as data, and nothing else."""
    written = tomllib.loads((PAGES / f"{name}.toml").read_text(encoding="utf-8"))
    assert written == {"name": name, "toggles": toggles(CORE[name])}
    assert {path.stem for path in PAGES.iterdir()} == set(CORE)


def test_every_field_is_a_toggle() -> None:
    """A variant is its name and its toggles."""
    assert {field.name for field in dataclasses.fields(Variant)} == {"name", *TOGGLES}


@settings(max_examples=80, deadline=None)
@given(variants())
def test_toggles_are_the_variant(variant: Variant) -> None:
    """What the toggles say is read back as an equal variant of one hash."""
    again = from_toggles(variant.name, toggles(variant))
    assert again == variant
    assert hash(again) == hash(variant)
    assert pickle.loads(pickle.dumps(variant)) == variant
    assert from_toggles(variant.name, differs(variant, MINEIRO), MINEIRO) == variant
    assert differs(variant, again) == {}


IMPOSSIBLE: list[tuple[str, dict[str, Any]]] = [
    ("no name", {"name": ""}),
    ("a name with a space", {"name": "minha casa"}),
    ("a name with a control character", {"name": "mesa\x1b"}),
    ("a name too long", {"name": "a" * 41}),
    ("a name that is no text", {"name": 7}),
    ("no size", {"players": frozenset()}),
    ("an odd size", {"players": frozenset({3})}),
    ("a size that is no whole number", {"players": frozenset({2.0})}),
    ("sizes that are no set", {"players": 2}),
    ("a rank twice", {"ranks": "4567QJKA233"}),
    ("a rank unknown", {"ranks": "34567890"}),
    ("eight seats of a clean deck with a vira", {"ranks": "QJKA23", "manilhas": ()}),
    ("a manilha outside the deck", {"ranks": "567QJKA23"}),
    ("a manilha twice", {"manilhas": parse_cards("4c 4c 7h")}),
    ("a manilha that is no card", {"manilhas": ("4c", "7")}),
    ("a scale that is no scale", {"scale": "2-4-6-10-12"}),
    ("a top above the target", {"target": 11}),
    ("no target", {"target": 0}),
    ("a target that is no number", {"target": True}),
    ("a target out of hand", {"target": 10_000}),
    ("a tie rule unknown", {"all_tied": "everybody"}),
    ("a partners' rule unknown", {"partners_tie": "maybe"}),
    ("a call rule unknown", {"call_in_special": "legal"}),
    ("an iron hand unknown", {"iron": "glass"}),
    ("a decision neither yes nor no", {"special_decision": 1}),
    ("folding neither yes nor no", {"fold": "yes"}),
    ("face down from a third trick", {"face_down_from": 3}),
    ("face down from True", {"face_down_from": True}),
    ("best of two", {"best_of": 2}),
]


@pytest.mark.parametrize(("what", "change"), IMPOSSIBLE, ids=[what for what, _ in IMPOSSIBLE])
def test_impossible_variants(what: str, change: dict[str, Any]) -> None:
    """A variant refuses at birth what cannot be."""
    with pytest.raises(ValueError, match=r"."):
        dataclasses.replace(MINEIRO, **change)


def test_values_are_brought_to_their_type() -> None:
    """A plugin may write plain values; the variant holds exact ones."""
    loose = dataclasses.replace(MINEIRO, players=[2, 4], manilhas=["4c", "7h"], all_tied="dealer")
    assert loose.players == frozenset({2, 4})
    assert loose.manilhas == (Card("4", "c"), Card("7", "h"))
    assert toggles(loose)["all_tied"] == "dealer"


def test_a_clean_deck_of_eight_without_a_vira() -> None:
    """24 cards are enough for eight hands, and for six with a vira."""
    fixed = parse_cards("Ac Kh")
    assert len(dataclasses.replace(MINEIRO, ranks="QJKA23", manilhas=fixed).deck) == 24
    six = frozenset({6})
    assert dataclasses.replace(MINEIRO, ranks="QJKA23", manilhas=(), players=six).has_vira


@pytest.mark.parametrize(
    ("toggle", "text"),
    [
        ("players", "2,3"),
        ("players", ""),
        ("players", "2;4"),
        ("players", "4,2"),
        ("players", "2,2"),
        ("players", "02"),
        ("players", "2, 4"),
        ("players", "2,4,"),
        ("ranks", "89"),
        ("manilhas", "4c,9h"),
        ("manilhas", "some"),
        ("scale", "1-2-3"),
        ("scale", "2"),
        ("scale", "2,truco:2"),
        ("scale", "2,truco"),
        ("scale", "4,truco:2"),
        ("scale", "0,truco:2"),
        ("scale", "2,truco:4,truco:6"),
        ("scale", "2,run:4"),
        ("scale", "2,x:4"),
        ("scale", "2,as:4"),
        ("scale", "2,tru co:4"),
        ("scale", "2,tr1:4"),
        ("scale", "2,:4"),
        ("scale", "02,truco:4"),
        ("scale", "2,truco:04"),
        ("scale", "2,truco:4:"),
        ("scale", "2,truco :4"),
        ("scale", "2,µs:4"),
        ("scale", "2,aª:4"),
        ("scale", "2,a÷:4"),
        ("scale", "2,čau:4"),
        ("scale", "2,e\u0301a:4"),
        ("scale", "2,truco:-4"),
        ("target", "twelve"),
        ("target", "-12"),
        ("target", "٣"),
        ("target", "012"),
        ("target", "+12"),
        ("target", "1_2"),
        ("target", " 12"),
        ("target", "12\n"),
        ("target", "12.0"),
        ("target", "1²"),
        ("ranks", "QJ\u212aA23"),
        ("manilhas", "4c, 7h"),
        ("manilhas", "04c"),
        ("iron", "bl\u0131nd"),
        ("all_tied", "no"),
        ("special_decision", "true"),
        ("face_down_from", "0"),
        ("face_down_from", "02"),
        ("best_of", "03x"),
        ("best_of", "03"),
        ("name", "mineiro"),
        ("wild", "yes"),
    ],
)
def test_impossible_toggles(toggle: str, text: str) -> None:
    """A toggle that does not exist, or a value that it cannot have, is refused."""
    with pytest.raises(ValueError, match=r"."):
        from_toggles("house", {toggle: text})


def test_a_call_is_a_word_of_small_letters_of_latin_1() -> None:
    """The ß among them; µ, ª and º are no letters of an alphabet."""
    words = {f"m{chr(code)}" for code in range(0x500) if _is_a_call(f"m{chr(code)}")}
    letters = "abcdefghijklmnopqrstuvwxyzßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ"
    assert words == {"m" + letter for letter in letters}


def _is_a_call(word: str) -> bool:
    try:
        return bool(Scale(1, (Call(word, 2),)))
    except ValueError:
        return False


def test_capitals_are_those_of_latin_1_and_no_others() -> None:
    """Whatever else Unicode takes for the same letter in another case is another letter."""
    capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZẞÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞŸ"
    changed = {chr(code): small(chr(code)) for code in range(sys.maxunicode + 1)}
    found = {char: low for char, low in changed.items() if low != char}
    assert found == {capital: capital.lower() for capital in capitals}


def test_scales_are_named_where_they_have_a_name() -> None:
    """A known scale is written by its name, another one with its shouts; both are read."""
    assert str(Scale.parse("2,truco:4,seis:8,nove:12")) == "2-4-8-12"
    house = Scale(3, (Call("truco", 6), Call("três", 9)))
    assert str(house) == "3,truco:6,três:9"
    assert Scale.parse(str(house)) == house
    assert all(Scale.parse(name) == scale and str(scale) == name for name, scale in SCALES.items())


def test_a_scale_is_written_in_256_characters() -> None:
    """More would fit into no agreement."""
    calls = ",".join(f"{letter * 15}:{points}" for points, letter in enumerate("abcdefghijklm", 10))
    for size, fits in ((256, True), (257, False)):
        text = f"1,{calls}"
        text += f",{'z' * (size - len(text) - 4)}:99"
        assert len(text) == size
        refused = nullcontext() if fits else pytest.raises(ValueError, match="too long")
        with refused:
            from_toggles("house", {"scale": text, "target": "99"})


@pytest.mark.parametrize(
    ("scale", "base", "special_at", "worth"),
    [("2-4-6-10-12", 2, 10, 4), ("2-4-8-12", 2, 10, 4), ("1-3-6-9-12", 1, 11, 3)],
)
def test_the_special_hand_follows_from_the_scale(
    scale: str, base: int, special_at: int, worth: int
) -> None:
    """It comes one base below the target and is worth the first call."""
    variant = dataclasses.replace(MINEIRO, scale=SCALES[scale])
    assert (variant.scale.base, variant.special_at, variant.scale.steps[1]) == (
        base,
        special_at,
        worth,
    )


@pytest.mark.parametrize("text", ["4", "", "10c", "8c", "4x", "c4", "4cc", "44", "QJ", "??"])
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        Card.parse(text)


def test_cards_by_index() -> None:
    """A card's index is its rank's place times four plus its suit's: clubs, hearts, spades."""
    deck = MINEIRO.deck
    assert [str(card) for card in deck[:6]] == ["4c", "4h", "4s", "4d", "5c", "5h"]
    assert str(deck[39]) == "3d"
    assert len(set(deck)) == 40
    assert all(Card.parse(str(card)) == card for card in deck)
    assert Card.parse("a♦") == Card("A", "d")


def rows(section: str) -> list[list[str]]:
    """The cells of the tables of a section of rules.md, ticks taken off."""
    text = (PAGES.parent / "rules.md").read_text(encoding="utf-8")
    part = text.split(f"\n## {section}")[1].split("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("| `")]
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines]


def test_the_specification_names_every_toggle_preset_and_code() -> None:
    """rules.md lists the toggles, the presets by what differs, and the codes in their order."""
    cells = {row[0]: row[1] for row in rows("7.")}
    assert set(cells) >= {*TOGGLES, *SCALES, *CORE}
    for name, variant in CORE.items():
        pairs = [f"{toggle}={text}" for toggle, text in differs(variant, MINEIRO).items()]
        assert sorted(cells[name].split()) == sorted(pairs)
    for name, scale in SCALES.items():
        assert str(Scale.parse(name)) == name
        assert ", ".join(f"{call.word} {call.points}" for call in scale.calls) in str(rows("7."))
    codes = [row[0] for row in rows("9.") if row[0] in REASONS]
    assert codes == list(REASONS)
