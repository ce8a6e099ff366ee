"""How the notation is read: every line, every default, and what makes a file unreadable."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2ptruco.rules.cards import Card
from p2ptruco.rules.notation.judge import REASONS, judge, judge_match
from p2ptruco.rules.notation.lines import Fault
from p2ptruco.rules.notation.reading import parse, parse_match
from p2ptruco.rules.presets import CORE, MINEIRO
from p2ptruco.rules.variant import from_toggles

HANDS = "hand 1: 4c 7h 3s\nhand 2: As 2d Kd\n"


def fault(text: str | bytes) -> tuple[str, int | None]:
    with pytest.raises(Fault) as raised:
        parse(text)
    return raised.value.code, raised.value.line


def test_defaults() -> None:
    """Two players of mineiro at nil, and the last seat deals."""
    sheet = parse(HANDS)
    assert (sheet.variant, sheet.players, sheet.score) == (MINEIRO, 2, (0, 0))
    assert (sheet.dealer, sheet.vira, sheet.moves) == (1, None, ())
    assert sheet.cards[0] == (Card("4", "c"), Card("7", "h"), Card("3", "s"))
    four = parse("players 4\nhand 3: ? ? ?\nhand 4: ? ? ?\n" + HANDS)
    assert four.dealer == 3
    assert four.cards[3] == (None, None, None)


@pytest.mark.parametrize(
    "text",
    [
        HANDS.replace("\n", "\r\n"),
        "\ufeff" + HANDS,
        HANDS.rstrip("\n"),
        HANDS.upper(),
        HANDS.lower(),
        "\n\n# nothing\n" + HANDS.replace(" ", "  ").replace("\n", " \t# said\n") + "\t\n",
        HANDS.replace("4c", "4♣").replace("7h", "7♥").replace("3s", "3♠").replace("Kd", "k♦"),
    ],
)
def test_the_same_file_typed_otherwise(text: str) -> None:
    """Line ends, byte order mark, case, blanks, comments and pictures of suits do not matter."""
    assert parse(text) == parse(HANDS)
    assert parse(text.encode()) == parse(HANDS)


def test_a_variant_with_overrides() -> None:
    """A preset, then overrides by the toggles."""
    sheet = parse("variant mano-a-mano Fold=no players=2,4 manilhas=4C,7h scale=2-4-8-12\n" + HANDS)
    wanted = {"fold": "no", "players": "2,4", "manilhas": "4c,7h", "scale": "2-4-8-12"}
    assert sheet.variant == from_toggles("mano-a-mano", wanted, CORE["mano-a-mano"])


def test_variants_by_plugin() -> None:
    """The variants that the caller knows are the ones that a file may name."""
    house = from_toggles("minha-casa", {"target": "24"})
    text = "variant minha-casa\nscore 20 13\n" + HANDS
    assert parse(text, {"minha-casa": house}).variant == house
    assert fault(text) == ("bad_header", 1)


@pytest.mark.parametrize(
    ("extra", "line"),
    [
        ("what is this", 3),
        ("variant", 3),
        ("variant mineiro fold", 3),
        ("variant mineiro fold=", 3),
        ("variant mineiro fold = no", 3),
        ("players", 3),
        ("players two", 3),
        ("players 2 2", 3),
        ("players -2", 3),
        ("score 4", 3),
        ("score 4 -1", 3),
        ("score 4 4 4", 3),
        ("score ٣ 4", 3),
        ("score 00 4", 3),
        ("score 04 4", 3),
        ("score +4 4", 3),
        ("score 1_0 4", 3),
        ("players 02", 3),
        ("dealer 01", 3),
        ("dealer", 3),
        ("dealer 0", 3),
        ("dealer 3", 3),
        ("dealer one", 3),
        ("vira", 3),
        ("vira ?", 3),
        ("vira 8c", 3),
        ("hand 3: 5c 5h 5s", 3),
        ("hand 0: 5c 5h 5s", 3),
        ("hand 1 4c 7h 3s", 3),
        ("hand 1:4c 7h 3s", 3),
        ("hand 1 : 4c 7h 3s", 3),
        ("hand 01: 4c 7h 3s", 3),
        ("hand1: 4c 7h 3s", 3),
        ("hand one: 4c 7h 3s", 3),
        ("hand 1: 4c, 7h, 3s", 3),
        ("hand 1: 10c 7h 3s", 3),
        ("1:", 3),
        ("1: 8c", 3),
        ("1: ?", 3),
        ("1:4c", 3),
        ("1 : 4c", 3),
        ("1 :4c", 3),
        ("01: 4c", 3),
        ("+1: 4c", 3),
        ("1_0: 4c", 3),
        ("１: 4c", 3),
        ("1: \u212ac", 3),
        ("1: x4c", 3),
        ("1: q", 3),
        ("1: čau", 3),
        ("1: 4c 7h", 3),
        ("1: x 4c 7h", 3),
        ("1: x y", 3),
        ("1: truco now", 3),
        ("1: nove", 3),
        ("1: call", 3),
        ("0: 4c", 3),
        ("3: 4c", 3),
        ("99999999999999999999999: 4c", 3),
        ("-1: 4c", 3),
        ("1. 4c", 3),
        ("---", 3),
        ("----", 3),
        ("1: 4c\rh", 3),
        ("1:\u00a04c", 3),
        ("1: 4c\x0b", 3),
        ("1: 4c\nplayers 2", 4),
        ("1: 4c\nhand 1: 4c 7h 3s", 4),
        ("1: 4c\n---", 4),
        ("1: 4c\n---\n" + HANDS, 4),
        ("1: 4c\n\n# again\n2: dobro", 6),
    ],
)
def test_syntax(extra: str, line: int) -> None:
    """A line that is none of this notation's, or a word or seat that is not at this table."""
    assert fault(HANDS + extra + "\n") == ("syntax", line)


