"""The report: one file, readable, that asks nobody else for anything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest

from p2ptruco.arena.plan import Fixture, Plan
from p2ptruco.arena.records import Fault, Game
from p2ptruco.arena.standing import Standing, standing
from p2ptruco.arena.times import counted
from p2ptruco.ui import words
from p2ptruco.ui.arena.numbers import decimal, milliseconds, percent
from p2ptruco.ui.arena.page import page

VOID = {"meta"}


class Reader(HTMLParser):
    """Text, tags and attributes of a page; every tag that must be is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.texts.append(data)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    words.speak("en")
    yield
    words.speak("en")


def three(names: tuple[str, str, str] = ("zap", "random", "mine"), pairs: int = 3) -> Standing:
    fault = Fault(1, "crash", 2, "RuntimeError: <no idea> & more\n")
    played = []
    for a, b in ((0, 1), (0, 2), (1, 2)):
        for number in range(pairs):
            legs = [
                Game(
                    Fixture(a, b, number, leg),
                    (a, a, b)[number],
                    (12, 7),
                    9,
                    "",
                    (fault,) * (a == 1),
                )
                for leg in (0, 1)
            ]
            played.append((legs[0], legs[1]))
    times = {entrant: counted([50_000] * 30) for entrant in range(3)}
    return standing(Plan(bots=names, pairs=3, seed=8), names, played, times, 812.4)


def test_the_page_is_whole_and_needs_nothing() -> None:
    """No script, no address, no style from elsewhere; three pictures that say what they are."""
    text = page(three())
    read = Reader(text)
    assert read.open == []
    assert read.tags.count("svg") == 3
    assert not {"script", "link", "img", "iframe", "object", "base", "form"} & set(read.tags)
    names = {name for name, _ in read.attributes}
    assert not {"src", "href", "srcset", "data", "action"} & names
    assert not [name for name in names if name.startswith("on")]
    assert not re.search(r"url\(|@import", text)
    assert re.findall(r"https?://[^\"' ]*", text) == ["http://www.w3.org/2000/svg"] * 3
    labels = [value for name, value in read.attributes if name == "aria-label"]
    assert labels == ["Ratings", "Matches won", "Win matrix"]


def test_the_page_says_what_the_standing_does() -> None:
    """Names, rates, intervals, points, times, faults with what they were."""
    read = Reader(page(three()))
    told = " ".join(read.texts)
    for text in (
        *("zap – random", "66.7 %", "+0.56", "0.050", "crash 12"),
        *("mineiro, 2 seats, 3 pairs, seed 8", "18 matches, 812 a second"),
        *("RuntimeError: <no idea> & more", "random, crash: against mine, pair 1, leg 1"),
    ):
        assert text in told, text


def test_the_page_speaks_portuguese() -> None:
    """Every heading, and numbers with a comma; nothing of the English is left."""
    english = Reader(page(three()))
    words.speak("pt-BR")
    text = page(three())
    read = Reader(text)
    assert '<html lang="pt-BR">' in text
    told = " ".join(read.texts)
    for text in ("Partidas ganhas", "Matriz de vitórias", "66,7 %", "tentos por mão", "erro 12"):
        assert text in told, text
    same = {t.strip() for t in english.texts} & {t.strip() for t in read.texts}
    assert not {text for text in same if re.search(r"[a-z]{4,} [a-z]{3,}", text)} - {
        "RuntimeError: <no idea> & more"
    }


def test_a_name_cannot_write_the_page() -> None:
    """Whatever a bot is called, it is text. The attacker would run a script where the report is
    read."""
    evil = "<script>alert(1)</script>", '"><svg onload=x>', "'&amp;<!--"
    read = Reader(page(three(evil)))
    assert "script" not in read.tags
    assert read.tags.count("svg") == 3
    assert "onload" not in {name for name, _ in read.attributes}
    assert evil[0] in " ".join(read.texts)


def test_a_page_of_nothing_is_a_page() -> None:
    """Stopped before the first pair was over."""
    empty = page(three(pairs=0))
    assert Reader(empty).open == []
    assert "Stopped before the end." in empty
    assert "Stopped before the end." not in page(three())


def test_numbers_are_written_as_people_do() -> None:
    """With a point in English, a comma in Portuguese, a true minus, a dash for none."""
    rows = ((decimal(-1.256, 2, plus=True), "−1.26"), (decimal(None, 2), "–"))
    assert [shown for shown, _ in rows] == [wanted for _, wanted in rows]
    assert (percent(0.5), percent(None)) == ("50.0 %", "– %")
    assert [milliseconds(ms) for ms in (0.0321, 3.21, 321.4, None)] == ["0.032", "3.2", "321", "–"]
    words.speak("pt-BR")
    assert decimal(1.5, 1, plus=True) == "+1,5"
