"""The README says what the program does."""

from __future__ import annotations

import re
from pathlib import Path

from p2ptruco.rules.notation.judge import judge
from p2ptruco.ui import words
from p2ptruco.ui.terminal.audit import LIMITS, MEANING
from p2ptruco.ui.terminal.story import story

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PORTUGUESE = (ROOT / "README.pt-BR.md").read_text(encoding="utf-8")

HAND = """players 4
score 4 2
dealer 1
hand 1: 7h 4d 5d
hand 2: Qh 3s 6d
hand 3: 2d Kc 6s
hand 4: 3c As Jd
2: Qh
3: 2d
4: 3c
1: 7h
1: 4d
2: truco
3: seis
2: accept
2: 3s
3: Kc
4: As
4: Jd
1: x 5d
2: 6d
3: 6s
"""


def flat(text: str) -> str:
    return " ".join(re.sub(r"[*_`]", "", text).split())


def test_the_picture_is_what_the_program_prints() -> None:
    """A whole hand at the terminal."""
    verdict = judge(HAND)
    assert verdict.hand is not None
    assert verdict.illegal is None
    assert "\n".join(story(verdict.hand, 3)) in README


def test_what_verified_means_is_what_verify_prints() -> None:
    """The same promise in both places, and the same limits."""
    for sentence in re.split(r"(?<=[.:]) ", MEANING)[1:] + LIMITS.split(". ")[1:]:
        assert flat(sentence).lower().rstrip(".") in flat(README).lower()


def test_two_commands_do_all_the_set_up() -> None:
    """One plays a match, one runs the tests; the suite's own command is the one that CI runs."""
    for mark, last in (("demo", "p2ptruco demo"), ("tests", "pytest -n 2")):
        block = re.search(rf"<!-- {mark} -->\n```\n(.*?)\n```", README, re.DOTALL)
        assert block is not None
        assert "\n" not in block[1]
        assert block[1].startswith("python3 -m venv .venv && .venv/bin/pip install ")
        assert block[1].endswith(last)


def commands(text: str) -> list[str]:
    """What can be typed, without what is said of it."""
    lines = re.findall(r"^(?:p2ptruco|python3) .*$", text, re.MULTILINE)
    return [re.split(r" {3,}", line)[0] for line in lines]


def test_the_portuguese_page_has_everything_that_the_english_one_has() -> None:
    """The same commands, headings, rows and marks; the picture and the promise as they are said
    in Portuguese."""
    assert commands(PORTUGUESE) == commands(README)
    for kind in (r"^## ", r"^\| ", r"^```", r"^<!-- \w+ -->$"):
        there = [len(re.findall(kind, text, re.MULTILINE)) for text in (PORTUGUESE, README)]
        assert there[0] == there[1] > 0, kind
    verdict = judge(HAND)
    assert verdict.hand is not None
    try:
        words.speak("pt-BR")
        assert "\n".join(story(verdict.hand, 3)) in PORTUGUESE
        promised = [*re.split(r"(?<=[.:]) ", words._(MEANING))[1:], *words._(LIMITS).split(". ")]
    finally:
        words.speak("en")
    for sentence in promised:
        text = flat(sentence).lower().rstrip(".").removeprefix("não ")
        assert text in flat(PORTUGUESE).lower()