@pytest.mark.parametrize(
    "data", [b"\xff", HANDS.encode() + b"# \xe9\n", b"\xed\xa0\x80", HANDS.encode("utf-16")]
)
def test_syntax_of_no_text(data: bytes) -> None:
    """What is not UTF-8 has no line."""
    assert fault(data) == ("syntax", None)


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("variant nowhere", 1),
        ("variant mineiro wild=yes", 1),
        ("variant mineiro fold=maybe", 1),
        ("variant mineiro fold=no fold=no", 1),
        ("variant mineiro ranks=QJKA23", 1),
        ("variant mineiro target=11", 1),
        ("variant mineiro best_of=2", 1),
        ("variant mineiro name=x", 1),
        ("variant mineiro target=012", 1),
        ("variant mineiro target=1_2", 1),
        ("variant mineiro players=4,2", 1),
        ("variant mineiro ran\u212as=4567QJKA23", 1),
        ("players 3", 1),
        ("players 0", 1),
        ("players 10", 1),
        ("players 99999999999999999999999", 1),
        ("variant mano-a-mano\nplayers 4", 2),
        ("variant mineiro players=4", None),
        ("score 12 0", 1),
        ("score 0 12", 1),
        ("score 0 99999999999999999999999", 1),
        ("variant mineiro target=24\nscore 24 0", 2),
        ("variant paulista", None),
        ("vira 5c", 1),
        ("variant mineiro\nvariant mineiro", 2),
        ("dealer 1\nscore 0 0\nscore 0 0\ndealer 1", 3),
        ("score 12 0\nvariant nowhere", 2),
        ("vira 5c\nplayers 3", 1),
        ("variant paulista\nscore 0 12", 2),
    ],
)
def test_bad_header(header: str, line: int | None) -> None:
    """Unknown variant or toggle, impossible value, size, score or vira, or a line twice."""
    assert fault(header + "\n" + HANDS) == ("bad_header", line)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", None),
        ("# nothing\n", None),
        ("hand 1: 4c 7h 3s\n", None),
        ("hand 1: 4c 7h 4c\nhand 2: As 2d Kd\n", 1),
        ("hand 2: As 2d Kd\nhand 1: 4c 7h Kd\n", 2),
        ("hand 1: 4c 7h\nhand 2: As 2d Kd\n", 1),
        ("hand 1:\nhand 2: As 2d Kd\n", 1),
        ("hand 1: 4c 7h 3s 5c\nhand 2: As 2d Kd\n", 1),
        (HANDS + "hand 2: ? ? ?\n", 3),
        ("hand 1: ? ? ?\nhand 1: ? ? ?\n", 2),
        ("variant paulista\n" + HANDS + "vira 4c\n", 4),
        ("variant paulista\nvira 4c\n" + HANDS, 3),
        ("variant paulista ranks=QJKA23\nvira 4c\nhand 1: ? ? ?\nhand 2: ? ? ?\n", 2),
        ("variant paulista ranks=QJKA23\nvira Qc\nhand 1: ? ? ?\nhand 2: ? 4h ?\n", 4),
        ("hand 1: 4c 4c 3s\n", 1),
    ],
)
def test_bad_deal(text: str, line: int | None) -> None:
    """A card twice, one not in the deck, a hand missing or not of three; the missing come last."""
    assert fault(text) == ("bad_deal", line)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("hand 1: 4c 4c 3s\nscore 12 0\nwhat\n", "syntax", 3),
        ("hand 1: 4c 4c 3s\nscore 12 0\n", "bad_header", 2),
        ("players 3\nhand 1: 4c 4c 3s\n1: dobro\n", "syntax", 3),
        ("variant nowhere\nhand 1: 4c 4c 3s\n1: dobro\n", "bad_header", 1),
        ("variant nowhere\nhand 1: 4c 4c 3s\n3: dobro\n", "syntax", 3),
        ("variant nowhere\nhand 1: 4c 4c 3s\n1: čau\n", "syntax", 3),
        ("variant mineiro scale=2,a1:4\n" + HANDS + "1: dobro\n", "bad_header", 1),
        ("variant mineiro scale=2,dobro:99999\n" + HANDS + "1: nove\n", "syntax", 4),
        ("variant mineiro fold=maybe\n" + HANDS + "1: nove\n", "syntax", 4),
        ("variant mineiro scale=1-2\n" + HANDS + "1: nove\n", "bad_header", 1),
        ("variant mineiro scale=2-4-8-12 fold=maybe\n" + HANDS + "1: nove\n", "bad_header", 1),
        (HANDS + "2: 4c\n3: 4c\n", "syntax", 4),
        ("hand 3: ? ? ?\nhand 4: ? ? ?\n" + HANDS + "players 4\nvira 5c\n", "bad_header", 6),
    ],
)
def test_codes_in_order_over_the_whole_file(text: str, code: str, line: int) -> None:
    """Syntax before header before deal, wherever the lines stand, and before every move."""
    assert fault(text) == (code, line)


def test_a_match_of_several_hands() -> None:
    """`---` divides the hands of a match; line numbers go on."""
    text = HANDS + "1: fold\n---\nscore 0 2\n" + HANDS + "2: fold\n"
    first, second = parse_match(text)
    assert (first.score, second.score) == ((0, 0), (0, 2))
    assert second.moves[0].line == 8
    with pytest.raises(Fault, match="line 9: syntax"):
        parse_match(text + "dealer 1\n")


def test_each_hand_of_a_match_is_judged_by_itself() -> None:
    """What is wrong with one keeps no other from its verdict; a hand that is told in comments, as
    one that was left before it had cards, is none."""
    text = HANDS + "1: fold\n---\n" + HANDS + "2: 4c\n---\ncards\n---\n" + HANDS + "1: 4c\n"
    verdicts = judge_match(text + "---\n# variant mineiro\n# result: A 2 absent\n")
    assert [verdict.exit for verdict in verdicts] == [0, 1, 2, 0]
    assert verdicts[1].illegal == (7, 1, "not_your_turn")
    assert verdicts[2].illegal == (9, None, "syntax")
    assert judge_match(HANDS) == (judge(HANDS),)
    for none in ("", "# nothing\n", b"\xff"):
        assert judge_match(none) == (judge(none),)


LINES = """\
variant mineiro|variant paulista|variant mano-a-mano|variant mineiro fold=no|vira 4c|players 4
score 10 4|score 10 10|dealer 1|hand 1: 4c 7h 3s|hand 2: As 2d Kd|hand 2: ? ? ?|hand 3: ? ? ?
hand 4: 5c 5d ?|hand 1: 4c|1: 4c|2: As|1: 7h|2: x|1: x 3s|1: truco|2: seis|1: accept|2: run|1: fold
1: play|2: refuse|2: timeout|1: timeout|3: 2c|4: 5d|1: ♣|---|# so||\0""".replace("|", "\n").split(
    "\n"
)
MOVES = [line for line in LINES if line[:1] in ("1", "2")]
HEADS = [line for line in LINES if line.startswith(("score", "dealer", "variant"))]
TEXTS = st.one_of(
    st.lists(st.sampled_from(LINES), max_size=25).map("\n".join),
    st.builds(
        lambda head, moves: "\n".join([head, HANDS, *moves]),
        st.sampled_from(HEADS),
        st.lists(st.sampled_from(MOVES), max_size=12),
    ),
    st.text(max_size=200),
    st.binary(max_size=200),
)


@settings(max_examples=1500, deadline=None)
@given(TEXTS)
def test_any_file_gets_a_verdict(text: str | bytes) -> None:
    """Whatever is in a file, the referee answers, with every key, and never raises."""
    verdict = judge(text)
    told = verdict.json()
    assert list(told) == KEYS
    assert verdict.exit in (0, 1, 2)
    wrong = told["illegal"]
    assert (wrong is None) == (verdict.exit == 0)
    if wrong is not None:
        assert wrong["code"] in REASONS
        assert wrong["message"] == REASONS[wrong["code"]]
        assert (wrong["move"] is None) == (verdict.exit == 2)
    if verdict.exit == 2:
        assert all(told[key] is None for key in KEYS[:-1])


KEYS = [
    *("variant", "players", "dealer", "kind", "tricks", "table", "value", "pending"),
    *("to_act", "legal", "result", "score", "match", "illegal"),
]
